# SPDX-License-Identifier: Apache-2.0
"""From how many ranks on the replicated bitmap costs a rank more than the two-dimensional exchange.

Per rank and search, with n vertices, m edges, E expands (one a level, but for the first level,
whose vertex every rank knows), t bytes per tuple, in first order:

    replicated  E n/8 (1 - 1/P)
    two-dim     E n/8 (1/C) (1 - 1/R)  +  2 m t / P (1 - 1/C)

Their difference is (1 - 1/C) (E n/8 - 2 m t / P): the grid drops out, and the plans cross at
P = 16 m t / (n E), 16 * edgefactor * t / E. Below it the replicated bitmap moves less.
"""

from dataclasses import dataclass

from isobath.costmodel.arcs import all_arcs, crossing_arcs
from isobath.costmodel.exact import column_expand, replicated_expand
from isobath.costmodel.grid import Blocks, Grid
from isobath.errors import UsageError

MOST_RANKS = 1 << 24


@dataclass(frozen=True)
class RankBytes:
    """What a rank receives in one search, under both plans, on one grid."""

    grid: Grid
    replicated: float
    """bitmaps of all expands, padding included; the mean over ranks"""
    replicated_summaries: float
    """of all expands; not part of ``replicated``"""
    expand: float
    """two-dim: bitmaps of all expands"""
    fold: float
    """two-dim: tuples, an expectation"""

    @property
    def ranks(self) -> int:
        """P."""
        return self.grid.size

    @property
    def two_dim(self) -> float:
        """Expand and fold."""
        return self.expand + self.fold

    @property
    def ratio(self) -> float:
        """How often as much two-dim moves; infinite where the other moves nothing."""
        if self.replicated:
            return self.two_dim / self.replicated
        return float("inf") if self.two_dim else 1.0


@dataclass(frozen=True)
class Crossover:
    """Where the plans cross for one graph, number of expands and size of a tuple."""

    ranks: float
    """of the closed form: beyond it, replicated-csr receives more than plain two-dim"""
    last_below: RankBytes
    """the largest power of two at which two-dim receives more, padding and all"""
    first_beyond: RankBytes
    """the smallest power of two at which replicated-csr receives more"""


def rank_bytes(
    scale: int,
    grid: Grid,
    expands: int,
    tuple_bytes: int = 16,
    edgefactor: int = 16,
    *,
    arcs: float | None = None,
) -> RankBytes:
    """Bytes received per rank and search. Bitmaps are exact, tuples an expectation.

    Args: expands E, the levels of the search less one; arcs: frontier arcs of the search as
        counted, in the place of all arcs of the scale.
    """
    ranks = grid.size
    alone = Blocks.even(1 << scale, Grid(ranks, 1))
    both = expands * replicated_expand(alone, 0).bytes_sent / ranks
    bitmaps = expands * int(alone.piece_bytes.sum()) * (ranks - 1) / ranks
    expand = expands * column_expand(Blocks.even(1 << scale, grid), 0).bytes_sent / ranks
    tuples = crossing_arcs(scale, grid.cols, edgefactor, arcs=arcs).expected
    return RankBytes(grid, bitmaps, both - bitmaps, expand, tuple_bytes * tuples / ranks)


def crossover(
    scale: int,
    expands: int,
    tuple_bytes: int = 16,
    edgefactor: int = 16,
    *,
    arcs: float | None = None,
) -> Crossover:
    """Where replicated-csr begins to receive more per rank than plain two-dim on the squarest grid.

    >>> round(crossover(20, expands=8).ranks), round(crossover(20, expands=8, tuple_bytes=8).ranks)
    (512, 256)
    """
    if expands < 1 or tuple_bytes < 1:
        raise UsageError("a crossover needs at least one expand and one byte per tuple")
    counted = all_arcs(scale, edgefactor) if arcs is None else arcs
    ranks = 8 * counted * tuple_bytes / (expands * 2**scale)
    below = rank_bytes(scale, Grid(1, 1), expands, tuple_bytes, edgefactor, arcs=arcs)
    at = 2
    while at <= MOST_RANKS:
        received = rank_bytes(scale, Grid.squarest(at), expands, tuple_bytes, edgefactor, arcs=arcs)
        if received.replicated > received.two_dim:
            return Crossover(ranks, below, received)
        below, at = received, 2 * at
    raise UsageError(f"the plans do not cross below {MOST_RANKS} ranks; ask for fewer edges")
