# SPDX-License-Identifier: Apache-2.0
"""The page of a benchmark of overlap: a section for each collective, size and number of ranks."""

from collections.abc import Sequence
from pathlib import Path

from isobath import __version__
from isobath.errors import EnvironmentProblem
from isobath.overlap import definitions
from isobath.overlap.reading import Group, Row, groups_of, name_of, rows_of
from isobath.records.codec import read_records
from isobath.records.collective import LaunchRecord
from isobath.records.overlap import OverlapRecord
from isobath.report import charts
from isobath.report.content import Block, Figure, Section, Table, columns, nothing
from isobath.report.marks import Bar
from isobath.report.page import environment_of_templates, put
from isobath.units import format_bytes, format_seconds


def overlap_page_html(records: Path) -> str:
    """The whole page as text. The same records give the same page, letter for letter.

    Raises: EnvironmentProblem where they cannot be read.
    """
    read = read_records(records)
    found = [one for one in read if isinstance(one, OverlapRecord)]
    hosts = sorted(
        {host.hostname for one in read if isinstance(one, LaunchRecord) for host in one.hosts}
    )
    sections = [section(group) for group in groups_of(rows_of(found))]
    if not sections:
        sections = [nothing("overlap", "Overlap", "This benchmark has no times.")]
    refused = _not_measured(found)
    if refused is not None:
        sections.append(refused)
    return (
        environment_of_templates()
        .get_template("overlap.html")
        .render(
            title="Overlap",
            name=found[0].run_id if found else records.parent.name,
            heading="What non-blocking collectives hide",
            place=", ".join(hosts) or "nothing was run",
            labels=(),
            sections=sections,
            version=__version__,
            doubt="",
        )
    )


def write_overlap_report(records: Path, output: Path) -> Path:
    """Writes the page to ``output`` and returns it.

    Raises: EnvironmentProblem where records cannot be read or the page not written.
    """
    html = overlap_page_html(records)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        put(html, output)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write the report to {output}: {error}; name another place with --output"
        ) from error
    return output


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
        columns("=progress", "#C_b", "#C_n", "#work", "#T_nov", "#T_ov", "#hidden, %", "#core, %",
                "#OSU, %", "#SHARP paper, %", "#IMB, %", "remark"),
        tuple(_cells(row) for row in rows),
        folded=True,
    )  # fmt: skip


def _cells(row: Row) -> tuple[str, ...]:
    times = row.times
    durations = (times.blocking, times.nonblocking, times.work, times.no_overlap, times.overlap)
    cells = (name_of(row.record), *(format_seconds(one) for one in durations))
    if row.record.oversubscribed:
        return (*cells, "-", "-", "-", "-", "-", "oversubscribed: no result")
    shares = (
        row.hidden_share * 100,
        row.availability * 100,
        row.osu_percent,
        row.sharp_paper_percent,
        row.imb_percent,
    )
    remark = "OSU and hidden share are apart" if row.disagreement else ""
    return (*cells, *(f"{share:.0f}" for share in shares), remark)


def _not_measured(found: Sequence[OverlapRecord]) -> Section | None:
    reasons = dict.fromkeys(
        f"{one.progress.replace('_', ' ')} {one.not_runnable}" for one in found if one.not_runnable
    )
    if not reasons:
        return None
    return nothing("not-measured", "Not measured", f"{'; '.join(reasons)}.")
