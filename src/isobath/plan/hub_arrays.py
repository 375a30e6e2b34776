# SPDX-License-Identifier: Apache-2.0
"""Arrays of one rank for hubs on several grid columns, and for families (memory.py; docs/adr/0043,
0025).
"""

from isobath.plan.rank_arrays import Rank, pages, source_places, told_at_a_time

KEPT_HUBS, HUB_ARC_TARGETS = 4, 1 << 17
"""Hubs that an owner keeps for each vertex; targets of a round of hub arcs (graph/hubs.cpp)."""

HEAD_ROWS = 8
"""Own searched vertices for each head that a rank may have on several grid columns."""

CHUNK_BYTES, CHUNK_PARENTS = 512, 63
PARENT_RANGE, MOST_PARENT_RANGES = 1 << 13, 2048
"""Chunks of parents that are dealt; the originals of a range, which is wider where there would be
more of them (graph/dealt_parents.cpp)."""


def most_hubs(searched: float, rows: int, cols: int) -> float:
    """costmodel/hubs.py, in fractions."""
    return searched * min((rows + cols) / (10 * rows * cols), 4 / (rows * cols))


def _most_hubs(rank: Rank) -> float:
    return most_hubs(rank.rows * rank.cols * rank.searched, rank.rows, rank.cols)


def kept_hubs(rank: Rank) -> dict[str, float]:
    """Hubs on several grid columns: originals and bits, and those that owners keep (ADR 0043)."""
    if rank.has_complete_rows:
        return {}
    kept = KEPT_HUBS * pages(4 * rank.searched)
    bits = (4 + rank.cols) * rank.searched / 8  # own vertices; rows with others than kept hubs
    return {"hubs": pages(8 * _most_hubs(rank)) + kept + bits}


def hubs_told(rank: Rank) -> dict[str, float]:
    """Who the hubs are, in their order, is known before vertices are numbered; what owners keep of
    them when rows are laid.
    """
    if rank.has_complete_rows:
        return {}
    return {"hubs told": pages(8 * _most_hubs(rank)) + 4 * _most_hubs(rank)}


def hub_sources(rank: Rank) -> dict[str, float]:
    """Places of the first hubs: own ones, and a piece on its way each way; which originals of the
    grid column are hubs, and their places. Then rows are counted by head, on every thread.
    """
    places = pages(4 * rank.vertices) + 2 * pages(4 * told_at_a_time(rank))
    places += 4 * _most_hubs(rank) / rank.cols
    return {
        "hub sources": places
        + source_places(rank.rows * rank.vertices, _most_hubs(rank) / rank.cols),
        "rows of heads": 4 * (rank.threads + 1) * rank.searched / HEAD_ROWS,
    }


def families(rank: Rank, *, told: bool = False) -> dict[str, float]:
    """Heads of families on several grid columns, at the most: where each has rows enough. On one
    they are few.

    Args: told is whether the grid row has told those of the hubs of the grid column.
    """
    if rank.has_complete_rows:
        return {}
    heads = min(_most_hubs(rank), rank.searched / HEAD_ROWS)
    of_column = 12 * heads + 4 * _most_hubs(rank) / rank.cols if told else 0.0
    return {"families": 8 * heads + of_column}


def dealt_parents(rank: Rank) -> float:
    """Parents that are not the likely ones, in chunks; every thread begins one of each range."""
    chunks = pages(CHUNK_BYTES * rank.searched / CHUNK_PARENTS)
    ranges = min(rank.vertices / PARENT_RANGE, MOST_PARENT_RANGES)
    return chunks + CHUNK_BYTES * rank.threads * ranges


def hub_arcs(rank: Rank) -> dict[str, float]:
    """keep_hubs: the order of hubs, of the columns that are hubs which is which and their places, a
    round of hub arcs both ways: two of a row on average, more than the peak at scale 18 on 1x2
    allows.
    """
    targets = min(HUB_ARC_TARGETS, rank.cols * rank.searched)
    order = (4 + 12 / rank.cols) * _most_hubs(rank)
    columns = source_places(rank.rows * rank.searched, _most_hubs(rank) / rank.cols)
    return {"hub arcs": order + columns + 3.5 * 8 * KEPT_HUBS / 2 * targets}
