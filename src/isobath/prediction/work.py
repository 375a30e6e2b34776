# SPDX-License-Identifier: Apache-2.0
"""What levels ask of a rank between calls: arcs, vertices, tuples, and turns on a processor."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from isobath.costmodel.arcs import all_arcs, scanned_arcs
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.exact import COUNT_BYTES
from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import Direction, LevelFacts, recorded_levels
from isobath.prediction.calls import Call, Layout
from isobath.prediction.observed import Observed, ObservedSearch
from isobath.prediction.upcoming import SHORT_CALL

ONE_RANK = Grid(1, 1)

TERMS = ("level", "vertex", "arc top-down", "arc bottom-up", "tuple", "frontier vertex", "found")
"""What computation is told by. Of a vertex: bitmaps and lists that are gone through in each level;
of a tuple: put, sent, received and looked up; of the frontier what a rank goes through, that of its
whole grid column; of what a rank finds, written down and marked."""


@dataclass(frozen=True)
class LevelWork:
    """What a level asks of a rank."""

    level: int
    direction: Direction
    arcs: float
    """scanned, of a rank"""
    vertices: float = 0.0
    """that a rank has"""
    tuples: float = 0.0
    """that it sends, and as many that it takes"""
    crowding: float = 1.0
    """threads that take turns on a processor"""
    frontier: float = 0.0
    """vertices of it, of all ranks; as the next"""
    found: float = 0.0
    grid: Grid = ONE_RANK

    @property
    def terms(self) -> tuple[float, ...]:
        """What the costs of ``TERMS`` are multiplied with: all of it takes turns."""
        down = self.direction == "top_down"
        terms = (
            1.0, self.vertices, self.arcs if down else 0.0, 0.0 if down else self.arcs,
            self.tuples, self.frontier / self.grid.cols, self.found / self.grid.size,
        )  # fmt: skip
        return tuple(self.crowding * term for term in terms)


def work_of(observed: Observed, search: ObservedSearch) -> tuple[LevelWork, ...]:
    """Of a search that ran."""
    grid = observed.layout.grid
    vertices = observed.setting.blocks.vertices_per_rank
    crowding = observed.layout.crowding
    found = [*(level.vertices for level in search.levels[1:]), 0]
    return tuple(
        LevelWork(
            one.level, one.direction, one.arcs_scanned / grid.size, vertices, one.tuples, crowding,
            one.vertices, following, grid,
        )
        for one, following in zip(search.levels, found, strict=True)
    )  # fmt: skip


def work_to_come(
    observed: Observed, levels: Sequence[LevelFacts], scale: int, ranks: int, scanned: float
) -> tuple[LevelWork, ...]:
    """Of levels at another scale, without what is sent (``on``). Args: scanned, of what ranks are
    expected to scan bottom-up (``scanned_over_expected``).
    """
    setting = observed.setting
    arcs = all_arcs(scale, setting.edgefactor, distinct=setting.is_distinct)
    found = [*(level.vertices.expected for level in levels[1:]), 0.0]
    return tuple(
        LevelWork(
            number,
            level.direction,
            (arcs * level.arcs.expected if level.direction == "top_down"
             else scanned * _expected_scans(setting, scale, level)) / ranks,
            frontier=level.vertices.expected,
            found=following,
        )
        for number, (level, following) in enumerate(zip(levels, found, strict=True))
    )  # fmt: skip


def on(
    works: Sequence[LevelWork], setting: GraphSetting, layout: Layout, calls: Sequence[Call]
) -> tuple[LevelWork, ...]:
    """The same work on other ranks: with what these have, send and share."""
    sent: defaultdict[int, float] = defaultdict(float)
    for call in calls:
        if call.phase == "fold":
            told = COUNT_BYTES * call.messages if call.name == SHORT_CALL else 0.0
            sent[call.level] += (call.bytes_sent - told) / setting.switches.tuple_bytes
    vertices = setting.blocks.vertices_per_rank
    return tuple(
        replace(
            one, vertices=vertices, tuples=sent[one.level], crowding=layout.crowding,
            grid=layout.grid,
        )
        for one in works
    )  # fmt: skip


def levels_of(
    setting: GraphSetting, search: ObservedSearch, arcs: float | None
) -> tuple[LevelFacts, ...]:
    """Levels as they ran."""
    return recorded_levels(
        [level.direction for level in search.levels],
        [level.vertices for level in search.levels],
        [one.arcs_scanned if one.direction == "top_down" else None for one in search.levels],
        float(arcs or 1.0),
        share_reaching=setting.share_reaching,
    )


def scanned_over_expected(observed: Observed) -> float:
    """Arcs that levels of a run scanned bottom-up, over those to be expected of neighbours in any
    order: plans look at hubs first, or pass over whom owners have found.
    """
    setting = observed.setting
    scanned = expected = 0.0
    for search in observed.searches:
        facts = levels_of(setting, search, setting.arcs)
        for ran, level in zip(search.levels, facts, strict=True):
            if ran.direction == "bottom_up":
                scanned += ran.arcs_scanned
                expected += _expected_scans(setting, setting.scale, level)
    return scanned / expected if expected else 1.0


def _expected_scans(setting: GraphSetting, scale: int, level: LevelFacts) -> float:
    share = level.arcs.expected
    return scanned_arcs(
        scale, setting.edgefactor, level.arcs_before, share, distinct=setting.is_distinct
    )
