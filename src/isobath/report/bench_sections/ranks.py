# SPDX-License-Identifier: Apache-2.0
"""Rate of an all-to-all against ranks, buffer by buffer: figure 3 of the TSUBAME 2.0 paper."""

from isobath.bench.measured import MeasuredCell
from isobath.bench.rates import bus_bandwidth
from isobath.report.bench_data import BenchData
from isobath.report.race_marks import Curve, CurveChart, Plot, Shape, Spot, linear_axis, ranks_axis
from isobath.report.wording import significant
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Figure, Legend, Section, Table, columns, nothing

TITLE = "All-to-all against ranks"

ALL_TO_ALL = ("alltoall", "alltoallv", "alltoallw")

SHAPES: tuple[Shape, ...] = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")

MOST = 6
"""buffers of a chart: the largest"""

ALONE = "One rank has no network: its point is left out."


def render(bench: BenchData) -> Section:
    """One curve for each size of a rank's buffer that was measured on several numbers of ranks."""
    links = dict.fromkeys(curve.first.arm.link for curve in bench.curves)
    several = {link: by_buffer for link in links if (by_buffer := buffers(bench, link))}
    if not several:
        said = "No buffer of an all-to-all has a time on several numbers of ranks"
        if _has_one_rank(bench):
            return nothing("ranks", TITLE, f"{said} above one. {ALONE}")
        return nothing("ranks", TITLE, f"{said}.")
    figures = (
        _figure(bench, by_buffer, link if len(links) > 1 else "")
        for link, by_buffer in several.items()
    )
    return Section("ranks", TITLE, tuple(figures))


def buffers(bench: BenchData, link: str | None = None) -> dict[int, list[MeasuredCell]]:
    """Cells by the bytes of one rank's buffer, by ranks ascending; those of one number left out.

    Args: link is the library with the transport, whose cells are taken; without, all are.

    One rank sends nothing to another: its rate is none, and no share of it can be said. A buffer
    that ranks do not divide is a little smaller; it counts as the same within 1 %.
    """
    by_buffer: dict[int, list[MeasuredCell]] = {}
    for curve in bench.curves:
        cell = curve.first.cell
        if cell.collective not in ALL_TO_ALL or cell.form != "blocking" or cell.along != "world":
            continue
        if link not in (None, curve.first.arm.link):
            continue
        for measured in curve.cells:
            if measured.first.ranks == 1:
                continue
            total = measured.cell.size_bytes * measured.first.ranks
            near = next((known for known in by_buffer if abs(known - total) <= 0.01 * known), total)
            if total:
                by_buffer.setdefault(near, []).append(measured)
    several = {
        total: sorted(cells, key=lambda measured: measured.first.ranks)
        for total, cells in by_buffer.items()
        if len({measured.first.ranks for measured in cells}) > 1
    }
    return dict(sorted(several.items())[-MOST:])


def _figure(bench: BenchData, by_buffer: dict[int, list[MeasuredCell]], link: str) -> Figure:
    cells = [cell for own in by_buffer.values() for cell in own]
    rates = [cell.wire_bytes / cell.bounds[0] / 1e6 for cell in cells]
    drawn = tuple(
        Curve(format_bytes(total), f"call-{number}", tuple(map(_spot, own)), SHAPES[number - 1])
        for number, (total, own) in enumerate(by_buffer.items(), start=1)
    )
    x = ranks_axis("ranks", [cell.first.ranks for cell in cells])
    y = linear_axis("MB/s per rank", rates, lambda value: f"{value:,.0f}")
    return Figure(
        CurveChart((Plot("", drawn, x, y),), bench.words),
        f"{caption(by_buffer)} {ALONE}" if _has_one_rank(bench) else caption(by_buffer),
        tuple(
            Legend(curve.colour, f"buffer of {curve.name} a rank", curve.shape) for curve in drawn
        ),
        _table(by_buffer),
        title=link,
    )


def _has_one_rank(bench: BenchData) -> bool:
    return any(
        cell.first.ranks == 1
        for curve in bench.curves
        if curve.first.cell.collective in ALL_TO_ALL
        for cell in curve.cells
    )


def caption(by_buffer: dict[int, list[MeasuredCell]]) -> str:
    """What becomes of the rate of the smallest and of the largest buffer."""
    parts = []
    for total in dict.fromkeys((min(by_buffer), max(by_buffer))):
        first, last = by_buffer[total][0], by_buffer[total][-1]
        share = bus_bandwidth(last) / bus_bandwidth(first)
        parts.append(
            f"with {format_bytes(total)} a rank the bus bandwidth on {last.first.ranks} ranks is "
            f"{significant(share)} of that on {first.first.ranks}"
        )
    text = f"Of an all-to-all {'; '.join(parts)}."
    return f"{text} The counterpart of figure 3 of the TSUBAME 2.0 paper."


def _spot(measured: MeasuredCell) -> Spot:
    low, high = measured.bounds
    rate = measured.wire_bytes / 1e6
    return Spot(measured.first.ranks, rate / measured.seconds, rate / high, rate / low)


def _table(by_buffer: dict[int, list[MeasuredCell]]) -> Table:
    rows = tuple(
        (
            cell.cell.collective, format_bytes(total), str(cell.first.ranks),
            format_seconds(cell.seconds), significant(bus_bandwidth(cell) / 1e6), cell.arm.where,
        )
        for total, own in by_buffer.items()
        for cell in own
    )  # fmt: skip
    heads = columns("=call", "#buffer", "#ranks", "#median", "#bus bandwidth, MB/s", "=library")
    return Table("In numbers", heads, rows, folded=True)
