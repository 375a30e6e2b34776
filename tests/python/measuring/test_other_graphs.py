# SPDX-License-Identifier: Apache-2.0
"""The graphs without luck are what they are said to be, and are written as they are."""

from pathlib import Path

import numpy as np
import other_graphs
import pytest
import scipy.io
import scipy.sparse
from other_graphs import KINDS, Graph, make, write
from scipy.sparse.csgraph import connected_components, shortest_path


def matrix(graph: Graph) -> scipy.sparse.csr_matrix:
    ones = np.ones(len(graph.u))
    shape = (graph.num_vertices, graph.num_vertices)
    return scipy.sparse.csr_matrix((ones, (graph.u, graph.v)), shape)


def levels(graph: Graph) -> float:
    """From vertex 0."""
    found = shortest_path(matrix(graph), directed=False, unweighted=True, indices=[0])[0]
    return float(found[np.isfinite(found)].max())


def test_a_grid_joins_every_cell_with_its_four_neighbours() -> None:
    graph = make("grid", 5)  # 4 rows of 8
    assert graph.num_vertices == 32
    assert len(graph.u) == 3 * 8 + 4 * 7
    assert set((graph.v - graph.u).tolist()) == {1, 8}
    assert levels(graph) == 3 + 7


def test_a_road_is_one_sparse_component_with_many_levels() -> None:
    graph = make("road", 14)
    assert connected_components(matrix(graph), directed=False)[0] == 1
    assert graph.num_vertices > 0.9 * 2**14
    assert 2.4 < 2 * len(graph.u) / graph.num_vertices < 2.8
    columns = 1 << 7
    assert columns < levels(graph)
    beyond_a_row = graph.v - graph.u > columns
    assert not beyond_a_row.any()  # numbered row by row: what gaps left out makes rows shorter only


def test_a_road_has_bypasses() -> None:
    whole, found = make("grid", 14), make("road", 14)
    in_rows = (whole.v - whole.u)[whole.v - whole.u < 1 << 7]
    inside_a_row = (found.v - found.u)[found.v - found.u <= other_graphs.BYPASS_COLUMNS[1]]
    assert in_rows.max() == 1
    assert (inside_a_row > 8).any()


def test_a_uniform_graph_has_no_hub() -> None:
    graph = make("uniform", 12)
    degrees = np.bincount(np.concatenate([graph.u, graph.v]))
    assert degrees.mean() == pytest.approx(32, rel=0.02)
    assert degrees.max() < 70  # a Graph500 graph of this size has a vertex of more than 1,000


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_options_give_the_same_graph(kind: str) -> None:
    once, again, other = make(kind, 8), make(kind, 8), make(kind, 8, seed=2)
    assert np.array_equal(once.u, again.u)
    assert np.array_equal(once.v, again.v)
    assert (kind == "grid") == (np.array_equal(once.u, other.u) and np.array_equal(once.v, other.v))


@pytest.mark.parametrize("kind", KINDS)
def test_permuted_it_is_the_same_graph_with_other_numbers(kind: str) -> None:
    plain, permuted = make(kind, 8), make(kind, 8, permute=True)
    assert not np.array_equal(plain.u, permuted.u)

    def degrees(graph: Graph) -> list[int]:
        counts = np.bincount(np.concatenate([graph.u, graph.v]), minlength=graph.num_vertices)
        return sorted(counts.tolist())

    assert degrees(plain) == degrees(permuted)


def test_edges_are_listed_once_and_none_is_a_loop() -> None:
    found = Graph.of(4, np.array([1, 0, 2, 3, 0]), np.array([0, 1, 2, 1, 1]))
    assert found.u.tolist() == [0, 1]
    assert found.v.tolist() == [1, 3]


def test_every_format_holds_the_same_edges(tmp_path: Path) -> None:
    graph = make("uniform", 6, edgefactor=3)
    expected = matrix(graph)
    expected = expected + expected.T
    for ending in (".el", ".mtx", ".sg"):
        write(graph, tmp_path / f"g{ending}")

    listed = np.loadtxt(tmp_path / "g.el", dtype=np.int64)
    assert np.array_equal(listed, np.column_stack([graph.u, graph.v]))
    assert (scipy.io.mmread(tmp_path / "g.mtx") != expected).nnz == 0
    serialized = (tmp_path / "g.sg").read_bytes()
    arcs, vertices = np.frombuffer(serialized, "<i8", 2, 1).tolist()
    begins = np.frombuffer(serialized, "<i8", vertices + 1, 17)
    targets = np.frombuffer(serialized, "<i4", arcs, 17 + 8 * (vertices + 1))
    assert serialized[0] == 0
    assert len(serialized) == 17 + 8 * (vertices + 1) + 4 * arcs
    rows = scipy.sparse.csr_matrix((np.ones(arcs), targets, begins), expected.shape)
    assert (rows != expected).nnz == 0


def test_an_ending_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"choose \.el, \.mtx, \.sg"):
        write(make("grid", 2), tmp_path / "g.txt")
