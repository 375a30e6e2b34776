# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of overlap found, for programs: every row. Seconds and shares."""

import dataclasses
import math
from typing import Any

from isobath.overlap.folders import OverlapRead
from isobath.overlap.percentages import Percentage
from isobath.overlap.reading import Row


def facts_of(read: OverlapRead) -> dict[str, Any]:
    """All groups."""
    return {
        "launches_done": read.launches_done,
        "launches": read.launches,
        "groups": [
            {
                "collective": group.collective,
                "size_bytes": group.size_bytes,
                "ranks": group.ranks,
                "nodes": group.place.nodes,
                "place": group.place.words or None,
                "mpi": group.place.mpi or read.plan.mpi,
                "rows": [_row_json(row) for row in group.rows],
                "finding": group.sentence(),
            }
            for group in read.groups
        ],
        "not_measured": list(read.not_measured),
        "problems": list(read.problems),
    }


def _row_json(row: Row) -> dict[str, Any]:
    record = row.record
    told: dict[str, Any] = {
        "progress": record.progress,
        "tests": record.tests,
        "work": record.work,
        "work_ratio": record.work_ratio,
        "aggregators": record.aggregators,
        "threads_per_rank": record.threads_per_rank,
        "launches": row.launches,
        "oversubscribed": record.oversubscribed,
        "seconds": dataclasses.asdict(row.times),
    }
    if record.oversubscribed:
        return told
    share = row.share_interval
    return told | {
        "overlap_interval": row.overlap_interval,
        "hidden": {name: _finite(getattr(share, name)) for name in ("value", "low", "high")},
        "core_availability": row.availability,
        "osu_percent": row.percentages.osu.value,
        "osu_percent_interval": _bounds(row.percentages.osu),
        "sharp_paper_percent": row.percentages.sharp_paper.value,
        "sharp_paper_percent_interval": _bounds(row.percentages.sharp_paper),
        "imb_percent": row.percentages.imb.value,
        "imb_percent_interval": _bounds(row.percentages.imb),
    }


def _bounds(percentage: Percentage) -> tuple[float, float] | None:
    """95 % over launches; None of one launch."""
    interval = percentage.interval
    return (interval.low, interval.high) if interval else None


def _finite(value: float) -> float | None:
    """JSON has no infinity: a share of next to nothing has no bound."""
    return value if math.isfinite(value) else None
