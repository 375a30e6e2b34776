# SPDX-License-Identifier: Apache-2.0
"""What levels ask of a rank between calls: arcs, vertices, tuples, and turns on a processor."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from isobath.costmodel.arcs import all_arcs
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.levels import Direction, LevelFacts
from isobath.prediction.calls import Call, Layout
from isobath.prediction.observed import Observed, ObservedSearch

TERMS = ("level", "vertex", "arc top-down", "arc bottom-up", "tuple")
"""What computation is told by. Of a vertex: bitmaps and lists that are gone through in each level;
of a tuple: put, sent, received and looked up."""


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

    @property
    def terms(self) -> tuple[float, ...]:
        """What the costs of ``TERMS`` are multiplied with: all of it takes turns."""
        down = self.direction == "top_down"
        terms = (1.0, self.vertices, self.arcs if down else 0.0, 0.0 if down else self.arcs,
                 self.tuples)  # fmt: skip
        return tuple(self.crowding * term for term in terms)


def work_of(observed: Observed, search: ObservedSearch) -> tuple[LevelWork, ...]:
    """Of a search that ran."""
    ranks = observed.layout.grid.size
    vertices = observed.setting.blocks.vertices_per_rank
    crowding = observed.layout.crowding
    return tuple(
        LevelWork(
            one.level, one.direction, one.arcs_scanned / ranks, vertices, one.tuples, crowding
        )
        for one in search.levels
    )


def work_to_come(
    observed: Observed, levels: Sequence[LevelFacts], scale: int, ranks: int, scanned: float
) -> tuple[LevelWork, ...]:
    """Of levels at another scale, without what is sent (``on``). Bottom-up, ranks scan the same
    share of the arcs that are left as they did in the run (``share_scanned``).
    """
    setting = observed.setting
    arcs = all_arcs(scale, setting.edgefactor, distinct=setting.is_distinct)
    return tuple(
        LevelWork(
            number,
            level.direction,
            arcs / ranks
            * (level.arcs.expected if level.direction == "top_down"
               else scanned * max(0.0, 1 - level.arcs_before)),
        )
        for number, level in enumerate(levels)
    )  # fmt: skip


def on(
    works: Sequence[LevelWork], setting: GraphSetting, layout: Layout, calls: Sequence[Call]
) -> tuple[LevelWork, ...]:
    """The same work on other ranks: with what these have, send and share."""
    sent: defaultdict[int, float] = defaultdict(float)
    for call in calls:
        if call.phase == "fold":
            sent[call.level] += call.bytes_sent / setting.switches.tuple_bytes
    vertices = setting.blocks.vertices_per_rank
    return tuple(
        replace(one, vertices=vertices, tuples=sent[one.level], crowding=layout.crowding)
        for one in works
    )


def share_scanned(observed: Observed) -> float:
    """Of the arcs that are left before a level that goes bottom-up, those that ranks scan."""
    shares = list(_shares(observed))
    return sum(shares) / len(shares) if shares else 1.0


def _shares(observed: Observed) -> Iterator[float]:
    arcs = observed.setting.arcs or 1.0
    for search in observed.searches:
        before = 0.0
        for level in search.levels:
            if level.direction == "bottom_up":
                yield min(1.0, level.arcs_scanned / max(arcs * (1 - before), 1.0))
            before = min(0.99, before + level.arcs_scanned / arcs)
