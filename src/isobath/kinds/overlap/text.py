# SPDX-License-Identifier: Apache-2.0
"""Overlap as a table of 80 columns, one for each collective, size and number of ranks."""

import dataclasses
import math
import textwrap
from collections.abc import Iterator
from typing import Any

from isobath.overlap import definitions
from isobath.overlap.folders import OverlapRead
from isobath.overlap.percentages import Percentage
from isobath.overlap.reading import (
    Group,
    Row,
    few_launches,
    groups_of,
    name_of,
    not_measured,
    rows_of,
)
from isobath.records.overlap import OverlapRecord
from isobath.units import format_bytes

HEADS = ("progress", "C_b", "C_n", "work", "T_nov", "T_ov", "hidden", "core", "OSU", "IMB", "S/S*")
WIDTHS = (14, 6, 6, 6, 6, 6, 6, 5, 4, 4, 5)


def parts(read: OverlapRead) -> Iterator[str]:
    """What has to be known first, then a table for each group."""
    planned = sum(1 for _ in read.plan.runs())
    if read.launches_done < planned:
        yield f"UNFINISHED: {read.launches_done} of {planned} launches are done.\n"
    for group in groups_of(rows_of(_cells(read))):
        yield "\n".join(lines_of(group)) + "\n"
    few = few_launches(read.plan.launches)
    if few:
        yield f"{few}."


def headline_words(read: OverlapRead) -> str:
    """What the first group with a result says."""
    groups = groups_of(rows_of(_cells(read)))
    return next((f"{one.collective}: {one.sentence()}" for one in groups), "no times")


def not_measured_of(read: OverlapRead) -> list[str]:
    """Settings that could not be run, and why."""
    return list(not_measured(_cells(read)))


def _cells(read: OverlapRead) -> list[OverlapRecord]:
    return [one for one in read.records if isinstance(one, OverlapRecord)]


def as_json(read: OverlapRead) -> dict[str, Any]:
    """The same as data: every row, not the middle alone. Seconds and shares."""
    records = [one for one in read.records if isinstance(one, OverlapRecord)]
    return {
        "launches_done": read.launches_done,
        "launches": sum(1 for _ in read.plan.runs()),
        "groups": [
            {
                "collective": group.collective,
                "size_bytes": group.size_bytes,
                "ranks": group.ranks,
                "rows": [_row_json(row) for row in group.rows],
                "finding": group.sentence(),
            }
            for group in groups_of(rows_of(records))
        ],
        "not_measured": not_measured(records),
        "problems": list(read.problems),
    }


def _row_json(row: Row) -> dict[str, Any]:
    one = row.record
    found: dict[str, Any] = {
        "progress": one.progress,
        "tests": one.tests,
        "work": one.work,
        "work_ratio": one.work_ratio,
        "aggregators": one.aggregators,
        "threads_per_rank": one.threads_per_rank,
        "launches": row.launches,
        "oversubscribed": one.oversubscribed,
        "seconds": dataclasses.asdict(row.times),
    }
    if not _is_sound(row):
        return found
    share = row.share_interval
    return found | {
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


def lines_of(group: Group) -> list[str]:
    """Times in microseconds, shares in per cent, and the sentence."""
    size = f" of {format_bytes(group.size_bytes)}" if group.size_bytes else ""
    ranks = "1 rank" if group.ranks == 1 else f"{group.ranks} ranks"
    title = f"{group.collective}{size}, {ranks}; times in us, shares in %"
    heads = (f"{head:>{width}}" for head, width in zip(HEADS, WIDTHS, strict=True))
    lines = [title, " ".join(heads)]
    lines += [_line(row) for row in group.middle]
    best = group.best
    if best is not None and best.overlap_interval is not None:
        low, high = best.overlap_interval
        lines += _wrapped(
            f"  T_ov of {name_of(best.record)}: 95 % interval {_micro(low)} to {_micro(high)}, "
            f"{best.launches} {'launch' if best.launches == 1 else 'launches'}"
        )
    lines += [f"  means of the repetitions: {_means(row)}" for row in group.middle[:1]]
    odd = [name_of(row.record) for row in group.middle if row.disagreement and _is_sound(row)]
    if odd:
        lines += _wrapped(f"  OSU and hidden share are more than 10 points apart: {', '.join(odd)}")
    for advice in sorted({row.record.advice for row in group.rows if row.record.advice}):
        lines += _wrapped(f"  {advice}")
    return lines + _wrapped(f"{group.collective}{size}: {group.sentence()}.")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 79, subsequent_indent="  ")


def _is_sound(row: Row) -> bool:
    return not row.record.oversubscribed


def _line(row: Row) -> str:
    times = row.times
    cells = [name_of(row.record)]
    cells += [
        _micro(one)
        for one in (times.blocking, times.nonblocking, times.work, times.no_overlap, times.overlap)
    ]
    if not _is_sound(row):
        cells.append("oversubscribed: no result")
        return " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=False))
    efficiency = definitions.speedup(times) / definitions.speedup_bound(times)
    cells += [
        f"{row.hidden_share * 100:.0f}",
        f"{row.availability * 100:.0f}",
        f"{row.percentages.osu.value:.0f}",
        f"{row.percentages.imb.value:.0f}",
        f"{efficiency:.2f}",
    ]
    return " ".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def _means(row: Row) -> str:
    times = row.mean_times
    named = {
        "C_b": times.blocking,
        "C_n": times.nonblocking,
        "T_nov": times.no_overlap,
        "T_ov": times.overlap,
    }
    return ", ".join(f"{name} {_micro(one)}" for name, one in named.items())


def _micro(seconds: float) -> str:
    micro = seconds * 1e6
    if micro < 99.95:
        return f"{micro:.1f}"
    return f"{micro:.0f}" if micro < 999_999 else f"{micro / 1e6:.1f}s"
