# SPDX-License-Identifier: Apache-2.0
"""Memory of breadth-first search. Against runs: tests/system/test_memory_plan.py."""

import pytest

from isobath.plan.memory import DEGREE_CLASSES, estimate_memory
from isobath.plan.rank_arrays import HUGE_PAGE


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 1), (1, 2), (2, 2)])
def test_a_thread_that_lays_rows_has_a_page_open_in_each_degree_class(rows: int, cols: int) -> None:
    """On every grid: ranges are laid in original order, and rows stand by class. Columns are filled
    one after the other.
    """
    moments = estimate_memory(24, rows=rows, cols=cols, threads=3).moments

    pages = 3 * HUGE_PAGE * rows * cols
    assert moments["laying rows"]["first rows"] == DEGREE_CLASSES * pages
    if cols > 1:
        assert moments["transposing arcs"]["first rows"] == pages


def test_one_grid_column_keeps_hubs_by_original_and_tells_rows_by_source() -> None:
    """A word and a bit for each of 2^20 originals on every rank; rows by target, cut and by source:
    each arc three times.
    """
    for ranks in (1, 4):
        moments = estimate_memory(20, rows=ranks).moments
        assert moments["finding families"]["heavy sources"] == 2 * ranks * HUGE_PAGE + ranks * 2**17
        assert "column originals" not in moments["finding families"]
        assert ("telling rows by source" in moments) == (ranks > 1)
    told = moments["telling rows by source"]
    arcs = 4 * estimate_memory(20).facts.stored_arcs
    of_rows = told["arcs by target"] + told["arcs by owner"] + told["arcs by source"]
    assert 3 * arcs < of_rows < 3 * arcs + 2**20 * (8 + 4 * 4 + 4 * 8) + 12 * 3 * HUGE_PAGE
    assert "finding families" not in estimate_memory(20, rows=2, cols=2).moments
