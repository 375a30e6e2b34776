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
from isobath.bench.words import size_words
from isobath.report.bench_data import BenchData
from isobath.report.bench_sections.curves import bounds_of
from isobath.report.bench_sections.ranks import SHAPES
from isobath.report.race_marks import Curve, CurveChart, Plot, Spot, linear_axis, ranks_axis
from isobath.report.wording import count_of, significant
from isobath.units import format_bytes, format_seconds
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
        _figure(bench, each, where, found) for (each, where), found in sweeps(bench).items()
    ]
    blocks += _apart(bench)
    if not blocks:
        return nothing(
            "nodes", TITLE, "Nothing was measured on several nodes: --nodes 2,4 measures it."
        )
    pretended = any(is_pretended(one) for one in bench.measured.results)
    if pretended:
        blocks.append(
            Paragraph(
                "Pretended nodes are network namespaces of one machine on links of their rate: "
                "bytes are facts, times are those of this machine's processors."
            )
        )
    return Section("nodes", TITLE, tuple(blocks))


def sweeps(bench: BenchData) -> dict[tuple[int, str], Sweep]:
    """All-to-alls of uniform counts over several numbers of nodes, by ranks on a node and place."""
    found: dict[tuple[int, str], Sweep] = {}
    for one in bench.measured.results:
        if not _is_swept(one):
            continue
        sweep = found.setdefault((ranks_of_node(one), one.arm.link), {})
        total = one.cell.size_bytes * one.first.ranks
        near = next((known for known in sweep if abs(known - total) <= 0.01 * known), total)
        sweep.setdefault(near, []).append(one)
    kept = {key: _several(sweep) for key, sweep in found.items()}
    return {key: sweep for key, sweep in sorted(kept.items()) if sweep}


def _is_swept(one: MeasuredCell) -> bool:
    """What a node sends is known: everybody sends everybody as much, nothing is forced."""
    cell = one.cell
    is_plain = cell.form == "blocking" and cell.along == "world" and cell.counts == "uniform"
    is_all_to_all = cell.collective in ALL_TO_ALL and cell.algorithm is None
    return is_plain and is_all_to_all and bytes_leaving_a_node(one) > 0


def _several(sweep: Sweep) -> Sweep:
    several = {
        total: sorted(cells, key=nodes_of)
        for total, cells in sweep.items()
        if len({nodes_of(one) for one in cells}) > 1
    }
    return dict(sorted(several.items())[-MOST:])


def _figure(bench: BenchData, each: int, where: str, found: Sweep) -> Figure:
    cells = [one for own in found.values() for one in own]
    x = ranks_axis("nodes", [nodes_of(one) for one in cells])
    of_node = linear_axis("MB/s leaving a node", [_reach(one)[2] for one in cells], _thousands)
    of_rank = linear_axis(
        "MB/s per rank", [one.wire_bytes / one.bounds[0] / 1e6 for one in cells], _thousands
    )
    curves = (_curves(found, _node_spot), _curves(found, _rank_spot))
    plots = (Plot("per node", curves[0], x, of_node), Plot("per rank", curves[1], x, of_rank))
    mark = f", {PRETENDED} nodes" if is_pretended(cells[0]) else ""
    return Figure(
        CurveChart(plots, bench.words),
        caption(each, found),
        tuple(Legend(one.colour, f"buffer of {one.name} a rank", one.shape) for one in curves[0]),
        _table(found),
        title=f"All-to-all, {count_of(each, 'rank')} a node, {where}{mark}",
    )


def caption(each: int, found: Mapping[int, Sequence[MeasuredCell]]) -> str:
    """What becomes of the rate of the smallest and of the largest buffer."""
    parts = []
    for total in dict.fromkeys((min(found), max(found))):
        first, last = found[total][0], found[total][-1]
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


def _reach(one: MeasuredCell) -> tuple[float, float, float]:
    """Rate of a node, and the bounds of its interval."""
    low, high = one.bounds
    leaving = bytes_leaving_a_node(one) / 1e6
    return leaving / one.seconds, leaving / high, leaving / low


def _node_spot(one: MeasuredCell) -> Spot:
    return Spot(nodes_of(one), *_reach(one))


def _rank_spot(one: MeasuredCell) -> Spot:
    low, high = one.bounds
    sent = one.wire_bytes / 1e6
    return Spot(nodes_of(one), sent / one.seconds, sent / high, sent / low)


def _curves(found: Sweep, spot: Callable[[MeasuredCell], Spot]) -> tuple[Curve, ...]:
    return tuple(
        Curve(
            format_bytes(total), f"call-{number}", tuple(spot(one) for one in own),
            SHAPES[number - 1], stroke="dashed" if is_pretended(own[0]) else "solid",
        )
        for number, (total, own) in enumerate(found.items(), start=1)
    )  # fmt: skip


def _table(found: Sweep) -> Table:
    rows = tuple(
        (
            one.cell.collective, format_bytes(total), str(nodes_of(one)), str(ranks_of_node(one)),
            format_seconds(one.seconds), significant(node_rate(one) / 1e6),
            significant(bus_bandwidth(one) / 1e6), one.arm.where,
        )
        for total, own in found.items()
        for one in own
    )  # fmt: skip
    heads = columns("=call", "#buffer", "#nodes", "#ranks a node", "#median",
                    "#MB/s leaving a node", "#MB/s per rank", "=library")  # fmt: skip
    return Table("In numbers", heads, rows, keys=3)


def _apart(bench: BenchData) -> list[Block]:
    """Times of communicators inside a node and of those with one rank on each, where both are."""
    cells = [
        one
        for one in bench.measured.results
        if one.cell.form == "blocking" and one.cell.algorithm is None and reach_of(one)
    ]
    if not {"within a node", "between nodes"} <= {reach_of(one) for one in cells}:
        return []
    rows = [_row(one) for one in sorted(cells, key=_order)]
    heads = columns("=call", "#size", "=ranks are", "#ranks", "#median", "#from", "#to (95 %)",
                    "#MB/s per rank", "=library")  # fmt: skip
    mixed = any(reach_of(one) == "both" for one in cells)
    words = "Times inside a node and between nodes are those of different wires, and stand apart."
    if mixed:
        words += " Where ranks are both, the rate mixes memory and network and is that of neither."
    return [Paragraph(words), Table("Within and between nodes", heads, tuple(rows), keys=3)]


def _order(one: MeasuredCell) -> tuple[str, int, int, str]:
    reach = reach_of(one)
    place = ORDER.index(reach) if reach else len(ORDER)
    return one.cell.collective, one.cell.size_bytes, place, one.arm.where


def _row(one: MeasuredCell) -> tuple[str, ...]:
    reach = reach_of(one) or ""
    rate = significant(bus_bandwidth(one) / 1e6) if one.wire_bytes else ""
    if reach == "both":
        rate = f"{rate} (mixed)" if rate else ""
    return (
        one.cell.collective, size_words(one.cell.size_bytes), reach, str(one.first.ranks),
        format_seconds(one.seconds), *bounds_of(one), rate, one.arm.where,
    )  # fmt: skip
