# SPDX-License-Identifier: Apache-2.0
"""Coverage by classes beside counts over drawn graphs: who is searched from, and what is missed."""

import class_coverage
import hub_coverage
import numpy as np
import pytest

from costmodel.walked_search import drawn_graph
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.switches import Switches
from isobath.stats.estimates import IntArray

SCALE = 12


def drawn_edges(scale: int) -> IntArray:
    """In the place of the generator's; shape (edges, 2)."""
    graph = drawn_graph(scale)
    is_first = graph.source < graph.target
    return np.stack([graph.source[is_first], graph.target[is_first]], axis=1)


@pytest.fixture(autouse=True)
def _drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_coverage, "edges_of", drawn_edges)


def run(monkeypatch: pytest.MonkeyPatch, *ratios: str) -> int:
    typed = ["class_coverage.py", "--scales", str(SCALE), "--keys", "32", "--ratios", *ratios]
    monkeypatch.setattr("sys.argv", typed)
    return class_coverage.main()


def test_of_a_leaf_the_neighbour_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = np.array([[0, 1], [1, 2], [2, 0], [0, 3], [0, 0]])  # a triangle, and a leaf at 0
    monkeypatch.setattr(hub_coverage, "edges_of", lambda scale: edges)
    graph, searched, _ = hub_coverage.searched_by_degree(2)
    reached: class_coverage.BoolArray = hub_coverage.levels_from(graph, 0) >= 0

    assert searched.tolist() == [0, 1, 2]
    assert sorted(class_coverage.keys_of(2, searched, reached, 4)) == [0, 0, 1, 2]
    assert len(class_coverage.keys_of(2, searched, reached, 2)) == 2
    reached[1:] = False
    assert set(class_coverage.keys_of(2, searched, reached, 4)) == {0}


def test_levels_count_that_go_bottom_up_and_find_much() -> None:
    assert hub_coverage.is_counted(50, 0.0, 20, 1000)
    assert hub_coverage.is_counted(1, 0.1, 20, 1000)
    assert not hub_coverage.is_counted(40, 0.07, 20, 1000)  # top-down
    assert not hub_coverage.is_counted(50, 0.1, 15, 1000)  # finds little


def test_of_levels_that_go_top_down_it_is_counted_vertex_by_vertex() -> None:
    graph, _, _ = hub_coverage.searched_by_degree(SCALE)
    n, roots = graph.shape[0], [graph.shape[0] - 1, graph.shape[0] // 2]
    rows = [graph.indices[graph.indptr[v] : graph.indptr[v + 1]].tolist() for v in range(n)]
    hubs, found, alone, frontiers = n // 64, 0, {1: 0, 4: 0}, []
    for root in roots:
        seen, frontier = {root}, [root]
        while frontier:
            new = sorted({w for v in frontier for w in rows[v]} - seen)
            arcs = sum(len(rows[v]) for v in frontier) / graph.nnz
            if new and not hub_coverage.goes_bottom_up(len(frontier), arcs, n):
                found += len(new)
                frontiers.append(sum(v < hubs for v in frontier) / hubs)
                for k in alone:
                    alone[k] += sum(
                        any(h in frontier and h < hubs for h in rows[v][:k]) for v in new
                    )
            seen |= set(new)
            frontier = new

    shares = hub_coverage.coverage(graph, roots, [64], [1, 4], top_down=True)

    assert found > 0
    assert shares.found == {(64, k): alone[k] / found for k in alone}
    assert shares.hubs == {64: pytest.approx(sum(frontiers) / len(frontiers))}


def test_classes_are_near_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(monkeypatch, "0", "16", "100000") == 0

    told = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in told] == ["n/K", "80", "16"]  # none of less than a hub
    assert all(line.endswith("holds") for line in told[1:])


def test_classes_alone_need_no_graph(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_coverage, "WALKS", 8)
    monkeypatch.setattr(hub_coverage, "edges_of", None)

    assert run(monkeypatch, "0", "1024", "--only-classes") == 0
    shares = [float(line.split()[3]) for line in capsys.readouterr().out.splitlines()[1:]]
    assert 100 > shares[0] > shares[1] > 0


def test_a_miss_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_coverage, "by_classes", lambda setting, hubs: 0.5)

    assert run(monkeypatch, "16") == 1
    assert "MISSED" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("count", "walked", "told"),
    [
        (0.50, 0.46, "holds"),
        (0.50, 0.44, "MISSED, beyond 5"),
        (0.50, 0.56, "MISSED, beyond 5"),
        (0.94, 0.90, "MISSED, outside of the interval"),  # at least 0.07 are left, says the walk
    ],
)
def test_both_bounds_count(count: float, walked: float, told: str) -> None:
    setting = GraphSetting(SCALE, Switches.of("hybrid"), Blocks.even(1000, Grid(16, 16)))

    assert class_coverage.verdict(setting, count, walked) == told
