# SPDX-License-Identifier: Apache-2.0
"""One collective against size on every transport that it was measured on, in one chart."""

from collections.abc import Callable, Sequence

from isobath.bench.measured import Curve, MeasuredCell
from isobath.bench.places import PRETENDED, is_pretended, nodes_of, ranks_of_node
from isobath.bench.rates import bus_bandwidth
from isobath.report.bench_data import BenchData
from isobath.report.bench_sections.curves import bounds_of
from isobath.report.bench_sections.ranks import SHAPES
from isobath.report.race_marks import Curve as Drawn
from isobath.report.race_marks import CurveChart, Plot, Spot, log_axis
from isobath.report.race_wording import octave
from isobath.report.wording import count_of, significant
from isobath.units import format_seconds, size_words
from isobath.view.content import Figure, Legend, Section, Table, columns, nothing

TITLE = "Transports side by side"

MOST = 6
"""curves of a chart; more stand in the table"""


def render(bench: BenchData) -> Section:
    """A figure for each collective on as many ranks under one library."""
    figures = tuple(_figure(bench, curves) for curves in compared(bench))
    if not figures:
        several = len({arm.placement.transport for arm in bench.measured.plan.arms}) > 1
        words = (
            "No collective has times that count on two transports, with as many ranks under one "
            "library."
            if several
            else "One transport was measured: --transport shared-memory,tcp,rate-limited compares."
        )
        return nothing("transports", TITLE, words)
    return Section("transports", TITLE, figures)


def compared(bench: BenchData) -> list[list[Curve]]:
    """Curves that differ in their transport alone, where there are several."""
    by_setting: dict[tuple[object, ...], list[Curve]] = {}
    for curve in bench.curves:
        arm, cell = curve.first.arm, curve.first.cell
        if cell.size_bytes or len(curve.cells) > 1:
            key = (arm.mpi, arm.ranks, cell.model_copy(update={"size_bytes": 0}))
            by_setting.setdefault(key, []).append(curve)
    return [
        curves
        for curves in by_setting.values()
        if len({curve.first.arm.placement.transport for curve in curves}) > 1
    ]


def name_of(measured: MeasuredCell) -> str:
    """A transport with its nodes; made-up ones are marked."""
    nodes = nodes_of(measured)
    if nodes == 1:
        return f"{measured.arm.placement.transport}, 1 node"
    mark = f"{PRETENDED} nodes" if is_pretended(measured) else "nodes"
    return f"{measured.arm.placement.transport}, {nodes} {mark} of {ranks_of_node(measured)}"


def _figure(bench: BenchData, curves: Sequence[Curve]) -> Figure:
    shown = curves[:MOST]
    first = shown[0].first
    legend = tuple(
        Legend(f"call-{number}", name_of(curve.first), SHAPES[number - 1])
        for number, curve in enumerate(shown, start=1)
    )
    return Figure(
        CurveChart(_plots(shown), bench.words),
        caption(curves),
        legend,
        _table(curves),
        title=f"{curves[0].title}, {first.arm.mpi}",
    )


def caption(curves: Sequence[Curve]) -> str:
    """The quickest and the slowest at the largest size that all have."""
    shared = set.intersection(*({measured.cell.size_bytes for measured in c.cells} for c in curves))
    size = max(shared, default=0)
    there = [cell for cell in (curve.at(size) for curve in curves) if cell is not None]
    if len(there) < 2:
        return f"{curves[0].title} on {count_of(len(curves), 'transport')}."
    quick, slow = (f(there, key=lambda measured: measured.seconds) for f in (min, max))
    words = (
        f"{curves[0].title} of {size_words(size)}: {format_seconds(quick.seconds)} on "
        f"{name_of(quick)}, {format_seconds(slow.seconds)} on {name_of(slow)}, "
        f"{slow.seconds / quick.seconds:.3g} times as long."
    )
    if any(is_pretended(cell) for cell in there):
        words += " Pretended nodes are network namespaces of one machine; their curves are dashed."
    return words


def _plots(shown: Sequence[Curve]) -> tuple[Plot, ...]:
    sized = [[cell for cell in curve.cells if cell.cell.size_bytes] for curve in shown]
    every = [cell for cells in sized for cell in cells]
    x = log_axis("size, bytes", [cell.cell.size_bytes for cell in every], octave, base=2)
    times = [bound * 1e6 for cell in every for bound in cell.bounds]
    plots = [Plot("time", _drawn(sized, _time), x, log_axis("microseconds", times, _plain))]
    rates = [bus_bandwidth(cell) / 1e6 for cell in every if cell.wire_bytes]
    if rates:
        moved = [[cell for cell in cells if cell.wire_bytes] for cells in sized]
        y = log_axis("MB/s per rank", rates, _plain)
        plots.append(Plot("bus bandwidth", _drawn(moved, _rate), x, y))
    return tuple(plots)


def _drawn(
    sized: Sequence[Sequence[MeasuredCell]], spot: Callable[[MeasuredCell], Spot]
) -> tuple[Drawn, ...]:
    return tuple(
        Drawn(
            str(number), f"call-{number}", tuple(spot(cell) for cell in cells), SHAPES[number - 1],
            stroke="dashed" if cells and is_pretended(cells[0]) else "solid", named=False,
        )
        for number, cells in enumerate(sized, start=1)
    )  # fmt: skip


def _time(measured: MeasuredCell) -> Spot:
    low, high = measured.bounds
    return Spot(measured.cell.size_bytes, measured.seconds * 1e6, low * 1e6, high * 1e6)


def _rate(measured: MeasuredCell) -> Spot:
    return Spot(measured.cell.size_bytes, bus_bandwidth(measured) / 1e6)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _table(curves: Sequence[Curve]) -> Table:
    rows = tuple(
        (
            size_words(cell.cell.size_bytes), name_of(cell), format_seconds(cell.seconds),
            *bounds_of(cell), significant(bus_bandwidth(cell) / 1e6) if cell.wire_bytes else "",
        )
        for cell in sorted(
            (cell for curve in curves for cell in curve.cells),
            key=lambda cell: (cell.cell.size_bytes, name_of(cell)),
        )
    )  # fmt: skip
    heads = columns("#size", "=transport", "#median", "#from", "#to (95 %)", "#MB/s per rank")
    return Table("In numbers", heads, rows, folded=True, keys=2)
