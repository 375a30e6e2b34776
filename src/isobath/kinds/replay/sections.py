# SPDX-License-Identifier: Apache-2.0
"""A replay as a section: each phase as it was in the run and by itself, and what that means."""

from collections.abc import Iterator

from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.replay import Comparison, ReplayedPhase, compared
from isobath.kinds.replay.plan import ReplayPlan
from isobath.report.wording import percent
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Section, Table, columns

OVERSUBSCRIBED = (
    "OVERSUBSCRIBED: more ranks than processors; ranks take turns, so no time is shown. Data were "
    "checked, bytes are facts."
)


def section(measured: Measured, plan: ReplayPlan, phases: tuple[ReplayedPhase, ...]) -> Section:
    """A table for each library, and the finding."""
    libraries = list(by_library(measured, phases))
    return Section(
        "replay",
        f"Search {plan.replayed_search} of {plan.replayed}",
        tuple(_table(name, rows) for name, rows, _ in libraries),
        lead=_lead({name: said_of(rows, cells) for name, rows, cells in libraries}),
    )


def _lead(said: dict[str, str]) -> str:
    """The finding; of several libraries that of each, unless it is the same of all."""
    if len(set(said.values())) < 2:
        return next(iter(said.values()), "")
    return " ".join(f"Under {name}: {words}" for name, words in said.items())


def planned(phases: tuple[ReplayedPhase, ...]) -> Section:
    """The same before anything is measured."""
    return Section("planned", "What is to be replayed", (_table("any MPI", compared(phases, ())),))


def by_library(
    measured: Measured, phases: tuple[ReplayedPhase, ...]
) -> Iterator[tuple[str, tuple[Comparison, ...], tuple[MeasuredCell, ...]]]:
    """Every phase beside its call under each library."""
    for arm in measured.plan.arms:
        cells = tuple(cell for cell in measured.cells if cell.arm.arm == arm.arm)
        yield arm.mpi, compared(phases, cells), cells


def said_of(rows: tuple[Comparison, ...], cells: tuple[MeasuredCell, ...]) -> str:
    """The finding; none where the times are no result."""
    return OVERSUBSCRIBED if any(cell.oversubscribed for cell in cells) else sentence(rows)


def _table(name: str, rows: tuple[Comparison, ...]) -> Table:
    return Table(
        f"Under {name}; expand as allgatherv along columns, hub_pass over all ranks, the others as "
        "alltoallv along rows",
        columns("#level", "=phase", "#bytes", "#largest", "#in the run", "#by itself", "#95 %"),
        tuple(map(_cells, rows)),
        keys=2,
    )


def _cells(row: Comparison) -> tuple[str, ...]:
    part, measured = row.part, row.measured
    spent = part.recorded_seconds
    low, high = measured.bounds if measured else (0.0, 0.0)
    return (
        str(part.level),
        part.phase,
        format_bytes(part.bytes),
        format_bytes(max(map(max, part.matrix))),
        "" if spent is None else format_seconds(spent),
        "" if measured is None else format_seconds(measured.seconds),
        "" if measured is None else f"{format_seconds(low)} to {format_seconds(high)}",
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
    spent = sum(seconds for seconds, _ in both)
    calls = sum(seconds for _, seconds in both)
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
