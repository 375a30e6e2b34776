# SPDX-License-Identifier: Apache-2.0
"""Throughput as the K computer report has it: message size times nodes by time, in GiB/s."""

from collections.abc import Callable, Sequence

from isobath.bench.measured import Curve, MeasuredCell
from isobath.bench.places import is_pretended, k_nodes, k_throughput, nodes_of
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


def render(bench: BenchData) -> Section:
    """A figure for each collective and each way to its nodes, the report's collectives first."""
    by_link: dict[tuple[str, str], list[Curve]] = {}
    for curve in bench.curves:
        cell, arm = curve.first.cell, curve.first.arm
        is_plain = cell.form == "blocking" and cell.along == "world" and cell.counts == "uniform"
        if is_plain and any(measured.cell.size_bytes for measured in curve.cells):
            by_link.setdefault((cell.collective, arm.link), []).append(curve)
    ordered = sorted(by_link.items(), key=lambda entry: entry[0][0] not in DEFINED)
    figures = tuple(_figure(bench, *key, curves) for key, curves in ordered)
    if not figures:
        return nothing("throughput", TITLE, "No blocking collective of a size has a time.")
    return Section("throughput", TITLE, figures, lead=lead(bench))


def lead(bench: BenchData) -> str:
    """What is divided by what."""
    words = "Message size times nodes by time; no byte that travels is counted in it."
    if all(nodes_of(cell) == 1 for cell in bench.measured.results):
        words += " All was on one node: here a rank stands for a node."
    return words


def _figure(bench: BenchData, name: str, link: str, curves: Sequence[Curve]) -> Figure:
    cells = [cell for curve in curves for cell in curve.cells if cell.cell.size_bytes]
    by_nodes = _by(cells, k_nodes)
    by_size = _by(cells, lambda measured: measured.cell.size_bytes)
    y = log_axis("GiB/s", [k_throughput(cell) / GIB for cell in cells], lambda v: f"{v:g}")
    sizes = log_axis("size, bytes", [cell.cell.size_bytes for cell in cells], octave, base=2)
    plots = [
        Plot("against size", _drawn(by_nodes, lambda measured: measured.cell.size_bytes), sizes, y)
    ]
    legend = _legend(by_nodes, lambda nodes: f"{nodes} {_noun(cells)}")
    if len(by_nodes) > 1:
        number = log_axis(_noun(cells), list(by_nodes), lambda v: f"{v:g}", base=2)
        of_sizes = _drawn(_largest(by_size), k_nodes)
        plots.append(Plot(f"against {_noun(cells)}", of_sizes, number, y))
        legend += tuple(
            Legend(entry.colour, f"right: {entry.text}", entry.mark)
            for entry in _legend(_largest(by_size), size_words)
        )
    return Figure(
        CurveChart(tuple(plots), bench.words), caption(name, cells), legend, _table(cells),
        title=f"{name}, {link}",
    )  # fmt: skip


def caption(name: str, cells: Sequence[MeasuredCell]) -> str:
    """The highest, and whose definition it is."""
    best = max(cells, key=k_throughput)
    whose = "" if name in DEFINED else " The report does not define it for this collective."
    mark = " Nodes are pretended (dashed)." if is_pretended(best) else ""
    return (
        f"{name}: {significant(k_throughput(best) / GIB)} GiB/s at the most, with "
        f"{size_words(best.cell.size_bytes)} on {count_of(k_nodes(best), _noun([best])[:-1])}."
        f"{mark}{whose}"
    )


def _noun(cells: Sequence[MeasuredCell]) -> str:
    return "nodes" if any(nodes_of(cell) > 1 for cell in cells) else "ranks"


def _by(
    cells: Sequence[MeasuredCell], key: Callable[[MeasuredCell], int]
) -> dict[int, list[MeasuredCell]]:
    groups: dict[int, list[MeasuredCell]] = {}
    for measured in sorted(
        cells, key=lambda measured: (k_nodes(measured), measured.cell.size_bytes)
    ):
        groups.setdefault(key(measured), []).append(measured)
    return dict(sorted(groups.items()))


def _largest(by_size: dict[int, list[MeasuredCell]]) -> dict[int, list[MeasuredCell]]:
    several = {key: cells for key, cells in by_size.items() if len({*map(k_nodes, cells)}) > 1}
    return dict(list(several.items())[-MOST:])


def _drawn(
    groups: dict[int, list[MeasuredCell]], x: Callable[[MeasuredCell], int]
) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(
            str(number), f"call-{number}",
            tuple(Spot(x(cell), k_throughput(cell) / GIB) for cell in cells), SHAPES[number - 1],
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


def _table(cells: Sequence[MeasuredCell]) -> Table:
    rows = tuple(
        (
            size_words(cell.cell.size_bytes), str(k_nodes(cell)), format_seconds(cell.seconds),
            significant(k_throughput(cell) / GIB), cell.arm.where,
        )
        for cell in sorted(cells, key=lambda cell: (cell.cell.size_bytes, k_nodes(cell)))
    )  # fmt: skip
    heads = columns("#size", f"#{_noun(cells)}", "#median", "#GiB/s", "=library")
    return Table("In numbers", heads, rows, folded=True, keys=2)
