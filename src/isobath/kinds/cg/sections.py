# SPDX-License-Identifier: Apache-2.0
"""A benchmark of conjugate gradients as sections: one for each library, mesh and ranks."""

from isobath.kinds.cg.findings import gain, sentences
from isobath.kinds.cg.measured import Measured
from isobath.kinds.cg.reading import REDUCTIONS, Group, Row
from isobath.report.marks import Bar, BarChart
from isobath.report.wording import count_of
from isobath.units import format_seconds
from isobath.view.content import Figure, Page, Section, Table, columns, nothing

PARTS = ("product", "halo", "preconditioner", "dots", "updates", *REDUCTIONS)


def page_of(measured: Measured) -> Page:
    """All groups, and what could not be measured."""
    sections = sections_of(measured)
    if measured.not_measured:
        words = "; ".join(measured.not_measured)
        sections.append(nothing("not-measured", "Not measured", f"{words}."))
    return Page(
        title=f"Conjugate gradients {measured.name}",
        heading="Conjugate gradients, plain and pipelined",
        place=", ".join(dict.fromkeys(group.mpi for group in measured.groups)) or "nothing was run",
        noun="benchmark",
        name=measured.name,
        made_from="records.jsonl",
        sections=tuple(sections),
        doubts=(*measured.problems, *measured.labels),
    )


def sections_of(measured: Measured) -> list[Section]:
    """What was measured; one line where nothing was."""
    sections = [section(group) for group in measured.groups]
    return sections or [nothing("cg", "Conjugate gradients", "This benchmark has no times.")]


def headline_words(measured: Measured) -> str:
    """The fastest way of the largest mesh on most ranks, against plain conjugate gradients."""
    groups = [group for group in measured.groups if any(row.is_result for row in group.rows)]
    if not groups:
        return "no times"
    most = max((group.ranks, group.elements) for group in groups)
    rows = (row for group in groups if (group.ranks, group.elements) == most for row in group.rows)
    row = min(
        (row for row in rows if row.is_result), key=lambda candidate: candidate.iteration.value
    )
    under = f" under {row.mpi}" if len({group.mpi for group in groups}) > 1 else ""
    return f"{row.name} fastest{under}: {format_seconds(row.iteration.value)} an iteration"


def section(group: Group) -> Section:
    """Time of an iteration by method and progress, the gain cut in two, all numbers."""
    results = [row for row in group.rows if row.is_result]
    profiled = [row for row in results if row.shares]
    blocks = (
        _times(group, results) if results else _table(group),
        *([_gains(group)] if any(gain(group, row) for row in group.overlapped) else []),
        *([_shares(profiled)] if profiled else []),
        _parts(group),
    )
    mesh = f"{group.elements} x {group.elements} elements"
    title = f"{group.mpi}, {count_of(group.ranks, 'rank')}, {mesh}"
    lead = " ".join(f"{sentence[0].upper()}{sentence[1:]}." for sentence in sentences(group))
    return Section(f"{group.mpi}-{group.ranks}-{group.elements}", title, blocks, lead=lead)


def _times(group: Group, rows: list[Row]) -> Figure:
    limit = group.plain.iteration.value * 1e6 if group.plain else None
    bars = (
        Bar(f"{row.first.method} {row.progress}", row.iteration.value * 1e6,
            format_seconds(row.iteration.value), limit=limit)
        for row in rows
    )  # fmt: skip
    first = min(rows, key=lambda row: row.iteration.value)
    last = max(rows, key=lambda row: row.iteration.value)
    return Figure(
        BarChart(tuple(bars), "one iteration, us"),
        f"{first.name} takes {format_seconds(first.iteration.value)}, {last.name} "
        f"{format_seconds(last.iteration.value)}; the mark is plain conjugate gradients.",
        table=_table(group),
        title="Time of an iteration",
    )


def _table(group: Group) -> Table:
    iterations = count_of(group.rows[0].first.iterations, "iteration")
    return Table(
        f"{iterations} in a solve: time of one, its share in sums over ranks, its work on vectors",
        columns("=method", "=progress", "#time", "#95 % interval", "#vs cg", "#sums", "#work"),
        tuple(_cells(group, row) for row in group.rows),
        keys=2,
    )


def _cells(group: Group, row: Row) -> tuple[str, ...]:
    names = (row.first.method, row.progress)
    if row.remark is not None:
        return (*names, f"{row.remark.upper()}: no result")
    interval, sums = row.interval, row.reduction_seconds
    return (
        *names,
        format_seconds(row.iteration.value),
        f"{format_seconds(interval.low)} to {format_seconds(interval.high)}" if interval else "-",
        f"{row.against(group.plain).value:.2f}" if group.plain else "-",
        "-" if sums is None else f"{sums / row.iteration.value:.0%}",
        _seconds(row.work_seconds),
    )


def _seconds(value: float | None) -> str:
    return "-" if value is None else format_seconds(value)


def _gains(group: Group) -> Table:
    gains = [against for row in group.overlapped if (against := gain(group, row)) is not None]
    return Table(
        "The gain over plain conjugate gradients is that of the algorithm times that of overlap",
        columns("=method", "#total", "#algorithm", "#overlap"),
        tuple(
            (gained.row.name, f"{gained.total.value:.2f}", f"{gained.algorithm.value:.2f}",
             f"{gained.overlap.value:.2f}")
            for gained in gains
        ),
    )  # fmt: skip


def _shares(rows: list[Row]) -> Table:
    return Table(
        "Share of an iteration in MPI calls, in a launch under the profiler",
        columns("=method", "#all", "of that, the greatest"),
        tuple(
            (row.name, f"{sum(share.part for share in row.shares):.1%}",
             ", ".join(f"{share.call} {share.part:.1%}" for share in row.shares[:4]))
            for row in rows
        ),
    )  # fmt: skip


def _parts(group: Group) -> Table:
    names = (*PARTS[:5], "sums", "start", "tests", "wait")
    return Table(
        "What an iteration consists of, means of ranks",
        columns("=method", "#iteration", *(f"#{name}" for name in names)),
        tuple(_part_cells(row) for row in group.rows),
        folded=True,
    )


def _part_cells(row: Row) -> tuple[str, ...]:
    if row.remark is not None:
        return (row.name, f"{row.remark}: no result")
    parts = (_seconds(row.part_seconds((name,))) for name in PARTS)
    return (row.name, format_seconds(row.iteration.value), *parts)
