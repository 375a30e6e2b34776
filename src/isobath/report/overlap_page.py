# SPDX-License-Identifier: Apache-2.0
"""The page of a benchmark of overlap: a section for each collective, size and number of ranks."""

from collections.abc import Sequence

from isobath import __version__
from isobath.overlap import definitions
from isobath.overlap.percentages import Percentage
from isobath.overlap.plan import ENOUGH_LAUNCHES
from isobath.overlap.reading import (
    Group,
    Row,
    few_launches,
    groups_of,
    name_of,
    not_measured,
    rows_of,
)
from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.overlap import OverlapRecord
from isobath.report import charts
from isobath.report.content import (
    Block,
    Fact,
    Facts,
    Figure,
    Section,
    Table,
    columns,
    nothing,
)
from isobath.report.marks import Bar
from isobath.report.page import environment_of_templates
from isobath.units import format_bytes, format_seconds


def overlap_page_html(
    records: Sequence[AnyRecord],
    name: str,
    *,
    launches: int = ENOUGH_LAUNCHES,
    problems: Sequence[str] = (),
) -> str:
    """The whole page as text. The same records give the same page, letter for letter.

    Args: launches that were planned; problems are sentences on launches that cannot be trusted.
    """
    found = [one for one in records if isinstance(one, OverlapRecord)]
    heads = [one for one in records if isinstance(one, LaunchRecord)]
    hosts = sorted({host.hostname for one in heads for host in one.hosts})
    sections = [section(group) for group in groups_of(rows_of(found))]
    if not sections:
        sections = [nothing("overlap", "Overlap", "This benchmark has no times.")]
    refused = not_measured(found)
    if refused:
        sections.append(nothing("not-measured", "Not measured", f"{'; '.join(refused)}."))
    sections.append(_method(heads, found, launches))
    return (
        environment_of_templates()
        .get_template("overlap.html")
        .render(
            title="Overlap",
            name=name,
            heading="What non-blocking collectives hide",
            place=", ".join(hosts) or "nothing was run",
            labels=(),
            sections=sections,
            version=__version__,
            doubt=". ".join(one for one in (*problems, few_launches(launches)) if one),
        )
    )


def _method(
    heads: Sequence[LaunchRecord], found: Sequence[OverlapRecord], launches: int
) -> Section:
    """Launches and clocks: what intervals speak of."""
    clocks = max((one.clocks for one in heads), default=1)
    error = max((one.clock_error_nanoseconds for one in found), default=0)
    facts = (
        Fact("Launches", f"{launches} of each way to make progress, in random order. Intervals "
             "resample launches, then repetitions, and are widened for few launches."),
        Fact("Clocks", "one clock: nothing to compare." if clocks == 1 else
             f"{clocks} clocks, compared after every setting; times of different ranks were wrong "
             f"by {format_seconds(error * 1e-9)} at the most."),
    )  # fmt: skip
    return Section("method", "How it was measured", (Facts(facts, style="words"),), measured=False)


def title_of(group: Group) -> str:
    """``allreduce of 512 B, 2 ranks``."""
    size = f" of {format_bytes(group.size_bytes)}" if group.size_bytes else ""
    return f"{group.collective}{size}, {group.ranks} {'rank' if group.ranks == 1 else 'ranks'}"


def section(group: Group) -> Section:
    """Time by way to make progress, hidden share against work and against tests, all numbers."""
    sound = [row for row in group.middle if not row.record.oversubscribed]
    blocks: list[Block] = []
    if sound:
        blocks.append(_times(sound))
        blocks += _shares_by_work(group)
        blocks += _shares_by_tests(sound)
    blocks.append(_table(group.middle))
    identifier = f"{group.collective}-{group.size_bytes}-{group.ranks}".replace("_", "-")
    return Section(identifier, title_of(group), tuple(blocks), lead=f"{group.sentence()}.")


def _times(rows: Sequence[Row]) -> Figure:
    bars = [
        Bar(
            name_of(row.record),
            row.times.overlap * 1e6,
            format_seconds(row.times.overlap),
            limit=(row.times.blocking + row.times.work) * 1e6,
        )
        for row in rows
    ]
    first = min(rows, key=lambda row: row.times.overlap)
    last = max(rows, key=lambda row: row.times.overlap)
    return Figure(
        charts.bars(bars, axis="start, work and wait, us", unvalidated=False),
        f"{name_of(first.record)} takes {format_seconds(first.times.overlap)}, "
        f"{name_of(last.record)} {format_seconds(last.times.overlap)}; the mark is the blocking "
        "call and the work in turn, so a bar beyond it is a loss.",
        title="Time with work between start and wait",
    )


def _share_bar(row: Row, name: str) -> Bar:
    share = definitions.clamped(row.hidden_share) * 100
    return Bar(name, share, f"{row.hidden_share:.0%}", limit=100.0)


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
                charts.bars(
                    [_share_bar(row, f"work {row.record.work_ratio:g} x call") for row in rows],
                    axis="hidden, % of what can be hidden",
                    unvalidated=False,
                ),
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
            charts.bars(
                [_share_bar(row, name_of(row.record)) for row in tested],
                axis="hidden, % of what can be hidden",
                unvalidated=False,
            ),
            f"{best.record.tests} tests are best; {most.record.tests} tests take "
            f"{format_seconds(most.tests_seconds)} themselves.",
            title="Hidden share against the number of tests",
        )
    ]


def _table(rows: Sequence[Row]) -> Table:
    return Table(
        "All numbers of the middle of the sweep",
        columns("=progress", "#C_b", "#C_n", "#work", "#T_nov", "#T_ov", "#95 % of T_ov",
                "#hidden, %", "#95 % of hidden", "#core, %",
                "#OSU, %", "#SHARP paper, %", "#IMB, %", "remark"),
        tuple(_cells(row) for row in rows),
        folded=True,
    )  # fmt: skip


def _cells(row: Row) -> tuple[str, ...]:
    times = row.times
    durations = (times.blocking, times.nonblocking, times.work, times.no_overlap, times.overlap)
    interval = row.overlap_interval
    within = " to ".join(map(format_seconds, interval)) if interval else "-"
    cells = (name_of(row.record), *(format_seconds(one) for one in durations), within)
    if row.record.oversubscribed:
        return (*cells, "-", "-", "-", "-", "-", "-", "oversubscribed: no result")
    share = row.share_interval
    hidden = (f"{share.value * 100:.0f}", f"{share.low * 100:.0f} to {share.high * 100:.0f}")
    found = row.percentages
    by_definition = map(_percentage, (found.osu, found.sharp_paper, found.imb))
    remark = "OSU and hidden share are apart" if row.disagreement else ""
    return (*cells, *hidden, f"{row.availability * 100:.0f}", *by_definition, remark)


def _percentage(found: Percentage) -> str:
    """The mean over launches and its interval."""
    interval = found.interval
    within = f" ({interval.low:.0f} to {interval.high:.0f})" if interval else ""
    return f"{found.value:.0f}{within}"
