# SPDX-License-Identifier: Apache-2.0
"""Closed forms against plain loops over all pairs of ranks."""

import numpy as np
import pytest

from isobath.costmodel.exact import (
    column_expand,
    counts,
    grid_reduction,
    list_expand,
    reduction,
    replicated_expand,
    ring,
)
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.volume import Volume
from isobath.errors import UsageError
from isobath.plan.layout import squarest
from isobath.stats.estimates import IntArray

GRIDS = [Grid(1, 1), Grid(1, 3), Grid(4, 1), Grid(2, 3), Grid(3, 3), Grid(4, 4)]
VERTICES = [1, 10, 4096, 5000, 100_003]
cases = pytest.mark.parametrize("blocks", [Blocks.even(n, g) for n in VERTICES for g in GRIDS])


def padded_bytes(vertices: int) -> int:
    """A bit per vertex in cache lines of 64 bytes, counted one by one."""
    lines = 0
    while lines * 512 < vertices:
        lines += 1
    return 64 * lines


def by_hand(grid: Grid, own: list[int], *, in_column: bool) -> tuple[list[int], list[int]]:
    """Everyone sends its own bytes to each other rank of its column, or of all."""
    sent, received = [0] * grid.size, [0] * grid.size
    for a in range(grid.size):
        for b in range(grid.size):
            if a != b and (not in_column or a // grid.rows == b // grid.rows):
                sent[a] += own[a]
                received[b] += own[a]
    return sent, received


def same(found: Volume, sent: list[int], received: list[int]) -> None:
    assert found.sent_by_rank is not None
    assert found.received_by_rank is not None
    assert found.sent_by_rank.tolist() == sent
    assert found.received_by_rank.tolist() == received
    assert found.bytes_sent == found.low_bytes == found.high_bytes == sum(sent) == sum(received)


@cases
def test_blocks_are_those_of_the_engine(blocks: Blocks) -> None:
    n, p = int(blocks.sizes.sum()), blocks.grid.size

    assert blocks.sizes.tolist() == [n // p + (b < n % p) for b in range(p)]
    assert blocks.piece_bytes.tolist() == [padded_bytes(int(size)) for size in blocks.sizes]


@cases
def test_an_expand_sends_every_piece_to_each_other_rank_of_the_column(blocks: Blocks) -> None:
    own = [padded_bytes(int(size)) for size in blocks.sizes]

    same(column_expand(blocks, 3), *by_hand(blocks.grid, own, in_column=True))


@cases
def test_replicating_sends_bitmap_and_summary_to_all(blocks: Blocks) -> None:
    pieces = [padded_bytes(int(size)) for size in blocks.sizes]
    own = [piece + 8 * -(-(piece // 8) // 64) for piece in pieces]

    same(replicated_expand(blocks, 0), *by_hand(blocks.grid, own, in_column=False))


@cases
def test_a_listed_frontier_sends_its_count_and_four_bytes_a_vertex(blocks: Blocks) -> None:
    frontier: IntArray = np.arange(blocks.grid.size, dtype=np.int64) * 7
    own = [8 + 4 * int(f) for f in frontier]

    same(list_expand(blocks, 0, frontier), *by_hand(blocks.grid, own, in_column=True))


@cases
def test_the_ring_hands_every_piece_of_the_row_on(blocks: Blocks) -> None:
    grid = blocks.grid
    sent, received = [0] * grid.size, [0] * grid.size
    for rank in range(grid.size):
        row, col = rank % grid.rows, rank // grid.rows
        for step in range(grid.cols if grid.cols > 1 else 0):
            held = ((col - step) % grid.cols) * grid.rows + row
            piece = padded_bytes(int(blocks.sizes[held]))
            sent[rank] += piece
            received[((col + 1) % grid.cols) * grid.rows + row] += piece

    same(ring(blocks, 0), sent, received)


@cases
def test_control_sends_eight_bytes_to_each_other(blocks: Blocks) -> None:
    grid = blocks.grid

    same(reduction(blocks, 0), *[[8 * (grid.size - 1)] * grid.size] * 2)
    same(grid_reduction(blocks, 0, 2), *[[16 * (grid.rows - 1 + grid.cols - 1)] * grid.size] * 2)
    same(counts(blocks, 0, grid.cols), *[[8 * (grid.cols - 1)] * grid.size] * 2)


def test_scale_20_on_4_x_4_is_as_computed_by_hand() -> None:
    """n = 2^20, 16 ranks: n/(8C) (R-1)/R = 24,576 and n/8 (P-1)/P = 122,880 bytes a level."""
    grid = column_expand(Blocks.even(1 << 20, Grid(4, 4)), 0)
    alone = Blocks.even(1 << 20, Grid(16, 1))

    assert grid.received_by_rank is not None
    assert set(grid.received_by_rank.tolist()) == {24_576}
    assert int(alone.piece_bytes.sum() - alone.piece_bytes[0]) == 122_880
    assert alone.summary_bytes.tolist() == [128] * 16


@pytest.mark.parametrize("ranks", [*range(1, 40), 512, 1024])
def test_squarest_grids_are_those_of_the_layout(ranks: int) -> None:
    grid = Grid.squarest(ranks)

    assert (grid.rows, grid.cols) == squarest(ranks)


def test_what_is_no_grid_is_refused() -> None:
    with pytest.raises(UsageError, match="0x3 is no grid"):
        Grid(0, 3)
    with pytest.raises(UsageError, match="2 blocks do not fit the grid 1x3"):
        Blocks(Grid(1, 3), np.array([1, 2]))
