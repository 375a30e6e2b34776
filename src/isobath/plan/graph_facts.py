# SPDX-License-Identifier: Apache-2.0
"""Expected sizes of a Graph500 graph, from the generator's probabilities alone
(costmodel/kronecker.py).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, expm1

from isobath.costmodel.kronecker import A, B, D, neighbour_classes

LARGEST_SCALE = 43
LARGEST_EDGEFACTOR = 4096
"""What the engine's generator takes (engine/generator/kronecker.hpp), for every command alike."""

MAX_EXPONENT = 700.0
"""exp() of more overflows; a rate that large makes the event certain anyway."""


@dataclass(frozen=True)
class GraphFacts:
    """Expected counts of a graph of one scale."""

    scale: int
    edgefactor: int
    num_vertices: int
    num_edges: int
    connected_vertices: float
    """with a neighbour other than themselves"""
    leaves: float
    """with exactly one distinct neighbour"""
    distinct_edges: float
    """unordered pairs, self-loops left out"""

    @property
    def searched_vertices(self) -> float:
        """Neither isolated nor leaves."""
        return self.connected_vertices - self.leaves

    @property
    def stored_arcs(self) -> float:
        """Arcs between searched vertices."""
        return 2 * (self.distinct_edges - self.leaves)


@lru_cache(maxsize=128)
def expected_facts(scale: int, edgefactor: int = 16) -> GraphFacts:
    """Facts of a scale; within half a percent of the real graphs from scale 14 on."""
    num_vertices = 1 << scale
    num_edges = edgefactor << scale
    connected = 0.0
    leaves = 0.0
    for ones in range(scale + 1):
        vertices = comb(scale, ones)
        none, single = _neighbour_probabilities(scale, ones, num_edges)
        connected += vertices * (1 - none)
        leaves += vertices * single
    return GraphFacts(
        scale=scale,
        edgefactor=edgefactor,
        num_vertices=num_vertices,
        num_edges=num_edges,
        connected_vertices=connected,
        leaves=leaves,
        distinct_edges=_distinct_edges(scale, num_edges),
    )


def _neighbour_probabilities(scale: int, ones: int, num_edges: int) -> tuple[float, float]:
    """Chances that a vertex with this many one-bits has no, and exactly one, distinct neighbour."""
    rates = [(group.count, group.rate) for group in neighbour_classes(scale, ones, num_edges)]
    total = sum(neighbours * rate for neighbours, rate in rates)
    none = exp(-min(total, MAX_EXPONENT))
    single = sum(neighbours * (_exp(rate - total) - none) for neighbours, rate in rates)
    return none, single


def _distinct_edges(scale: int, num_edges: int) -> float:
    total = 0.0
    for differing in range(1, scale + 1):
        pairs = comb(scale, differing) * 2 ** (differing - 1)
        equal = scale - differing
        for both_one in range(equal + 1):
            rate = 2 * num_edges * A ** (equal - both_one) * B**differing * D**both_one
            total += pairs * comb(equal, both_one) * -expm1(-rate)
    return total


def _exp(exponent: float) -> float:
    return exp(max(exponent, -MAX_EXPONENT))
