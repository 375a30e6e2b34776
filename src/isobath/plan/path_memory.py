# SPDX-License-Identifier: Apache-2.0
"""Memory of the plans for shortest paths, moment by moment (engine/graph, engine/sssp).

What landmark takes in its second pass depends on the weights: the part is that of the benchmark's,
at edgefactor 16. For bellman-ford it is a bound.
"""

from dataclasses import dataclass, replace

from isobath.costmodel.arcs import met_vertices
from isobath.plan.rank_arrays import (
    BUCKETS,
    HUGE_PAGE,
    ROUND_EDGES,
    Rank,
    dealt,
    dealt_arcs,
    messages,
    numbering,
    pages,
)

TAKEN_AT_18, TAKEN_PER_SCALE = 0.152, 0.942
"""Part of the edges that landmark takes in its second pass: 15.2 % at scale 18, 13.5 % at scale 20,
found from the peaks of these scales."""

TAKEN_ROUND = 1 << 20
"""Edges of a round of that pass, where there are several ranks (sssp/kept_edges.cpp)."""

UPPER_PART, UPPER_BYTES = 0.22, 45
"""Of the vertices with a neighbour in the graph that landmark searches, and what one takes
(docs/explanation/sssp.md, "What it yields")."""

DESCENT_OFFER_BYTES = 3 * 12
"""A distance for a row of others: in a vector that grows, and as it arrives."""

SIMPLE_ARC_BYTES = 64
"""Of bellman-ford, at the most: an arc in growing vectors as it arrives, and in its row."""


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
        return _delta_alone(rank) if rank.is_alone else _delta_together(rank, scale)
    if plan == "landmark":
        return _landmark(rank, scale, connected)
    rows = {"arcs": SIMPLE_ARC_BYTES * 2 * rank.edges, "vertices": 64 * rank.vertices}
    return PathMemory({"delivering arcs": rows}, rows | _results(rank))


def _results(rank: Rank) -> dict[str, float]:
    """Parents and distances as they are given back."""
    return {"results": pages(8 * rank.vertices) + pages(4 * rank.vertices)}


def _counting(rank: Rank) -> dict[str, float]:
    """count_endpoints, in rounds."""
    return {"end points": pages(8 * rank.vertices)} | dealt(rank) | messages(rank, 16)


def _round_weights(rank: Rank) -> dict[str, float]:
    """Weights of the edges of a round, beside the edges (graph/rounds.hpp)."""
    return {"weights of a round": pages(4 * min(ROUND_EDGES, rank.edges))}


def _delta_alone(rank: Rank) -> PathMemory:
    """Arcs go from the list into buckets, 12 bytes each, and from there into rows of 8."""
    numbered = numbering(rank) | {"weights of leaves": pages(4 * rank.leaves)}
    starts = {"row starts": pages(8 * rank.searched)}
    rows = {"rows": pages(8 * rank.distinct_arcs)}
    open_pages = float(min(HUGE_PAGE * rank.threads, pages(8 * rank.distinct_arcs)))
    streams = {"streams": 9 * pages(4 * rank.searched)}
    state = {"state": 2 * pages(4 * rank.searched)}
    return PathMemory(
        {
            "counting": dealt_arcs(rank) | {"end points": pages(8 * rank.vertices)},
            "sorting arcs": numbered
            | starts
            | {"arcs in buckets": pages(12 * rank.arcs), "first rows": open_pages},
        },
        numbered | starts | rows | streams | state | _results(rank),
    )


def _delta_together(rank: Rank, scale: int) -> PathMemory:
    """Leaves are searched like all others."""
    full = replace(
        rank,
        searched=rank.searched + rank.leaves,
        leaves=0,
        arcs=2 * rank.edges,
        distinct_arcs=rank.distinct_arcs + 2 * rank.leaves,
    )
    numbered = numbering(full)
    codes = {"codes of the grid": 4 * full.vertices * (full.rows + full.cols)}
    arrived = {"arcs as they arrived": pages(12 * full.arcs)}
    buckets = {"arcs in buckets": float(min(pages(12 * full.arcs), BUCKETS * HUGE_PAGE))}
    targets = full.cols * full.searched
    starts = {"row starts": pages(8 * targets)}
    rows = {"rows": pages(8 * full.distinct_arcs)}
    streams = {"streams": 9 * pages(4 * targets)}
    known = pages(4 * full.rows * full.searched)
    bounds = 0.0 if full.has_complete_rows else pages(4 * targets) + pages(8 * full.searched)
    state = {"state": known + bounds + pages(4 * targets) + pages(targets / 8)}
    rounds = {"rounds of the descent": _descent_round(full, scale)}
    return PathMemory(
        {
            "counting": _counting(full),
            "delivering arcs": numbered
            | codes
            | arrived
            | messages(full, 12)
            | _round_weights(full),
            "sorting arcs": numbered
            | arrived
            | buckets
            | starts
            | {"row lengths": pages(4 * targets)},
        },
        numbered | starts | rows | streams | state | rounds | _results(full),
    )


def _descent_round(rank: Rank, scale: int) -> float:
    """GridDescent, at the most: the lowered of its own as a list, what the grid column tells, and
    offers along the grid row, both ways: for rows of others that have an arc here.
    """
    lowered = 8 * rank.searched
    told = 4 * rank.rows * rank.searched if rank.rows > 1 else 0.0
    if rank.has_complete_rows:
        return lowered + told
    edgefactor = round(rank.edges * rank.rows * rank.cols / (1 << scale))
    rows = met_vertices(scale, edgefactor, 1 / rank.cols, without_leaves=False) / rank.rows
    return lowered + told + DESCENT_OFFER_BYTES * rows * (rank.cols - 1) / rank.cols


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
