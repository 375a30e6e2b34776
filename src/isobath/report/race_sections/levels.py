# SPDX-License-Identifier: Apache-2.0
"""Where seconds and bytes go, level by level, plan by plan; and how much of MPI is waiting."""

from collections.abc import Sequence

from isobath.records.phases import SEARCH_PHASES
from isobath.report.marks import Span
from isobath.report.race_cell import RacedCell
from isobath.report.race_communication import rank_times
from isobath.report.race_data import RaceData
from isobath.report.race_marks import RowChart, RowPanel
from isobath.report.race_wording import byte_unit
from isobath.report.wording import count_of, milliseconds, percent, phase_name
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Block, Figure, Legend, Section, Table, columns, nothing

TITLE = "Levels and phases"

SHOWN_LEVELS = 16
"""levels with a row of their own; the others share one"""


def render(race: RaceData) -> Section:
    """A chart of levels for each plan, then waiting against transfer for all of them."""
    cells = [cell for cell in race.profiled if cell.levels]
    if not cells:
        return nothing("levels", TITLE, "No run of this race carries levels.")
    blocks: list[Block] = [_level_figure(race, cell) for cell in cells]
    timed = [cell for cell in race.profiled if rank_times(cell.first.records)]
    if timed:
        blocks.append(_wait_figure(race, timed))
    return Section("levels", TITLE, tuple(blocks), lead=caption(cells))


def caption(cells: Sequence[RacedCell]) -> str:
    """One sentence: in which level of which plan most bytes are sent."""
    widest: tuple[float, RacedCell, int, float] | None = None
    for cell in cells:
        sums = _sums(cell, "bytes_sent")
        totals = {level: sum(phases.values()) for level, phases in sums.items()}
        whole = sum(totals.values())
        if whole:
            level = max(totals, key=lambda number: totals[number])
            candidate = (whole / len(cell.searches), cell, level, totals[level] / whole)
            widest = max(widest, candidate, key=lambda entry: entry[0]) if widest else candidate
    if widest is None:
        return f"Levels of {count_of(len(cells), 'plan')}; nothing was sent between ranks."
    _, cell, level, share = widest
    return (
        f"Most bytes are sent by {cell.plan}, {percent(share)} of them in level {level}; below, "
        f"what every plan does in each level with {count_of(cell.ranks, 'rank')}, on average."
    )


def _sums(cell: RacedCell, field: str) -> dict[int, dict[str, float]]:
    """A field of level records, summed over searches: by level and phase."""
    by_level: dict[int, dict[str, float]] = {}
    for level in cell.levels:
        number = min(level.level, SHOWN_LEVELS - 1)
        sums = by_level.setdefault(number, {})
        for phase, amount in (getattr(level, field) or {}).items():
            sums[phase] = sums.get(phase, 0.0) + amount
    return by_level


def _level_figure(race: RaceData, cell: RacedCell) -> Figure:
    count = len(cell.searches)
    seconds, sent = _sums(cell, "phases"), _sums(cell, "bytes_sent")
    numbers = sorted(seconds)
    size, unit = byte_unit(
        max((sum(phases.values()) / count for phases in sent.values()), default=0)
    )
    names, times, amounts, time_texts, byte_texts, rows = [], [], [], [], [], []
    for number in numbers:
        several = number == SHOWN_LEVELS - 1 and any(x.level > number for x in cell.levels)
        names.append(f"level {number}{' and on' if several else ''}")
        times.append(_stack(seconds[number], 1e3 / count))
        amounts.append(_stack(sent.get(number, {}), 1 / count / size))
        spent = sum(seconds[number].values()) / count
        moved = sum(sent.get(number, {}).values()) / count
        time_texts.append(f"{milliseconds(spent)} ms")
        byte_texts.append(format_bytes(moved) if moved else "")
        rows += _rows(cell, number, seconds[number], sent.get(number, {}))
    panels = [RowPanel("milliseconds", tuple(times), tuple(time_texts))]
    if any(amounts):
        panels.append(RowPanel(f"{unit} sent by all ranks", tuple(amounts), tuple(byte_texts)))
    told = _mpi_panel(cell, numbers)
    panels += [told] if told else []
    used = {p for sums in (*seconds.values(), *sent.values()) for p, x in sums.items() if x > 0}
    totals = {number: sum(sums.values()) for number, sums in seconds.items()}
    longest = max(totals, key=lambda number: totals[number])
    whole = sum(totals.values()) or 1.0
    mark = ", oversubscribed: bytes are facts, times are not" if cell.oversubscribed else ""
    return Figure(
        RowChart(tuple(names), tuple(panels), race.words),
        f"On {cell.grid} ranks {cell.plan} spends {percent(totals[longest] / whole)} of the time "
        f"of all levels in level {longest}. Times are of the slowest rank in each phase{mark}.",
        (
            *(Legend(f"phase-{p}", phase_name(p)) for p in SEARCH_PHASES if p in used),
            *((Legend("time-transfer", "transfer"), Legend("time-wait", "wait")) if told else ()),
        ),
        Table(
            f"Levels of {cell.plan} in numbers",
            columns("#level", "phase", "#ms per search", "#bytes per search"),
            tuple(rows),
            folded=True,
        ),
        title=f"{cell.plan}, {count_of(cell.ranks, 'rank')}",
    )


def _mpi_panel(cell: RacedCell, numbers: Sequence[int]) -> RowPanel | None:
    """Time inside MPI calls, mean over ranks: transfer and wait; None where no level tells it."""
    inside, waits = _sums(cell, "call_seconds"), _sums(cell, "wait_seconds")
    if not any(sum(inside.get(number, {}).values()) for number in numbers):
        return None
    factor = 1e3 / len(cell.searches)
    spans, texts = [], []
    for number in numbers:
        wait = sum(waits.get(number, {}).values()) * factor
        end = max(wait, sum(inside.get(number, {}).values()) * factor)
        parts = [Span(0.0, end - wait, "time-transfer"), Span(end - wait, end, "time-wait")]
        spans.append(tuple(part for part in parts if part.end > part.start))
        texts.append(f"{percent(wait / end)} wait" if end else "")
    return RowPanel("ms in MPI, mean of ranks", tuple(spans), tuple(texts))


def _stack(sums: dict[str, float], factor: float) -> tuple[Span, ...]:
    spans, at = [], 0.0
    for phase in (name for name in SEARCH_PHASES if sums.get(name, 0) > 0):
        spans.append(Span(at, at + sums[phase] * factor, f"phase-{phase}"))
        at += sums[phase] * factor
    return tuple(spans)


def _rows(
    cell: RacedCell, number: int, seconds: dict[str, float], sent: dict[str, float]
) -> list[tuple[str, ...]]:
    count = len(cell.searches)
    return [
        (
            str(number),
            phase_name(phase),
            milliseconds(seconds.get(phase, 0.0) / count),
            f"{sent.get(phase, 0) / count:,.0f}",
        )
        for phase in SEARCH_PHASES
        if seconds.get(phase) or sent.get(phase)
    ]


def _wait_figure(race: RaceData, cells: Sequence[RacedCell]) -> Figure:
    """Time of a rank in a search: own work, transfer, and waiting for the last rank to arrive."""
    stacks, texts, rows = [], [], []
    leading: tuple[float, str] = (-1.0, "")
    for cell in cells:
        times = rank_times(cell.first.records)
        whole = sum(rank.seconds for rank in times) / len(times)
        mpi = sum(rank.mpi_seconds for rank in times) / len(times)
        wait = sum(rank.wait_seconds for rank in times) / len(times)
        parts = (
            ("work", max(0.0, whole - mpi)),
            ("transfer", max(0.0, mpi - wait)),
            ("wait", wait),
        )
        spans, at = [], 0.0
        for name, amount in parts:
            if amount > 0:
                spans.append(Span(at * 1e3, (at + amount) * 1e3, f"time-{name}"))
                at += amount
        stacks.append(tuple(spans))
        share = wait / whole if whole else 0.0
        texts.append(f"{milliseconds(whole)} ms, {percent(share)} waiting")
        leading = max(leading, (share, cell.plan))
        error = cell.first.records.run.clock_error_seconds
        rows.append(
            (cell.plan, *(milliseconds(amount) for _, amount in parts), percent(share),
             milliseconds(min(rank.wait_seconds for rank in times)),
             milliseconds(max(rank.wait_seconds for rank in times)),
             format_seconds(error) if error else "0, one node")
        )  # fmt: skip
    share, plan = leading
    return Figure(
        RowChart(
            tuple(cell.plan for cell in cells),
            (RowPanel("milliseconds of a rank per search", tuple(stacks), tuple(texts)),),
            race.words,
        ),
        f"Mean over ranks and searches; {plan} waits most, {percent(share)} of its time. Waiting "
        "is the time inside an MPI call before the last rank had entered it; the rest of the call "
        "is transfer.",
        (
            Legend("time-work", "own work"),
            Legend("time-transfer", "transfer"),
            Legend("time-wait", "wait"),
        ),
        Table(
            "Waiting in numbers, per search",
            columns("=plan", "#own work, ms", "#transfer, ms", "#wait, ms", "#of the time",
                    "#least of ranks, ms", "#most, ms", "clock error"),
            tuple(rows),
            folded=True,
        ),
        title="Waiting against transfer",
    )  # fmt: skip
