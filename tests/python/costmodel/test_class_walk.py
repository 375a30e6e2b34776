# SPDX-License-Identifier: Apache-2.0
"""Searches walked over classes against searches over graphs drawn from the same probabilities."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pytest

from costmodel.walked_search import Drawn, drawn_graph
from isobath.costmodel.class_walk import walked_levels
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.hubs import hubs_of, left_by_hubs, most_hubs
from isobath.costmodel.levels import LevelFacts, WalkedShares
from isobath.costmodel.switches import Switches
from isobath.costmodel.volumes import search_volumes
from isobath.errors import UsageError
from isobath.plan.graph_facts import expected_facts
from isobath.stats.estimates import IntArray

SCALE, ROOTS = 13, 40
GRID = Grid(8, 8)


def setting_of(grid: Grid = GRID, scale: int = SCALE) -> GraphSetting:
    searched = round(expected_facts(scale).searched_vertices)
    return GraphSetting(scale, Switches.of("hybrid"), Blocks.even(searched, grid))


@dataclass(frozen=True)
class Widest:
    """Of the level that finds most: shares of the searched vertices, of what it finds, and of what
    it leaves.
    """

    found: float
    left: float
    asking: float


def levels_from(graph: Drawn, root: int) -> IntArray:
    level = np.full(graph.num_vertices, -1, dtype=np.int64)
    level[root] = depth = 0
    while (level == depth).any():
        targets = graph.target[level[graph.source] == depth]
        depth += 1
        level[targets[level[targets] < 0]] = depth
    return level


def has_neighbour(graph: Drawn, among: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> IntArray:
    """How many neighbours of each vertex are among these."""
    return np.bincount(graph.target, among[graph.source], graph.num_vertices).astype(np.int64)


@lru_cache
def drawn_searches(grid: Grid) -> tuple[list[Widest], float]:
    """The slow twin: of each search its widest level; and the mean number of levels."""
    whole = drawn_graph(SCALE).distinct()
    graph = whole.without_leaves()
    degree = np.bincount(whole.source, minlength=graph.num_vertices)
    searched = np.bincount(graph.source, minlength=graph.num_vertices) > 0
    hubs = np.zeros(graph.num_vertices, dtype=bool)
    by_degree = np.argsort(-degree, kind="stable")
    hubs[by_degree[: most_hubs(int(searched.sum()), grid)]] = True
    hub_neighbours = has_neighbour(graph, hubs)
    own = np.bincount(graph.source, minlength=graph.num_vertices)
    widest, counts = [], []
    keys = np.random.default_rng(7).choice(np.flatnonzero(degree), ROOTS, replace=False)
    for key in keys.tolist():
        root = key if searched[key] else int(whole.target[whole.source == key][0])
        level = levels_from(graph, root)
        sizes = np.bincount(level[level >= 0])
        if sizes.sum() < searched.sum() / 2:
            continue
        deepest = int(sizes.argmax())
        found = level == deepest
        by_owner = has_neighbour(graph, hubs & (level >= 0) & (level < deepest)) > 0
        after = searched & ((level > deepest) | (level < 0))
        closed = after & (own <= 4) & (hub_neighbours == own)
        widest.append(
            Widest(
                float(found.sum() / searched.sum()),
                float((found & ~by_owner).sum() / found.sum()),
                1 - float(closed.sum() / max(1, after.sum())),
            )
        )
        counts.append(len(sizes))
    return widest, float(np.mean(counts))


def widest_of(levels: tuple[LevelFacts, ...]) -> Widest:
    vertices = [level.vertices.expected for level in levels]
    at = int(np.argmax(vertices))
    finds = levels[at - 1].walked
    assert finds is not None
    return Widest(vertices[at] / sum(vertices), finds.left, finds.asking)


def test_levels_are_those_of_searches_over_drawn_graphs() -> None:
    drawn, mean_levels = drawn_searches(GRID)
    walked = walked_levels(setting_of(), 200)

    found = np.array([search.found for search in drawn])
    walked_found = np.array([widest_of(levels).found for levels in walked])
    assert walked_found.mean() == pytest.approx(found.mean(), abs=0.06)
    for end in (0.1, 0.9):
        assert np.quantile(walked_found, end) == pytest.approx(np.quantile(found, end), abs=0.08)
    assert np.mean([len(levels) for levels in walked]) == pytest.approx(mean_levels, abs=0.5)


@pytest.mark.parametrize("grid", [GRID, Grid(16, 32)])
def test_what_owners_leave_and_who_asks_are_those_of_drawn_graphs(grid: Grid) -> None:
    setting = setting_of(grid)
    drawn, _ = drawn_searches(grid)
    walked = [widest_of(levels) for levels in walked_levels(setting, 200)]

    def mean(several: list[Widest], share: str) -> float:
        values = [getattr(one, share) for one in several]
        return float(np.average(values, weights=[one.found for one in several]))

    told = WalkedShares(mean(walked, "left"), mean(walked, "asking"), 1.0)
    interval = left_by_hubs(setting, 0, told)
    assert interval.low <= mean(drawn, "left") <= interval.high
    assert told.asking == pytest.approx(mean(drawn, "asking"), abs=0.1)


def test_hubs_may_be_few() -> None:
    setting = setting_of(Grid(4, 4), 20)
    few = replace(setting, switches=replace(setting.switches, hubs="few"))

    assert hubs_of(few) == round(expected_facts(20).searched_vertices) // 4096 < hubs_of(setting)
    on, fewer = (walked_levels(one, 1)[0] for one in (setting, few))
    assert widest_of(on).left < widest_of(fewer).left
    assert search_volumes(setting, on).bytes_sent < search_volumes(few, fewer).bytes_sent


@pytest.mark.parametrize("scale", [10, 20, 36, 43])
def test_every_scale_has_levels_that_reach_all_once(scale: int) -> None:
    setting = setting_of(Grid(16, 32), scale)
    searches = walked_levels(setting, 3)

    assert searches == walked_levels(setting, 3)
    assert searches != walked_levels(setting, 3, seed=2)
    for levels in searches:
        assert sum(level.vertices.expected for level in levels) == pytest.approx(
            setting.blocks.sizes.sum()
        )
        assert levels[0].direction == "top_down"
        assert "bottom_up" in {level.direction for level in levels}
        for level in levels:
            assert level.walked is not None
            assert 0 <= level.walked.left <= 1
            assert 0 <= level.walked.asking <= 1
            assert level.walked.proposals >= 1


def test_fewer_hubs_leave_more() -> None:
    few, many = (widest_of(walked_levels(setting_of(grid), 1)[0]) for grid in (GRID, Grid(2, 2)))

    assert few.found == many.found
    assert few.left > many.left


def test_hubs_may_be_told() -> None:
    setting = setting_of()
    levels, fewer = (walked_levels(setting, 1, hubs=hubs)[0] for hubs in (hubs_of(setting), 2))

    assert levels == walked_levels(setting, 1)[0]
    assert widest_of(fewer).found == widest_of(levels).found
    assert widest_of(fewer).left > widest_of(levels).left


def test_bytes_of_walked_levels_lie_within_narrower_ends() -> None:
    setting = setting_of(Grid(16, 32), 24)
    for levels in walked_levels(setting, 4):
        volumes = search_volumes(setting, levels)
        for part in volumes:
            assert part.low_bytes <= part.bytes_sent <= part.high_bytes
        unknown = tuple(
            LevelFacts(one.direction, one.vertices, one.arcs_before, one.arcs) for one in levels
        )
        assert volumes.high_bytes < search_volumes(setting, unknown).high_bytes


def test_leaves_and_duplicates_are_not_walked() -> None:
    for plan in ("two-dim", "simple"):
        setting = GraphSetting(14, Switches.of(plan), Blocks.even(1 << 14, Grid(1, 4)))
        with pytest.raises(UsageError, match=f"without leaves and duplicates; {plan} has"):
            walked_levels(setting, 1)
