# SPDX-License-Identifier: Apache-2.0
"""Memory of shortest paths. Against runs: tests/system/test_memory_plan.py."""

import itertools

import pytest

from isobath.plan.memory import estimate_memory
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


def test_an_official_run_leaves_out_no_edge() -> None:
    assert usual_path_plan(official=True) == "delta-stepping"
    assert usual_path_plan(official=False) == "landmark"
