# SPDX-License-Identifier: Apache-2.0
"""Sizes of one rank, and arrays that construction has for either kernel (memory.py)."""

from dataclasses import dataclass
from math import ceil

HUGE_PAGE = 2 << 20
SMALL_PAGE = 4096
ROUND_EDGES = 1 << 18
"""Edges of one round of messages between ranks (graph/rounds.hpp)."""

DEALT_ENDPOINTS = 1 << 16
"""End points that a thread deals to others before they are counted (graph/owned_updates.hpp)."""

BUCKETS = 512
"""Ranges of rows that arcs are dealt into (graph/arc_buckets.cpp)."""

MOST_RANGES, LINE_BYTES = 2048, 128
"""Ranges of vertices that one rank deals its arcs into, and a thread's open line of each
(graph/original_arcs.cpp)."""

TABLE_BYTES, TABLE_THREAD_BYTES = 3512, 66
"""What a rank keeps of each other one, and for each of its threads besides."""


@dataclass(frozen=True)
class Rank:
    """Average numbers of one rank."""

    rows: int
    cols: int
    threads: int
    vertices: float
    edges: float
    searched: float
    leaves: float
    arcs: float
    """arcs between searched vertices, with duplicates"""
    distinct_arcs: float
    """the same without"""

    @property
    def is_alone(self) -> bool:
        """The only rank, which needs no messages."""
        return self.rows * self.cols == 1

    @property
    def has_complete_rows(self) -> bool:
        """All arcs of its vertices."""
        return self.cols == 1


def pages(size: float) -> float:
    """An array of its own, on whole pages: huge ones where it fills one."""
    page = HUGE_PAGE if size >= HUGE_PAGE else SMALL_PAGE
    return float(ceil(size / page) * page)


def dealt(rank: Rank) -> dict[str, float]:
    """OwnedUpdates: end points on their way to the thread that counts them, in growing vectors."""
    items = min(DEALT_ENDPOINTS * rank.threads, 2 * rank.edges)
    return {"dealt end points": 16.0 * items}


def messages(rank: Rank, message_bytes: int) -> dict[str, float]:
    """exchange_rounds: the edges of a round, two messages for each on the way out, as many in."""
    edges = min(ROUND_EDGES, rank.edges)
    return {"messages": pages(16 * edges) + 2 * pages(message_bytes * 2 * edges)}


def numbering(rank: Rank) -> dict[str, float]:
    """Numbering, column originals and leaves; they stay to the end."""
    of_leaf = 12 + (8 if rank.has_complete_rows else 0)
    return {
        "codes": pages(4 * rank.vertices),
        "numbering": 2 * pages(4 * rank.searched) + pages(4 * rank.leaves),
        "masks": pages(rank.vertices * 12 / 16),
        "column originals": pages(4 * rank.rows * rank.searched),
        "leaves": of_leaf * rank.leaves,
    }


def dealt_arcs(rank: Rank) -> dict[str, float]:
    """OriginalArcs: 6 bytes an arc, duplicates included, and the open lines they come through."""
    arcs = 2 * rank.edges
    ranges = min(MOST_RANGES, rank.vertices)
    return {
        "arcs by vertex": pages(4 * arcs) + pages(2 * arcs),
        "open lines": float(LINE_BYTES * ranges * rank.threads),
    }


def rank_tables(rank: Rank) -> float:
    """Of several ranks: what every rank keeps or gathers of each other one, mostly the ledger's
    bytes to and from each rank in each phase of each level (comm/ledger.hpp). One by one:
    scaling_arrays.toml.
    """
    if rank.is_alone:
        return 0.0
    of_rank = TABLE_BYTES + TABLE_THREAD_BYTES * rank.threads
    return float(of_rank * rank.rows * rank.cols)
