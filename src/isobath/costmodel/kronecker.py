# SPDX-License-Identifier: Apache-2.0
"""The generator's probabilities as sums over classes of vertices.

Before scrambling, all that matters of a label is how many one-bits it has: vertices of one class
have the same expected neighbours. An ordered pair (u, v) is drawn with probability
A^i * B^j * D^l, where i bit positions hold (0,0), j differ, and l hold (1,1), as B = C; how often a
pair is drawn is close to Poisson.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np

from isobath.stats.estimates import FloatArray, IntArray

A, B, D = 0.57, 0.19, 0.05
"""Initiator of the specification; the two off-diagonal entries are equal."""


@dataclass(frozen=True)
class NeighbourClass:
    """Possible neighbours that one vertex meets with the same rate."""

    count: int
    ones: int
    """one-bits of these neighbours"""
    rate: float
    """expected number of input edges to each, both orders of the pair"""


def neighbour_classes(scale: int, ones: int, num_edges: int) -> Iterator[NeighbourClass]:
    """All other vertices, in classes, as a vertex with this many one-bits sees them."""
    zeros = scale - ones
    for a in range(zeros + 1):  # zero-bits of the vertex that meet a zero-bit
        for b in range(ones + 1):  # one-bits that meet a zero-bit
            count = comb(zeros, a) * comb(ones, b) - (a == zeros and b == 0)  # not itself
            if count:
                rate = 2 * num_edges * A**a * B ** (zeros - a) * B**b * D ** (ones - b)
                yield NeighbourClass(count, zeros - a + ones - b, rate)


ALMOST_ONE = 1 - 1e-15


@dataclass(frozen=True)
class NeighbourTable:
    """The classes of a graph, and who may be a neighbour of whom: an entry for each class and each
    kind of possible neighbours of its vertices.
    """

    size: FloatArray
    """vertices of each class, by number of one-bits; shape (scale + 1,). The fewer one-bits, the
    more neighbours"""
    of: IntArray
    """whose neighbours these are, shape (entries,), as the next three"""
    ones: IntArray
    """class of the neighbours"""
    count: FloatArray
    rate: FloatArray
    """as of NeighbourClass"""

    @cached_property
    def present(self) -> FloatArray:
        """Chance of an edge to one of them."""
        return np.minimum(-np.expm1(-self.rate), ALMOST_ONE)

    def sums(self, values: FloatArray) -> FloatArray:
        """Of entries, for whose neighbours they are; shape (scale + 1,)."""
        return np.bincount(self.of, self.count * values, len(self.size)).astype(np.float64)


@lru_cache(maxsize=32)
def neighbour_table(scale: int, num_edges: int) -> NeighbourTable:
    """All classes with their neighbour_classes."""
    entries = [
        (of, group.ones, group.count, group.rate)
        for of in range(scale + 1)
        for group in neighbour_classes(scale, of, num_edges)
    ]
    of, ones, count, rate = (np.array(column) for column in zip(*entries, strict=True))
    return NeighbourTable(
        size=np.array([comb(scale, k) for k in range(scale + 1)], dtype=np.float64),
        of=of.astype(np.int64),
        ones=ones.astype(np.int64),
        count=count.astype(np.float64),
        rate=rate.astype(np.float64),
    )


def expected_self_loops(scale: int, num_edges: int) -> float:
    """Both ends of an edge are equal where they agree in every bit."""
    return float(num_edges * (A + D) ** scale)
