# SPDX-License-Identifier: Apache-2.0
"""The levels of two searches as timelines: the typical one and the slowest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from isobath.records.phases import SEARCH_PHASES, PhaseName
from isobath.records.search import LevelRecord, SearchRecord
from isobath.report.marks import Measure, Span, SpanRow
from isobath.report.phase_shares import NOTED_EXCESS
from isobath.report.run_data import RunData
from isobath.report.run_marks import TimelineChart
from isobath.report.wording import compact, milliseconds, milliseconds_of, percent, phase_name
from isobath.units import format_bytes, format_seconds
from isobath.view.content import (
    Block,
    Column,
    Figure,
    Legend,
    Paragraph,
    Section,
    Table,
    columns,
    first_rows,
)

TITLE = "The levels of a search"

SHOWN_LEVELS = 30
"""levels with a row of their own in a timeline; a Kronecker graph has about seven"""

SHOWN_ROWS = 512

needs = ("search.seconds", "search.phases", "level.direction", "level.phases")


@dataclass(frozen=True)
class Step:
    """A row of a timeline: a level, or what came before and after all levels."""

    name: str
    spans: tuple[tuple[str, float, float], ...]
    """phase, start and end in seconds since the search began"""
    level: LevelRecord | None = None


def render(data: RunData) -> Section:
    """Two timelines on one time axis, each with frontier, arcs and bytes of every level."""
    chosen = [
        (title, search, data.levels[search.index])
        for title, search in (("typical", data.typical), ("slowest", data.slowest))
        if search is not None and search.index in data.levels
    ]
    if len(chosen) == 2 and chosen[0][1].index == chosen[1][1].index:
        chosen = chosen[:1]
    if not chosen:
        return Section("levels", TITLE, lead="No level records belong to the searches of this run.")
    end = max(
        _end(shortened(steps(search, levels), search.seconds)) for _, search, levels in chosen
    )
    blocks: list[Block] = [
        _figure(title, search, levels, end, unvalidated=not data.validated)
        for title, search, levels in chosen
    ]
    if data.records.run.ranks == 1:
        blocks.append(Paragraph("The run had one rank: nothing was sent, so no bytes are shown."))
    return Section("levels", TITLE, tuple(blocks), lead=caption(chosen[0][1], chosen[0][2]))


def steps(search: SearchRecord, levels: Sequence[LevelRecord]) -> tuple[Step, ...]:
    """Lays the phases of a search end to end.

    Records hold how long each phase took, not when it began, and of several ranks the longest; so
    the timeline is those durations in the order of the run. What a search's phases hold beyond the
    sum of its levels happened outside: clearing before, emission and the last reduction after.
    """
    inside: dict[PhaseName, float] = {}
    for level in levels:
        for phase, seconds in level.phases.items():
            inside[phase] = inside.get(phase, 0.0) + seconds
    outside = {
        phase: max(0.0, search.phases.get(phase, 0.0) - inside.get(phase, 0.0))
        for phase in SEARCH_PHASES
    }
    negligible = search.seconds * 1e-4
    before: dict[PhaseName, float] = {"reset": outside["reset"]}
    after: dict[PhaseName, float] = {
        phase: seconds
        for phase, seconds in outside.items()
        if phase != "reset" and seconds > negligible
    }
    timeline: list[Step] = []
    clock = 0.0
    if before["reset"] > 0:
        timeline.append(Step("before", _laid(before, clock)))
        clock += before["reset"]
    for level in levels:
        laid = _laid(level.phases, clock)
        name = f"{level.level}  {phase_name(level.direction)}"
        timeline.append(Step(name, laid, level))
        clock += max(level.seconds, sum(level.phases.values()))
    if after:
        timeline.append(Step("after", _laid(after, clock)))
    return tuple(timeline)


def shortened(timeline: Sequence[Step], seconds: float) -> tuple[Step, ...]:
    """The same in proportion, ending with the search.

    Of several ranks every phase has the time of the rank that was longest in it, mostly waiting for
    another; laid end to end these exceed the search.
    """
    end = _end(timeline)
    if end <= seconds:
        return tuple(timeline)
    factor = seconds / end
    return tuple(
        Step(step.name, tuple((p, a * factor, b * factor) for p, a, b in step.spans), step.level)
        for step in timeline
    )


def caption(search: SearchRecord, levels: Sequence[LevelRecord]) -> str:
    """One sentence on where the time of the typical search goes."""
    lengths = [max(level.seconds, sum(level.phases.values())) for level in levels]
    whole = max(search.seconds, _end(steps(search, levels)))
    longest = levels[lengths.index(max(lengths))]
    widest = max(levels, key=lambda level: level.frontier_vertices)
    upward = sum(1 for level in levels if level.direction == "bottom_up")
    share = percent(max(lengths) / whole)
    return (
        f"The typical search (search {search.index}, {format_seconds(search.seconds)}) has "
        f"{len(levels)} levels, {upward} of them bottom-up; level {longest.level} "
        f"({phase_name(longest.direction)}) takes {share} of its time, level {widest.level} starts "
        f"from the widest frontier ({widest.frontier_vertices:,} vertices), all levels together "
        f"take {percent(sum(lengths) / whole)}."
    )


def _laid(phases: Mapping[PhaseName, float], clock: float) -> tuple[tuple[str, float, float], ...]:
    spans = []
    for phase in (name for name in SEARCH_PHASES if phases.get(name, 0.0) > 0):
        spans.append((phase, clock, clock + phases[phase]))
        clock += phases[phase]
    return tuple(spans)


def _end(timeline: Sequence[Step]) -> float:
    return max((end for step in timeline for _, _, end in step.spans), default=0.0)


def _figure(
    title: str,
    search: SearchRecord,
    levels: tuple[LevelRecord, ...],
    end: float,
    *,
    unvalidated: bool,
) -> Figure:
    measured = steps(search, levels)
    timeline = shortened(measured, search.seconds)
    excess = _end(measured) / search.seconds
    note = ""
    if excess > NOTED_EXCESS:
        note = (
            " Each phase has the time of the rank that was longest in it; these times add up to "
            f"{excess:.2f} times the search and are drawn in proportion."
        )
    sent = ", how many arcs it scanned and how many bytes were sent"
    if not search.bytes_sent:
        sent = " and how many arcs it scanned"
    rows, kept = _rows(timeline, search.seconds)
    chart = TimelineChart(rows, _measures(kept), end * 1e3, unvalidated)
    used = {phase for step in timeline for phase, _, _ in step.spans}
    passed = search.validation is not None and search.validation.passed
    mark = "" if passed else ", UNVALIDATED"
    return Figure(
        chart,
        f"Levels of search {search.index} from root {search.root}: when each phase ran, how many "
        f"vertices the level started from{sent}.{note}",
        tuple(Legend(f"phase-{p}", phase_name(p)) for p in SEARCH_PHASES if p in used),
        _table(search, levels),
        title=f"The {title} search: {format_seconds(search.seconds)}{mark}",
    )


def _rows(timeline: Sequence[Step], total: float) -> tuple[tuple[SpanRow, ...], tuple[Step, ...]]:
    """Rows of the chart. Levels beyond the limit share one row, which keeps long paths readable."""
    kept = list(timeline)
    if len(kept) > SHOWN_LEVELS:
        rest = kept[SHOWN_LEVELS - 1 :]
        spans = tuple(span for step in rest for span in step.spans)
        kept = [*kept[: SHOWN_LEVELS - 1], Step(f"{len(rest)} more", spans)]
    rows = tuple(
        SpanRow(
            step.name,
            tuple(Span(a * 1e3, b * 1e3, f"phase-{phase}") for phase, a, b in step.spans),
            milliseconds_of(step.spans[-1][2] - step.spans[0][1], total) if step.spans else "",
        )
        for step in kept
    )
    return rows, tuple(kept)


def _measures(kept: Sequence[Step]) -> tuple[Measure, ...]:
    levels = [step.level for step in kept]

    def measure(title: str, numbers: Sequence[int | None], *, in_bytes: bool = False) -> Measure:
        texts = tuple(
            "" if n is None else format_bytes(n) if in_bytes else compact(n) for n in numbers
        )
        values = tuple(None if n is None else float(n) for n in numbers)
        return Measure(title, values, texts)

    measures = [
        measure("frontier, vertices", [None if v is None else v.frontier_vertices for v in levels]),
        measure("arcs scanned", [None if v is None else v.arcs_scanned for v in levels]),
    ]
    sent = [None if v is None else sum(v.bytes_sent.values()) for v in levels]
    if any(sent):
        measures.append(measure("bytes sent", sent, in_bytes=True))
    return tuple(measures)


def _table(search: SearchRecord, levels: Sequence[LevelRecord]) -> Table:
    used = [
        phase for phase in SEARCH_PHASES if any(level.phases.get(phase, 0) > 0 for level in levels)
    ]
    heads = (
        *columns("#level", "=direction", "#frontier, vertices", "#arcs scanned", "#time, ms"),
        *columns("#sent, bytes", "#messages"),
        *(Column(f"{phase_name(phase)}, ms", numeric=True) for phase in used),
    )
    rows = [
        (
            str(level.level),
            phase_name(level.direction),
            f"{level.frontier_vertices:,}",
            f"{level.arcs_scanned:,}",
            milliseconds(level.seconds),
            f"{sum(level.bytes_sent.values()):,}",
            f"{sum(level.messages.values()):,}",
            *(milliseconds(level.phases.get(phase, 0.0)) for phase in used),
        )
        for level in levels
    ]
    shown, left_out = first_rows(rows, SHOWN_ROWS, "records.jsonl")
    return Table(
        f"Levels of search {search.index} in numbers",
        heads,
        shown,
        folded=True,
        left_out=left_out,
        keys=2,
    )
