# SPDX-License-Identifier: Apache-2.0
"""Estimates hold what a walk over drawn graphs counts."""

from functools import lru_cache

import numpy as np
import pytest

from costmodel.walked_search import Drawn, Walked, drawn_graph, walk
from isobath.costmodel.arcs import Range, all_arcs, crossing_arcs, met_vertices
from isobath.costmodel.estimates import (
    GraphSetting,
    bottom_up_tuples,
    top_down_tuples,
    whole_search_tuples,
)
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import LevelFacts, recorded_levels
from isobath.costmodel.switches import Switches

SCALES = [10, 12]
GRIDS = [Grid(4, 4), Grid(1, 16), Grid(2, 8), Grid(4, 2)]
KINDS = {
    "as published": Switches.of("two-dim"),
    "duplicates dropped": Switches.of("two-dim", duplicates="drop"),
    "de-duplicated": Switches.of("two-dim", duplicates="drop", dedup="local"),
    "without leaves": Switches.of("hybrid", direction="top-down"),
}


@lru_cache
def graph_of(kind: str, scale: int, seed: int) -> Drawn:
    graph = drawn_graph(scale, seed)
    if kind == "as published":
        return graph
    distinct = graph.distinct()
    return distinct.without_leaves() if kind == "without leaves" else distinct


@lru_cache
def searches(kind: str, scale: int, grid: Grid) -> list[tuple[Walked, tuple[LevelFacts, ...]]]:
    """From the hub, from a vertex of middle degree and from one of few neighbours."""
    found = []
    for seed in (1, 2):
        graph = graph_of(kind, scale, seed)
        degree = np.bincount(graph.source, minlength=1 << scale)
        by_degree = np.argsort(degree)
        least = int(np.flatnonzero(degree[by_degree])[0])
        for place in (-1, (least - (1 << scale)) // 3, least):
            walked = walk(graph, grid, int(by_degree[place]))
            if sum(walked.arcs) < len(graph.source) / 2:
                continue  # a component of a few vertices
            levels = recorded_levels(
                ["top_down"] * len(walked.arcs),
                walked.frontier,
                walked.arcs,
                len(graph.source),
            )
            found.append((walked, levels))
    assert len(found) >= 4
    return found


def setting_of(kind: str, scale: int, grid: Grid) -> GraphSetting:
    return GraphSetting(scale, KINDS[kind], Blocks.even(1 << scale, grid))


def inside(counted: int, found: Range) -> bool:
    return found.low - 0.5 <= counted <= found.high + 0.5


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_tuples_of_whole_searches_lie_in_their_interval(kind: str, scale: int, grid: Grid) -> None:
    found = whole_search_tuples(setting_of(kind, scale, grid))

    assert found.high - found.low < 0.12 * found.expected
    for walked, _ in searches(kind, scale, grid):
        counted = sum(walked.plain if KINDS[kind].dedup == "none" else walked.fresh)
        assert inside(counted, found)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_tuples_of_every_level_lie_in_their_interval(kind: str, scale: int, grid: Grid) -> None:
    setting = setting_of(kind, scale, grid)
    for walked, levels in searches(kind, scale, grid):
        counted = walked.plain if KINDS[kind].dedup == "none" else walked.fresh
        for tuples, level in zip(counted, levels, strict=True):
            found = top_down_tuples(setting, level)
            noise = 4 * (found.expected + 1) ** 0.5
            assert inside(tuples, Range(found.low - noise, found.expected, found.high + noise))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
@pytest.mark.parametrize("kind", ["de-duplicated", "without leaves"])
def test_parents_found_elsewhere_lie_in_their_interval(kind: str, grid: Grid) -> None:
    for scale in SCALES:
        setting = setting_of(kind, scale, grid)
        for walked, levels in searches(kind, scale, grid):
            for level, new, elsewhere in zip(levels, walked.found, walked.elsewhere, strict=True):
                found = bottom_up_tuples(setting, level, Range.exactly(float(new)))
                noise = 4 * (found.expected + 1) ** 0.5
                assert inside(elsewhere, Range(found.low - noise, found.expected, found.high))


@pytest.mark.parametrize("scale", SCALES)
def test_arcs_and_met_vertices_are_those_of_drawn_graphs(scale: int) -> None:
    graph = drawn_graph(scale)
    distinct = graph.distinct()
    core = distinct.without_leaves()
    rng = np.random.default_rng(3)
    parts = rng.random((20, 1 << scale)) < 0.25

    assert all_arcs(scale) == pytest.approx(len(graph.source), rel=0.005)
    assert all_arcs(scale, distinct=True) == pytest.approx(len(distinct.source), rel=0.01)
    for drawn, without_leaves in ((distinct, False), (core, True)):
        everyone = len(np.unique(drawn.target))
        some = np.mean([len(np.unique(drawn.target[part[drawn.source]])) for part in parts])
        expected = [met_vertices(scale, 16, s, without_leaves=without_leaves) for s in (1, 0.25)]
        assert expected == pytest.approx([everyone, some], rel=0.03)


def test_on_one_column_nothing_crosses() -> None:
    setting = setting_of("as published", 10, Grid(16, 1))

    assert crossing_arcs(10, 1) == whole_search_tuples(setting) == Range(0, 0, 0)


def test_counted_arcs_take_the_place_of_expected_ones() -> None:
    found = crossing_arcs(20, 4, arcs=1000.0)

    assert found.expected == 750
    assert found.low == 0  # the deviation is that of the whole graph
