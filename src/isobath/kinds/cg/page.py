# SPDX-License-Identifier: Apache-2.0
"""The page of a benchmark of conjugate gradients: a section for each library, mesh and ranks."""

from isobath import __version__
from isobath.kinds.cg.findings import Gain, gain, sentences
from isobath.kinds.cg.measured import Measured
from isobath.kinds.cg.reading import Group, Row
from isobath.report import charts
from isobath.report.content import Block, Figure, Section, Table, columns, nothing
from isobath.report.marks import Bar
from isobath.report.page import environment_of_templates
from isobath.units import format_seconds


def page_html(measured: Measured) -> str:
    """The whole page as text. The same records give the same page, letter for letter."""
    sections = [section(group) for group in measured.groups]
    if not sections:
        sections = [nothing("cg", "Conjugate gradients", "This benchmark has no times.")]
    if measured.not_measured:
        words = "; ".join(measured.not_measured)
        sections.append(nothing("not-measured", "Not measured", f"{words}."))
    return (
        environment_of_templates()
        .get_template("overlap.html")
        .render(
            title="Conjugate gradients",
            name=measured.name,
            heading="Conjugate gradients, plain and pipelined",
            place=_places(measured),
            labels=(),
            sections=sections,
            version=__version__,
            doubt="; ".join((*measured.problems, *(one.rstrip(".") for one in measured.labels))),
        )
    )


def _places(measured: Measured) -> str:
    return ", ".join(dict.fromkeys(group.mpi for group in measured.groups)) or "nothing was run"


def section(group: Group) -> Section:
    """Time of an iteration by method and progress, the gain cut in two, all numbers."""
    results = [row for row in group.rows if row.is_result]
    blocks: list[Block] = []
    if results:
        blocks.append(_times(group, results))
    gains = [found for row in group.overlapped if (found := gain(group, row)) is not None]
    if gains:
        blocks.append(_gains(gains))
    profiled = [row for row in results if row.shares]
    if profiled:
        blocks.append(_shares(profiled))
    blocks.append(_table(group))
    ranks = "1 rank" if group.ranks == 1 else f"{group.ranks} ranks"
    title = f"{group.mpi}, {ranks}, {group.elements} x {group.elements} elements"
    lead = " ".join(f"{one[0].upper()}{one[1:]}." for one in sentences(group))
    return Section(f"{group.mpi}-{group.ranks}-{group.elements}", title, tuple(blocks), lead=lead)


def _times(group: Group, rows: list[Row]) -> Figure:
    plain = group.plain
    limit = plain.iteration.value * 1e6 if plain else None
    bars = [
        Bar(
            f"{row.first.method} {row.progress}",
            row.iteration.value * 1e6,
            format_seconds(row.iteration.value),
            limit=limit,
        )
        for row in rows
    ]
    first = min(rows, key=lambda row: row.iteration.value)
    last = max(rows, key=lambda row: row.iteration.value)
    return Figure(
        charts.bars(bars, axis="one iteration, us", unvalidated=False),
        f"{first.name} takes {format_seconds(first.iteration.value)}, {last.name} "
        f"{format_seconds(last.iteration.value)}; the mark is plain conjugate gradients.",
        title="Time of an iteration",
    )


def _gains(gains: list[Gain]) -> Table:
    return Table(
        "The gain over plain conjugate gradients is that of the algorithm times that of overlap",
        columns("=method", "#total", "#algorithm", "#overlap"),
        tuple(
            (one.row.name, f"{one.total.value:.2f}", f"{one.algorithm.value:.2f}",
             f"{one.overlap.value:.2f}")
            for one in gains
        ),
    )  # fmt: skip


def _shares(rows: list[Row]) -> Table:
    return Table(
        "Share of an iteration in MPI calls, in a launch under the profiler",
        columns("=method", "#all", "=of that, the greatest"),
        tuple(
            (row.name, f"{sum(one.part for one in row.shares):.1%}",
             ", ".join(f"{one.call} {one.part:.1%}" for one in row.shares[:4]))
            for row in rows
        ),
    )  # fmt: skip


PARTS = (
    ("product", "halo", "preconditioner", "dots", "updates"),
    ("reduction", "reduction_start", "reduction_test", "reduction_wait"),
)


def _table(group: Group) -> Table:
    names = (*PARTS[0], "sums", "start", "tests", "wait")
    return Table(
        "What an iteration consists of, means of ranks",
        columns("=method", "#iteration", *(f"#{name}" for name in names), "remark"),
        tuple(_cells(row) for row in group.rows),
        folded=True,
    )


def _cells(row: Row) -> tuple[str, ...]:
    names = (*PARTS[0], *PARTS[1])
    if row.remark is not None:
        return (row.name, *("-" for _ in range(len(names) + 1)), f"{row.remark}: no result")
    parts = (row.part_seconds((name,)) for name in names)
    shown = ("-" if one is None else format_seconds(one) for one in parts)
    return (row.name, format_seconds(row.iteration.value), *shown, "")
