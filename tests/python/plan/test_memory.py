# SPDX-License-Identifier: Apache-2.0
"""Memory of breadth-first search. Against runs: tests/system/test_memory_plan.py."""

import pytest

from isobath.plan.memory import DEGREE_CLASSES, estimate_memory
from isobath.plan.rank_arrays import HUGE_PAGE


def test_a_thread_that_lays_rows_has_a_page_open_in_each_degree_class() -> None:
    """Ranges are laid in original order, and rows stand by class. Columns are filled one after the
    other.
    """
    alone = estimate_memory(24, threads=3).moments
    assert alone["laying rows"]["first rows"] == DEGREE_CLASSES * 3 * HUGE_PAGE
    moments = estimate_memory(24, rows=2, cols=2, threads=3).moments
    assert moments["transposing arcs"]["first rows"] == 3 * HUGE_PAGE * 4


@pytest.mark.parametrize(("rows", "cols"), [(2, 1), (1, 2), (2, 2)])
def test_on_several_ranks_arcs_stay_until_all_rows_are_laid(rows: int, cols: int) -> None:
    """In blocks of which half a one is empty, half as long as those before it, for each of 2,048
    ranges and each thread.
    """
    estimate = estimate_memory(20, rows=rows, cols=cols, threads=3)
    ranks = rows * cols
    arcs = 2 * estimate.facts.num_edges
    room = arcs / 6 + ranks * 3 * (2048 * 16 + 2**14)
    laid = estimate.moments["laying rows"]
    assert laid["arcs by vertex"] == pytest.approx(4 * (arcs + room), abs=ranks * HUGE_PAGE)
    assert laid["arcs by target"] == pytest.approx(
        4 * estimate.facts.stored_arcs, abs=ranks * HUGE_PAGE
    )
    assert "first rows" not in laid
    delivered = estimate.moments["delivering arcs"]
    assert delivered["arcs by vertex"] == pytest.approx(
        6 * (arcs + room), abs=2 * ranks * HUGE_PAGE
    )


def test_one_grid_column_keeps_hubs_by_original_and_tells_rows_by_source() -> None:
    """A word and a bit for each of 2^20 originals on every rank; rows by target and by source: each
    arc twice, and a round of them on its way.
    """
    for ranks in (1, 4):
        moments = estimate_memory(20, rows=ranks).moments
        assert moments["finding families"]["heavy sources"] == 2 * ranks * HUGE_PAGE + ranks * 2**17
        assert "column originals" not in moments["finding families"]
        assert ("telling rows by source" in moments) == (ranks > 1)
    told = moments["telling rows by source"]
    arcs = 4 * estimate_memory(20).facts.stored_arcs
    of_rows = told["arcs by target"] + told["arcs by source"]
    assert 2 * arcs < of_rows < 2 * arcs + 2**20 * (8 + 4 * 8) + 8 * 3 * HUGE_PAGE
    assert told["messages"] == 4 * HUGE_PAGE
    assert "finding families" not in estimate_memory(20, rows=2, cols=2).moments
