# SPDX-License-Identifier: Apache-2.0
"""Classes of a graph's vertices and their neighbours as arrays, apart from kronecker.py, which
commands read that do without NumPy.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np

from isobath.costmodel.kronecker import neighbour_classes
from isobath.stats.estimates import FloatArray, IntArray

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
