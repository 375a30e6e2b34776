# SPDX-License-Identifier: Apache-2.0
"""Sizes of one rank, and arrays that construction has for either kernel (memory.py)."""

from dataclasses import dataclass, replace
from math import ceil, inf

HUGE_PAGE = 2 << 20
SMALL_PAGE = 4096
ROUND_EDGES = 1 << 18
"""Edges of one round of messages between ranks (graph/rounds.hpp)."""

DEALT_ENDPOINTS = 1 << 16
"""End points that a thread deals to others before they are counted (graph/owned_updates.hpp)."""

BUCKETS = 512
"""Ranges of rows that arcs are dealt into (graph/arc_buckets.cpp)."""

MOST_RANGES, LINE_BYTES, RANGE_TARGETS = 2048, 128, 1 << 16
"""Ranges of targets that a rank deals its arcs into, a thread's open line of each, and the most
targets of one: where these would be more, there are more ranges (graph/dealt_arcs.cpp)."""

FIRST_BLOCK, MOST_BLOCK, SLAB_ARCS = 32, 2048, 1 << 15
"""Arcs of the first block of a range, of the longest one, and those that a thread takes the room of
at once (graph/arriving_arcs.hpp)."""

TOLD_ROUND = 1 << 19
"""Rows by source: neighbours of a round (graph/rows_by_source.cpp)."""

TABLE_BYTES, TABLE_THREAD_BYTES = 3512, 58
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
    rows_with_arc: float = inf
    cols_with_arc: float = inf
    """of the searched vertices of the grid row, and of the grid column, those that have an arc
    here; not asked on one grid column"""

    @property
    def is_alone(self) -> bool:
        """The only rank, which needs no messages."""
        return self.rows * self.cols == 1

    @property
    def has_complete_rows(self) -> bool:
        """All arcs of its vertices."""
        return self.cols == 1

    @property
    def has_hypersparse_rows(self) -> bool:
        """Arrays by row have entries of rows with an arc alone (graph/hypersparse.hpp)."""
        return 2 * self.rows_with_arc < self.cols * self.searched

    @property
    def has_hypersparse_cols(self) -> bool:
        """The same of columns."""
        return 2 * self.cols_with_arc < self.rows * self.searched

    @property
    def row_entries(self) -> float:
        """Of arrays by row that have entries of rows with an arc alone where most have none."""
        return self.rows_with_arc if self.has_hypersparse_rows else self.cols * self.searched

    @property
    def col_entries(self) -> float:
        """The same by column."""
        return self.cols_with_arc if self.has_hypersparse_cols else self.rows * self.searched


def with_arcs(rank: Rank, scale: int, edgefactor: int) -> Rank:
    """The same, and how many of its rows and columns have an arc: searched vertices with a searched
    neighbour in one of as many equal parts of the vertices as there are grid columns, or rows.
    """
    from isobath.costmodel.arcs import met_vertices  # NumPy, which one grid column does without

    def met(parts: int) -> float:
        return met_vertices(scale, edgefactor, 1 / parts, without_leaves=True)

    return replace(
        rank,
        rows_with_arc=met(rank.cols) / rank.rows,
        cols_with_arc=met(rank.rows) / rank.cols,
    )


def pages(size: float) -> float:
    """An array of its own, on whole pages: huge ones where it fills one."""
    page = HUGE_PAGE if size >= HUGE_PAGE else SMALL_PAGE
    return float(ceil(size / page) * page)


def dealt(rank: Rank) -> dict[str, float]:
    """OwnedUpdates: end points on their way to the thread that counts them, in growing vectors."""
    items = min(DEALT_ENDPOINTS * rank.threads, 2 * rank.edges)
    return {"dealt end points": 16.0 * items}


def messages(rank: Rank, message_bytes: int) -> dict[str, float]:
    """exchange_rounds: the edges of a round, two messages for each on the way out; in comes what
    others send.
    """
    edges = min(ROUND_EDGES, rank.edges)
    sent = message_bytes * 2 * edges
    of_others = sent * (1 - 1 / (rank.rows * rank.cols))
    return {"messages": pages(16 * edges) + pages(sent) + pages(of_others)}


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
    return by_vertex(rank) | open_lines(rank)


def by_vertex(rank: Rank) -> dict[str, float]:
    """DealtArcs of the arcs of a rank, duplicates included, and on several ranks room around."""
    arcs = arcs_and_room(rank)
    return {"arcs by vertex": pages(4 * arcs) + pages(2 * arcs)}


def arcs_and_room(rank: Rank) -> float:
    """ArrivingArcs: the last block of every thread and range, half as long as those before, is half
    full, and so is a thread's slab. On one rank it is known how many arcs go where.
    """
    arcs = 2 * rank.edges
    if rank.is_alone:
        return arcs
    chains = rank.threads * ranges_of(rank)
    of_chain = min(MOST_BLOCK / 2, FIRST_BLOCK / 2 + arcs / chains / 6)
    return arcs + chains * of_chain + rank.threads * SLAB_ARCS / 2


def open_lines(rank: Rank) -> dict[str, float]:
    """What every thread collects for each range before it writes it."""
    return {"open lines": float(LINE_BYTES * ranges_of(rank) * rank.threads)}


def ranges_of(rank: Rank) -> float:
    """That a rank deals its arcs into."""
    targets = rank.cols * rank.vertices
    return max(min(MOST_RANGES, targets), targets / RANGE_TARGETS)


def grid_codes(rank: Rank) -> float:
    """Numbers of all originals of a grid row and a grid column."""
    return 4 * rank.vertices * (rank.rows + rank.cols)


def codes_of_rows(rank: Rank) -> dict[str, float]:
    """Numbers of all originals of a grid row; those of the column are given back by then."""
    return {} if rank.is_alone else {"codes of the grid row": 4 * rank.vertices * rank.cols}


def delivering(rank: Rank) -> dict[str, float]:
    """Arcs arrive, and are dealt by vertex at once."""
    return dealt_arcs(rank) | messages(rank, 8)


def heavy_sources(rank: Rank) -> dict[str, float]:
    """HeavySources: a place and a bit for every original of the grid column."""
    sources = rank.rows * rank.vertices
    return {"heavy sources": pages(4 * sources) + pages(sources / 8)}


def telling_rows(rank: Rank) -> dict[str, float]:
    """On one grid column owners tell each other the rows by source: those by target, their lengths
    by owner, what arrives, and a round on its way.
    """
    targets, sources = rank.searched, rank.rows * rank.searched
    arcs = pages(4 * rank.distinct_arcs)
    return {
        "arcs by target": pages(8 * targets) + arcs,
        "lengths by owner": pages(4 * sources),
        "arcs by source": pages(8 * sources) + arcs,
        "messages": pages(4 * min(TOLD_ROUND, rank.distinct_arcs)),
    }


def rank_tables(rank: Rank) -> float:
    """Of several ranks: what every rank keeps or gathers of each other one, mostly the ledger's
    bytes to and from each rank in each phase of each level (comm/ledger/ledger.hpp). One by one:
    scaling_arrays.toml.
    """
    if rank.is_alone:
        return 0.0
    of_rank = TABLE_BYTES + TABLE_THREAD_BYTES * rank.threads
    return float(of_rank * rank.rows * rank.cols)
