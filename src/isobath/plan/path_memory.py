# SPDX-License-Identifier: Apache-2.0
"""Memory of the plans for shortest paths, moment by moment (engine/graph, engine/sssp).

What landmark takes in its second pass depends on the weights: the part is that of the benchmark's,
at edgefactor 16. For bellman-ford it is a bound.
"""

from dataclasses import dataclass

from isobath.plan.rank_arrays import (
    HUGE_PAGE,
    Rank,
    column_originals,
    dealt,
    dealt_arcs,
    edges_in_round,
    grid_codes,
    messages,
    numbering,
    pages,
    present_indices,
    starts,
)

TAKEN_AT_18, TAKEN_PER_SCALE = 0.152, 0.942
"""Part of the edges that landmark takes in its second pass: 15.2 % at scale 18, 13.5 % at scale 20,
found from the peaks of these scales."""

TAKEN_ROUND = 1 << 20
"""Edges of a round of that pass, where there are several ranks (sssp/kept_edges.cpp)."""

UPPER_PART, UPPER_BYTES = 0.22, 45
"""Of the vertices with a neighbour in the graph that landmark searches, and what one takes
(docs/explanation/sssp.md, "What it yields")."""

TOLD_BYTES = 64 << 20
"""What is told along a grid column or row arrives in rounds of so many bytes at the most
(graph/graph.hpp)."""

ARC_BYTES, WIDE_ARC_BYTES = 12, 16
"""Of an arc with its weight, until rows are laid; and until it has codes, where positions are
wide."""

LEAST_BUCKET_ARCS, MOST_BUCKET_ARCS = 1 << 14, 1 << 20
USUAL_BUCKETS, MOST_BUCKETS = 512, 1024
"""Buckets of rows that arcs are dealt into (graph/arc_buckets.cpp)."""

PARENT_BYTES, WIDE_PARENT_BYTES = 8 + 3 * 4, 8 + 4 + 2 * 8
"""A parent that another rank of the grid row has: asked for in a vector that grew, the question as
it arrives, the answer on both sides; wide ones have 64 bits."""

LEAF_ARC_BYTES, WIDE_LEAF_ARC_BYTES = 2 * 12 + 2 * 8, 2 * 16 + 2 * 8
"""An arc that ends at a leaf, in a vector that grows; its weight on the way to the owner."""

TOLD_LEAF_BYTES = 6 * 4
"""A leaf on several grid columns: column of its neighbour and weight where that is, which own leaf
is told, and how far it is, three times."""

SIMPLE_ARC_BYTES = 16
"""Of bellman-ford: a target of 64 bits and a weight, on 16 bytes."""

SIMPLE_PIECE, SIMPLE_PIECE_BYTES = 1 << 18, 6 * 24
"""Arcs or offers that bellman-ford sends at once (exchange_piece), and what one takes at the most:
in a list with room to grow, grouped in a vector while that grows, and as it arrives."""


@dataclass(frozen=True)
class PathMemory:
    """What one rank holds beside its edges, by name."""

    construction: dict[str, dict[str, float]]
    """by moment"""
    searching: dict[str, float]
    """from the end of construction on"""


def path_memory(rank: Rank, plan: str, scale: int, connected: float) -> PathMemory:
    """Of a plan for shortest paths. Args: connected are the rank's vertices with a neighbour."""
    if plan == "delta-stepping":
        return _delta_alone(rank) if rank.is_alone else _delta_together(rank)
    if plan == "landmark":
        return _landmark(rank, scale, connected)
    arcs = 2 * rank.edges
    rows = {
        "arcs": SIMPLE_ARC_BYTES * arcs,
        "vertices": 64 * rank.vertices,
        "messages": SIMPLE_PIECE_BYTES * min(SIMPLE_PIECE, arcs),
    }
    return PathMemory({"delivering arcs": rows}, rows | _results(rank))


def _results(rank: Rank) -> dict[str, float]:
    """Parents and distances as they are given back."""
    return {"results": pages(8 * rank.vertices) + pages(4 * rank.vertices)}


def _counting(rank: Rank) -> dict[str, float]:
    """count_endpoints, in rounds."""
    return {"end points": pages(8 * rank.vertices)} | dealt(rank) | messages(rank, 16)


def _round_weights(rank: Rank) -> dict[str, float]:
    """Weights of the edges of a round, beside the edges (graph/rounds.hpp)."""
    return {"weights of a round": pages(4 * edges_in_round(rank, ARC_BYTES))}


def _delta_alone(rank: Rank) -> PathMemory:
    """Arcs go from the list into buckets, 12 bytes each, and from there into rows of 8."""
    numbered = numbering(rank) | column_originals(rank)
    numbered |= {"weights of leaves": pages(4 * rank.leaves)}
    begins = {"row starts": starts(rank.searched, are_few=False)}
    rows = {"rows": pages(8 * rank.distinct_arcs)}
    open_pages = float(min(HUGE_PAGE * rank.threads, pages(8 * rank.distinct_arcs)))
    streams = {"streams": 9 * pages(4 * rank.searched)}
    state = {"state": 2 * pages(4 * rank.searched)}
    return PathMemory(
        {
            "counting": dealt_arcs(rank) | {"end points": pages(8 * rank.vertices)},
            "sorting arcs": numbered
            | begins
            | {"arcs in buckets": pages(12 * rank.arcs), "first rows": open_pages},
        },
        numbered | begins | rows | streams | state | _results(rank),
    )


def _delta_together(rank: Rank) -> PathMemory:
    """Arcs arrive before anything is known of their ends, those of leaves too. Arrays by row and by
    column have entries of those that are present, where they are hypersparse.
    """
    numbered = numbering(rank)
    is_wide = rank.has_wide_positions
    arc_bytes = WIDE_ARC_BYTES if is_wide else ARC_BYTES
    arrived = {"arcs as they arrived": pages(arc_bytes * 2 * rank.edges)}
    coded = {"arcs with codes": pages(ARC_BYTES * rank.arcs)} if is_wide else arrived
    codes = {"codes of the grid": grid_codes(rank)}
    present = present_indices(rank)
    kept = numbered | present | {"weights of leaves": pages(4 * rank.leaves)}
    leaf_arc_bytes = WIDE_LEAF_ARC_BYTES if is_wide else LEAF_ARC_BYTES
    of_leaves = {"arcs of leaves": leaf_arc_bytes * rank.leaves}
    lengths = {"row lengths": pages(4 * rank.present_rows)}
    rows = {
        "row starts": starts(rank.present_rows, are_few=rank.has_few_rows),
        "rows": pages(8 * rank.distinct_arcs),
        "column originals": pages(4 * rank.present_cols)
        + (pages(rank.present_cols) if is_wide else 0.0),
    }
    told = {} if rank.has_complete_rows else {"leaves told": TOLD_LEAF_BYTES * rank.leaves}
    rounds = {"rounds of the descent": _descent_round(rank)}
    return PathMemory(
        {
            "delivering arcs": arrived | messages(rank, arc_bytes) | _round_weights(rank),
            "counting": arrived | _counting(rank),
            "numbering": numbered | arrived | codes | {"end points": pages(8 * rank.vertices)},
            "coding arcs": numbered | arrived | codes | present | of_leaves,
            "counting rows": kept | coded | of_leaves | lengths,
            "dealing arcs": kept | coded | of_leaves | _first_pages(rank),
            "sorting arcs": kept | of_leaves | _sorted_buckets(rank),
        },
        kept | rows | _streams(rank) | _path_state(rank) | told | rounds | _results(rank),
    )


def arcs_of_bucket(arcs: float) -> float:
    """WeightedArcBuckets: about so many of them are in each."""
    usual = min(arcs / USUAL_BUCKETS, MOST_BUCKET_ARCS)
    return min(arcs, max(LEAST_BUCKET_ARCS, usual, arcs / MOST_BUCKETS))


def _first_pages(rank: Rank) -> dict[str, float]:
    """A page of every bucket is open before many pieces of the list are given back."""
    buckets = rank.arcs / max(1.0, arcs_of_bucket(rank.arcs))
    return {"arcs in buckets": float(min(pages(ARC_BYTES * rank.arcs), buckets * HUGE_PAGE))}


def _sorted_buckets(rank: Rank) -> dict[str, float]:
    """All arcs are in buckets; every thread sorts one at a time."""
    return {
        "arcs in buckets": pages(ARC_BYTES * rank.arcs),
        "row starts": starts(rank.present_rows, are_few=rank.has_few_rows),
        "buckets of threads": rank.threads * pages(8 * arcs_of_bucket(rank.arcs)),
    }


def _streams(rank: Rank) -> dict[str, float]:
    """Four lightest arcs of every row and the weight of the next; of hypersparse rows that of the
    first alone (sssp/sweep.hpp).
    """
    return {"streams": (1 if rank.has_few_rows else 9) * pages(4 * rank.present_rows)}


def _path_state(rank: Rank) -> dict[str, float]:
    """TentativePaths: distances of columns; bounds of rows and own parents, where rows are in
    parts; parents and notes of rows.
    """
    rows = rank.present_rows
    bounds = 0.0 if rank.has_complete_rows else pages(4 * rows) + pages(8 * rank.searched)
    return {"state": pages(4 * rank.present_cols) + bounds + pages(4 * rows) + pages(rows / 8)}


def _descent_round(rank: Rank) -> float:
    """GridDescent, at the most: what its own tell the grid column, what that tells, offers along
    the grid row, both ways, for rows of others that have an arc here, in rounds of bounded size;
    and questions for parents.
    """
    column = (1, rank.rows) if rank.rows > 1 else ()  # the own, and those of all
    tells = sum(min(4 * owners * rank.searched, TOLD_BYTES) for owners in column)
    if rank.has_complete_rows:
        return tells
    others = (rank.cols - 1) / rank.cols
    offers = min(8 * rank.rows_with_arc * others, TOLD_BYTES)
    parent_bytes = WIDE_PARENT_BYTES if rank.has_wide_positions else PARENT_BYTES
    return tells + 2 * offers + parent_bytes * rank.searched * others


def _landmark(rank: Rank, scale: int, connected: float) -> PathMemory:
    """The second pass: taken arcs in lists of 12 bytes, then in rows of 8."""
    part = min(1.0, TAKEN_AT_18 * TAKEN_PER_SCALE ** (scale - 18))
    taken = 2 * rank.edges * part
    ranks = rank.rows * rank.cols
    vertices = ranks * rank.vertices
    known = {
        "end points": pages(8 * rank.vertices),
        "distances of own": pages(8 * rank.vertices) + pages(rank.vertices),
        "distances of all": pages(4 * vertices),
    }
    lists = 12 * taken + HUGE_PAGE / 2 * rank.threads
    rows = pages(8 * taken) + pages(8 * rank.vertices) + pages(4 * rank.vertices)
    pruning = known | {"taken arcs": lists, "rows": rows}
    if not rank.is_alone:
        pruning["messages"] = 16 * 2 * min(TAKEN_ROUND, rank.edges) * part
    upper = {"upper graph": UPPER_BYTES * UPPER_PART * connected * ranks}
    own = {"own vertices": 12 * connected}
    return PathMemory(
        {"counting": _counting(rank), "leaving out": pruning}, upper | own | _results(rank)
    )
