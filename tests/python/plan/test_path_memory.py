# SPDX-License-Identifier: Apache-2.0
"""Memory of shortest paths. Against runs: tests/system/test_memory_plan.py."""

import itertools

import pytest

from isobath.plan.memory import estimate_memory
from isobath.plan.scaling import Place, Values, arrays
from isobath.plan.search_plans import PATH_PLANS, usual_path_plan

GRIDS = [(1, 1), (2, 1), (1, 2), (3, 4)]


@pytest.mark.parametrize("plan", PATH_PLANS)
@pytest.mark.parametrize(("rows", "cols"), GRIDS)
@pytest.mark.parametrize("kernel", ["sssp", "both"])
def test_peaks_grow_with_the_scale(plan: str, rows: int, cols: int, kernel: str) -> None:
    peaks = [
        estimate_memory(s, rows=rows, cols=cols, kernel=kernel, sssp_plan=plan).peak_bytes
        for s in range(8, 31)
    ]

    assert all(a < b for a, b in itertools.pairwise(peaks))


def test_weights_take_four_bytes_an_edge() -> None:
    for edges, weights in (("memory", 4 << 26), ("file", 0), ("regenerate", 0)):
        estimate = estimate_memory(22, edges=edges, kernel="sssp")
        assert estimate.moments[estimate.moment].get("weights", 0) == weights
    on_disk = [estimate_memory(22, edges="file", kernel=k).edge_file_bytes for k in ("bfs", "sssp")]
    assert on_disk[1] - on_disk[0] == 4 << 26


@pytest.mark.parametrize("plan", PATH_PLANS)
def test_both_kernels_take_more_than_either(plan: str) -> None:
    both = estimate_memory(20, kernel="both", sssp_plan=plan).peak_bytes
    assert both > estimate_memory(20, kernel="sssp", sssp_plan=plan).peak_bytes
    assert both > estimate_memory(20).peak_bytes


def test_pruning_takes_less_than_all_edges() -> None:
    pruned = estimate_memory(24, kernel="sssp", sssp_plan="landmark").peak_bytes
    assert pruned < 0.6 * estimate_memory(24, kernel="sssp", sssp_plan="delta-stepping").peak_bytes


@pytest.mark.parametrize(("rows", "cols"), [(32, 32), (4, 1), (1, 4), (2, 3)])
def test_rounds_of_the_descent_are_counted_array_by_array(rows: int, cols: int) -> None:
    at = Place(24 if rows < 32 else 30, rows, cols, 1)
    planned = estimate_memory(
        at.scale, rows=rows, cols=cols, kernel="sssp", sssp_plan="delta-stepping"
    ).moments["shortest paths: searching"]["shortest paths: rounds of the descent"]

    size = {a.name: a.bytes_at(Values(at)) for a in arrays() if "grid_descent" in a.where}
    assert len(size) == 4
    if rows == 1:  # there is nobody to tell
        size.pop("GridDescent::told_")
        size.pop("GridDescent::own_told_")
    assert planned / (rows * cols) == pytest.approx(sum(size.values()))


def test_a_round_of_the_descent_worked_out_by_hand() -> None:
    """One column: 4 bytes for each of four ranks' vertices, 4 for the own. One rank: no round."""
    plan = "delta-stepping"
    alone = estimate_memory(20, kernel="sssp", sssp_plan=plan)
    column = estimate_memory(20, rows=4, kernel="sssp", sssp_plan=plan)
    own = column.facts.searched_vertices / 4

    name = "shortest paths: rounds of the descent"
    assert column.moments["shortest paths: searching"][name] == pytest.approx(4 * (4 * 4 + 4) * own)
    assert name not in alone.moments["shortest paths: searching"]


@pytest.mark.parametrize(
    ("rows", "cols", "scale"), [(1, 1, 10), (1, 1, 20), (2, 3, 24), (32, 32, 30)]
)
def test_bellman_ford_is_counted_array_by_array(rows: int, cols: int, scale: int) -> None:
    at = Place(scale, rows, cols, 1)
    planned = estimate_memory(
        scale, rows=rows, cols=cols, kernel="sssp", sssp_plan="bellman-ford"
    ).moments["shortest paths: delivering arcs"]

    size = {a.name: a.bytes_at(Values(at)) for a in arrays() if a.plan == "bellman-ford"}
    ranks = rows * cols
    assert planned["shortest paths: arcs"] / ranks == pytest.approx(size["OwnerGraph::arcs"])
    of_pieces = size["exchange_in_pieces: lists, grouped, and as they arrive"]
    assert planned["shortest paths: messages"] / ranks == pytest.approx(of_pieces)
    of_vertices = size["row_starts, cursors, self_loops, labels, parents"]
    assert planned["shortest paths: vertices"] / ranks >= of_vertices


def test_bellman_ford_has_one_copy_of_its_arcs() -> None:
    """Scale 20, one rank: 2^25 arcs of 16 bytes, and 2^18 of a piece at 144."""
    estimate = estimate_memory(20, kernel="sssp", sssp_plan="bellman-ford")
    moment = estimate.moments["shortest paths: delivering arcs"]
    assert moment["shortest paths: arcs"] == 1 << 29
    assert moment["shortest paths: messages"] == 144 << 18


def test_an_official_run_leaves_out_no_edge() -> None:
    assert usual_path_plan(official=True) == "delta-stepping"
    assert usual_path_plan(official=False) == "landmark"
