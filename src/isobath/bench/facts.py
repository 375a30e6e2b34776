# SPDX-License-Identifier: Apache-2.0
"""Everything that a benchmark says of its cells, as JSON for other programs."""

import json
from collections.abc import Sequence
from typing import Any

from isobath.bench.cross_check import CrossCheck
from isobath.bench.identity import Identities
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.places import (
    ALL_TO_ALL,
    is_pretended,
    k_throughput,
    node_rate,
    nodes_of,
    ranks_are_nodes,
    reach_of,
)
from isobath.bench.rates import algorithm_bandwidth, bus_bandwidth


def json_text(measured: Measured, checks: Sequence[CrossCheck] = ()) -> str:
    """One object with all cells: settings, times, rates, algorithm and how it is known.

    Args: checks against IMB, where it was launched.
    """
    identities = Identities(measured)
    by_ranks = ranks_are_nodes(measured.cells)
    cells = [_cell(cell, identities, by_ranks=by_ranks) for cell in measured.cells]
    told = {
        "bench_id": measured.header.study_id,
        "preset": measured.plan.preset,
        "launches": measured.plan.launches,
        "launches_done": measured.launches_done,
        "problems": measured.problems,
        "cells": cells,
    }
    if checks:
        told["cross_check"] = [_check(check) for check in checks]
    return json.dumps(told, indent=1) + "\n"


def _check(check: CrossCheck) -> dict[str, Any]:
    return {
        "mpi": check.ours.arm.mpi,
        "ranks": check.ours.first.ranks,
        "collective": check.ours.cell.collective,
        "size_bytes": check.ours.cell.size_bytes,
        "our_largest_mean_microseconds": check.estimate.value,
        "our_interval_microseconds": check.bounds,
        "our_median_microseconds": 1e6 * check.ours.seconds,
        "imb_t_max_microseconds": check.their_largest,
        "imb_t_avg_microseconds": check.their_mean,
        "launches": [len(check.own_means), len(check.imb)],
        "ratio": check.ratio,
        "outcome": check.outcome,
        "why": check.words() or None,
    }


def _cell(measured: MeasuredCell, identities: Identities, *, by_ranks: bool) -> dict[str, Any]:
    cell = measured.cell.model_dump(exclude={"algorithm"}, exclude_none=True)
    identity = identities.of(measured)
    told: dict[str, Any] = {
        "mpi": measured.arm.mpi,
        "ranks": measured.first.ranks,
        "cell": cell,
        "forced": measured.cell.algorithm.name if measured.cell.algorithm else None,
        "algorithm": identity.algorithm or None,
        "source": identity.source,
        "confidence": identity.confidence,
        "evidence": identity.evidence,
        "not_runnable": measured.not_runnable or None,
        "data_failure": measured.data_failure or None,
        "oversubscribed": measured.oversubscribed,
        "transport": measured.arm.placement.transport,
        "nodes": nodes_of(measured) if measured.node_of_rank else None,
        "nodes_are_pretended": is_pretended(measured),
        "reach": reach_of(measured),
    }
    if measured.is_result:
        told |= _times(measured, by_ranks=by_ranks)
    return told


def _times(measured: MeasuredCell, *, by_ranks: bool) -> dict[str, Any]:
    low, high = measured.bounds
    told = {
        "median_seconds": measured.seconds,
        "interval_seconds": [low, high],
        "interval_is": "range of few launches" if measured.launches_disagree else "95 % interval",
        "launches": len(measured.launches),
        "repetitions": sum(map(len, measured.launches)),
        "p99_seconds": measured.spread.p99 if measured.spread else None,
    }
    if measured.wire_bytes:
        told |= {
            "bus_bytes_per_second": bus_bandwidth(measured),
            "algorithm_bytes_per_second": algorithm_bandwidth(measured),
            "k_computer_bytes_per_second": k_throughput(measured, by_ranks=by_ranks),
        }
    if (
        measured.cell.collective in ALL_TO_ALL
        and measured.cell.counts == "uniform"
        and measured.node_of_rank
    ):
        told["node_bytes_per_second"] = node_rate(measured)
    return told
