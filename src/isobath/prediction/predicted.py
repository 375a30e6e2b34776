# SPDX-License-Identifier: Apache-2.0
"""A search that was not run: seconds of every level and phase, with draws; nothing is measured.

Time = computation + waiting + calls. Calls: volumes of the closed forms (or of the run, at its
scale) times costs. Computation: what the run took by arcs and levels. Read ``predict``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log2

import numpy as np

from isobath.costmodel.arcs import DEVIATIONS
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks
from isobath.costmodel.levels import LevelFacts, levels_of_roots, recorded_levels
from isobath.costmodel.switches import Switches
from isobath.costmodel.volume import OUTSIDE
from isobath.errors import UsageError
from isobath.prediction.calls import BYTE_BETWEEN, BYTE_BEYOND, Call, Layout, doublings
from isobath.prediction.costs import DRAWS, NORMAL, Costs, between
from isobath.prediction.network_file import Offload
from isobath.prediction.observed import Observed, ObservedSearch
from isobath.prediction.reach import far_beyond
from isobath.prediction.upcoming import ToCome, upcoming_calls
from isobath.prediction.work import LevelWork, on, work_of, work_to_come
from isobath.prediction.work_costs import WorkCosts, work_costs
from isobath.stats.estimates import FloatArray

COMPUTING, WAITING = "computation", "waiting"
ENDS = (0.05, 0.95)


@dataclass(frozen=True)
class Target:
    """The search that is asked about."""

    scale: int
    switches: Switches
    layout: Layout
    offload: Offload | None = None
    """of reductions"""
    forced: Mapping[str, str] = field(default_factory=dict)
    """algorithms that calls are made to use, by call; the others are the library's choice"""


@dataclass(frozen=True)
class Spread:
    """A predicted number between the ends of its 90 % interval."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Piece:
    """Predicted seconds of one phase of one level."""

    level: int
    phase: str
    call: str
    """computation and waiting are none: empty"""
    seconds: float
    draws: FloatArray

    @property
    def spread(self) -> Spread:
        """With its interval."""
        return spread_of(self.seconds, self.draws)


@dataclass(frozen=True)
class Prediction:
    """A search with its pieces."""

    target: Target
    edges: float
    pieces: tuple[Piece, ...]
    calls: tuple[Call, ...]
    """of one search, bytes as expected"""
    sources: tuple[str, ...]
    """what the costs of calls rest on"""
    far: tuple[str, ...]
    """what lies beyond four times what was measured"""

    @cached_property
    def seconds(self) -> float:
        """Of a search."""
        return sum(piece.seconds for piece in self.pieces)

    @cached_property
    def draws(self) -> FloatArray:
        """The same, shape (draws,)."""
        found: FloatArray = np.sum([piece.draws for piece in self.pieces], axis=0)
        return found

    @property
    def spread(self) -> Spread:
        """Seconds of a search."""
        return spread_of(self.seconds, self.draws)

    @property
    def gteps(self) -> Spread:
        """Edges a second."""
        spread = self.spread
        rates = (self.edges / max(value, 1e-12) / 1e9 for value in (spread.high, spread.middle,
                                                                  spread.low))  # fmt: skip
        return Spread(*rates)

    def by(self, key: Callable[[Piece], object]) -> dict[object, Spread]:
        """Sums of pieces that have a key in common, the largest first."""
        grouped: dict[object, list[Piece]] = {}
        for piece in self.pieces:
            grouped.setdefault(key(piece), []).append(piece)
        spreads = {
            name: spread_of(
                sum(piece.seconds for piece in several),
                np.sum([piece.draws for piece in several], axis=0),
            )
            for name, several in grouped.items()
        }
        return dict(sorted(spreads.items(), key=lambda item: -item[1].middle))


def spread_of(middle: float, draws: FloatArray) -> Spread:
    """The 90 % interval of draws about a central value that it always holds."""
    low, high = np.quantile(draws, ENDS)
    return Spread(min(float(low), middle), middle, max(float(high), middle))


def predict(
    observed: Observed, target: Target, costs: Costs, works: WorkCosts | None = None
) -> Prediction:
    """The median of the run's searches at its own scale; at another, of searches from roots whose
    levels are known there, which the draws take as many of as the run has.

    Args: works are the run's, or those of several, where they are known already.
    Raises: UsageError where costs of a call are not known.
    """
    target = replace(target, layout=observed.machine.crowded(target.layout))
    setting = setting_of(observed, target)
    searches, are_its_own = _searches(observed, target, setting)
    used: dict[str, None] = {}
    works = works if works is not None else work_costs([observed])
    rough = [_expected_seconds(search, target, costs, works, setting) for search in searches]
    typical = _middle(rough)
    pieces: dict[tuple[int, str, str], Piece] = {}
    for number in typical:
        calls, work = searches[number]
        # At another scale what volumes are wrong by is the closed forms', in all searches alike.
        of_calls = _of_calls(calls, target, costs, used, number if are_its_own else 0)
        asked = on(work, setting, target.layout, [one.call for one in calls])
        for piece in (*of_calls, *_of_work(asked, works, of_calls, target.layout.grid.size)):
            _add(pieces, piece, 1 / len(typical))
    if not are_its_own:
        drawn = _drawn_medians(rough, max(1, len(observed.searches)))
        pieces = {key: replace(piece, draws=piece.draws * drawn) for key, piece in pieces.items()}
    _add(pieces, _outside(setting, works), 1.0)
    ordered = tuple(pieces[key] for key in sorted(pieces, key=lambda key: key[0]))
    first = tuple(one.call for one in searches[typical[0]][0])
    edges = observed.edges * 2.0 ** (target.scale - observed.setting.scale)
    far = far_beyond(
        observed,
        target.layout,
        float(setting.blocks.sizes.mean()),
        (one.call for calls, _ in searches for one in calls if not _is_offloaded(one, target)),
        (one for _, work in searches for one in work),
        costs,
    )
    return Prediction(target, edges, ordered, first, tuple(used), far)


def setting_of(observed: Observed, target: Target) -> GraphSetting:
    """The graph of the target as its plan keeps it."""
    same = observed.setting.scale == target.scale
    leaves_out = target.switches.relabel != "off" or target.switches.leaves == "out"
    of_run = observed.setting.switches
    if leaves_out != (of_run.relabel != "off" or of_run.leaves == "out"):
        raise UsageError(
            f"{observed.run_id} does not tell how many vertices {target.switches.plan} searches; "
            f"predict it from a run of {target.switches.plan}"
        )
    vertices = round(observed.share_searched * (1 << target.scale)) if leaves_out else (
        1 << target.scale
    )  # fmt: skip
    kept_alike = of_run.duplicates == target.switches.duplicates
    return GraphSetting(
        target.scale,
        target.switches,
        Blocks.even(vertices, target.layout.grid),
        observed.setting.edgefactor,
        observed.setting.arcs if same and kept_alike else None,
        _row_nodes(target.layout),
    )


def _row_nodes(layout: Layout) -> int:
    nodes = layout.group("row").nodes
    return nodes if layout.grid.cols % nodes == 0 else 1


Search = tuple[tuple[ToCome, ...], tuple[LevelWork, ...]]


def _expected_seconds(
    search: Search, target: Target, costs: Costs, works: WorkCosts, setting: GraphSetting
) -> float:
    """Of calls and computation, to tell which searches are in the middle."""
    calls, work = search
    own = [one.call for one in calls]
    seconds = sum(
        costs.of(coming.call).seconds(coming.call) for coming in calls
        if not _is_offloaded(coming, target)
    )  # fmt: skip
    return seconds + sum(works.seconds(level)[0] for level in on(work, setting, target.layout, own))


def _middle(seconds: Sequence[float]) -> list[int]:
    """Which searches stand for the median: the one or two in the middle, of many a quarter."""
    number = len(seconds)
    middle = max(1, number // 4)
    middle += (number - middle) % 2
    first = (number - middle) // 2
    return sorted(np.argsort(seconds, kind="stable")[first : first + middle].tolist())


def _drawn_medians(seconds: Sequence[float], searches: int) -> FloatArray:
    """Medians of so many searches, as shares of the median of all. Shape (draws,)."""
    rng = np.random.default_rng(19)
    drawn = rng.choice(np.asarray(seconds), size=(DRAWS, searches))
    shares: FloatArray = np.median(drawn, axis=1) / max(float(np.median(seconds)), 1e-12)
    return shares


def _searches(
    observed: Observed, target: Target, setting: GraphSetting
) -> tuple[list[Search], bool]:
    """And whether they are the run's own."""
    ranks = target.layout.grid.size
    own = observed.setting
    same = target.scale == own.scale and bool(observed.searches)
    if same and target.switches.direction == own.switches.direction:
        found = []
        for search in observed.searches:
            levels, first = levels_of(setting, search, own.arcs), search.levels[0].level
            calls = upcoming_calls(
                setting, target.layout, levels, first_level=first, forced=target.forced
            )
            work = tuple(
                replace(one, arcs=one.arcs * observed.layout.grid.size / ranks)
                for one in work_of(observed, search)
            )
            found.append((calls, work))
        return found, True
    several = levels_of_roots(
        target.scale, float(setting.blocks.sizes.sum()), distinct=setting.is_distinct,
        direction=target.switches.direction,
    )  # fmt: skip
    return [
        (
            upcoming_calls(setting, target.layout, levels, forced=target.forced),
            work_to_come(observed, levels, target.scale, ranks),
        )
        for levels in several
    ], False


def levels_of(
    setting: GraphSetting, search: ObservedSearch, arcs: float | None
) -> tuple[LevelFacts, ...]:
    """Levels as they ran."""
    return recorded_levels(
        [level.direction for level in search.levels],
        [level.vertices for level in search.levels],
        [one.arcs_scanned if one.direction == "top_down" else None for one in search.levels],
        float(arcs or 1.0),
        int(setting.blocks.sizes.sum()),
        share_reaching=setting.share_reaching,
        by_policy=setting.switches.direction == "policy",
    )


def _of_calls(
    calls: Sequence[ToCome], target: Target, costs: Costs, used: dict[str, None], number: int
) -> list[Piece]:
    volume = np.random.default_rng((5, number)).standard_normal(DRAWS) * NORMAL / DEVIATIONS
    found = []
    for one in calls:
        call = one.call
        if target.offload is not None and _is_offloaded(one, target):
            found.append(_offloaded(call, target.offload))
            continue
        known = costs.of(call)
        used[known.of] = None
        middle = known.terms(call)
        up, down = known.terms(one.most) - middle, middle - known.terms(one.least)
        terms = middle + np.where(
            volume[:, None] > 0, volume[:, None] * up, volume[:, None] * down
        ) / NORMAL  # fmt: skip
        # Alike in all searches: what a call is wrong by in a level it is wrong by in each of them.
        key = (7, call.level + 1, *call.name.encode()[:6])
        error = np.random.default_rng(key).standard_normal(DRAWS)
        seconds, parts = known.seconds(call), np.maximum(terms, 0) * known.draws
        beyond = _over_links(call, target, costs)
        if beyond > 0 and costs.links is not None:
            used[f"{costs.links.topology.words}: {call.phase}, {call.name} by its busiest link"] = (
                None
            )
            seconds += beyond
            ends = np.random.default_rng(13).standard_normal(DRAWS)  # alike in all calls
            rate = between(costs.links.cost, ends) / max(costs.links.cost.expected, 1e-300)
            own = middle * known.central
            load = (own[BYTE_BETWEEN] + own[BYTE_BEYOND] + beyond) * rate
            share = terms[:, BYTE_BETWEEN] / max(middle[BYTE_BETWEEN], 1e-300)
            adapters = parts[:, BYTE_BETWEEN] + parts[:, BYTE_BEYOND]
            parts[:, BYTE_BETWEEN] = np.maximum(adapters, load * share)
            parts[:, BYTE_BEYOND] = 0.0
        draws = np.sum(parts, axis=1) * np.exp(known.scatter * error)
        found.append(Piece(call.level, call.phase, call.name, seconds, draws))
    return found


def _over_links(call: Call, target: Target, costs: Costs) -> float:
    return costs.over_links(call, target.layout, call.along)


def _is_offloaded(one: ToCome, target: Target) -> bool:
    return one.call.phase == "reduce" and target.offload is not None


def _offloaded(call: Call, offload: Offload) -> Piece:
    """Source: SHARP-like trees; pieces of 256 bytes, pipelined (network.md 5.2)."""
    rng = np.random.default_rng(11)
    hops = 2 * doublings(call.group.nodes)
    pieces = max(1.0, np.ceil(call.piece / 256))
    parts = (
        (offload.host, call.calls),
        (offload.hop, call.calls * hops),
        (offload.piece, call.calls * pieces),
    )
    draws = np.sum([between(cost, rng.standard_normal(DRAWS)) * n for cost, n in parts], axis=0)
    seconds = sum(cost.expected * n for cost, n in parts)
    return Piece(call.level, call.phase, f"{call.name}, offloaded", float(seconds), draws)


def _of_work(
    works: Sequence[LevelWork], costs: WorkCosts, calls: Sequence[Piece], ranks: int
) -> list[Piece]:
    """Computation, and waiting for who computes or is served longest: of more ranks the slowest is
    slower, by as much again for each doubling.
    """
    doubled = log2(ranks)
    wrong = np.exp(costs.error * np.random.default_rng(17).standard_normal(DRAWS))
    found = []
    for work in works:
        seconds, draws = costs.seconds(work)
        draws = draws * wrong
        found.append(Piece(work.level, COMPUTING, "", seconds, draws))
        own = [piece for piece in calls if piece.level == work.level]
        inside = sum(piece.seconds for piece in own)
        inside_draws = np.sum([piece.draws for piece in own], axis=0)
        waiting = doubled * costs.waiting @ np.array([seconds, inside])
        waiting_draws = doubled * (
            costs.waiting_draws[:, 0] * draws + costs.waiting_draws[:, 1] * inside_draws
        )
        found.append(Piece(work.level, WAITING, "", float(waiting), waiting_draws))
    return found


def _outside(setting: GraphSetting, costs: WorkCosts) -> Piece:
    vertices = float(setting.blocks.sizes.mean())
    return Piece(OUTSIDE, COMPUTING, "", costs.outside * vertices, costs.outside_draws * vertices)


def _add(pieces: dict[tuple[int, str, str], Piece], piece: Piece, share: float) -> None:
    key = (piece.level, piece.phase, piece.call)
    before = pieces.get(key)
    seconds, draws = piece.seconds * share, piece.draws * share
    if before is not None:
        seconds, draws = seconds + before.seconds, draws + before.draws
    pieces[key] = replace(piece, seconds=seconds, draws=draws)
