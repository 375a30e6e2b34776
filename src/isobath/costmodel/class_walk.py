# SPDX-License-Identifier: Apache-2.0
"""Searches walked over classes of vertices: levels of scales that nobody searched.

Before scrambling, all that matters of a vertex is how many one-bits it has (kronecker.py). The walk
keeps the share of each class that is reached. Where f is that share of a neighbour's class and p
the chance of an edge to it, a vertex has no reached neighbour with the chance

    product over its possible neighbours of (1 - p f)

and is reached in the next level unless it has none. The others that it may have are drawn apart
from these, so leaves, which are not searched, and vertices whose neighbours are no hubs are counted
in the same way. Frontiers of few vertices are drawn, since they differ from root to root; of wide
ones the expectation is enough. Its slow twins are searches over drawn graphs
(tests/python/costmodel/test_class_walk.py) and `benchmarks/riken_volumes_reckoned.py --walk`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import factorial

import numpy as np

from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.hubs import hubs_of
from isobath.costmodel.levels import LevelFacts, WalkedShares, levels_of_shares
from isobath.costmodel.neighbour_table import NeighbourTable, neighbour_table
from isobath.errors import UsageError
from isobath.stats.estimates import FloatArray

FEW = 2000
"""Expected vertices of a frontier below which their number in each class is drawn."""

LEAST_FOUND = 0.5
"""Vertices that a level must be expected to find, else the search is at its end."""

KEPT_HUBS = 4
"""Of its neighbours that an owner keeps (ADR 0043)."""


@dataclass(frozen=True)
class Classes:
    """The classes of a graph, and what is asked of them again and again."""

    table: NeighbourTable

    @property
    def size(self) -> FloatArray:
        """Vertices of each class, shape (scale + 1,); classes of most neighbours first."""
        return self.table.size

    def exponents(self, share: FloatArray) -> FloatArray:
        """Minus the logarithm of the chance to have no neighbour in this share of each class."""
        return self.table.sums(-np.log1p(-self.table.present * share[self.table.ones]))

    def neighbours_of(self, ones: int) -> FloatArray:
        """Expected neighbours of a vertex with so many one-bits, in each class."""
        own = self.table.of == ones
        expected = self.table.count[own] * self.table.present[own]
        return np.bincount(self.table.ones[own], expected, len(self.size)).astype(np.float64)

    @cached_property
    def degree(self) -> FloatArray:
        """Expected distinct neighbours of a vertex of each class."""
        return self.table.sums(self.table.present)

    @cached_property
    def isolated(self) -> FloatArray:
        """Chance of a vertex of each class to have no neighbour."""
        return np.exp(-self.exponents(np.ones(len(self.size))))


@dataclass(frozen=True)
class _Unreached:
    """Searched vertices, those of two neighbours at least, none of whom is in a share of the
    classes; by class, shape (scale + 1,).
    """

    vertices: FloatArray
    arcs: FloatArray

    @classmethod
    def by(cls, classes: Classes, share: FloatArray) -> "_Unreached":
        """Args: the share of each class that is reached."""
        none = classes.size * np.exp(-classes.exponents(share))
        exponent = classes.exponents(1 - share)
        others = classes.table.sums(classes.table.present * (1 - share[classes.table.ones]))
        nobody = np.exp(-exponent)  # else; and with one alone it is a leaf
        return cls(
            vertices=none * (1 - nobody * (1 + exponent)),
            arcs=none * np.maximum(0.0, others - nobody * exponent),
        )


@dataclass(frozen=True)
class _Level:
    vertices: float
    """of the frontier"""
    arcs: float
    shares: WalkedShares


def walked_levels(
    setting: GraphSetting, searches: int, *, seed: int = 1, hubs: int | None = None
) -> tuple[tuple[LevelFacts, ...], ...]:
    """Levels of so many searches of the vertices that ``hybrid`` searches, from roots drawn as the
    benchmark draws keys, in the largest component.

    Args: hubs: how many, where not as many as the setting has.
    Raises: UsageError for a plan that searches leaves or keeps duplicates.
    """
    switches = setting.switches
    if switches.leaves != "out" or not setting.is_distinct:
        raise UsageError(f"classes are walked without leaves and duplicates; {switches.plan} has")
    classes = Classes(neighbour_table(setting.scale, setting.edgefactor << setting.scale))
    vertices = float(setting.blocks.vertices)
    hub_shares = _hub_shares(classes, hubs_of(setting) if hubs is None else hubs)
    rng = np.random.default_rng(seed)
    walks: list[tuple[LevelFacts, ...]] = []
    while len(walks) < searches:
        levels = list(_walk(classes, hub_shares, rng))
        if sum(level.vertices for level in levels) > vertices / 2:
            walks.append(_facts(levels, vertices, switches.direction))
    return tuple(walks)


def _facts(levels: list[_Level], vertices: float, direction: str) -> tuple[LevelFacts, ...]:
    arcs = np.array([level.arcs for level in levels])
    on_level = np.array([level.vertices for level in levels])
    exactly = np.zeros(len(levels))
    facts = levels_of_shares(arcs, exactly, on_level, exactly, vertices, direction)
    return tuple(
        replace(one, walked=level.shares) for one, level in zip(facts, levels, strict=True)
    )


def _hub_shares(classes: Classes, hubs: int) -> FloatArray:
    """Of each class those that are hubs: classes of most neighbours first."""
    before = np.concatenate([[0.0], np.cumsum(classes.size)[:-1]])
    return np.asarray(np.clip((hubs - before) / classes.size, 0.0, 1.0), dtype=np.float64)


def _drawn_root(classes: Classes, rng: np.random.Generator) -> tuple[int, int]:
    """One-bits and neighbours of the first vertex that is searched: the key, of a leaf its
    neighbour.
    """
    keys = classes.size * (1 - classes.isolated)
    ones = int(rng.choice(len(keys), p=keys / keys.sum()))
    degree = 0
    while degree == 0:
        degree = int(rng.poisson(classes.degree[ones]))
    if degree > 1:
        return ones, degree
    expected = classes.neighbours_of(ones)
    ones = int(rng.choice(len(expected), p=expected / expected.sum()))
    return ones, 1 + int(rng.poisson(classes.degree[ones]))


def _walk(classes: Classes, hubs: FloatArray, rng: np.random.Generator) -> Iterator[_Level]:
    """The levels of one search; the last finds nothing."""
    ones, degree = _drawn_root(classes, rng)
    yield _Level(1.0, float(degree), WalkedShares(1.0, 1.0, 1.0))
    expected = classes.neighbours_of(ones)
    fresh = rng.multinomial(degree, expected / expected.sum()).astype(np.float64)
    before = np.zeros(len(classes.size))
    before[ones] = 1 / classes.size[ones]
    unreached = _Unreached.by(classes, before)
    vertices = float((fresh * (1 - classes.isolated)).sum())  # with others than the root
    arcs = float((fresh * classes.degree).sum())
    while vertices > 0:
        reached = np.minimum(1.0, before + fresh / classes.size)
        after = _Unreached.by(classes, reached)
        met = np.maximum(0.0, unreached.vertices - after.vertices)
        by_hubs = before + hubs * (reached - before)
        shares = WalkedShares(
            left=_share(_met_beyond(classes, by_hubs, after), float(met.sum())),
            asking=_asking(classes, hubs, reached, after),
            proposals=_proposals(classes, by_hubs, reached),
        )
        yield _Level(vertices, arcs, shares)
        if met.sum() < LEAST_FOUND:
            return
        known = 1 - np.exp(-classes.exponents(reached))
        fresh = np.maximum(0.0, known - reached) * classes.size
        drawn = _drawn(fresh, rng)
        fresh = fresh * drawn
        vertices = float((met * drawn).sum())
        arcs = float((np.maximum(0.0, unreached.arcs - after.arcs) * drawn).sum())
        before, unreached = reached, after


def _drawn(expected: FloatArray, rng: np.random.Generator) -> FloatArray:
    """How many times as many as expected there are in each class."""
    if expected.sum() >= FEW:
        return np.ones(len(expected))
    return np.asarray(rng.poisson(expected) / np.maximum(expected, 1e-300), dtype=np.float64)


def _asking(classes: Classes, hubs: FloatArray, reached: FloatArray, after: _Unreached) -> float:
    """Of those without a reached neighbour, all but who has none other than two to four hubs."""
    of_hubs = classes.exponents(hubs) - classes.exponents(hubs * reached)
    kept_alone = sum(of_hubs**k / factorial(k) for k in range(2, KEPT_HUBS + 1))
    closed = float((classes.size * classes.isolated * kept_alone).sum())
    return 1 - _share(closed, float(after.vertices.sum()))


def _met_beyond(classes: Classes, by_hubs: FloatArray, after: _Unreached) -> float:
    """Vertices whose reached neighbours are none of those by whom owners find them."""
    return float(_Unreached.by(classes, by_hubs).vertices.sum() - after.vertices.sum())


def _proposals(classes: Classes, by_hubs: FloatArray, reached: FloatArray) -> float:
    """Reached neighbours, beyond those by whom owners find, of one who has any."""
    unmet = classes.exponents(by_hubs)
    others = np.maximum(0.0, classes.exponents(reached) - unmet)
    has_none_yet = classes.size * np.exp(-unmet)
    met = float((has_none_yet * -np.expm1(-others)).sum())
    return float((has_none_yet * others).sum()) / met if met > 0 else 1.0


def _share(part: float, whole: float) -> float:
    """Nothing of nothing is all of it."""
    return min(1.0, max(0.0, part / whole)) if whole > 0 else 1.0
