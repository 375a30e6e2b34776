# SPDX-License-Identifier: Apache-2.0
"""Arcs that bottom-up levels scan: the closed form against scanning drawn graphs one by one."""

import numpy as np
import pytest

from costmodel.walked_search import Drawn, drawn_graph
from isobath.costmodel.arcs import all_arcs, scanned_arcs

SCALE, ROOTS = 12, 12


def scans(graph: Drawn, root: int) -> list[tuple[float, float, int]]:
    """Of each level: shares of arcs before and of its frontier, and the arcs that are scanned."""
    first = np.searchsorted(graph.source, np.arange(graph.num_vertices + 1))
    degree = np.diff(first)
    visited = np.zeros(graph.num_vertices, dtype=bool)
    frontier = visited.copy()
    visited[root] = frontier[root] = True
    levels, before = [], 0.0
    while frontier.any():
        scanned, found = 0, np.zeros_like(visited)
        for vertex in np.flatnonzero(~visited):
            for target in graph.target[first[vertex] : first[vertex + 1]]:
                scanned += 1
                if frontier[target]:
                    found[vertex] = True
                    break
        share = float(degree[frontier].sum()) / len(graph.source)
        levels.append((before, share, scanned))
        before += share
        visited |= found
        frontier = found
    return levels


@pytest.mark.parametrize("distinct", [False, True])
def test_levels_scan_what_drawn_graphs_do(distinct: bool) -> None:
    """Those that scan a twentieth of all arcs within 15 % of it, all together within 10 %. Of
    distinct arcs single levels are not told: a frontier of few hubs is met by more than its share.
    """
    graph = drawn_graph(SCALE).distinct() if distinct else drawn_graph(SCALE)
    rng = np.random.default_rng(3)
    order = rng.permutation(len(graph.source))  # neighbours of a vertex in any order
    graph = Drawn(graph.num_vertices, graph.source[order], graph.target[order])
    order = np.argsort(graph.source, kind="stable")
    graph = Drawn(graph.num_vertices, graph.source[order], graph.target[order])
    counted = expected = 0.0
    for root in rng.choice(np.unique(graph.source), ROOTS):
        for before, share, scanned in scans(graph, int(root)):
            told = scanned_arcs(SCALE, 16, before, share, distinct=distinct)
            if scanned > len(graph.source) / 20 and not distinct:
                assert told == pytest.approx(scanned, rel=0.15), (before, share)
            counted += scanned
            expected += told
    assert expected == pytest.approx(counted, rel=0.1)


def test_ends_by_hand() -> None:
    """A frontier of few, or of none, finds nobody at once: all arcs are scanned. Of one that all
    arcs lead to each vertex scans one; where all are visited, nobody anything.
    """
    everything = all_arcs(SCALE)

    assert scanned_arcs(SCALE, 16, 0.0, 1e-9) == pytest.approx(everything, rel=0.01)
    assert scanned_arcs(SCALE, 16, 0.0, 1.0) < 1 << SCALE
    assert scanned_arcs(SCALE, 16, 0.0, 0.0) == pytest.approx(everything, rel=0.01)
    assert scanned_arcs(SCALE, 16, 1.0, 0.5) == scanned_arcs(SCALE, 16, 1.0, 0.0) == 0
