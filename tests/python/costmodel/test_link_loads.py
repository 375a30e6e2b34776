# SPDX-License-Identifier: Apache-2.0
"""Closed forms of link loads against every pair routed by itself (A6)."""

import tracemalloc
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isobath.costmodel.fat_tree import FatTree
from isobath.costmodel.torus import Torus, all_to_all
from isobath.errors import UsageError
from isobath.reproduce.k_computer import SHAPES, routed, torus_of

sides = st.lists(st.integers(1, 7), min_size=1, max_size=3).filter(lambda s: 2 <= prod(s) <= 80)


@settings(max_examples=60, deadline=None)
@given(sides, st.lists(st.booleans(), min_size=3, max_size=3), st.booleans())
def test_of_a_torus_or_mesh(sizes: list[int], wraps: list[bool], halves: bool) -> None:
    torus = Torus(tuple(sizes), tuple(wraps[: len(sizes)]), halves)

    counted = torus.loads(all_to_all(torus.nodes, 3.0)).max()

    assert counted == pytest.approx(torus.busiest_of_all_to_all(3.0))


def most_kept(shape: Torus | FatTree) -> float:
    """Numbers of 8 bytes that a message from the first node to the last takes at once, counted."""
    first = np.zeros(1, dtype=np.int64)
    tracemalloc.start()
    try:
        shape.loads_of_pairs(first, first + shape.nodes - 1, np.ones(1))
        return tracemalloc.get_traced_memory()[1] / 8
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "shape",
    [
        Torus((20_000,)),
        Torus((160, 120)),
        Torus((24, 30, 28), (False, True, False)),
        Torus((2,) * 14),
        Torus((1, 3, 5_000)),
        FatTree((64, 800), (1, 32), (1, 1)),
        FatTree((16, 20, 240), (1, 6, 9), (1, 3, 2)),
    ],
    ids=str,
)
def test_what_routing_keeps_is_known_before(shape: Torus | FatTree) -> None:
    assert most_kept(shape) == pytest.approx(shape.kept, rel=0.02)


def test_what_routing_keeps_by_hand() -> None:
    """Of 4x2: 2 ways of 2 sides of 8 nodes; of each of 4 lines 5 marks, 5 sums and 2 loads."""
    assert Torus((4, 2)).kept == 32 + 4 * (5 + 5 + 2)
    assert FatTree((4, 4), (1, 2), (1, 1)).kept == 2 * (2 * 16 + 2 * 4 * 2)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_of_a_fat_tree(data: st.DataObject) -> None:
    levels = data.draw(st.integers(1, 3))
    up = [1, *data.draw(st.lists(st.integers(1, 3), min_size=levels - 1, max_size=levels - 1))]
    # Destinations divide evenly among the ways up where parts are multiples of their number.
    down = [ways * data.draw(st.integers(1, 2)) for ways in [*up[1:], 1]]
    cables = data.draw(st.lists(st.integers(1, 3), min_size=levels, max_size=levels))
    tree = FatTree(tuple(down), tuple(up), tuple(cables))

    counted = tree.loads(all_to_all(tree.nodes, 2.0)).max()

    assert counted == pytest.approx(tree.busiest_of_all_to_all(2.0))


def test_a_ring_by_hand() -> None:
    """0 sends to 1 and 2 of a ring of four: the way to 2 is as short both ways."""
    rows = {0: np.array([0.0, 8.0, 4.0, 0.0])}
    ring = Torus((4,))

    found = ring.loads(lambda node: rows.get(node, np.zeros(4)))

    assert found[0, 0].tolist() == [10.0, 2.0, 0.0, 0.0]
    assert found[0, 1].tolist() == [2.0, 0.0, 0.0, 2.0]


def test_dimensions_are_taken_in_order() -> None:
    """From (0, 0) to (1, 1) of a mesh: first along the first side."""
    rows = {0: np.array([0.0, 0.0, 0.0, 0.0, 5.0, 0.0])}
    mesh = Torus((3, 2), (False, False))

    found = mesh.loads(lambda node: rows.get(node, np.zeros(6)))

    assert np.flatnonzero(found[0, 0]).tolist() == [0]
    assert np.flatnonzero(found[1, 0]).tolist() == [1]


def test_two_nodes_of_a_leaf_never_leave_it() -> None:
    tree = FatTree((2, 2), (1, 2), (1, 1))
    rows = {0: np.array([0.0, 7.0, 0.0, 0.0])}

    found = tree.loads(lambda node: rows.get(node, np.zeros(4)))

    assert sorted(found[found > 0].tolist()) == [7.0, 7.0]  # its own cable, the other's


def test_static_routes_may_collide_where_a_tree_is_not_blocked() -> None:
    """Two nodes of a leaf send to destinations of the same last digit: one way up of two."""
    tree = FatTree((2, 3), (1, 2), (1, 1))
    rows = {0: np.array([0, 0, 6.0, 0, 0, 0]), 1: np.array([0, 0, 0, 0, 6.0, 0])}

    assert tree.loads(lambda node: rows.get(node, np.zeros(6))).max() == 12.0


@pytest.mark.parametrize(
    ("shapes", "best_first"),
    [
        ({"1D": (2, 2, 8), "3D": (4, 2, 4)}, ["3D", "1D"]),
        ({"1D": (2, 8, 16), "3D": (8, 2, 16), "3Db": (8, 4, 8)}, ["3Db", "1D", "3D"]),
        ({"1D": (12, 16, 8), "3D": (24, 4, 16), "3Db": (12, 8, 16)}, ["1D", "3Db", "3D"]),
    ],
)
def test_the_k_computers_shapes_stand_in_its_reports_order(
    shapes: dict[str, tuple[int, int, int]], best_first: list[str]
) -> None:
    """Ties keep the order given: the report calls them alike."""
    loads = {name: Torus((*xyz, 2, 3, 2)).busiest_of_all_to_all() for name, xyz in shapes.items()}

    assert sorted(loads, key=lambda name: loads[name]) == best_first


@pytest.mark.parametrize("sizes", [(), (0, 4), (4, -1)])
def test_no_torus(sizes: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="every side is at least 1"):
        Torus(sizes)


def test_no_fat_tree() -> None:
    with pytest.raises(UsageError, match="down, up and cables"):
        FatTree((4, 4), (1,), (1, 1))
    with pytest.raises(UsageError, match="say of each of 2 sides"):
        Torus((4, 4), (True,))


def listed(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sources, destinations = np.nonzero(rows)
    return sources, destinations, rows[sources, destinations]


def made_rows(nodes: int, seed: int) -> np.ndarray:
    """Bytes from node to node, most pairs without any, none to itself."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(1, 9, (nodes, nodes)) * (rng.random((nodes, nodes)) < 0.3)
    np.fill_diagonal(rows, 0)
    return rows.astype(float)


@settings(max_examples=60, deadline=None)
@given(sides, st.lists(st.booleans(), min_size=3, max_size=3), st.booleans(), st.integers(1, 99))
def test_messages_that_are_listed_load_a_torus_as_those_routed_one_by_one(
    sizes: list[int], wraps: list[bool], halves: bool, seed: int
) -> None:
    torus = Torus(tuple(sizes), tuple(wraps[: len(sizes)]), halves)
    rows = made_rows(torus.nodes, seed)

    fast = torus.loads_of_pairs(*listed(rows))

    assert fast == pytest.approx(torus.loads(lambda node: rows[node]))


@settings(max_examples=60, deadline=None)
@given(sides, st.lists(st.booleans(), min_size=3, max_size=3), st.booleans(), st.integers(1, 99))
def test_bytes_between_all_load_a_torus_as_those_routed_one_by_one(
    sizes: list[int], wraps: list[bool], halves: bool, seed: int
) -> None:
    torus = Torus(tuple(sizes), tuple(wraps[: len(sizes)]), halves)
    rows = made_rows(torus.nodes, seed) + np.eye(torus.nodes)

    fast = torus.loads_between(rows)

    assert fast == pytest.approx(torus.loads(lambda node: rows[node]))


@pytest.mark.parametrize("shape", sorted(set(SHAPES[384].values())))
def test_what_is_shown_of_the_k_computer_is_every_pair_routed_by_itself(
    shape: tuple[int, int, int],
) -> None:
    torus = torus_of(shape)

    assert routed(shape) == pytest.approx(torus.loads(all_to_all(torus.nodes)).max())


@pytest.mark.parametrize("seed", range(5))
def test_messages_that_are_listed_load_a_fat_tree_as_those_routed_one_by_one(seed: int) -> None:
    tree = FatTree((4, 3, 2), (1, 2, 2), (1, 1, 2))
    rows = made_rows(tree.nodes, seed)

    fast = tree.loads_of_pairs(*listed(rows))

    assert fast == pytest.approx(tree.loads(lambda node: rows[node]))
