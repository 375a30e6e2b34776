# SPDX-License-Identifier: Apache-2.0
"""Throughput as the K computer report has it: message size times nodes by time, in GiB/s."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from isobath.bench.measured import Curve, MeasuredCell
from isobath.bench.places import is_pretended, k_nodes, k_throughput, ranks_of_node
from isobath.bench.rates import K_COMPUTER
from isobath.report.bench_data import BenchData
from isobath.report.bench_sections.ranks import SHAPES
from isobath.report.race_marks import Curve as Drawn
from isobath.report.race_marks import CurveChart, Plot, Spot, log_axis
from isobath.report.race_wording import octave
from isobath.report.wording import count_of, significant
from isobath.units import format_seconds, size_words
from isobath.view.content import Figure, Legend, Section, Table, columns, nothing

TITLE = K_COMPUTER[0].upper() + K_COMPUTER[1:]

DEFINED = ("allgather", "gather", "scatter", "alltoall")
"""Whose throughput the report defines; for others the formula is this project's choice."""

MOST = 6
"""curves of a chart; more stand in the table"""

GIB = 2.0**30


@dataclass(frozen=True)
class Counting:
    """What is a node in all figures of a benchmark."""

    by_ranks: bool

    @property
    def noun(self) -> str:
        """Of the axis."""
        return "ranks" if self.by_ranks else "nodes"

    def nodes(self, measured: MeasuredCell) -> int:
        """Those of a cell."""
        return k_nodes(measured, by_ranks=self.by_ranks)

    def rate(self, measured: MeasuredCell) -> float:
        """GiB/s."""
        return k_throughput(measured, by_ranks=self.by_ranks) / GIB

    def place_of(self, measured: MeasuredCell) -> str:
        """Library, transport and, where nodes are counted, ranks on each: one figure."""
        link = measured.arm.link
        if self.by_ranks:
            return link
        return f"{link}, {count_of(ranks_of_node(measured), 'rank')} a node"


def render(bench: BenchData) -> Section:
    """A figure for each collective and each way to its nodes, the report's collectives first."""
    counting = Counting(bench.ranks_are_nodes)
    by_place: dict[tuple[str, str], list[Curve]] = {}
    for curve in bench.curves:
        cell = curve.first.cell
        is_plain = cell.form == "blocking" and cell.along == "world" and cell.counts == "uniform"
        if is_plain and any(measured.cell.size_bytes for measured in curve.cells):
            key = (cell.collective, counting.place_of(curve.first))
            by_place.setdefault(key, []).append(curve)
    ordered = sorted(by_place.items(), key=lambda entry: entry[0][0] not in DEFINED)
    figures = tuple(_figure(bench, counting, *key, curves) for key, curves in ordered)
    if not figures:
        return nothing("throughput", TITLE, "No blocking collective of a size has a time.")
    return Section("throughput", TITLE, figures, lead=lead(bench))


def lead(bench: BenchData) -> str:
    """What is divided by what."""
    words = "Message size times nodes by time; no byte that travels is counted in it."
    if bench.ranks_are_nodes:
        words += " All was on one node: here a rank stands for a node."
    return words


def _figure(
    bench: BenchData, counting: Counting, name: str, place: str, curves: Sequence[Curve]
) -> Figure:
    cells = sorted(
        (cell for curve in curves for cell in curve.cells if cell.cell.size_bytes),
        key=lambda cell: (counting.nodes(cell), cell.cell.size_bytes),
    )
    by_nodes = _by(cells, counting.nodes)
    by_size = _by(cells, _size)
    noun = counting.noun
    y = log_axis("GiB/s", [counting.rate(cell) for cell in cells], lambda v: f"{v:g}")
    sizes = log_axis("size, bytes", [_size(cell) for cell in cells], octave, base=2)
    plots = [Plot("against size", _drawn(by_nodes, _size, counting), sizes, y)]
    legend = _legend(by_nodes, lambda nodes: count_of(nodes, noun[:-1]))
    if len(by_nodes) > 1:
        number = log_axis(noun, list(by_nodes), lambda v: f"{v:g}", base=2)
        largest = _largest(by_size, counting)
        plots.append(Plot(f"against {noun}", _drawn(largest, counting.nodes, counting), number, y))
        legend += tuple(
            Legend(entry.colour, f"right: {entry.text}", entry.mark)
            for entry in _legend(largest, size_words)
        )
    return Figure(
        CurveChart(tuple(plots), bench.words), caption(name, cells, counting), legend,
        _table(cells, counting), title=f"{name}, {place}",
    )  # fmt: skip


def caption(name: str, cells: Sequence[MeasuredCell], counting: Counting) -> str:
    """The highest, and whose definition it is."""
    best = max(cells, key=counting.rate)
    whose = "" if name in DEFINED else " The report does not define it for this collective."
    mark = " Nodes are pretended (dashed)." if is_pretended(best) else ""
    return (
        f"{name}: {significant(counting.rate(best))} GiB/s at the most, with "
        f"{size_words(_size(best))} on {count_of(counting.nodes(best), counting.noun[:-1])}."
        f"{mark}{whose}"
    )


def _size(measured: MeasuredCell) -> int:
    return measured.cell.size_bytes


def _by(
    cells: Sequence[MeasuredCell], key: Callable[[MeasuredCell], int]
) -> dict[int, list[MeasuredCell]]:
    groups: dict[int, list[MeasuredCell]] = {}
    for measured in cells:
        groups.setdefault(key(measured), []).append(measured)
    return dict(sorted(groups.items()))


def _largest(
    by_size: dict[int, list[MeasuredCell]], counting: Counting
) -> dict[int, list[MeasuredCell]]:
    several = {
        size: cells for size, cells in by_size.items() if len({*map(counting.nodes, cells)}) > 1
    }
    return dict(list(several.items())[-MOST:])


def _drawn(
    groups: dict[int, list[MeasuredCell]], x: Callable[[MeasuredCell], int], counting: Counting
) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(
            str(number), f"call-{number}",
            tuple(Spot(x(cell), counting.rate(cell)) for cell in cells), SHAPES[number - 1],
            stroke="dashed" if is_pretended(cells[0]) else "solid", named=False,
        )
        for number, cells in enumerate(list(groups.values())[-MOST:], start=1)
    )  # fmt: skip


def _legend(
    groups: dict[int, list[MeasuredCell]], words: Callable[[int], str]
) -> tuple[Legend, ...]:
    return tuple(
        Legend(f"call-{number}", words(key), SHAPES[number - 1])
        for number, key in enumerate(list(groups)[-MOST:], start=1)
    )


def _table(cells: Sequence[MeasuredCell], counting: Counting) -> Table:
    rows = tuple(
        (
            size_words(_size(cell)), str(counting.nodes(cell)), format_seconds(cell.seconds),
            significant(counting.rate(cell)), cell.arm.where,
        )
        for cell in sorted(cells, key=lambda cell: (_size(cell), counting.nodes(cell)))
    )  # fmt: skip
    heads = columns("#size", f"#{counting.noun}", "#median", "#GiB/s", "=library")
    return Table("In numbers", heads, rows, folded=True, keys=2)
