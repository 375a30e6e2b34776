# SPDX-License-Identifier: Apache-2.0
"""Memory of breadth-first search. Against runs: tests/system/test_memory_plan.py."""

import pytest

from isobath.plan.memory import DEGREE_CLASSES, estimate_memory
from isobath.plan.rank_arrays import HUGE_PAGE


def test_a_thread_that_lays_rows_has_a_page_open_in_each_degree_class() -> None:
    """Ranges are laid in original order, and rows stand by class. Columns that are dealt are filled
    one after the other.
    """
    alone = estimate_memory(24, threads=3).moments
    assert alone["laying rows"]["first rows"] == DEGREE_CLASSES * 3 * HUGE_PAGE
    moments = estimate_memory(24, rows=2, cols=2, threads=64).moments
    assert moments["transposing arcs"]["first rows"] == 64 * HUGE_PAGE * 4


def test_columns_are_counted_by_every_thread_where_that_is_a_quarter_of_the_arcs() -> None:
    """Then arcs by source stand where arcs by target came from; otherwise they are dealt first."""
    for threads in (1, 3, 64):
        estimate = estimate_memory(24, rows=2, cols=2, threads=threads)
        transposing = estimate.moments["transposing arcs"]
        counted = 2 * 4 * threads * estimate.facts.searched_vertices
        if counted <= 4 * estimate.facts.stored_arcs / 4:
            assert transposing["columns counted"] == pytest.approx(
                counted, abs=4 * threads * HUGE_PAGE
            )
            assert "arcs by column" not in transposing
            arcs = transposing["arcs by source"]
        else:
            assert threads == 64
            assert "columns counted" not in transposing
            arcs = transposing["arcs by column"] * 4 / 6
        assert arcs == pytest.approx(4 * estimate.facts.stored_arcs, abs=8 * HUGE_PAGE)
    many = estimate_memory(30, rows=2, cols=2, threads=8)  # 2^32 arcs of a rank are dealt
    assert many.facts.stored_arcs / 4 > 2**32
    assert "columns counted" not in many.moments["transposing arcs"]


@pytest.mark.parametrize(("rows", "cols"), [(2, 1), (1, 2), (2, 2)])
def test_on_several_ranks_arcs_stay_until_all_rows_are_laid(rows: int, cols: int) -> None:
    """In blocks of which half a one is empty, half as long as those before it or as long as they
    get, for each of 256 ranges and each thread.
    """
    estimate = estimate_memory(20, rows=rows, cols=cols, threads=3)
    ranks = rows * cols
    arcs = 2 * estimate.facts.num_edges
    chains = ranks * 3 * 256
    room = min(arcs / 6 + chains * 16, chains * 1024) + ranks * 3 * 2**14
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


def blocks_of(arcs: int, most: int = 2048) -> int:
    """ArrivingArcs::Dealer::open_block, one block after the other."""
    blocks, left, room = 0, arcs, 0
    while left > 0:
        length = min(max(room // 2 // 16 * 16, 32), most)
        blocks, left, room = blocks + 1, left - length, min(room + length, 2 * most)
    return blocks


@pytest.mark.parametrize("scale", [11, 13, 16, 18, 20, 22, 25])
def test_blocks_of_arcs_are_as_many_as_the_engine_opens(scale: int) -> None:
    """In each of 256 ranges of each of two ranks, or more of 65,536 targets; what says where one is
    has 32 bytes.
    """
    moments = estimate_memory(scale, rows=1, cols=2).moments
    ranges = max(256, (1 << scale) >> 16)
    of_range = moments["counting"]["blocks of arcs"] / 2 / 32 / ranges

    assert of_range == pytest.approx(blocks_of((16 << scale) // ranges), abs=1.0)
    assert moments["delivering arcs"]["blocks of arcs"] == 2 * moments["counting"]["blocks of arcs"]
    assert moments["laying rows"]["blocks of arcs"] == moments["counting"]["blocks of arcs"]
    assert "blocks of arcs" not in estimate_memory(scale).moments["counting"]


def test_one_grid_column_keeps_hubs_by_original_and_tells_rows_by_source() -> None:
    """A bit and a count for each of 2^20 originals on every rank, 4 bytes for each of its own; rows
    by target and by source: each arc twice, and a round of them on its way.
    """
    for ranks in (1, 4):
        moments = estimate_memory(20, rows=ranks).moments
        assert moments["finding families"]["heavy sources"] == 2 * HUGE_PAGE + ranks * 3 * 2**16
        assert "column originals" not in moments["finding families"]
        assert ("telling rows by source" in moments) == (ranks > 1)
    told = moments["telling rows by source"]
    arcs = 4 * estimate_memory(20).facts.stored_arcs
    of_rows = told["arcs by target"] + told["arcs by source"]
    assert 2 * arcs < of_rows < 2 * arcs + 2**20 * (8 + 4 * 8) + 8 * 3 * HUGE_PAGE
    assert told["messages"] == 4 * HUGE_PAGE
    larger = estimate_memory(22, rows=4).moments["telling rows by source"]
    assert larger["messages"] == larger["lengths by owner"] > 4 * HUGE_PAGE  # as they arrive


def test_several_grid_columns_tell_hubs_before_vertices_have_numbers() -> None:
    """On 2x2 a tenth of all searched vertices are hubs at the most: their originals and order stay
    on every rank until owners keep them. Heads have eight own vertices each.
    """
    estimate = estimate_memory(22, rows=2, cols=2, threads=3)
    searched, ranks = estimate.facts.searched_vertices, 4
    moments = estimate.moments
    pages = ranks * HUGE_PAGE
    for moment in ("finding families", "numbering", "sorting arcs", "laying rows"):
        told = moments[moment]["hubs told"]
        assert told == pytest.approx(ranks * 12 * searched / 10, abs=pages), moment
    assert moments["transposing arcs"]["hubs told"] == told
    assert "hubs told" not in moments["keeping hubs"]
    finding = moments["finding families"]
    assert "leaves" not in finding
    assert "heavy sources" not in finding
    sources = ranks * (3 * 2**22 + 3 / 16 * 2**21 + 4 * searched / 20)
    assert finding["hub sources"] == pytest.approx(sources, abs=3 * pages)
    assert finding["rows of heads"] == pytest.approx(4 * 4 * searched / 8)
    assert moments["numbering"]["families"] == pytest.approx(searched)
    with_followers = (8 + 12) / 8 * searched + ranks * 4 * searched / 20
    for moment in ("keeping hubs", "searching"):
        assert moments[moment]["families"] == pytest.approx(with_followers), moment


@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 1), (1, 2)])
def test_every_thread_begins_a_chunk_of_parents_for_each_range(rows: int, cols: int) -> None:
    """Of 8,192 originals: 2^11 of 2^24 vertices."""
    of_threads = [
        estimate_memory(24, rows=rows, cols=cols, threads=threads).moments["searching"]["parents"]
        for threads in (1, 2)
    ]
    assert of_threads[1] - of_threads[0] == 512 * 2**11


@pytest.mark.parametrize(("scale", "is_likely"), [(31, True), (32, False)])
def test_parents_are_dealt_where_others_are_likely(scale: int, *, is_likely: bool) -> None:
    """On 1x2: those by row, which has all searched vertices, those that travelled, the result; then
    likely ones, of up to 2^31 vertices, and the others in chunks of 63.
    """
    estimate = estimate_memory(scale, rows=1, cols=2)
    searched, vertices = estimate.facts.searched_vertices, 2**scale
    expected = (2 * 4 + 8) * searched + 8 * vertices
    if is_likely:
        expected += 4 * vertices + 512 * (searched / 63 + 2 * 2048)
    assert estimate.moments["searching"]["parents"] == pytest.approx(expected, rel=1e-3)
