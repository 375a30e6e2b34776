# SPDX-License-Identifier: Apache-2.0
"""Closed integer forms of the steps whose bytes do not depend on the edges (audit class a).

R x C grid, P = R*C ranks, W_b 64-bit words of bitmap for block b (a multiple of eight). All bytes
are per rank; a rank's own segment is never counted. Forms: network.md 5.4; A. Buluc et al. 2013 for
the ring.
"""

import numpy as np

from isobath.costmodel.grid import Blocks
from isobath.costmodel.volume import Volume, exact_volume
from isobath.records.phases import PhaseName

COUNT_BYTES = 8
"""One 64-bit integer: a count, a sum."""


def reduction(blocks: Blocks, level: int, phase: PhaseName = "reduce") -> Volume:
    """An allreduce of one 64-bit integer over all ranks: 8 (P - 1)."""
    return _to_each_other(blocks, level, phase, blocks.grid.size)


def grid_reduction(blocks: Blocks, level: int, numbers: int, phase: PhaseName = "reduce") -> Volume:
    """An allreduce of 64-bit integers along every grid row, then along every grid column:
    8 k (C - 1 + R - 1).
    """
    grid = blocks.grid
    others = grid.rows - 1 + grid.cols - 1
    sent = np.full(grid.size, COUNT_BYTES * numbers * others, dtype=np.int64)
    return exact_volume(level, phase, sent, sent)


def replicated_expand(blocks: Blocks, level: int) -> Volume:
    """Allgather over all ranks of the frontier bitmap and of its summary (a bit per word):
    (8 W_b + 8 ceil(W_b / 64)) (P - 1) sent.
    """
    own = blocks.piece_bytes + blocks.summary_bytes
    return exact_volume(level, "expand", own * (blocks.grid.size - 1), own.sum() - own)


def column_expand(blocks: Blocks, level: int, phase: PhaseName = "expand") -> Volume:
    """Allgather of a bitmap in the grid column: 8 W_b (R - 1) sent."""
    own = blocks.piece_bytes
    return exact_volume(level, phase, own * (blocks.grid.rows - 1), blocks.of_column(own) - own)


def list_expand(
    blocks: Blocks, level: int, frontier: "np.ndarray[tuple[int], np.dtype[np.int64]]"
) -> Volume:
    """Allgather of the frontier as 32-bit ids in the grid column, its count first:
    (8 + 4 F_b) (R - 1) sent. Exact for the frontier of each rank, shape (P,).
    """
    own = COUNT_BYTES + 4 * frontier
    sent = own * (blocks.grid.rows - 1)
    return exact_volume(level, "expand", sent, blocks.of_column(own) - own, "b")


def counts(blocks: Blocks, level: int, group: int) -> Volume:
    """One count to each other rank of a group, before an exchange: 8 (g - 1)."""
    return _to_each_other(blocks, level, "count", group)


def ring(blocks: Blocks, level: int) -> Volume:
    """Bottom-up: the visited bitmap of each block goes once round its grid row, so each rank sends
    and receives all pieces of the row once: 8 * sum of W over the grid row. Both ways in halves
    are the same bytes.
    """
    once = blocks.of_row(blocks.piece_bytes) * (blocks.grid.cols > 1)
    return exact_volume(level, "rotate", once, once)


def _to_each_other(blocks: Blocks, level: int, phase: PhaseName, group: int) -> Volume:
    sent = np.full(blocks.grid.size, COUNT_BYTES * (group - 1), dtype=np.int64)
    return exact_volume(level, phase, sent, sent)
