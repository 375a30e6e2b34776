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
    several = {link: found for link in links if (found := buffers(bench, link))}
    if not several:
        return nothing(
            "ranks", TITLE, "No buffer of an all-to-all has a time on several numbers of ranks."
        )
    figures = (
        _figure(bench, found, link if len(links) > 1 else "") for link, found in several.items()
    )
    return Section("ranks", TITLE, tuple(figures))


def buffers(bench: BenchData, link: str | None = None) -> dict[int, list[MeasuredCell]]:
    """Cells by the bytes of one rank's buffer, by ranks ascending; those of one number left out.

    Args: link is the library with the transport, whose cells are taken; without, all are.

    One rank sends nothing to another: its rate is none, and no share of it can be said. A buffer
    that ranks do not divide is a little smaller; it counts as the same within 1 %.
    """
    found: dict[int, list[MeasuredCell]] = {}
    for curve in bench.curves:
        cell = curve.first.cell
        if cell.collective not in ALL_TO_ALL or cell.form != "blocking" or cell.along != "world":
            continue
        if link not in (None, curve.first.arm.link):
            continue
        for one in curve.cells:
            if one.first.ranks == 1:
                continue
            total = one.cell.size_bytes * one.first.ranks
            near = next((known for known in found if abs(known - total) <= 0.01 * known), total)
            if total:
                found.setdefault(near, []).append(one)
    several = {
        total: sorted(cells, key=lambda one: one.first.ranks)
        for total, cells in found.items()
        if len({one.first.ranks for one in cells}) > 1
    }
    return dict(sorted(several.items())[-MOST:])


def _figure(bench: BenchData, found: dict[int, list[MeasuredCell]], link: str) -> Figure:
    cells = [one for own in found.values() for one in own]
    rates = [one.wire_bytes / one.bounds[0] / 1e6 for one in cells]
    drawn = tuple(
        Curve(format_bytes(total), f"call-{number}", tuple(map(_spot, own)), SHAPES[number - 1])
        for number, (total, own) in enumerate(found.items(), start=1)
    )
    x = ranks_axis("ranks", [one.first.ranks for one in cells])
    y = linear_axis("MB/s per rank", rates, lambda value: f"{value:,.0f}")
    return Figure(
        CurveChart((Plot("", drawn, x, y),), bench.words),
        f"{caption(found)} {ALONE}" if _has_one_rank(bench) else caption(found),
        tuple(Legend(one.colour, f"buffer of {one.name} a rank", one.shape) for one in drawn),
        _table(found),
        title=link,
    )


def _has_one_rank(bench: BenchData) -> bool:
    return any(
        one.first.ranks == 1
        for curve in bench.curves
        if curve.first.cell.collective in ALL_TO_ALL
        for one in curve.cells
    )


def caption(found: dict[int, list[MeasuredCell]]) -> str:
    """What becomes of the rate of the smallest and of the largest buffer."""
    parts = []
    for total in dict.fromkeys((min(found), max(found))):
        first, last = found[total][0], found[total][-1]
        share = bus_bandwidth(last) / bus_bandwidth(first)
        parts.append(
            f"with {format_bytes(total)} a rank the bus bandwidth on {last.first.ranks} ranks is "
            f"{significant(share)} of that on {first.first.ranks}"
        )
    text = f"Of an all-to-all {'; '.join(parts)}."
    return f"{text} The counterpart of figure 3 of the TSUBAME 2.0 paper."


def _spot(one: MeasuredCell) -> Spot:
    low, high = one.bounds
    rate = one.wire_bytes / 1e6
    return Spot(one.first.ranks, rate / one.seconds, rate / high, rate / low)


def _table(found: dict[int, list[MeasuredCell]]) -> Table:
    rows = tuple(
        (
            one.cell.collective, format_bytes(total), str(one.first.ranks),
            format_seconds(one.seconds), significant(bus_bandwidth(one) / 1e6), one.arm.where,
        )
        for total, own in found.items()
        for one in own
    )  # fmt: skip
    heads = columns("=call", "#buffer", "#ranks", "#median", "#bus bandwidth, MB/s", "=library")
    return Table("In numbers", heads, rows, folded=True)
