# SPDX-License-Identifier: Apache-2.0
"""Time and bus bandwidth against size, one pair of charts for each collective."""

from collections.abc import Sequence

from isobath.bench.measured import Curve, MeasuredCell
from isobath.bench.places import k_throughput
from isobath.bench.rates import algorithm_bandwidth, bus_bandwidth
from isobath.report.bench_data import BenchData
from isobath.report.race_marks import Curve as Drawn
from isobath.report.race_marks import CurveChart, Plot, Shape, Spot, log_axis
from isobath.report.race_wording import octave
from isobath.report.wording import count_of, significant
from isobath.units import format_bytes, format_seconds, size_words
from isobath.view.content import Block, Figure, Legend, Section, Table, columns, first_rows, nothing

TITLE = "Collective by collective"

SHAPES: tuple[Shape, ...] = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")

OVERVIEW = "The library's own choice"
FORCED = "Forced algorithms"

SIZES, ROWS = 5, 40
"""columns and rows of the overview"""

MOST = 6
"""curves of a chart; more stand in the table"""


def render(bench: BenchData) -> Section:
    """Charts of all collectives with at least two sizes; a table for those without a size."""
    if not bench.curves:
        return nothing("curves", TITLE, "No cell of this benchmark has a time that counts.")
    blocks: list[Block] = []
    single = [cell for curve in bench.curves if len(curve.cells) == 1 for cell in curve.cells]
    if single:
        blocks.append(_single(single))
    names = dict.fromkeys(
        plotted.first.cell.collective for plotted in bench.curves if len(plotted.cells) > 1
    )
    for name in names:
        own = [c for c in bench.curves if c.first.cell.collective == name and len(c.cells) > 1]
        blocks.append(_figure(bench, name, own))
    return Section("curves", TITLE, tuple(blocks), lead=lead(bench))


def lead(bench: BenchData) -> str:
    """One sentence: the fastest and the slowest of the library's blocking collectives."""
    cells = [
        cell
        for curve in bench.curves
        for cell in curve.cells
        if cell.cell.form == "blocking" and cell.cell.size_bytes
    ]
    if not cells:
        return "Only forms other than blocking were measured."
    sizes = sorted({cell.cell.size_bytes for cell in cells})
    small = [cell for cell in cells if cell.cell.size_bytes == sizes[0]]
    quick = min(small, key=lambda cell: cell.seconds)
    slow = max(small, key=lambda cell: cell.seconds)
    ends = [
        f"{one.cell.collective}{f' under {under}' if (under := bench.under(one)) else ''}, "
        f"{format_seconds(one.seconds)}"
        for one in (quick, slow)
    ]
    return f"At {size_words(sizes[0])} the quickest is {ends[0]}, and the slowest {ends[1]}."


def caption(bench: BenchData, name: str, own: Sequence[Curve]) -> str:
    """The smallest and the best, then switch points and traps of the first curve in words."""
    curve = own[0]
    first, best = curve.cells[0], max(curve.cells, key=_rate)
    text = (
        f"{bench.measured.title_of(curve)}: {format_seconds(first.seconds)} at "
        f"{size_words(first.cell.size_bytes)}; "
    )
    if _rate(best) > 0:
        text += (
            f"the highest bus bandwidth is {format_bytes(_rate(best))}/s, at "
            f"{size_words(best.cell.size_bytes)}."
        )
    else:
        text += "no byte leaves a rank."
    switches = bench.switches_on(curve)
    if switches:
        text += f" {count_of(len(switches), 'switch point')}: "
        text += "; ".join(switch.words() for switch in switches) + "."
    elif len(curve.cells) >= 6:
        text += " No switch point was found."
    for trap in bench.traps_on(curve)[:1]:
        text += f" Trap: {trap.sentence}."
    if len(own) > MOST:
        text += f" {len(own) - MOST} more curves stand in the table."
    return text


def _rate(measured: MeasuredCell) -> float:
    return bus_bandwidth(measured)


def _figure(bench: BenchData, name: str, own: Sequence[Curve]) -> Figure:
    shown = own[:MOST]
    return Figure(
        CurveChart(tuple(_plots(shown)), bench.words),
        caption(bench, name, own),
        tuple(
            Legend(f"call-{number}", _name(curve, own), SHAPES[number - 1])
            for number, curve in enumerate(shown, start=1)
        ),
        _table(bench, own),
        title=name,
    )


def _name(curve: Curve, own: Sequence[Curve]) -> str:
    several = len({other.first.arm.where for other in own}) > 1
    return f"{curve.title}, {curve.first.arm.where}" if several else curve.title


def _plots(shown: Sequence[Curve]) -> list[Plot]:
    sized = [[cell for cell in curve.cells if cell.cell.size_bytes] for curve in shown]
    x = log_axis(
        "size, bytes",
        [cell.cell.size_bytes for cells in sized for cell in cells],
        octave,
        base=2,
    )
    times = [bound * 1e6 for cells in sized for cell in cells for bound in cell.bounds]
    plots = []
    drawn = tuple(
        Drawn(
            str(number), f"call-{number}",
            tuple(
                Spot(
                    cell.cell.size_bytes, cell.seconds * 1e6,
                    cell.bounds[0] * 1e6, cell.bounds[1] * 1e6,
                )
                for cell in cells
            ),
            SHAPES[number - 1], named=False,
        )
        for number, cells in enumerate(sized, start=1)
    )  # fmt: skip
    text = _plain
    plots.append(Plot("time", drawn, x, log_axis("microseconds", times, text)))
    rates = [_rate(cell) / 1e6 for cells in sized for cell in cells if cell.wire_bytes]
    if rates:
        drawn = tuple(
            Drawn(
                str(number), f"call-{number}",
                tuple(
                    Spot(cell.cell.size_bytes, _rate(cell) / 1e6)
                    for cell in cells
                    if cell.wire_bytes
                ),
                SHAPES[number - 1], named=False,
            )
            for number, cells in enumerate(sized, start=1)
        )  # fmt: skip
        plots.append(Plot("bus bandwidth", drawn, x, log_axis("MB/s", rates, text)))
    return plots


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _single(cells: Sequence[MeasuredCell]) -> Table:
    rows = [
        (cell.cell.words(), cell.arm.where, format_seconds(cell.seconds),
         *bounds_of(cell))
        for cell in cells
    ]  # fmt: skip
    heads = columns("cell", "=library", "#median", "#from", "#to (95 %)")
    return Table("Measured at one size", heads, tuple(rows))


def _table(bench: BenchData, own: Sequence[Curve]) -> Table:
    rows = []
    by_ranks = bench.ranks_are_nodes
    for curve in own:
        for cell in curve.cells:
            spread = cell.spread
            bus = f"{significant(bus_bandwidth(cell) / 1e6)}" if cell.wire_bytes else ""
            rows.append(
                (
                    _name(curve, own), size_words(cell.cell.size_bytes),
                    format_seconds(cell.seconds), *bounds_of(cell),
                    format_seconds(spread.p99) if spread else "",
                    f"{significant(k_throughput(cell, by_ranks=by_ranks) / 1e6)}", bus,
                    f"{significant(algorithm_bandwidth(cell) / 1e6)}",
                    str(cell.estimate.repetitions if cell.estimate else 0), cell.algorithm,
                )
            )  # fmt: skip
    return Table(
        "In numbers",
        columns(
            "curve", "#size", "#median", "#from", "#to (95 %)", "#p99",
            "#K computer throughput, MB/s", "#bus bandwidth, MB/s", "#algorithm bandwidth, MB/s",
            "#repetitions", "algorithm",
        ),
        tuple(rows),
        folded=True,
        keys=2,
    )  # fmt: skip


def bounds_of(measured: MeasuredCell) -> tuple[str, str]:
    """Of the interval, marked where the launches of the cell are too few and too different."""
    low, high = map(format_seconds, measured.bounds)
    return low, high + (" (FEW LAUNCHES)" if measured.launches_disagree else "")


def forced(bench: BenchData) -> Section:
    """Every time under an algorithm that was forced: too many for the page."""
    by_collective: dict[str, list[Curve]] = {}
    for curve in bench.measured.curves:
        if curve not in bench.curves:
            by_collective.setdefault(curve.first.cell.collective, []).append(curve)
    if not by_collective:
        return nothing("forced", FORCED, "No algorithm was forced; name some with --algorithms.")
    return Section("forced", FORCED, tuple(_table(bench, own) for own in by_collective.values()))


def overview(bench: BenchData) -> Section:
    """The library's own choice at few sizes: a row for each curve."""
    curves = [candidate for candidate in bench.curves if candidate.first.cell.form == "blocking"]
    if not curves:
        return nothing("medians", OVERVIEW, "No blocking call has a time that counts.")
    sizes = sorted({cell.cell.size_bytes for curve in curves for cell in curve.cells} - {0})
    picked = spread_over(sizes or [0], SIZES)
    rows = []
    for curve in curves:
        has_no_size = curve.first.cell.size_bytes == 0
        cells = [curve.at(0 if has_no_size else size) for size in picked]
        rows.append(
            (_name(curve, curves), *(format_seconds(c.seconds) if c else "" for c in cells))
        )
    shown, left = first_rows(rows, ROWS, "the view sizes")
    heads = columns("collective", *(f"#{size_words(size)}" for size in picked))
    return Section("medians", OVERVIEW, (Table("Median by size", heads, shown, left_out=left),))


def spread_over(sizes: Sequence[int], count: int) -> list[int]:
    """So many of the sizes, the smallest and the largest among them, at equal steps."""
    if len(sizes) <= count:
        return list(sizes)
    return [sizes[round(at * (len(sizes) - 1) / (count - 1))] for at in range(count)]
