# SPDX-License-Identifier: Apache-2.0
"""A search that was not run: seconds of every level and phase, with draws; nothing is measured.

Time = computation + waiting + calls. Calls: volumes of the closed forms (or of the run, at its
scale) times costs. Computation: what the run took by arcs and levels. Read ``predict``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks
from isobath.costmodel.levels import levels_of_roots
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError
from isobath.prediction.calls import Call, Layout
from isobath.prediction.costs import DRAWS, Costs
from isobath.prediction.network_file import Offload
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import (
    WAITING,
    Piece,
    Spread,
    add_to,
    expected_seconds,
    is_offloaded,
    of_calls,
    of_work,
    outside_of_levels,
    spread_of,
)
from isobath.prediction.reach import far_beyond
from isobath.prediction.upcoming import ToCome, upcoming_calls
from isobath.prediction.work import (
    LevelWork,
    levels_of,
    on,
    scanned_over_expected,
    work_of,
    work_to_come,
)
from isobath.prediction.work_costs import WorkCosts, work_costs
from isobath.stats.estimates import FloatArray


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
class Prediction:
    """A search with its pieces."""

    target: Target
    edges: float
    pieces: tuple[Piece, ...]
    calls: tuple[Call, ...]
    """of one search, bytes as expected"""
    works: tuple[LevelWork, ...]
    """what the levels of the same search ask of a rank"""
    sources: tuple[str, ...]
    """what the costs of calls rest on"""
    far: tuple[str, ...]
    """what lies beyond four times what was measured"""
    unknown: tuple[str, ...] = ()
    """parts of a search that no run tells: they are in no number"""

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
    works = works if works is not None else work_costs([observed])
    layout, offload = target.layout, target.offload
    rough = [
        expected_seconds(search.calls, search.works, layout, costs, works, offload)
        for search in searches
    ]
    typical = _middle(rough)
    used: dict[str, None] = {}
    pieces: dict[tuple[int, str, str], Piece] = {}
    for number in typical:
        search = searches[number]
        # At another scale what volumes are wrong by is the closed forms', in all searches alike.
        drawn = number if are_its_own else 0
        own = of_calls(search.calls, layout, costs, offload, used, drawn)
        for piece in (*own, *of_work(search.works, works, own, layout.grid.size)):
            add_to(pieces, piece, 1 / len(typical))
    if not are_its_own:
        medians = _drawn_medians(rough, max(1, len(observed.searches)))
        pieces = {key: replace(piece, draws=piece.draws * medians) for key, piece in pieces.items()}
    add_to(pieces, outside_of_levels(setting, works), 1.0)
    ordered = tuple(pieces[key] for key in sorted(pieces, key=lambda key: key[0]))
    first = searches[typical[0]]
    calls = tuple(coming.call for coming in first.calls)
    edges = observed.edges * 2.0 ** (target.scale - observed.setting.scale)
    predicted = [coming for search in searches for coming in search.calls
                 if not is_offloaded(coming, offload)]  # fmt: skip
    far = far_beyond(
        observed,
        layout,
        setting.blocks.vertices_per_rank,
        (coming.call for coming in predicted),
        (work for search in searches for work in search.works),
        costs,
    )
    unknown = () if works.knows_waiting(layout.grid.size) else (WAITING,)
    return Prediction(target, edges, ordered, calls, first.works, tuple(used), far, unknown)


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


@dataclass(frozen=True)
class _Search:
    """A search to come on the ranks of the target."""

    calls: tuple[ToCome, ...]
    works: tuple[LevelWork, ...]


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
) -> tuple[list[_Search], bool]:
    """And whether they are the run's own."""
    own, layout = observed.setting, target.layout
    ranks = layout.grid.size

    def search(calls: tuple[ToCome, ...], works: Sequence[LevelWork]) -> _Search:
        return _Search(calls, on(works, setting, layout, [coming.call for coming in calls]))

    same = target.scale == own.scale and bool(observed.searches)
    if same and target.switches.direction == own.switches.direction:
        own_searches = []
        for ran in observed.searches:
            levels, first = levels_of(setting, ran, own.arcs), ran.levels[0].level
            calls = upcoming_calls(setting, layout, levels, first_level=first, forced=target.forced)
            works = [
                replace(work, arcs=work.arcs * observed.layout.grid.size / ranks)
                for work in work_of(observed, ran)
            ]
            own_searches.append(search(calls, works))
        return own_searches, True
    several = levels_of_roots(
        target.scale, float(setting.blocks.vertices), distinct=setting.is_distinct,
        direction=target.switches.direction,
    )  # fmt: skip
    scanned = scanned_over_expected(observed)
    return [
        search(
            upcoming_calls(setting, layout, levels, forced=target.forced),
            work_to_come(observed, levels, target.scale, ranks, scanned),
        )
        for levels in several
    ], False
