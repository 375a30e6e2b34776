# SPDX-License-Identifier: Apache-2.0
"""The command that runs what is advised, and what launchers are told where it cannot."""

import pytest

from isobath.costmodel.grid import Grid
from isobath.predicted.commands import command_of, mapping_words
from isobath.prediction.advice import Choice
from isobath.prediction.calls import Layout


def test_the_command_says_all_that_was_chosen() -> None:
    choice = Choice("two-dim", Grid(4, 8), 4, "columns", "sparse")

    assert command_of(choice, 20) == (
        "./isobath run --plan two-dim --grid 4x8 --scale 20 --nodes 8 --ranks-per-node 4 "
        "--exchange sparse"
    )
    assert mapping_words(choice) == ""


def test_one_node_needs_no_nodes_and_one_column_no_exchange() -> None:
    choice = Choice("hybrid", Grid(4, 1), 4, "columns", "alltoallv")

    assert command_of(choice, 16) == (
        "./isobath run --plan hybrid --grid 4x1 --scale 16 --ranks-per-node 4"
    )


@pytest.mark.parametrize(
    ("grid", "per_node", "in_turn", "words"),
    [
        (Grid(4, 4), 4, 1, ("-ppn 1 ", "--distribution=cyclic", "--map-by node")),
        (Grid(8, 2), 4, 2, ("-ppn 2 ", "--distribution=plane=2")),
        (Grid(8, 2), 8, 4, ("-ppn 4 ", "--distribution=plane=4")),
    ],
)
def test_ranks_dealt_out_in_turn_lie_as_rows_are_mapped(
    grid: Grid, per_node: int, in_turn: int, words: tuple[str, ...]
) -> None:
    """As launchers deal them: so many to each node, and again from the first."""
    nodes = grid.size // per_node
    dealt = tuple(rank // in_turn % nodes for rank in range(grid.size))

    said = mapping_words(Choice("two-dim", grid, per_node, "rows", "own"))

    assert dealt == Layout.even(grid, per_node, "rows").node_of_rank
    assert all(one in said for one in words), said
    assert "cannot lay grid rows on them" in said


def test_a_row_over_several_nodes_needs_every_rank_written_down() -> None:
    said = mapping_words(Choice("two-dim", Grid(2, 8), 4, "rows", "own"))

    assert "SLURM_HOSTFILE" in said
    assert "-ppn" not in said
