# SPDX-License-Identifier: Apache-2.0
"""Where the time of all searches goes: by phase, and by level."""

from isobath.records.phases import SEARCH_PHASES
from isobath.report.marks import Bar, BarChart, Span, SpanRow, StackChart
from isobath.report.phase_shares import NOTED_EXCESS, PhaseShare, shares
from isobath.report.roofline import PhaseLimit, limits_of_run, phase_limits, why_no_limits
from isobath.report.run_data import RunData
from isobath.report.wording import (
    count_of,
    listing,
    milliseconds,
    milliseconds_of,
    percent,
    phase_name,
)
from isobath.units import format_bytes
from isobath.view.content import Block, Figure, Legend, Paragraph, Section, Table, columns

TITLE = "Where the time goes"

SHOWN_LEVELS = 20

needs = ("search.seconds", "search.phases")


def render(data: RunData) -> Section:
    """Mean time per phase with the range over searches, and mean time per level."""
    phases = shares(data)
    if not phases:
        return Section("phases", TITLE, lead="The searches of this run carry no phases.")
    limits = _limits(data)
    blocks: list[Block] = [_figure(data, phases, limits)]
    blocks.append(Paragraph(limit_sentence(phases, limits) or why_no_limits(data)))
    if data.levels:
        blocks.append(_levels_figure(data))
    return Section("phases", TITLE, tuple(blocks), lead=caption(data, phases))


def _limits(data: RunData) -> dict[str, PhaseLimit]:
    """By phase; empty where none are known."""
    measured = limits_of_run(data)
    if measured is None or why_no_limits(data):
        return {}
    return phase_limits(data, measured)


def limit_sentence(phases: tuple[PhaseShare, ...], limits: dict[str, PhaseLimit]) -> str:
    """One sentence: how near the phases that have a limit come to it; empty without limits."""
    limited = [item for item in phases if item.phase in limits and item.mean > 0]
    if not limited:
        return ""
    reached = [(item.phase, percent(limits[item.phase].seconds / item.mean)) for item in limited]
    first, *others = reached
    spent = sum(item.mean for item in limited)
    least = sum(limits[item.phase].seconds for item in limited)
    farthest = max(limited, key=lambda item: item.mean - limits[item.phase].seconds)
    parts = [f"{phase_name(first[0])} reaches {first[1]} of its limit"]
    parts += [f"{phase_name(name)} {share}" for name, share in others]
    return (
        f"By the limits measured on this machine a search cannot take less than "
        f"{milliseconds(least)} ms in the phases that have one, where it takes "
        f"{milliseconds(spent)} ms: {listing(parts)}; most is to be gained in "
        f"{phase_name(farthest.phase)}, which must move "
        f"{format_bytes(limits[farthest.phase].moved)} a search."
    )


def caption(data: RunData, phases: tuple[PhaseShare, ...]) -> str:
    """One sentence: the phases that make up most of the time."""
    longest = phases[0]
    text = f"{phase_name(longest.phase)} takes {percent(longest.share)} of the time of all searches"
    text = text[0].upper() + text[1:]
    next_ones = [f"{phase_name(item.phase)} ({percent(item.share)})" for item in phases[1:3]]
    if next_ones:
        text += f", before {listing(next_ones)}"
    sent = sum(search.bytes_sent for search in data.searches) / len(data.searches)
    traffic = (
        f"; a search sends {format_bytes(sent)} between ranks"
        if sent
        else "; nothing is sent, for there is one rank"
        if data.records.run.ranks == 1
        else ""
    )
    return f"{text}{traffic}."


def _mean_seconds(data: RunData) -> float:
    return sum(search.seconds for search in data.searches) / len(data.searches)


def _figure(data: RunData, phases: tuple[PhaseShare, ...], limits: dict[str, PhaseLimit]) -> Figure:
    total = _mean_seconds(data)
    rows = [
        Bar(
            phase_name(item.phase),
            item.mean * 1e3,
            f"{milliseconds_of(item.mean, total)}, {percent(item.share)}",
            f"phase-{item.phase}",
            item.low * 1e3,
            item.high * 1e3,
            limits[item.phase].seconds * 1e3 if item.phase in limits else None,
        )
        for item in phases
    ]
    count = count_of(len(data.searches), "search", "searches")
    added = sum(item.mean for item in phases)
    note = ""
    if added > NOTED_EXCESS * total:
        note = (
            " Of several ranks the longest counts, so the phases add up to "
            f"{milliseconds_of(added, total)} of a search of {milliseconds_of(total, total)}; "
            "shares are of that sum."
        )
    if limits:
        note += " The upright mark across a bar is what this machine's memory allows at best."
    heads = ["phase", "#mean, ms", "#shortest, ms", "#longest, ms", "#share of time"]
    heads += ["#must move", "#limit, ms", "#reached"] if limits else []
    table = Table(
        "Phases in numbers",
        columns(*heads),
        tuple(_table_row(item, limits) for item in phases),
        folded=True,
    )
    return Figure(
        BarChart(tuple(rows), "milliseconds per search", not data.validated),
        f"Mean time of each phase over {count}; the thin line is the range of single searches."
        f"{note}",
        table=table,
        title="By phase",
    )


def _table_row(item: PhaseShare, limits: dict[str, PhaseLimit]) -> tuple[str, ...]:
    cells = (
        phase_name(item.phase),
        milliseconds(item.mean),
        milliseconds(item.low),
        milliseconds(item.high),
        percent(item.share),
    )
    if not limits:
        return cells
    limit = limits.get(item.phase)
    if limit is None:
        return (*cells, "", "", "")
    reached = percent(limit.seconds / item.mean)
    return (*cells, format_bytes(limit.moved), milliseconds(limit.seconds), reached)


def _levels_figure(data: RunData) -> Figure:
    """Levels of equal number over all searches; their phases as parts of a bar."""
    totals: dict[int, dict[str, float]] = {}
    upward: dict[int, int] = {}
    present: dict[int, int] = {}
    indices = {search.index for search in data.searches}
    for index in indices & data.levels.keys():
        for level in data.levels[index]:
            sums = totals.setdefault(level.level, {})
            for phase, seconds in level.phases.items():
                sums[phase] = sums.get(phase, 0.0) + seconds
            present[level.level] = present.get(level.level, 0) + 1
            upward[level.level] = upward.get(level.level, 0) + (level.direction == "bottom_up")
    count = len(data.searches)
    total = _mean_seconds(data)
    rows, table_rows = [], []
    for number in sorted(totals):
        phases = {p: totals[number][p] / count for p in SEARCH_PHASES if totals[number].get(p)}
        mean = sum(phases.values())
        direction = f"bottom-up in {upward[number]} of {present[number]}"
        table_rows.append(
            (str(number), milliseconds(mean), str(present[number]), str(upward[number]))
        )
        if number >= SHOWN_LEVELS:
            continue
        spans, clock = [], 0.0
        for phase, seconds in phases.items():
            spans.append(Span(clock * 1e3, (clock + seconds) * 1e3, f"phase-{phase}"))
            clock += seconds
        time = milliseconds_of(mean, total)
        rows.append(SpanRow(f"level {number}", tuple(spans), f"{time}, {direction}", time))
    used = [p for p in SEARCH_PHASES if any(sums.get(p) for sums in totals.values())]
    longest = max(totals, key=lambda number: sum(totals[number].values()))
    return Figure(
        StackChart(tuple(rows), "milliseconds per search", not data.validated),
        f"Mean time of each level over {count_of(count, 'search', 'searches')}; level {longest} "
        "costs most.",
        tuple(Legend(f"phase-{p}", phase_name(p)) for p in used),
        Table(
            "Levels in numbers",
            columns(
                "#level", "#mean over all searches, ms", "#searches with it", "#of these bottom-up"
            ),
            tuple(table_rows[:512]),
            folded=True,
        ),
        title="By level",
    )
