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
    if rows * cols > 1:
        assert moments["transposing arcs"]["first rows"] == pages
