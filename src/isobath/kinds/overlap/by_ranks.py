# SPDX-License-Identifier: Apache-2.0
"""Times and shares against processes per node, one figure for each size and number of nodes.

Figures 7 to 22 of Nanri, Ohshima and Ono have processes per node on this axis.
"""

from collections.abc import Callable, Sequence
from itertools import chain

from isobath.kinds.overlap.printed_sections import percentage_words
from isobath.overlap import definitions
from isobath.overlap.folders import OverlapRead
from isobath.overlap.reading import Group, Place, Row, name_of
from isobath.report.race_marks import (
    Curve,
    CurveChart,
    Plot,
    Shape,
    Spot,
    linear_axis,
    log_axis,
    ranks_axis,
)
from isobath.report.wording import count_of
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Figure, Legend, Section, Table, columns, nothing

TITLE = "Against processes per node"

SHAPES: tuple[Shape, ...] = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")

MOST = 6
"""curves of a chart; more stand in the table"""

PER_NODE = "processes per node"

NO_RANKS = nothing(
    "by-ranks", TITLE,
    "One number of processes per node has times that count: --ranks 1,2,4 measures more.",
)  # fmt: skip

Sweep = list[Group]
"""Groups that differ in their number of ranks, ascending."""


def by_ranks(read: OverlapRead) -> list[Section]:
    """One section; none where every size has times on one number of processes per node alone."""
    figures = tuple(_figure(sweep) for sweep in sweeps(read.groups))
    return [Section("by-ranks", TITLE, figures)] if figures else []


def sweeps(groups: Sequence[Group]) -> list[Sweep]:
    """Groups of one collective, size and place that have times on several numbers of ranks."""
    by_setting: dict[tuple[str, int, Place], Sweep] = {}
    for group in groups:
        if any(_sound(group)):
            key = (group.collective, group.size_bytes, group.place)
            by_setting.setdefault(key, []).append(group)
    ordered = (sorted(sweep, key=lambda group: group.ranks) for sweep in by_setting.values())
    return [sweep for sweep in ordered if len({group.ranks_per_node for group in sweep}) > 1]


def _sound(group: Group) -> list[Row]:
    """Rows whose times are of processors that each rank has."""
    return [row for row in group.middle if not row.record.oversubscribed]


def _figure(sweep: Sweep) -> Figure:
    names = list(dict.fromkeys(name_of(row.record) for group in sweep for row in _sound(group)))
    shown = names[:MOST]
    numbers = ranks_axis(PER_NODE, [group.ranks_per_node for group in sweep])
    rows = [row for group in sweep for row in _sound(group)]
    bounds = list(chain.from_iterable(_interval(row) for row in rows))
    time = log_axis("microseconds", [bound * 1e6 for bound in bounds], _plain)
    share = linear_axis("hidden, %", [100.0], lambda value: f"{value:g}")
    return Figure(
        CurveChart(
            (
                Plot("start, work and wait", _curves(sweep, shown, _time), numbers, time),
                Plot("hidden share", _curves(sweep, shown, _share), numbers, share),
            )
        ),
        caption(sweep),
        tuple(
            Legend(f"call-{number}", name, SHAPES[number - 1])
            for number, name in enumerate(shown, start=1)
        ),
        _table(sweep),
        title=title_of(sweep),
    )


def title_of(sweep: Sweep) -> str:
    """What is the same in all."""
    first = sweep[0]
    size = f" of {format_bytes(first.size_bytes)}" if first.size_bytes else ""
    nodes = first.place.words or count_of(first.place.nodes, "node")
    under = f", under {first.place.mpi}" if first.place.mpi else ""
    return f"{first.collective}{size}, {nodes}{under}"


def caption(sweep: Sweep) -> str:
    """Who is done first with the fewest and with the most processes on a node."""
    parts = []
    for group in (sweep[0], sweep[-1]):
        best = group.best
        assert best is not None  # a sweep has groups with times alone
        parts.append(
            f"with {group.ranks_per_node} a node {name_of(best.record)} is done first, after "
            f"{format_seconds(best.times.overlap)} ({definitions.clamped(best.hidden_share):.0%} "
            "of what can be hidden is)"
        )
    words = f"{sweep[0].collective}: {'; '.join(parts)}."
    if sweep[0].place.is_pretended:
        words += " Nodes are pretended: network namespaces of one machine."
    return words


def _curves(
    sweep: Sweep, names: Sequence[str], spot: Callable[[int, Row], Spot]
) -> tuple[Curve, ...]:
    return tuple(
        Curve(
            str(number), f"call-{number}",
            tuple(
                spot(group.ranks_per_node, row)
                for group in sweep
                for row in _sound(group)
                if name_of(row.record) == name
            ),
            SHAPES[number - 1],
            stroke="dashed" if sweep[0].place.is_pretended else "solid", named=False,
        )
        for number, name in enumerate(names, start=1)
    )  # fmt: skip


def _interval(row: Row) -> tuple[float, float]:
    return row.overlap_interval or (row.times.overlap, row.times.overlap)


def _time(per_node: int, row: Row) -> Spot:
    low, high = _interval(row)
    return Spot(per_node, row.times.overlap * 1e6, low * 1e6, high * 1e6)


def _share(per_node: int, row: Row) -> Spot:
    return Spot(per_node, definitions.clamped(row.hidden_share) * 100)


def _plain(value: float) -> str:
    return f"{value:,.0f}" if value >= 1 else f"{value:g}"


def _table(sweep: Sweep) -> Table:
    rows = tuple(
        (
            str(group.ranks_per_node), name_of(row.record), format_seconds(row.times.overlap),
            format_seconds(row.times.no_overlap), format_seconds(row.times.blocking),
            f"{row.hidden_share:.0%}", percentage_words(row.percentages.osu),
        )
        for group in sweep
        for row in _sound(group)
    )  # fmt: skip
    heads = columns("#a node", "=progress", "#T_ov", "#T_nov", "#C_b", "#hidden", "#OSU, %")
    return Table(f"{title_of(sweep)}, by processes per node", heads, rows, keys=2)
