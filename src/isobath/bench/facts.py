# SPDX-License-Identifier: Apache-2.0
"""Everything that a benchmark says of its cells, as JSON for other programs."""

import json
from collections.abc import Sequence
from typing import Any

from isobath.bench.cross_check import CrossCheck
from isobath.bench.identity import Identities
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.places import ALL_TO_ALL, is_pretended, node_rate, nodes_of, reach_of
from isobath.bench.rates import algorithm_bandwidth, bus_bandwidth, k_computer_rate


def json_text(measured: Measured, checks: Sequence[CrossCheck] = ()) -> str:
    """One object with all cells: settings, times, rates, algorithm and how it is known.

    Args: checks against IMB, where it was launched.
    """
    identities = Identities(measured)
    cells = [_cell(one, identities) for one in measured.cells]
    told = {
        "bench_id": measured.header.study_id,
        "preset": measured.spec.preset,
        "launches": measured.spec.launches,
        "launches_done": measured.launches_done,
        "problems": measured.problems,
        "cells": cells,
    }
    if checks:
        told["cross_check"] = [_check(one) for one in checks]
    return json.dumps(told, indent=1) + "\n"


def _check(one: CrossCheck) -> dict[str, Any]:
    return {
        "mpi": one.ours.arm.mpi,
        "ranks": one.ours.first.ranks,
        "collective": one.ours.cell.collective,
        "size_bytes": one.ours.cell.size_bytes,
        "our_largest_mean_microseconds": one.estimate.value,
        "our_interval_microseconds": one.bounds,
        "our_median_microseconds": 1e6 * one.ours.seconds,
        "imb_t_max_microseconds": one.their_largest,
        "imb_t_avg_microseconds": one.their_mean,
        "launches": [len(one.own_means), len(one.imb)],
        "ratio": one.ratio,
        "outcome": one.outcome,
        "why": one.words() or None,
    }


def _cell(one: MeasuredCell, identities: Identities) -> dict[str, Any]:
    cell = one.cell.model_dump(exclude={"algorithm"}, exclude_none=True)
    found = identities.of(one)
    told: dict[str, Any] = {
        "mpi": one.arm.mpi,
        "ranks": one.first.ranks,
        "cell": cell,
        "forced": one.cell.algorithm.name if one.cell.algorithm else None,
        "algorithm": found.algorithm or None,
        "source": found.source,
        "confidence": found.confidence,
        "evidence": found.evidence,
        "not_runnable": one.not_runnable or None,
        "data_failure": one.data_failure or None,
        "oversubscribed": one.oversubscribed,
        "transport": one.arm.placement.transport,
        "nodes": nodes_of(one) if one.node_of_rank else None,
        "nodes_are_pretended": is_pretended(one),
        "reach": reach_of(one),
    }
    if one.is_result:
        told |= _times(one)
    return told


def _times(one: MeasuredCell) -> dict[str, Any]:
    low, high = one.bounds
    told = {
        "median_seconds": one.seconds,
        "interval_seconds": [low, high],
        "interval_is": "range of few launches" if one.launches_disagree else "95 % interval",
        "launches": len(one.launches),
        "repetitions": sum(map(len, one.launches)),
        "p99_seconds": one.spread.p99 if one.spread else None,
    }
    if one.wire_bytes:
        told |= {
            "bus_bytes_per_second": bus_bandwidth(one),
            "algorithm_bytes_per_second": algorithm_bandwidth(one),
            "k_computer_bytes_per_second": k_computer_rate(one),
        }
    if one.cell.collective in ALL_TO_ALL and one.cell.counts == "uniform" and one.node_of_rank:
        told["node_bytes_per_second"] = node_rate(one)
    return told
