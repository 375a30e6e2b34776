# SPDX-License-Identifier: Apache-2.0
"""Rates of nodes against their number (figure 3 of the TSUBAME 2.0 paper), and times within and
between nodes apart: a rate that mixes both is no rate of a network.
"""

from collections.abc import Callable, Mapping, Sequence

from isobath.bench.measured import MeasuredCell
from isobath.bench.places import (
    ALL_TO_ALL,
    PRETENDED,
    Reach,
    bytes_leaving_a_node,
    is_pretended,
    node_rate,
    nodes_of,
    ranks_of_node,
    reach_of,
)
from isobath.bench.rates import bus_bandwidth
from isobath.report.bench_data import BenchData
from isobath.report.bench_sections.curves import bounds_of
from isobath.report.bench_sections.ranks import SHAPES
from isobath.report.race_marks import Curve, CurveChart, Plot, Spot, linear_axis, ranks_axis
from isobath.report.wording import count_of, listing, significant
from isobath.units import format_bytes, format_seconds, size_words
from isobath.view.content import (
    Block,
    Figure,
    Legend,
    Paragraph,
    Section,
    Table,
    columns,
    nothing,
)

TITLE = "Rates of nodes"

MOST = 6
"""buffers of a chart: the largest"""

ORDER: tuple[Reach, ...] = ("within a node", "between nodes", "both")

Sweep = dict[int, list[MeasuredCell]]
"""Cells by the bytes of one rank's buffer, by nodes ascending."""


def render(bench: BenchData) -> Section:
    """One figure for each number of ranks on a node; then within and between."""
    blocks: list[Block] = [
        _figure(bench, each, where, sweep) for (each, where), sweep in sweeps(bench).items()
    ]
    blocks += _apart(bench)
    if not blocks:
        return nothing("nodes", TITLE, _why_nothing(bench))
    pretended = any(is_pretended(cell) for cell in bench.measured.results)
    if pretended:
        blocks.append(
            Paragraph(
                "Pretended nodes are network namespaces of one machine on links of their rate: "
                "bytes are facts, times are those of this machine's processors."
            )
        )
    return Section("nodes", TITLE, tuple(blocks))


def _why_nothing(bench: BenchData) -> str:
    """Several nodes may have been measured without a time that counts."""
    cells = [cell for cell in bench.measured.cells if _is_swept(cell)]
    if not cells:
        return "No all-to-all was measured on several nodes: --nodes 2,4 measures it."
    timed = sorted({nodes_of(cell) for cell in cells if cell.is_result})
    crowded = sorted({nodes_of(cell) for cell in cells if cell.oversubscribed})
    words = "No all-to-all has times that count on several numbers of nodes"
    words += f": all are of {count_of(timed[0], 'node')}." if len(timed) == 1 else "."
    if crowded:
        words += (
            f" OVERSUBSCRIBED: on {listing(map(str, crowded))} nodes there were more ranks than "
            "processors; fewer ranks on a node, or a machine with more, would have rates."
        )
    return words


def sweeps(bench: BenchData) -> dict[tuple[int, str], Sweep]:
    """All-to-alls of uniform counts over several numbers of nodes, by ranks on a node and place."""
    by_place: dict[tuple[int, str], Sweep] = {}
    for measured in bench.measured.results:
        if not _is_swept(measured):
            continue
        sweep = by_place.setdefault((ranks_of_node(measured), measured.arm.link), {})
        total = measured.cell.size_bytes * measured.first.ranks
        near = next((known for known in sweep if abs(known - total) <= 0.01 * known), total)
        sweep.setdefault(near, []).append(measured)
    kept = {key: _several(sweep) for key, sweep in by_place.items()}
    return {key: sweep for key, sweep in sorted(kept.items()) if sweep}


def _is_swept(measured: MeasuredCell) -> bool:
    """What a node sends is known: everybody sends everybody as much, nothing is forced."""
    cell = measured.cell
    is_plain = cell.form == "blocking" and cell.along == "world" and cell.counts == "uniform"
    is_all_to_all = cell.collective in ALL_TO_ALL and cell.algorithm is None
    return is_plain and is_all_to_all and bytes_leaving_a_node(measured) > 0


def _several(sweep: Sweep) -> Sweep:
    several = {
        total: sorted(cells, key=nodes_of)
        for total, cells in sweep.items()
        if len({nodes_of(cell) for cell in cells}) > 1
    }
    return dict(sorted(several.items())[-MOST:])


def _figure(bench: BenchData, each: int, where: str, sweep: Sweep) -> Figure:
    cells = [cell for own in sweep.values() for cell in own]
    x = ranks_axis("nodes", [nodes_of(cell) for cell in cells])
    of_node = linear_axis("MB/s leaving a node", [_reach(cell)[2] for cell in cells], _thousands)
    of_rank = linear_axis(
        "MB/s per rank", [cell.wire_bytes / cell.bounds[0] / 1e6 for cell in cells], _thousands
    )
    curves = (_curves(sweep, _node_spot), _curves(sweep, _rank_spot))
    plots = (Plot("per node", curves[0], x, of_node), Plot("per rank", curves[1], x, of_rank))
    mark = f", {PRETENDED} nodes" if is_pretended(cells[0]) else ""
    return Figure(
        CurveChart(plots, bench.words),
        caption(each, sweep),
        tuple(
            Legend(curve.colour, f"buffer of {curve.name} a rank", curve.shape)
            for curve in curves[0]
        ),
        _table(sweep),
        title=f"All-to-all, {count_of(each, 'rank')} a node, {where}{mark}",
    )


def caption(each: int, sweep: Mapping[int, Sequence[MeasuredCell]]) -> str:
    """What becomes of the rate of the smallest and of the largest buffer."""
    parts = []
    for total in dict.fromkeys((min(sweep), max(sweep))):
        first, last = sweep[total][0], sweep[total][-1]
        share = node_rate(last) / node_rate(first)
        parts.append(
            f"with {format_bytes(total)} a rank {significant(node_rate(last) / 1e6)} MB/s leave "
            f"each of {nodes_of(last)} nodes, {significant(share)} of what leaves each of "
            f"{nodes_of(first)}"
        )
    return (
        f"Of an all-to-all with {count_of(each, 'rank')} a node: {'; '.join(parts)}. The "
        "counterpart of figure 3 of the TSUBAME 2.0 paper; what ranks of a node send each other is "
        "not counted."
    )


def _thousands(value: float) -> str:
    return f"{value:,.0f}"


def _reach(measured: MeasuredCell) -> tuple[float, float, float]:
    """Rate of a node, and the bounds of its interval."""
    low, high = measured.bounds
    leaving = bytes_leaving_a_node(measured) / 1e6
    return leaving / measured.seconds, leaving / high, leaving / low


def _node_spot(measured: MeasuredCell) -> Spot:
    return Spot(nodes_of(measured), *_reach(measured))


def _rank_spot(measured: MeasuredCell) -> Spot:
    low, high = measured.bounds
    sent = measured.wire_bytes / 1e6
    return Spot(nodes_of(measured), sent / measured.seconds, sent / high, sent / low)


def _curves(sweep: Sweep, spot: Callable[[MeasuredCell], Spot]) -> tuple[Curve, ...]:
    return tuple(
        Curve(
            format_bytes(total), f"call-{number}", tuple(spot(cell) for cell in own),
            SHAPES[number - 1], stroke="dashed" if is_pretended(own[0]) else "solid",
        )
        for number, (total, own) in enumerate(sweep.items(), start=1)
    )  # fmt: skip


def _table(sweep: Sweep) -> Table:
    rows = tuple(
        (
            cell.cell.collective, format_bytes(total),
            str(nodes_of(cell)), str(ranks_of_node(cell)),
            format_seconds(cell.seconds), significant(node_rate(cell) / 1e6),
            significant(bus_bandwidth(cell) / 1e6), cell.arm.where,
        )
        for total, own in sweep.items()
        for cell in own
    )  # fmt: skip
    heads = columns("=call", "#buffer", "#nodes", "#ranks a node", "#median",
                    "#MB/s leaving a node", "#MB/s per rank", "=library")  # fmt: skip
    return Table("In numbers", heads, rows, keys=3)


def _apart(bench: BenchData) -> list[Block]:
    """Times of communicators inside a node and of those with one rank on each, where both are."""
    cells = [
        cell
        for cell in bench.measured.results
        if cell.cell.form == "blocking" and cell.cell.algorithm is None and reach_of(cell)
    ]
    if not {"within a node", "between nodes"} <= {reach_of(cell) for cell in cells}:
        return []
    rows = [_row(cell) for cell in sorted(cells, key=_order)]
    heads = columns("=call", "#size", "=ranks are", "#ranks", "#median", "#from", "#to (95 %)",
                    "#MB/s per rank", "=library")  # fmt: skip
    mixed = any(reach_of(cell) == "both" for cell in cells)
    words = "Times inside a node and between nodes are those of different wires, and stand apart."
    if mixed:
        words += " Where ranks are both, the rate mixes memory and network and is that of neither."
    return [Paragraph(words), Table("Within and between nodes", heads, tuple(rows), keys=3)]


def _order(cell: MeasuredCell) -> tuple[str, int, int, str]:
    reach = reach_of(cell)
    place = ORDER.index(reach) if reach else len(ORDER)
    return cell.cell.collective, cell.cell.size_bytes, place, cell.arm.where


def _row(cell: MeasuredCell) -> tuple[str, ...]:
    reach = reach_of(cell) or ""
    rate = significant(bus_bandwidth(cell) / 1e6) if cell.wire_bytes else ""
    if reach == "both":
        rate = f"{rate} (mixed)" if rate else ""
    return (
        cell.cell.collective, size_words(cell.cell.size_bytes), reach, str(cell.first.ranks),
        format_seconds(cell.seconds), *bounds_of(cell), rate, cell.arm.where,
    )  # fmt: skip
