# SPDX-License-Identifier: Apache-2.0
"""A graph drawn from the same probabilities, and a search over it that counts every tuple: the slow
twin of the estimates.
"""

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from isobath.costmodel.grid import Grid
from isobath.costmodel.kronecker import A, B
from isobath.stats.estimates import IntArray


@dataclass(frozen=True)
class Drawn:
    """Arcs both ways, without self-loops: shape (arcs,) each, sorted by source."""

    num_vertices: int
    source: IntArray
    target: IntArray

    def distinct(self) -> "Drawn":
        code = np.unique(self.source * self.num_vertices + self.target)
        return Drawn(self.num_vertices, code // self.num_vertices, code % self.num_vertices)

    def without_leaves(self) -> "Drawn":
        """Of distinct arcs, those between vertices of more than one neighbour."""
        degree = np.bincount(self.source, minlength=self.num_vertices)
        kept = (degree[self.source] > 1) & (degree[self.target] > 1)
        return Drawn(self.num_vertices, self.source[kept], self.target[kept])


@lru_cache
def drawn_graph(scale: int, seed: int = 1) -> Drawn:
    rng = np.random.default_rng(seed)
    num_edges = 16 << scale
    u = np.zeros(num_edges, dtype=np.int64)
    v = np.zeros(num_edges, dtype=np.int64)
    for _ in range(scale):
        quadrant = np.searchsorted([A, A + B, A + 2 * B], rng.random(num_edges))
        u = 2 * u + (quadrant >= 2)
        v = 2 * v + (quadrant % 2)
    labels = rng.permutation(1 << scale)
    u, v = labels[u], labels[v]
    kept = u != v
    source = np.concatenate([u[kept], v[kept]])
    target = np.concatenate([v[kept], u[kept]])
    order = np.argsort(source, kind="stable")
    return Drawn(1 << scale, source[order], target[order])


@dataclass
class Walked:
    """What each level of one search had and sent."""

    frontier: list[int] = field(default_factory=list)
    arcs: list[int] = field(default_factory=list)
    plain: list[int] = field(default_factory=list)
    """tuples to other grid columns, one per arc"""
    fresh: list[int] = field(default_factory=list)
    """one per target and proposing rank"""
    found: list[int] = field(default_factory=list)
    elsewhere: list[int] = field(default_factory=list)
    """found bottom-up by another than the owner: the owner has no frontier neighbour of it"""


def walk(graph: Drawn, grid: Grid, root: int) -> Walked:
    n = graph.num_vertices
    column = np.arange(n) * grid.size // n // grid.rows  # n is a multiple of the ranks
    visited = np.zeros(n, dtype=bool)
    proposed = np.zeros((grid.cols, n), dtype=bool)
    frontier = np.zeros(n, dtype=bool)
    visited[root] = frontier[root] = True
    walked = Walked()
    while frontier.any():
        at = frontier[graph.source]
        source, target = graph.source[at], graph.target[at]
        away = column[source] != column[target]
        fresh = np.zeros_like(proposed)
        fresh[column[source[away]], target[away]] = True
        following = np.zeros(n, dtype=bool)
        following[target] = True
        following &= ~visited
        by_owner = np.zeros(n, dtype=bool)
        by_owner[target[~away]] = True
        walked.frontier.append(int(frontier.sum()))
        walked.arcs.append(len(source))
        walked.plain.append(int(away.sum()))
        walked.fresh.append(int((fresh & ~proposed).sum()))
        walked.found.append(int(following.sum()))
        walked.elsewhere.append(int((following & ~by_owner).sum()))
        proposed |= fresh
        visited |= following
        frontier = following
    return walked
