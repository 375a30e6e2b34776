# SPDX-License-Identifier: Apache-2.0
"""The published forms give the numbers printed with them."""

import pytest

from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import Direction
from isobath.costmodel.published import (
    RikenLevel,
    by_step,
    replicated_bytes_per_node,
    riken_volumes,
    weak_scaling_bytes_per_rank,
)
from isobath.errors import UsageError


def test_the_tsubame_axis_tops() -> None:
    """512 nodes at scale 26 a node are n = 2^35: 4 GiB per rank and level, 68.7 GB per node with 2
    ranks and 8 levels; 137 GB at 1024 nodes.
    """
    assert replicated_bytes_per_node(2**35, ranks_per_node=1, levels=1) == 4 << 30
    assert replicated_bytes_per_node(2**35) / 1e9 == pytest.approx(68.7, abs=0.05)
    assert replicated_bytes_per_node(2**36) / 1e9 == pytest.approx(137, abs=0.5)


def test_under_weak_scaling_replicated_grows_as_the_graph_and_simple_hardly() -> None:
    share = 1 << 25

    def growth(plan: str, ranks: int) -> float:
        one, four = (
            weak_scaling_bytes_per_rank(plan, share, p)  # type: ignore[arg-type]
            for p in (ranks, 4 * ranks)
        )
        return four / one

    assert growth("replicated", 256) == pytest.approx(4, rel=0.02)
    assert growth("simple", 256) == pytest.approx(1, rel=0.02)
    assert 1 < growth("two-dim", 256) < 2
    one, four = (
        8 * share / 8 * (Grid.squarest(p).rows - 1) for p in (256, 1024)
    )  # the expand of two-dim alone: its root
    assert four / one == pytest.approx(2, rel=0.1)


LEVELS = [
    RikenLevel("top_down", 1, frontier_arcs=1600, source_destinations=16),
    RikenLevel("top_down", 1000, frontier_arcs=160_000, source_destinations=8000),
    RikenLevel("bottom_up", 30_000, discovered_vertices=500_000),
    RikenLevel("bottom_up", 500_000, discovered_vertices=64_000),
    RikenLevel("top_down", 64_000, frontier_arcs=3200, source_destinations=3000),
]


def test_riken_volumes_on_a_square_as_a_sum_done_by_hand() -> None:
    n = 640_000
    found = by_step(riken_volumes(LEVELS, n, Grid(4, 4), own_segments=True))

    lists = 8 * 1 / 4 + 8 * 1000 / 4
    back = min(n / 32, 8 * 64_000 / 4)  # the bitmap
    gather, ring = n / 32, n / 32
    assert found["lists"] == lists
    assert found["bitmaps"] == 2 * (gather + ring) + back
    folds = (4 * (1600 + 160_000 + 3200) + 8 * (16 + 8000 + 3000)) / 16
    assert found["parents"] == folds + 8 * 564_000 / 16


def test_their_grid_is_the_transpose_of_ours() -> None:
    """On our 2 x 8 their groups are R' = 8, C' = 2."""
    level = [RikenLevel("top_down", 800)]
    (expand, fold) = riken_volumes(level, 1000, Grid(2, 8), own_segments=True)
    (ours, _) = riken_volumes(level, 1000, Grid(2, 8))

    assert (expand.step, expand.received) == ("lists", 8 * 800 / 8)
    assert ours.received == expand.received / 2
    assert fold.received == 0


@pytest.mark.parametrize("direction", ["top_down", "bottom_up"])
def test_one_rank_receives_nothing(direction: Direction) -> None:
    found = riken_volumes([RikenLevel(direction, 7, 7, 7, 7)] * 3, 100, Grid(1, 1))

    assert sum(one.received for one in found) == 0


def test_no_levels_are_no_search() -> None:
    with pytest.raises(UsageError, match="at least one level"):
        riken_volumes([], 100, Grid(2, 2))
