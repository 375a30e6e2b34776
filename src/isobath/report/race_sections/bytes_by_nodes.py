# SPDX-License-Identifier: Apache-2.0
"""Bytes per node against nodes, measured and by formula: figures 2 and 7 of the TSUBAME paper."""

import math
from collections.abc import Sequence

from isobath.claims.claim import built_in_claims
from isobath.costmodel.crossover import crossover, rank_bytes
from isobath.costmodel.grid import Grid
from isobath.costmodel.switches import DEFAULTS, Switches, told_switches
from isobath.errors import UsageError
from isobath.report.race_cell import RacedCell
from isobath.report.race_data import RaceData
from isobath.report.race_marks import Axis, Curve, CurveChart, Plot, Spot, log_axis
from isobath.report.race_volumes import Formula, mean_search_bytes, search_bytes
from isobath.report.race_wording import PLANS, plan_colour, plan_shape, ratio_number
from isobath.report.wording import count_of, listing, significant
from isobath.units import format_bytes
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

TITLE = "Bytes per node"

MOST_NODES = 1024

SCALE_PER_NODE, RANKS_PER_NODE, LEVELS = 26, {"simple": 16, "one-sided": 16}, 8
"""As the TSUBAME 2.0 paper ran; 2 ranks per node where nothing else is said. It has no number of
levels; its axes fit 8."""

DEFAULT_LEVELS = 7

MARKS = ("tsubame2-figure2", "tsubame2-figure7")
"""Claims of the paper that stand in the chart."""


def render(race: RaceData) -> Section:
    """Measured points on the curves of the measured scale; then the curves of the paper's scale."""
    cells = [cell for cell in race.main if known(cell)]
    blocks: list[Block] = []
    if cells:
        blocks.append(_measured_figure(race, cells))
        blocks.append(Paragraph(crossing(cells)))
    else:
        return nothing(
            "bytes", TITLE, "No cell of this race has a plan whose bytes have a formula."
        )
    blocks.append(_paper_figure(race))
    return Section("bytes", TITLE, tuple(blocks), lead=caption(race, cells))


def known(cell: RacedCell) -> bool:
    """The formulas know this plan."""
    return cell.plan in DEFAULTS


def switches_of(cell: RacedCell) -> Switches:
    """The plan of a cell with its switches, as far as they change what is sent."""
    told = cell.first.records.run.switches
    return Switches.of(cell.plan, **({} if told is None else told_switches(told)))


def levels_of(cell: RacedCell) -> int:
    """Levels of its typical search."""
    return round(cell.num_levels) or DEFAULT_LEVELS


def mean_levels_of(cell: RacedCell) -> float:
    """Levels of its searches, mean."""
    return cell.num_levels or DEFAULT_LEVELS


def formula_of(cell: RacedCell) -> Formula:
    """Bytes of all ranks per search by formula, for this cell."""
    run = cell.first.records.run
    return mean_search_bytes(
        switches_of(cell), cell.scale, run.edgefactor, cell.ranks, mean_levels_of(cell)
    )


def has_nodes(cells: Sequence[RacedCell]) -> bool:
    """Runs with more than one node; otherwise every rank stands for a node."""
    return any(cell.nodes > 1 for cell in cells)


def nodes_of(cell: RacedCell, *, real: bool) -> int:
    """Nodes of a cell, or its ranks where a rank stands for a node."""
    return cell.nodes if real else cell.ranks


def ranks_per_node(cell: RacedCell, *, real: bool) -> int:
    """Ranks of a node; one where a rank stands for a node."""
    return max(1, cell.ranks // cell.nodes) if real else 1


def drawn_cells(cells: Sequence[RacedCell], *, real: bool) -> list[RacedCell]:
    """Cells that send something and have as many ranks per node as the curves."""
    largest = max(cells, key=lambda cell: cell.ranks)
    wanted = ranks_per_node(largest, real=real)
    return [
        cell for cell in cells if cell.mean_bytes > 0 and ranks_per_node(cell, real=real) == wanted
    ]


def caption(race: RaceData, cells: Sequence[RacedCell]) -> str:
    """One sentence: how far measured bytes are from the formulas."""
    sending = [cell for cell in cells if cell.mean_bytes > 0]
    if not sending:
        return "Nothing was sent between ranks, so only formulas can be drawn."
    sure = [cell for cell in sending if formula_of(cell).is_exact]
    exact = [cell for cell in sure if formula_of(cell).expected > 0]
    unforeseen = len(sure) - len(exact)
    rest = [cell for cell in sending if not formula_of(cell).is_exact]
    parts = []
    if exact:
        off = max(abs(cell.mean_bytes / formula_of(cell).expected - 1) for cell in exact)
        parts.append(f"closed forms are met within {significant(off * 100, 2)} %")
    if unforeseen:
        parts.append(f"{count_of(unforeseen, 'closed form')} expected no byte")
    if rest:
        inside = sum(
            formula_of(cell).low <= cell.mean_bytes <= formula_of(cell).high for cell in rest
        )
        parts.append(f"{inside} of {len(rest)} estimates hold the measured bytes in their interval")
    del race
    return (
        f"Of {count_of(len(sending), 'point')}, {listing(parts)}; the byte audit compares "
        "search by search."
    )


def crossing(cells: Sequence[RacedCell]) -> str:
    """Where the replicated bitmap begins to cost more than tuples do, for this graph."""
    base = next((cell for cell in cells if cell.plan == "two-dim"), cells[-1])
    levels = levels_of(base)
    size = switches_of(base).tuple_bytes if base.plan == "two-dim" else 16
    run = base.first.records.run
    ranks = max(cell.ranks for cell in cells)
    expands = max(1, levels - 1)
    here = rank_bytes(base.scale, Grid.squarest(ranks), expands, size, run.edgefactor)
    text = (
        f"By formula, at scale {base.scale} with {levels} levels and tuples of {size} bytes, a "
        f"rank of {ranks} receives {format_bytes(here.replicated)} per search under replicated-csr "
        f"and {format_bytes(here.two_dim)} under plain two-dim ({here.grid.rows} "
        f"\N{MULTIPLICATION SIGN} {here.grid.cols})"
    )
    if here.replicated and here.two_dim:
        text += f", {ratio_number(here.two_dim / here.replicated)} times as much"
    try:
        point = crossover(base.scale, expands, size, run.edgefactor)
    except UsageError:
        return f"{text}; the plans do not cross at any number of ranks that can be had."
    early = point.first_beyond.ranks < point.ranks
    padded = ", because bitmaps of so few vertices a rank are padded" if early else ""
    return (
        f"{text}. The closed forms cross at {point.ranks:,.0f} ranks, 16 x edgefactor x bytes of a "
        "tuple / (levels - 1), whatever the scale; of powers of two, "
        f"{point.last_below.ranks:,} is the last at which two-dim receives more, "
        f"{point.first_beyond.ranks:,} the first at which replicated-csr does{padded}."
    )


def node_counts(first: int, switches: Switches) -> list[int]:
    """Powers of two; every other one where the direction changes, whose estimate takes long."""
    powers = [2**power for power in range(first.bit_length() - 1, MOST_NODES.bit_length())]
    if switches.direction != "policy":
        return powers
    return sorted({*powers[::2], powers[-1]})


def _nodes_axis(first: int) -> Axis:
    return log_axis("nodes", [first, MOST_NODES], lambda value: f"{value:,.0f}", base=2)


def _measured_figure(race: RaceData, cells: Sequence[RacedCell]) -> Figure:
    real = has_nodes(cells)
    curves: list[Curve] = []
    for plan in race.plans:
        own = [cell for cell in cells if cell.plan == plan]
        if own:
            curves.append(_formula_curve(race, own, real=real))
    shown = drawn_cells(cells, real=real)
    for plan in race.plans:
        own = [cell for cell in shown if cell.plan == plan]
        spots = tuple(
            Spot(nodes_of(cell, real=real), cell.mean_bytes / nodes_of(cell, real=real))
            for cell in own
        )
        curves.append(Curve(plan, plan_colour(plan), spots, plan_shape(plan), "none", named=False))
    values = [bound for curve in curves for s in curve.spots for bound in (s.y, s.low, s.high)]
    y = log_axis("sent per node and search", [v for v in values if v], format_bytes)
    alone = "" if real else " All ran on one machine, so every rank stands for a node."
    missing = sum(cell.mean_bytes > 0 for cell in cells) - len(shown)
    left = ""
    if missing:
        left = (
            f" {count_of(missing, 'cell')} of another number of ranks per node than the curves' "
            f"{ranks_per_node(cells[-1], real=real)} stand in the table only."
        )
    legend = [Legend(plan_colour(plan), plan, plan_shape(plan)) for plan in race.plans]
    legend += [
        Legend("muted", "closed form (class a)", "line"),
        Legend("muted", "estimate with its interval (classes b, c)", "dashed"),
    ]
    scales = sorted({cell.scale for cell in cells})
    weak = race.scaling == "weak"
    graph = f"scale {scales[0]} on the fewest nodes" if weak else f"scale {scales[0]}"
    return Figure(
        CurveChart((Plot("", tuple(curves), _nodes_axis(1), y),), race.words),
        f"Bytes sent per node and search: marks are measured, curves are formulas for {graph}; "
        "bytes are facts on oversubscribed machines too. The counterpart of figure 7 of the "
        f"TSUBAME 2.0 paper.{alone}{left}",
        tuple(legend),
        _table(cells, real=real),
        title="Measured, on the curves of the measured scale",
    )


def _formula_curve(race: RaceData, own: Sequence[RacedCell], *, real: bool) -> Curve:
    """The curve of a plan: with the levels and switches of its last cell."""
    last = own[-1]
    per_node = ranks_per_node(last, real=real)
    edgefactor = last.first.records.run.edgefactor
    spots = []
    measured = {nodes_of(cell, real=real) for cell in own}
    for nodes in sorted(measured.union(node_counts(1, switches_of(last)))):
        ranks = nodes * per_node
        scale = last.scale
        if race.scaling == "weak":
            scale += round(math.log2(ranks / last.ranks))
        if ranks == 1 or scale < 4:
            continue
        formula = mean_search_bytes(
            switches_of(last), scale, edgefactor, ranks, mean_levels_of(last)
        )
        if formula.low > 0:
            spots.append(_spot(nodes, formula))
    return _drawn(last.plan, spots)


def _spot(nodes: int, formula: Formula) -> Spot:
    each = formula.times(1 / nodes)
    if formula.is_exact:
        return Spot(nodes, each.expected)
    return Spot(nodes, each.expected, each.low, each.high)


def _drawn(plan: str, spots: Sequence[Spot]) -> Curve:
    exact = all(spot.low is None for spot in spots)
    return Curve(
        plan,
        plan_colour(plan),
        tuple(spots),
        plan_shape(plan),
        "solid" if exact else "dashed",
        marked=False,
    )


def _paper_figure(race: RaceData) -> Figure:
    curves = []
    for plan in PLANS:
        per_node = RANKS_PER_NODE.get(plan, 2)
        spots = []
        for nodes in node_counts(2, DEFAULTS[plan]):
            scale = SCALE_PER_NODE + nodes.bit_length() - 1
            formula = search_bytes(DEFAULTS[plan], scale, 16, nodes * per_node, LEVELS)
            spots.append(_spot(nodes, formula))
        curves.append(_drawn(plan, spots))
    curves += [_mark(name) for name in MARKS]
    y = log_axis(
        "sent per node and search",
        [bound for curve in curves for s in curve.spots for bound in (s.y, s.low, s.high) if bound],
        format_bytes,
    )
    legend = [
        *(Legend(plan_colour(plan), plan, "line") for plan in PLANS),
        Legend("mark", "TSUBAME 2.0 paper, top of an axis"),
        Legend("muted", "solid: closed form (class a)", "line"),
        Legend("muted", "dashed: estimate with its interval (classes b, c)", "dashed"),
    ]
    del race
    return Figure(
        CurveChart((Plot("", tuple(curves), _nodes_axis(2), y),)),
        f"By formula, weak scaling with scale {SCALE_PER_NODE} per node, {LEVELS} levels and the "
        "ranks per node of the TSUBAME 2.0 paper (2; simple and one-sided 16). Marks are the tops "
        f"of its axes, all that its text tells of the curves: {listing(map(quoted, MARKS))}.",
        tuple(legend),
        title=f"Up to {MOST_NODES:,} nodes at scale {SCALE_PER_NODE} per node, by formula",
        measured=False,
    )


def quoted(name: str) -> str:
    """What may be quoted of a claim, with its place: "70 GB at 512 nodes (figure 7)"."""
    claim = built_in_claims()[name]
    size, nodes = claim.figures["axis_gigabytes"], claim.figures["nodes"]
    return f"{size.text} GB at {nodes.text} nodes ({claim.source.rpartition(', ')[2]})"


def _mark(name: str) -> Curve:
    """The top of an axis of the paper at the node count of its right end."""
    claim = built_in_claims()[name]
    size, nodes = claim.figures["axis_gigabytes"].value * 1e9, claim.figures["nodes"].value
    figure = claim.source.rpartition(", ")[2]
    return Curve(
        f"TSUBAME 2.0 paper, {figure}",
        "mark",
        (Spot(nodes, size),),
        "square",
        "none",
        named=False,
        note=f"{claim.figures['axis_gigabytes'].text} GB, {figure}",
    )


def _table(cells: Sequence[RacedCell], *, real: bool) -> Table:
    rows = []
    for cell in cells:
        formula = formula_of(cell)
        nodes = nodes_of(cell, real=real)
        interval = "exact" if formula.is_exact else f"{formula.low:,.0f} to {formula.high:,.0f}"
        rows.append(
            (cell.plan, str(cell.ranks), str(nodes), cell.grid, f"{mean_levels_of(cell):.3g}",
             f"{cell.mean_bytes:,.0f}", f"{formula.expected:,.0f}", interval,
             f"{cell.mean_bytes / nodes:,.0f}")
        )  # fmt: skip
    return Table(
        "Bytes in numbers",
        columns("=plan", "#ranks", "#nodes", "=grid", "#levels", "#measured per search, bytes",
                "#by formula", "interval", "#measured per node"),
        tuple(rows),
        folded=True,
    )  # fmt: skip
