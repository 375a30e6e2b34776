# SPDX-License-Identifier: Apache-2.0
"""Ways of asking that are walked: each finds what the level has, and bytes are those of lists."""

import heavy_hubs
import numpy as np
import pytest
from hub_coverage import levels_from
from scipy.sparse import csr_matrix
from walked_grid import Dealt, Left, Sent, list_bytes, what_is_left

SCALE = 10


def searched_graph() -> tuple[csr_matrix, np.ndarray, np.ndarray]:
    """Few vertices have most arcs; by degree."""
    rng = np.random.default_rng(5)
    n = 1 << SCALE
    ends = (n * rng.random((8 * n, 2)) ** 3).astype(np.int64)
    ends = ends[ends[:, 0] != ends[:, 1]]
    both = np.concatenate([ends, ends[:, ::-1]])
    graph = csr_matrix((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(n, n))
    graph.sum_duplicates()
    degree = np.bincount(both[:, 0], minlength=n)
    kept = np.flatnonzero(np.diff(graph.indptr) > 1)
    kept = kept[np.argsort(-degree[kept], kind="stable")]
    searched = graph[kept][:, kept]
    searched.sort_indices()
    return searched, np.sort(rng.permutation(n)[: len(kept)]), degree[kept]


@pytest.fixture(scope="module")
def left() -> Left:
    dealt = Dealt(SCALE, searched_graph(), "4x4", 64)
    level = levels_from(dealt.graph, dealt.n // 2).astype(np.int64)
    widest = int(np.bincount(level[level >= 0]).argmax())
    return what_is_left(dealt, level, widest - 1, told=True)


def test_lists_are_differences_of_seven_bits() -> None:
    group, number = np.array([0, 0, 2, 2]), np.array([127, 256, 128, 128 + 1 + (1 << 14)])

    # 127; 128; 128; 2^14
    assert list_bytes(group, number, 3).tolist() == [1 + 2, 0, 2 + 3]


@pytest.mark.parametrize(
    "name", ["today", "own", "H", "turn 1", "turn 4", "push", "class", "sets", "both 1"]
)
def test_every_way_finds_what_the_level_has(left: Left, name: str) -> None:
    dealt = left.dealt
    sent = Sent(np.zeros((dealt.cols, dealt.n), dtype=np.bool_))
    heavy_hubs.ways_of(dealt.n, 16)[name](left, sent)

    is_found = left.found_at_home | (sent.proposed[:, left.at] & left.known).any(axis=0)
    if name == "H":  # owners find some by the bits of heavy vertices
        row = dealt.row
        arcs = left.is_on_frontier & (left.neighbour < dealt.n // 16)
        arcs &= row[left.neighbour] == row[left.vertices[left.who]]
        is_found[left.who[arcs]] = True
    assert left.known.any(axis=0).sum() > 20
    assert (is_found == left.known.any(axis=0)).all()
    assert sum(sent.bytes[kind] for kind in heavy_hubs.KINDS) > 0


def test_sets_have_every_column_that_finds(left: Left) -> None:
    assert not (left.known & ~left.sets).any()


@pytest.mark.engine
def test_the_walk_is_that_of_the_audit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["heavy_hubs.py", "--scale", "14", "--check", "4x4", "2x8"])

    assert heavy_hubs.main() == 0
    assert "the same to the byte" in capsys.readouterr().out
