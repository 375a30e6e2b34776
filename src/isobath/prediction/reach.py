# SPDX-License-Identifier: Apache-2.0
"""What of a prediction lies far beyond what was measured: calls, ranks, vertices, arcs.

Costs that were fitted reach as far as the calls they were fitted to. Costs that a file tells were
fitted to nothing here: they reach as far as the run's own calls.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from isobath.prediction.calls import Call, Layout
from isobath.prediction.costs import CallCosts, Costs
from isobath.prediction.observed import Observed
from isobath.prediction.work import LevelWork, work_of

FAR = 4.0
"""times as many ranks, bytes, vertices or arcs as were measured, beyond which a banner stands"""


@dataclass(frozen=True)
class Reach:
    """The most ranks and bytes of a rank of a kind of call."""

    ranks: int
    load: float
    words: str
    """where that was"""


def far_beyond(
    observed: Observed,
    layout: Layout,
    vertices_per_rank: float,
    calls: Iterable[Call],
    works: Iterable[LevelWork],
    costs: Costs,
) -> tuple[str, ...]:
    """What lies beyond four times what was measured, in words. Args: of all searches."""
    return (
        *_computing(observed, layout, vertices_per_rank, works),
        *_calls(observed, calls, costs),
    )


def _computing(
    observed: Observed, layout: Layout, vertices: float, works: Iterable[LevelWork]
) -> list[str]:
    if not observed.searches:
        return []
    ranks, had = layout.grid.size, observed.layout.grid.size
    own = observed.setting.blocks.vertices_per_rank
    most = max((one.arcs for one in works), default=0.0)
    run = (one for search in observed.searches for one in work_of(observed, search))
    arcs = max((one.arcs for one in run), default=0.0)
    found = []
    crowding, usual = layout.crowding, observed.layout.crowding
    if crowding > FAR * usual or (crowding > 1 and usual == 1):
        found.append(
            f"{crowding:.3g} threads that take turns on a processor, the run had {usual:.3g}: how "
            "calls wait for turns is told by no call of it"
        )
    if ranks > FAR * had:
        found.append(f"computation and waiting of {ranks:,} ranks, the run had {had:,}")
    if vertices > FAR * own or vertices * FAR < own:
        found.append(f"computation of {vertices:,.0f} vertices a rank, the run had {own:,.0f}")
    if most > FAR * arcs:
        found.append(f"a level of {most:,.0f} arcs a rank, the run had {arcs:,.0f}")
    return found


def _calls(observed: Observed, calls: Iterable[Call], costs: Costs) -> list[str]:
    """One line for each kind of call and what it is too much of, with the most of it."""
    ranks: dict[str, tuple[float, str]] = {}
    loads: dict[str, tuple[float, str]] = {}
    own = [one.call for search in observed.searches for one in search.calls]
    untold: dict[str, None] = {}
    reaches: dict[tuple[str, str], Reach | None] = {}
    for call in calls:
        known = costs.of(call)
        kind = (call.name, known.of)
        if kind not in reaches:
            reaches[kind] = _reach(call, known, own, observed)
        reach = reaches[kind]
        if reach is None:
            untold[f"{call.name}: {known.of} tells its costs, nothing of the kind was run"] = None
            continue
        size, load = call.group.size, call.load
        if size > FAR * reach.ranks and size > ranks.get(call.name, (0.0, ""))[0]:
            words = f"{call.name} of {size:,} ranks, {reach.words} {reach.ranks:,}"
            ranks[call.name] = (size, words)
        if load > FAR * reach.load and load > loads.get(call.name, (0.0, ""))[0]:
            words = f"{call.name} of {load:,.0f} bytes a rank, {reach.words} {reach.load:,.0f}"
            loads[call.name] = (load, words)
    return [*(words for _, words in (*ranks.values(), *loads.values())), *untold]


def _reach(call: Call, known: CallCosts, own: Sequence[Call], observed: Observed) -> Reach | None:
    """None where costs are told and the run has no such call."""
    if known.points:
        return Reach(known.most_ranks, known.most_bytes, "measured up to")
    alike = [one for one in own if one.name == call.name]
    if not alike:
        return None
    return Reach(
        max(one.group.size for one in alike),
        max(one.load for one in alike),
        f"{observed.run_id} had",
    )
