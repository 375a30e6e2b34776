# SPDX-License-Identifier: Apache-2.0
"""The generator's probabilities as sums over classes of vertices.

Before scrambling, all that matters of a label is how many one-bits it has: vertices of one class
have the same expected neighbours. An ordered pair (u, v) is drawn with probability
A^i * B^j * D^l, where i bit positions hold (0,0), j differ, and l hold (1,1), as B = C; how often a
pair is drawn is close to Poisson.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

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


def expected_self_loops(scale: int, num_edges: int) -> float:
    """Both ends of an edge are equal where they agree in every bit."""
    return float(num_edges * (A + D) ** scale)
