# SPDX-License-Identifier: Apache-2.0
"""Memory of the copied edge list, by which searches are validated (validation copy)."""

from math import comb

from isobath.costmodel.kronecker import A, B
from isobath.plan.graph_facts import GraphFacts
from isobath.plan.rank_arrays import Rank, pages

ROWS_OF_PIECE = 1 << 14
"""Rows of the validator's copy whose edges are sorted at once (validate/edge_copy.cpp)."""

CHUNK_EDGES = 1 << 18
"""Edges that a rank sends at once to the ranks of their rows (validate/owner_exchange.cpp): 8 bytes
each while they are placed, grouped and received, and 16 of the exchange's own."""


def can_copy(ranks: int, edgefactor: int, scale: int) -> bool:
    """Whether the validator can keep a copy: one rank, or those that gather facts of all vertices
    (validate/gathered_vertices.hpp). Places have 32 bits.
    """
    return scale < 32 and (ranks == 1 or ranks <= edgefactor)


def add_list_copy(alive_at: dict[str, dict[str, float]], facts: GraphFacts, rank: Rank) -> None:
    """EdgeCopy and CopyCheck: the copy is made after construction and stays to the end.

    A right answer needs nothing else, so that what the other way holds is never touched: levels,
    and facts that several ranks would gather. Of several ranks each knows the places and levels of
    all vertices, and has its own rows with their parents.
    """
    ranks = rank.rows * rank.cols
    vertices, joined, edges = ranks * rank.vertices, facts.connected_vertices, rank.edges
    copy = {
        "places": pages(4 * vertices),
        "copied rows": pages(8 * joined / ranks) + pages(4 * edges),
    }
    check = {"levels": pages(2 * joined), "parents of rows": pages(4 * joined / ranks)}
    if rank.is_alone:
        check["levels"] += pages(4 * joined)
    else:  # bitmaps of a level, by place and by row; parents on their way
        check["levels"] += 2 * pages(joined / 8) + joined / ranks / 4
        check["parents on their way"] = pages(4 * rank.vertices) + 3 * pages(4 * joined / ranks)
    first_rows = ROWS_OF_PIECE * ranks
    sorting = pages(2 * edges) + 4 * edges * _share_of_first_rows(facts, first_rows)
    making = {"list in pieces": sorting}
    if not rank.is_alone:
        making["edges on their way"] = 40.0 * min(CHUNK_EDGES, edges)
    validating = alive_at["validating"]
    other_way = ("levels", "chunk", "facts of all vertices")
    searching = {name: size for name, size in validating.items() if name not in other_way}
    alive_at["copying the list"] = searching | copy | making
    if "looking arcs up" in alive_at:
        by_place = {"vertices by place": pages(4 * joined)} if rank.is_alone else {}
        alive_at["looking arcs up"] |= copy | by_place
        met = {"rows met": rank.threads * 4 * joined}
        alive_at["counting distinct edges"] = searching | copy | met
    alive_at["validating"] = searching | copy | check
    is_checked = "looking arcs up" in alive_at  # before shortest paths are constructed
    for moment in alive_at:
        if moment.startswith("shortest paths: ") and (
            is_checked or moment.endswith(("searching", "validating"))
        ):
            alive_at[moment] |= copy


def _share_of_first_rows(facts: GraphFacts, rows: int) -> float:
    """Of all edges, those that join two of the ``rows`` vertices with most edges.

    Vertices of k one-bits are comb(scale, k), and get so many times (A + B)^(scale - k) (B + D)^k
    of the ends; the ends of an edge are nearly independent.
    """
    ends, left = 0.0, float(rows)
    for ones in range(facts.scale + 1):
        vertices = comb(facts.scale, ones)
        taken = min(left, vertices)
        ends += taken * (A + B) ** (facts.scale - ones) * (1 - A - B) ** ones
        left -= taken
    return min(1.0, ends) ** 2
