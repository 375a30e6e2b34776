# SPDX-License-Identifier: Apache-2.0
"""A benchmark of overlap as sections: one for each collective, size and number of ranks."""

import re
from collections.abc import Iterator, Sequence

from isobath.kinds.overlap.by_library import by_library
from isobath.kinds.overlap.by_ranks import by_ranks
from isobath.kinds.overlap.printed_sections import (
    osu_section,
    overlap_test_section,
    percentage_words,
)
from isobath.overlap import definitions
from isobath.overlap.folders import OverlapRead
from isobath.overlap.reading import Group, Row, name_of
from isobath.records.collective import LaunchRecord
from isobath.records.placement import host_words
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.units import format_bytes, format_seconds
from isobath.view.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Page,
    Paragraph,
    Section,
    Table,
    columns,
    nothing,
)


def page_of(read: OverlapRead) -> Page:
    """All groups, what could not be measured, and how the rest was."""
    hosts = {host_words(host.hostname) for launch in _launches(read) for host in launch.hosts}
    sections = [*by_library(read), *sections_of(read), *by_ranks(read)]
    if read.groups:
        sections += (osu_section(read), overlap_test_section(read))
    refused = read.not_measured
    if refused:
        sections.append(nothing("not-measured", "Not measured", f"{'; '.join(refused)}."))
    return Page(
        title=f"Overlap {read.name}",
        heading="What non-blocking collectives hide",
        place=", ".join(sorted(hosts)) or "nothing was run",
        noun="benchmark",
        name=read.name,
        made_from="records.jsonl",
        sections=(*sections, method(read)),
        doubts=(*read.problems, *read.labels),
    )


def sections_of(read: OverlapRead) -> list[Section]:
    """What was measured; one line where nothing was."""
    sections = [section(group) for group in read.groups]
    return sections or [nothing("overlap", "Overlap", "This benchmark has no times.")]


def headline_words(read: OverlapRead) -> str:
    """What the first group with a result says."""
    first = next(iter(read.groups), None)
    if first is None:
        return "no times"
    under = f" under {first.place.mpi}" if first.place.mpi else ""
    return f"{first.collective}{under}: {first.sentence()}"


def _launches(read: OverlapRead) -> list[LaunchRecord]:
    return [record for record in read.records if isinstance(record, LaunchRecord)]


def method(read: OverlapRead) -> Section:
    """Launches and clocks: what intervals speak of."""
    clocks = max((launch.clocks for launch in _launches(read)), default=1)
    error = max((cell.clock_error_nanoseconds for cell in read.cells), default=0)
    facts = (
        Fact("Launches", f"{read.plan.launches} of each way to make progress, in random order. "
             "Intervals resample launches, then repetitions, and are widened for few launches."),
        Fact("Clocks", "one clock: nothing to compare." if clocks == 1 else
             f"{clocks} clocks, compared after every setting; times of different ranks were wrong "
             f"by {format_seconds(error * 1e-9)} at the most."),
    )  # fmt: skip
    return Section("method", "How it was measured", (Facts(facts, style="words"),), measured=False)


def section(group: Group) -> Section:
    """Time by way to make progress, hidden share against work and against tests, all numbers."""
    sound = [row for row in group.middle if not row.record.oversubscribed]
    blocks: list[Block] = [_times(group, sound) if sound else _table(group)]
    blocks += _remarks(group, sound)
    blocks += _shares_by_work(group)
    blocks += _shares_by_tests(sound)
    if sound:
        blocks.append(_intervals(sound))
    size = f" of {format_bytes(group.size_bytes)}" if group.size_bytes else ""
    place = f"-{group.place.titled}" if group.place.titled else ""
    identifier = f"{group.collective}-{group.size_bytes}-{group.ranks}{place}"
    identifier = re.sub("[^a-z0-9]+", "-", identifier.lower())
    title = f"{group.collective}{size}, {count_of(group.ranks, 'rank')}{group.place.titled}"
    said = group.sentence()
    return Section(identifier, title, tuple(blocks), lead=f"{said[0].upper()}{said[1:]}.")


def _times(group: Group, rows: Sequence[Row]) -> Figure:
    bars = (
        Bar(
            name_of(row.record),
            row.times.overlap * 1e6,
            format_seconds(row.times.overlap),
            limit=(row.times.blocking + row.times.work) * 1e6,
        )
        for row in rows
    )
    first = min(rows, key=lambda row: row.times.overlap)
    last = max(rows, key=lambda row: row.times.overlap)
    return Figure(
        BarChart(tuple(bars), "start, work and wait, us"),
        f"{name_of(first.record)} takes {format_seconds(first.times.overlap)}, "
        f"{name_of(last.record)} {format_seconds(last.times.overlap)}; the mark is the blocking "
        "call and the work in turn, so a bar beyond it is a loss.",
        table=_table(group),
        title="Time with work between start and wait",
    )


def _table(group: Group) -> Table:
    return Table(
        "Times and shares in the middle of the sweep",
        columns("=progress", "#C_b", "#C_n", "#work", "#T_nov", "#T_ov", "#hidden", "#core",
                "#OSU", "#IMB", "#S/S*"),
        tuple(_cells(row) for row in group.middle),
    )  # fmt: skip


def _cells(row: Row) -> tuple[str, ...]:
    times = row.times
    durations = (times.blocking, times.nonblocking, times.work, times.no_overlap, times.overlap)
    cells = (name_of(row.record), *map(format_seconds, durations))
    if row.record.oversubscribed:
        return (*cells, "oversubscribed: no result")
    efficiency = definitions.speedup(times) / definitions.speedup_bound(times)
    shares = (row.hidden_share, row.availability)
    percentages = (row.percentages.osu.value, row.percentages.imb.value)
    return (
        *cells,
        *(f"{share:.0%}" for share in shares),
        *(f"{percentage:.0f}%" for percentage in percentages),
        f"{efficiency:.2f}",
    )


def _remarks(group: Group, sound: Sequence[Row]) -> Iterator[Paragraph]:
    """The interval of the best, means, definitions that disagree, and what the program advises."""
    best, times = group.best, group.middle[0].mean_times
    if best is not None and best.overlap_interval is not None:
        low, high = map(format_seconds, best.overlap_interval)
        yield Paragraph(
            f"T_ov of {name_of(best.record)}: 95 % interval {low} to {high}, "
            f"{count_of(best.launches, 'launch', 'launches')}."
        )
    means = {"C_b": times.blocking, "C_n": times.nonblocking, "T_nov": times.no_overlap,
             "T_ov": times.overlap}  # fmt: skip
    named = ", ".join(f"{name} {format_seconds(mean)}" for name, mean in means.items())
    yield Paragraph(f"Means of the repetitions of {name_of(group.middle[0].record)}: {named}.")
    odd = [name_of(row.record) for row in sound if row.disagreement]
    if odd:
        yield Paragraph(f"OSU and hidden share are more than 10 points apart: {', '.join(odd)}.")
    for advice in sorted({row.record.advice for row in group.rows if row.record.advice}):
        yield Paragraph(advice)


def _share_chart(rows: Sequence[Row], names: Sequence[str]) -> BarChart:
    bars = (
        Bar(name, definitions.clamped(row.hidden_share) * 100, f"{row.hidden_share:.0%}", limit=100)
        for row, name in zip(rows, names, strict=True)
    )
    return BarChart(tuple(bars), "hidden, % of what can be hidden")


def _shares_by_work(group: Group) -> list[Block]:
    """One chart for each way to make progress that was swept over work."""
    blocks: list[Block] = []
    work = group.rows[0].record.work
    for progress in dict.fromkeys(row.record.progress for row in group.middle):
        tests = [row.record.tests for row in group.rows if row.record.progress == progress]
        swept = max(dict.fromkeys(tests), key=tests.count)
        rows = [
            row
            for row in group.rows
            if row.record.progress == progress
            and row.record.work == work
            and row.record.tests == swept
            and not row.record.oversubscribed
        ]
        if len(rows) < 2:
            continue
        best = max(rows, key=lambda row: row.hidden_share)
        blocks.append(
            Figure(
                _share_chart(rows, [f"work {row.record.work_ratio:g} x call" for row in rows]),
                f"With {name_of(best.record)} most is hidden, {best.hidden_share:.0%}, where the "
                f"work is {best.record.work_ratio:g} times the call; below 0 nothing is drawn.",
                title=f"Hidden share against work, {name_of(best.record)}",
            )
        )
    return blocks


def _shares_by_tests(rows: Sequence[Row]) -> list[Block]:
    tested = [row for row in rows if row.record.progress == "tests"]
    if len(tested) < 2:
        return []
    best = min(tested, key=lambda row: row.times.overlap)
    most = max(tested, key=lambda row: row.record.tests)
    return [
        Figure(
            _share_chart(tested, [name_of(row.record) for row in tested]),
            f"{count_of(best.record.tests, 'test')} a call hide most; the calls of "
            f"{count_of(most.record.tests, 'test')} take {format_seconds(most.tests_seconds)}.",
            title="Hidden share against the number of tests",
        )
    ]


def _intervals(rows: Sequence[Row]) -> Table:
    return Table(
        "95 % intervals over launches, and the percentages by other definitions",
        columns("=progress", "#T_ov", "#hidden, %", "#OSU, %", "#SHARP paper, %", "#IMB, %"),
        tuple(_interval_cells(row) for row in rows),
        folded=True,
    )


def _interval_cells(row: Row) -> tuple[str, ...]:
    interval, share, percentages = row.overlap_interval, row.share_interval, row.percentages
    return (
        name_of(row.record),
        " to ".join(map(format_seconds, interval)) if interval else "-",
        f"{share.value * 100:.0f} ({share.low * 100:.0f} to {share.high * 100:.0f})",
        *map(percentage_words, (percentages.osu, percentages.sharp_paper, percentages.imb)),
    )
