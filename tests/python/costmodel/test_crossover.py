# SPDX-License-Identifier: Apache-2.0
import pytest

from isobath.costmodel.crossover import crossover, rank_bytes
from isobath.costmodel.grid import Grid
from isobath.errors import UsageError


def test_at_scale_20_on_4_x_4_two_dim_moves_tens_of_times_more() -> None:
    found = rank_bytes(20, Grid(4, 4), expands=6)

    assert found.replicated == 6 * 122_880  # 0.74 MB
    assert found.replicated_summaries == 6 * 15 * 128
    assert found.expand == 6 * 24_576
    assert found.fold == pytest.approx(25e6, rel=0.01)
    assert 20 < found.ratio < 50


@pytest.mark.parametrize(("tuple_bytes", "levels", "ranks"), [(8, 8, 256), (16, 8, 512)])
def test_plans_cross_at_hundreds_of_ranks(tuple_bytes: int, levels: int, ranks: int) -> None:
    """At the eight levels of the TSUBAME 2.0 paper: at 256 or 512 by the size of a tuple."""
    found = crossover(20, levels, tuple_bytes)

    assert found.ranks == pytest.approx(ranks, rel=0.001)
    assert found.last_below.ranks == ranks // 2
    assert found.first_beyond.ranks == ranks


@pytest.mark.parametrize("tuple_bytes", [8, 16])
@pytest.mark.parametrize("levels", [6, 7, 8])
def test_fewer_levels_put_the_crossing_further_out(tuple_bytes: int, levels: int) -> None:
    found = crossover(20, levels, tuple_bytes)

    assert found.ranks == pytest.approx(256 * tuple_bytes / levels, rel=0.001)
    assert found.last_below.ranks < found.ranks <= found.first_beyond.ranks * 1.001
    assert found.last_below.ratio > 1 > found.first_beyond.ratio


@pytest.mark.parametrize("grid", [Grid(2, 32), Grid(8, 8), Grid(32, 2), Grid(1, 64)])
def test_the_grid_does_not_move_the_crossing(grid: Grid) -> None:
    """With as many arcs as make 64 ranks the crossing, every rectangle of 64 ranks balances."""
    levels = 8
    arcs = 64 * levels * 2**20 / (8 * 16)

    found = rank_bytes(20, grid, levels, arcs=arcs)

    assert found.two_dim == pytest.approx(found.replicated)
    assert crossover(20, levels, arcs=arcs).ranks == pytest.approx(64)


def test_one_rank_moves_nothing() -> None:
    found = rank_bytes(20, Grid(1, 1), expands=6)

    assert (found.replicated, found.two_dim, found.ratio) == (0, 0, 1)


def test_a_search_without_expands_is_refused() -> None:
    with pytest.raises(UsageError, match="at least one expand"):
        crossover(20, expands=0)
