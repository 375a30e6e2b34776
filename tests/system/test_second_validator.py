# SPDX-License-Identifier: Apache-2.0
"""An independent validator: scipy's levels on the exported edges against the engine's parents."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csr_matrix
from scipy.sparse.csgraph import breadth_first_order

from system.laboratory import Laboratory

Parents = NDArray[np.int64]
Levels = NDArray[np.int64]


def graph_of(edges: bytes, scale: int) -> csr_matrix:
    """Both directions of every edge, without self-loops."""
    pairs = np.frombuffer(edges, dtype="<i8").reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    u, v = np.concatenate([pairs, pairs[:, ::-1]]).T
    n = 1 << scale
    return coo_matrix((np.ones(len(u), dtype=np.int8), (u, v)), shape=(n, n)).tocsr()


def levels_of(graph: csr_matrix, root: int) -> Levels:
    """Distance of every vertex from the root, -1 where there is none."""
    order, predecessor = breadth_first_order(graph, root, directed=True)
    levels = np.full(graph.shape[0], -1, dtype=np.int64)
    levels[root] = 0
    for vertex in order[1:]:
        levels[vertex] = levels[predecessor[vertex]] + 1
    return levels


def is_valid(parents: Parents, root: int, graph: csr_matrix, levels: Levels) -> bool:
    """Every reached vertex hangs by an edge from a vertex one level up; all others are -1."""
    n = len(levels)
    reached = levels >= 0
    if not np.array_equal(parents >= 0, reached) or parents[root] != root:
        return False
    if np.any(parents[~reached] != -1) or np.any(parents >= n):
        return False
    children = np.flatnonzero(reached & (np.arange(n) != root))
    above = parents[children]
    if np.any(levels[above] + 1 != levels[children]):
        return False
    return bool(np.all(np.asarray(graph[above, children]) != 0))


def parents_from_engine(
    lab: Laboratory, folder: Path, scale: int, root: int, ranks: int, grid: str
) -> Parents:
    path = folder / "parents"
    done = lab.engine(
        *("--scale", scale, "--root", root, "--grid", grid, "--parents", path),
        ranks=ranks,
    )
    assert done.code == 0, done.err
    return np.fromfile(path, dtype="<i8")


@pytest.mark.parametrize(
    ("scale", "ranks", "grid"),
    [(10, 1, "1x1"), (11, 2, "1x2"), (12, 4, "2x2"), (13, 6, "2x3"), (14, 1, "1x1")],
)
def test_scipy_agrees_with_the_engine(
    lab: Laboratory, tmp_path: Path, scale: int, ranks: int, grid: str
) -> None:
    graph = graph_of(lab.edges("--scale", scale, "--output", "-"), scale)
    keys = [int(key) for key in lab.edges("--scale", scale, "--keys").split()]
    degree = np.diff(graph.indptr)
    leaf = int(np.flatnonzero(degree == 1)[0])
    for root in (keys[0], keys[-1], leaf):
        parents = parents_from_engine(lab, tmp_path, scale, root, ranks, grid)

        levels = levels_of(graph, root)

        assert len(parents) == 1 << scale
        assert is_valid(parents, root, graph, levels)


@pytest.mark.parametrize(("ranks", "grid"), [(1, "1x1"), (2, "1x2"), (4, "2x2"), (6, "2x3")])
def test_the_second_validator_can_say_no(
    lab: Laboratory, tmp_path: Path, ranks: int, grid: str
) -> None:
    scale = 10
    graph = graph_of(lab.edges("--scale", scale, "--output", "-"), scale)
    root = int(lab.edges("--scale", scale, "--keys").split()[0])
    right = parents_from_engine(lab, tmp_path, scale, root, ranks, grid)
    levels = levels_of(graph, root)
    assert is_valid(right, root, graph, levels)
    reached = np.flatnonzero(levels > 0)
    deep = int(np.argmax(levels))
    unreached = int(np.flatnonzero(levels < 0)[0])
    above = np.flatnonzero(levels == levels[deep] - 1)
    stranger = int(next(v for v in above if not graph[[v], [deep]].any()))
    wrong: dict[str, tuple[int, int]] = {
        "the root has another parent": (root, int(reached[0])),
        "a parent that is no neighbour": (deep, stranger),
        "a parent on the same level": (deep, int(np.flatnonzero(levels == levels[deep])[0])),
        "a vertex is its own parent": (deep, deep),
        "a reached vertex is left out": (deep, -1),
        "an unreached vertex has a parent": (unreached, root),
        "a parent out of range": (deep, 1 << scale),
        "a negative parent": (deep, -2),
        "a parent beyond 32 bits": (deep, (1 << 32) + int(right[deep])),
    }
    for name, (vertex, parent) in wrong.items():
        changed = right.copy()

        changed[vertex] = parent

        assert not is_valid(changed, root, graph, levels), name
    another = int(reached[0])
    assert not is_valid(right, another, graph, levels_of(graph, another)), "another root's result"
    theirs = parents_from_engine(lab, tmp_path, scale, another, ranks, grid)
    mixed = right.copy()
    half = np.arange(len(mixed)) >= len(mixed) // 2
    mixed[half] = theirs[half]
    assert not is_valid(mixed, root, graph, levels), "parts of another root's tree"
