# SPDX-License-Identifier: Apache-2.0
"""What ranks do between calls: computation by arcs and vertices, and waiting for the slowest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from isobath.costmodel.arcs import Range, all_arcs
from isobath.costmodel.levels import Direction, LevelFacts
from isobath.prediction.costs import DRAWS, between
from isobath.prediction.observed import Observed, ObservedLevel, ObservedSearch
from isobath.stats.estimates import FloatArray

GROWTH = Range(1.0, 1.12, 1.25)
"""Of the time of an arc where a rank has twice as many vertices: less of them stays in caches. The
middle is that of plan/duration.py; the ends are a guess that is said."""


@dataclass(frozen=True)
class LevelWork:
    """What a level asks of a rank."""

    level: int
    direction: Direction
    arcs: float
    """scanned, over ranks"""

    @property
    def terms(self) -> tuple[float, float, float]:
        """A level, an arc from its frontier, an arc to it."""
        down = self.direction == "top_down"
        return 1.0, self.arcs if down else 0.0, 0.0 if down else self.arcs


@dataclass(frozen=True)
class WorkCosts:
    """Seconds of a level, of an arc top-down, of one bottom-up; share of waiting. With draws."""

    central: FloatArray
    """shape (3,)"""
    draws: FloatArray
    """shape (draws, 3)"""
    waiting: float
    """for each second of computation"""
    waiting_draws: FloatArray
    outside: float
    """seconds of a search outside of levels"""
    outside_draws: FloatArray


def work_of(observed: Observed, search: ObservedSearch) -> tuple[LevelWork, ...]:
    """Of a search that ran."""
    ranks = observed.layout.grid.size
    return tuple(_work(level, ranks) for level in search.levels)


def _work(level: ObservedLevel, ranks: int) -> LevelWork:
    return LevelWork(level.level, level.direction, level.arcs_scanned / ranks)


def work_to_come(
    observed: Observed, levels: Sequence[LevelFacts], scale: int, ranks: int
) -> tuple[LevelWork, ...]:
    """Of levels at another scale. Bottom-up, ranks scan the same share of the arcs that are left as
    they did in the run.
    """
    setting = observed.setting
    arcs = all_arcs(scale, setting.edgefactor, distinct=setting.is_distinct)
    scanned = _share_scanned(observed)
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


def _share_scanned(observed: Observed) -> float:
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


def work_costs(observed: Observed, *, seed: int = 2) -> WorkCosts:
    """Least squares over all levels, costs of 0 or more; searches are drawn again."""
    if not observed.searches:
        none = np.zeros(DRAWS)
        return WorkCosts(np.zeros(3), np.zeros((DRAWS, 3)), 0.0, none, 0.0, none)
    rng = np.random.default_rng(seed)
    rows = [_rows(observed, search) for search in observed.searches]
    number = len(rows)
    picks = rng.integers(number, size=(DRAWS, number))
    outside = np.array([search.outside for search in observed.searches])
    waits = np.array(
        [
            (sum(one.waiting for one in search.levels), sum(one.computing for one in search.levels))
            for search in observed.searches
        ]
    )
    drawn = waits[picks].sum(axis=1)
    return WorkCosts(
        _solve(rows),
        np.array([_solve([rows[place] for place in pick]) for pick in picks]),
        float(waits[:, 0].sum() / max(waits[:, 1].sum(), 1e-12)),
        drawn[:, 0] / np.maximum(drawn[:, 1], 1e-12),
        float(outside.mean()),
        outside[picks].mean(axis=1),
    )


def _rows(observed: Observed, search: ObservedSearch) -> FloatArray:
    """Terms and seconds of every level, shape (levels, 4)."""
    works = work_of(observed, search)
    return np.array(
        [(*work.terms, level.computing) for work, level in zip(works, search.levels, strict=True)]
    )


def _solve(searches: Sequence[FloatArray]) -> FloatArray:
    from scipy.optimize import nnls

    rows = np.concatenate(searches)
    scale = np.maximum(rows[:, :3].max(axis=0), 1e-300)
    found, _ = nnls(rows[:, :3] / scale, rows[:, 3])
    costs: FloatArray = found / scale
    return costs


def growth_of(observed: Observed, vertices_per_rank: float) -> tuple[float, FloatArray]:
    """Of the time of an arc, for other numbers of vertices of a rank: central, and draws."""
    own = float(observed.setting.blocks.sizes.mean())
    steps = log2(vertices_per_rank / own)
    normal = np.random.default_rng(3).standard_normal(DRAWS)
    return GROWTH.expected**steps, between(GROWTH, normal) ** steps
