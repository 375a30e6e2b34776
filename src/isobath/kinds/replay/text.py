# SPDX-License-Identifier: Apache-2.0
"""A replay in words: each phase as it was in the run and by itself, and what that means."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.replay import Comparison, ReplayedPhase, compared
from isobath.kinds.collectives.text import OVERSUBSCRIBED, notices
from isobath.report.wording import percent
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table


def parts(measured: Measured, phases: tuple[ReplayedPhase, ...]) -> "Iterator[RenderableType]":
    """What must be known first, then a table and a sentence for each library."""
    yield from notices(measured)
    for name, rows, cells in by_library(measured, phases):
        yield table_of(rows, name if len(measured.spec.arms) > 1 else "")
        if not any(one.oversubscribed for one in cells):
            yield sentence(rows)


def by_library(
    measured: Measured, phases: tuple[ReplayedPhase, ...]
) -> Iterator[tuple[str, tuple[Comparison, ...], tuple[MeasuredCell, ...]]]:
    """Every phase beside its call under each library."""
    for arm in measured.spec.arms:
        cells = tuple(one for one in measured.cells if one.arm.arm == arm.arm)
        yield arm.mpi, compared(phases, cells), cells


def said_of(rows: tuple[Comparison, ...], cells: tuple[MeasuredCell, ...]) -> str:
    """The finding; none where the times are no result."""
    return OVERSUBSCRIBED if any(one.oversubscribed for one in cells) else sentence(rows)


def table_of(rows: tuple[Comparison, ...], title: str = "") -> "Table":
    """A row for each phase, at 80 columns."""
    from rich import box
    from rich.table import Table

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.caption = "expand as allgatherv along columns, the others as alltoallv along rows"
    table.caption_justify = "left"
    table.add_column("level", justify="right", no_wrap=True)
    table.add_column("phase", no_wrap=True)
    for head in ("bytes", "largest", "in the run", "by itself", "95 %"):
        table.add_column(head, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row_of(row))
    return table


def row_of(row: Comparison) -> tuple[str, ...]:
    """Its texts, for the terminal and the page."""
    part, one = row.part, row.measured
    spent = part.recorded_seconds
    low, high = one.bounds if one else (0.0, 0.0)
    return (
        str(part.level),
        part.phase,
        format_bytes(part.bytes),
        format_bytes(max(map(max, part.matrix))),
        "" if spent is None else format_seconds(spent),
        "" if one is None else format_seconds(one.seconds),
        "" if one is None else f"{format_seconds(low)} to {format_seconds(high)}",
    )


def sentence(rows: tuple[Comparison, ...]) -> str:
    """How much of the phases the calls take."""
    both = [
        (row.part.recorded_seconds, row.measured.seconds)
        for row in rows
        if row.measured is not None and row.part.recorded_seconds is not None
    ]
    if not both:
        return "No phase has both times, so nothing can be said of their difference."
    spent = sum(one for one, _ in both)
    calls = sum(one for _, one in both)
    if calls >= spent:
        return (
            f"The calls by themselves take {format_seconds(calls)}, not less than the "
            f"{format_seconds(spent)} that the search spent in these phases: it does not wait "
            "here, or moves the same bytes in a better way."
        )
    return (
        f"Of {format_seconds(spent)} that the search spent in these phases the calls by themselves "
        f"take {format_seconds(calls)}, {percent(calls / spent)}; the rest is packing, waiting for "
        "the slowest rank, and what other work leaves of the caches."
    )
