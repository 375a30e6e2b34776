# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of conjugate gradients found, for programs: groups of rows. Seconds."""

from typing import Any

from isobath.kinds.cg.findings import break_even, gain, sentences
from isobath.kinds.cg.measured import Measured
from isobath.kinds.cg.reading import Group, Row
from isobath.stats.ratios import Ratio


def facts_of(measured: Measured) -> dict[str, Any]:
    """All groups."""
    return {
        "groups": [_group_json(group) for group in measured.groups],
        "not_measured": list(measured.not_measured),
        "problems": list(measured.problems),
        "launches": {"done": measured.launches_done, "planned": measured.launches},
    }


def _group_json(group: Group) -> dict[str, Any]:
    even = break_even(group, "pipelined")
    return {
        "mpi": group.mpi,
        "ranks": group.ranks,
        "elements": group.elements,
        "rows": [_row_json(group, row) for row in group.rows],
        "break_even": None
        if even is None
        else {"method": even.method, "reduction_seconds": even.reductions,
              "extra_work_seconds": even.extra, "can_pay": even.can_pay},
        "findings": sentences(group),
    }  # fmt: skip


def _row_json(group: Group, row: Row) -> dict[str, Any]:
    record = row.first
    told: dict[str, Any] = {
        "method": record.method,
        "progress": record.progress,
        "tests": record.tests,
        "iterations": record.iterations,
        "threads_per_rank": record.threads_per_rank,
        "launches": len(row.records),
        "oversubscribed": record.oversubscribed,
        "remark": row.remark,
    }
    if not row.is_result:
        return told
    interval = row.interval
    against = gain(group, row) if record.progress != "blocking" else None
    return told | {
        "seconds_per_iteration": row.iteration.value,
        "interval": [interval.low, interval.high] if interval else None,
        "speedup": _ratio(row.against(group.plain)) if group.plain else None,
        "algorithm": _ratio(against.algorithm) if against else None,
        "overlap": _ratio(against.overlap) if against else None,
        "reduction_seconds": row.reduction_seconds,
        "work_seconds": row.work_seconds,
        "mpi_share": {share.call: share.part for share in row.shares} or None,
    }


def _ratio(ratio: Ratio) -> dict[str, float | None]:
    return {"value": ratio.value, "low": ratio.low, "high": ratio.high}
