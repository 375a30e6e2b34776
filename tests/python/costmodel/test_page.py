# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/explanation/volumes.md are those of the forms."""

from pathlib import Path

import pytest

from isobath.costmodel.arcs import all_arcs, crossing_arcs
from isobath.costmodel.crossover import crossover, rank_bytes
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.exact import ring
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.switches import Switches
from isobath.costmodel.volumes import whole_search_fold

PAGE = (Path(__file__).resolve().parents[3] / "docs/explanation/volumes.md").read_text("utf-8")
SQUARE = Grid(4, 4)


def fold_per_rank(plan: str, grid: Grid, **changed: object) -> float:
    setting = GraphSetting(20, Switches.of(plan, **changed), Blocks.even(1 << 20, grid))
    return whole_search_fold(setting).expected / grid.size


def figures() -> list[str]:
    at = rank_bytes(20, SQUARE, expands=6)
    deduplicated = fold_per_rank("two-dim", SQUARE, duplicates="drop", ids=32, dedup="local")
    turn = ring(Blocks.even(1 << 20, SQUARE), 0).bytes_sent / 16
    return [
        f"{at.replicated:,.0f} bitmap, {at.replicated_summaries:,.0f} summary",
        f"{at.expand:,.0f} expand, {at.fold / 1e6:.1f} MB fold",
        f"{at.expand / 6:,.0f} expand and {turn:,.0f} rotate",
        f"| {fold_per_rank('simple', Grid(1, 16)) / 1e6:.1f} MB |",
        f"| {fold_per_rank('one-sided', Grid(1, 16)) / 1e6:.1f} MB |",
        f"There are {all_arcs(20):,.0f}\narcs",
        f"{crossing_arcs(20, 4).expected:,.0f} tuples",
        f"target once is {deduplicated / 1e6:.2f} MB",
        *(
            f"| {levels} | {crossover(20, levels, 8).ranks:.0f} "
            f"| {crossover(20, levels, 16).ranks:.0f} |"
            for levels in (6, 7, 8)
        ),
        *(f"| {rank_bytes(20, Grid.squarest(ranks), 6).ratio:.1f}" for ranks in (16, 64, 256, 512)),
        f"{rank_bytes(20, Grid(32, 32), 6).ratio:.2f} |",
    ]


@pytest.mark.parametrize("figure", figures())
def test_a_figure_of_the_page_is_computed(figure: str) -> None:
    assert figure in PAGE


def test_the_spread_of_plain_tuples_is_as_the_page_says() -> None:
    found = crossing_arcs(20, 4)

    assert (found.high - found.expected) / found.expected == pytest.approx(5e-4, rel=0.05)
