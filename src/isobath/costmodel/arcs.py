# SPDX-License-Identifier: Apache-2.0
"""Expected arcs of a scrambled Kronecker graph, and how many of them cross a grid.

The scrambling makes labels random: each end of an edge falls into any of the C grid columns with
probability 1/C. All roots are taken from the largest component, which holds nearly all edges.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, expm1, sqrt

import numpy as np

from isobath.costmodel.kronecker import expected_self_loops, neighbour_classes
from isobath.stats.estimates import FloatArray, IntArray

DEVIATIONS = 3.0
"""Half the width of an interval, in standard deviations."""

MAX_EXPONENT = 700.0
"""exp() of more overflows; a rate that large makes the event certain anyway."""

ALMOST_ONE = 1 - 1e-15

OUTSIDE_LARGEST = 2e-3
"""Arcs that may lie outside the largest component, as a share: 0.06 % were counted at scale 12,
0.003 % at scale 20."""


@dataclass(frozen=True)
class Range:
    """An expected value between the ends of its interval."""

    low: float
    expected: float
    high: float

    def __mul__(self, factor: float) -> "Range":
        return Range(self.low * factor, self.expected * factor, self.high * factor)

    @classmethod
    def exactly(cls, value: float) -> "Range":
        """Of no width."""
        return cls(value, value, value)

    @classmethod
    def around(cls, value: float, deviation: float) -> "Range":
        """Three standard deviations either way, not below zero."""
        reach = DEVIATIONS * deviation
        return cls(max(0.0, value - reach), value, value + reach)


@lru_cache(maxsize=256)
def all_arcs(scale: int, edgefactor: int = 16, *, distinct: bool = False) -> float:
    """Expected arcs of the graph: two for each edge that is no self-loop; duplicates once or each.

    >>> round(all_arcs(20) / 2**20, 2)
    32.0
    """
    num_edges = edgefactor << scale
    if not distinct:
        return 2 * (num_edges - expected_self_loops(scale, num_edges))
    return sum(
        comb(scale, ones) * group.count * -expm1(-group.rate)
        for ones in range(scale + 1)
        for group in neighbour_classes(scale, ones, num_edges)
    )


@lru_cache(maxsize=256)
def squared_multiplicities(scale: int, edgefactor: int = 16, *, distinct: bool = False) -> float:
    """Sum over unordered pairs of the square of how often the pair is an edge (Poisson: r + r^2);
    of distinct edges simply their number.
    """
    if distinct:
        return all_arcs(scale, edgefactor, distinct=True) / 2
    num_edges = edgefactor << scale
    ordered = sum(
        comb(scale, ones) * group.count * (group.rate + group.rate**2)
        for ones in range(scale + 1)
        for group in neighbour_classes(scale, ones, num_edges)
    )
    return ordered / 2


@lru_cache(maxsize=256)
def variance_of_distinct_arcs(scale: int, edgefactor: int = 16) -> float:
    """Over graphs: each unordered pair is an edge with probability p, and gives two arcs or none,
    4 p (1 - p). Half of that as a sum over ordered pairs.
    """
    num_edges = edgefactor << scale
    return 2 * sum(
        comb(scale, ones) * group.count * -expm1(-group.rate) * exp(-min(MAX_EXPONENT, group.rate))
        for ones in range(scale + 1)
        for group in neighbour_classes(scale, ones, num_edges)
    )


def crossing_arcs(
    scale: int,
    cols: int,
    edgefactor: int = 16,
    *,
    distinct: bool = False,
    arcs: float | None = None,
) -> Range:
    """Arcs whose two ends lie in different grid columns: 2 m (C - 1) / C.

    Whether two edges stay in one column is uncorrelated, even where they share an end, so the
    variance over labels is 4 (1/C) (1 - 1/C) times the sum of squared multiplicities. That of the
    number of distinct arcs comes on top where it was not counted.

    Args: cols C; distinct: duplicates dropped; arcs: as counted, in the place of those expected.
    """
    if cols == 1:
        return Range.exactly(0.0)
    inside = 1 / cols
    expected = (all_arcs(scale, edgefactor, distinct=distinct) if arcs is None else arcs) * (
        1 - inside
    )
    squares = squared_multiplicities(scale, edgefactor, distinct=distinct)
    variance = 4 * inside * (1 - inside) * squares
    if arcs is not None:
        return Range.around(expected, sqrt(variance))
    if distinct:
        variance += (1 - inside) ** 2 * variance_of_distinct_arcs(scale, edgefactor)
    interval = Range.around(expected, sqrt(variance))
    return Range(interval.low * (1 - OUTSIDE_LARGEST), interval.expected, interval.high)


@lru_cache(maxsize=16384)
def met_vertices(
    scale: int, edgefactor: int, share: float, *, without_leaves: bool = False
) -> float:
    """Expected vertices with a neighbour in a part of the vertices that each end of an arc belongs
    to with probability ``share``: the sum over classes of 1 - product of (1 - share * p).

    without_leaves: searched vertices with a searched neighbour there. The only neighbour of a leaf
    is all but surely a searched one, so leaves that are met are share * leaves.
    """
    table = _class_table(scale, edgefactor, without_leaves=without_leaves)
    unmet = table.count * np.log1p(-np.minimum(share * table.present, ALMOST_ONE))
    not_met = np.add.reduceat(unmet, table.starts)
    return float(table.vertices @ np.maximum(0.0, -np.expm1(not_met) - share * table.leaf))


@dataclass(frozen=True)
class _ClassTable:
    """What vertices meet, whatever the share. Classes of vertices: 0, 1, ... one-bits."""

    vertices: FloatArray
    """of each class, shape (scale + 1,)"""
    leaf: FloatArray
    """chance that one of each is a leaf; 0 where leaves are searched. Shape (scale + 1,)"""
    starts: IntArray
    """where the neighbours of each begin in what follows, shape (scale + 1,)"""
    count: FloatArray
    """neighbours that are alike, as a vertex sees them"""
    present: FloatArray
    """chance that one of them is a neighbour, where leaves are out one that is searched"""


@lru_cache(maxsize=64)
def _class_table(scale: int, edgefactor: int, *, without_leaves: bool) -> _ClassTable:
    num_edges = edgefactor << scale
    groups = [tuple(neighbour_classes(scale, ones, num_edges)) for ones in range(scale + 1)]
    sizes = [len(own) for own in groups]
    count, ones, rate = (
        np.array([getattr(group, name) for own in groups for group in own], dtype=np.float64)
        for name in ("count", "ones", "rate")
    )
    starts = np.cumsum([0, *sizes[:-1]])
    present = -np.expm1(-rate)
    leaf = np.zeros(scale + 1)
    if without_leaves:
        ends = np.array(_expected_ends(scale, edgefactor))
        others = np.repeat(ends, sizes) - rate
        alone = count * present * np.exp(-np.minimum(MAX_EXPONENT, others))
        leaf = np.add.reduceat(alone, starts)
        present = present * -np.expm1(-(ends[ones.astype(np.int64)] - rate))
    vertices = np.array([float(comb(scale, bits)) for bits in range(scale + 1)])
    return _ClassTable(vertices, leaf, starts, count, present)


def share_meeting(
    scale: int, edgefactor: int, vertices: float, *, without_leaves: bool = False
) -> float:
    """The share of arcs whose ends meet so many vertices: the inverse of met_vertices, from a table
    of ten points per decade; 1 where not even all arcs do.
    """
    shares, met = _table_of_met(scale, edgefactor, without_leaves=without_leaves)
    if vertices <= met[0]:
        return shares[0] * max(0.0, vertices) / met[0]
    if vertices >= met[-1]:
        return 1.0
    above = bisect_right(met, vertices)
    part = (vertices - met[above - 1]) / (met[above] - met[above - 1])
    return shares[above - 1] + part * (shares[above] - shares[above - 1])


@lru_cache(maxsize=64)
def _table_of_met(
    scale: int, edgefactor: int, *, without_leaves: bool
) -> tuple[list[float], list[float]]:
    shares = [10 ** (k / 10 - 8) for k in range(81)]
    return shares, [
        met_vertices(scale, edgefactor, share, without_leaves=without_leaves) for share in shares
    ]


@lru_cache(maxsize=64)
def _expected_ends(scale: int, edgefactor: int) -> tuple[float, ...]:
    """Expected end points at a vertex with 0, 1, ... one-bits."""
    num_edges = edgefactor << scale
    return tuple(
        sum(group.count * group.rate for group in neighbour_classes(scale, ones, num_edges))
        for ones in range(scale + 1)
    )
