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
from isobath.costmodel.neighbour_table import ALMOST_ONE, neighbour_table
from isobath.stats.estimates import FloatArray

DEVIATIONS = 3.0
"""Half the width of an interval, in standard deviations."""

MAX_EXPONENT = 700.0
"""exp() of more overflows; a rate that large makes the event certain anyway."""

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
    table = neighbour_table(scale, edgefactor << scale)
    present, leaves = _presence(scale, edgefactor, without_leaves=without_leaves)
    unmet = table.sums(np.log1p(-np.minimum(share * present, ALMOST_ONE)))
    met = np.maximum(0.0, -np.expm1(unmet) - share * leaves)
    return float((table.size * met).sum())


@lru_cache(maxsize=64)
def _presence(
    scale: int, edgefactor: int, *, without_leaves: bool
) -> tuple[FloatArray, FloatArray]:
    """Chance that a neighbour of the table's is one (where leaves are out, one that is searched),
    and by class that a vertex is a leaf (0 where leaves are searched).
    """
    table = neighbour_table(scale, edgefactor << scale)
    if not without_leaves:
        return table.present, np.zeros(scale + 1)
    ends = table.sums(table.rate)
    others = np.minimum(MAX_EXPONENT, ends[table.of] - table.rate)
    searched = -np.expm1(-(ends[table.ones] - table.rate))
    return table.present * searched, table.sums(table.present * np.exp(-others))


@lru_cache(maxsize=4096)
def scanned_arcs(
    scale: int, edgefactor: int, before: float, share: float, *, distinct: bool = False
) -> float:
    """Expected arcs that a bottom-up level scans: of each unvisited vertex, its neighbours one by
    one until the first that is in the frontier, or all.

    The arcs of a vertex of d expected neighbours end in frontiers of earlier levels, in this one or
    further on with the chances ``before``, ``share`` and the rest. It is unvisited with the chance
    exp(-before d); what it scans then is (1 - exp(-share d)) (1 - before)/share.

    Args: before, share: of all arcs, those of earlier frontiers and of this one.
    """
    if before >= 1:
        return 0.0
    table = neighbour_table(scale, edgefactor << scale)
    neighbours = table.sums(table.present if distinct else table.rate)
    if share <= 0:  # nobody is found: each unvisited vertex looks at all
        unvisited = np.exp(-neighbours * before)
        return float((table.size * unvisited * neighbours).sum()) * (1 - before)
    ends = np.exp(-neighbours * before) * -np.expm1(-neighbours * share)
    return float((table.size * ends).sum()) * (1 - before) / share


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
