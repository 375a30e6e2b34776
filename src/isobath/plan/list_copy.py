# SPDX-License-Identifier: Apache-2.0
"""Memory of the copied edge list, by which searches are validated (validation copy)."""

from math import comb

from isobath.costmodel.kronecker import A, B
from isobath.plan.graph_facts import GraphFacts
from isobath.plan.rank_arrays import Rank, pages

ROWS_OF_PIECE = 1 << 14
"""Rows of the validator's copy whose edges are sorted at once (validate/edge_copy.cpp)."""


def add_list_copy(alive_at: dict[str, dict[str, float]], facts: GraphFacts, rank: Rank) -> None:
    """EdgeCopy and CopyCheck: the copy is made after construction and stays to the end.

    A right answer needs nothing else, so that the levels of the other way are never touched.
    """
    joined, edges = facts.connected_vertices, rank.edges
    copy = {
        "places": pages(4 * rank.vertices),
        "copied rows": pages(8 * joined) + pages(4 * edges),
    }
    check = {"levels": 2 * pages(4 * joined) + pages(2 * joined) + joined / 8}
    sorting = pages(2 * edges) + 4 * edges * _share_of_first_rows(facts, ROWS_OF_PIECE)
    validating = alive_at["validating"]
    searching = {name: size for name, size in validating.items() if name not in ("levels", "chunk")}
    alive_at["copying the list"] = searching | copy | {"list in pieces": sorting}
    if "looking arcs up" in alive_at:
        alive_at["looking arcs up"] |= copy | {"vertices by place": pages(4 * joined)}
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
