# SPDX-License-Identifier: Apache-2.0
"""Sizes of one rank, and arrays that construction has for either kernel (memory.py)."""

from dataclasses import dataclass, replace
from math import ceil, inf, log, log2

HUGE_PAGE = 2 << 20
SMALL_PAGE = 4096
ROUND_EDGES, ROUND_EDGES_OF_RANK, ROUND_BYTES = 1 << 18, 32, 1 << 24
"""Edges of one round of messages between ranks, at least and for each rank where ranks are many;
then bytes of messages, one for each edge, at the most (graph/rounds.hpp)."""

DEALT_ENDPOINTS = 1 << 16
"""End points that a thread deals to others before they are counted (graph/owned_updates.hpp)."""

LINE_BYTES, WIDE_LINE_BYTES = 128, 256
"""A thread's open line of each range of targets that a rank deals its arcs into
(graph/dealt_arcs.hpp); with sources of 40 bits (graph/arriving_arcs.hpp)."""

FEW_RANGES, MOST_RANGES, THREAD_RANGES, RANGE_BITS = 256, 2048, 16, 16
"""At most FEW_RANGES ranges with few threads, THREAD_RANGES a thread with more, for each grid
column, and never above MOST_RANGES; but a range has at most 2^RANGE_BITS targets, so there are more
where that is too few (graph/target_ranges.hpp)."""

FIRST_BLOCK, SLAB_ARCS = 32, 1 << 15
"""Arcs of the first block of a range, and those that a thread takes the room of at once
(graph/arriving_arcs.hpp)."""

BLOCK_BYTES, EQUAL_BLOCKS, GROWTH = 32, 3, 1.5
"""What says where a block is; blocks of a range before they grow by half of those before."""

TOLD_TARGETS = 1 << 23
"""Targets that a rank tells another of at a time (graph/told_along_row.hpp)."""

BLOCK_STARTS = 64
"""Rows that are counted from one start of 64 bits, where they are hypersparse
(graph/compact_starts.hpp)."""

MOST_SOURCE_BITS = 1 << 29
"""Sources that have a bit each in any case (graph/source_places.hpp)."""

TOLD_ROUND = 1 << 19
"""Rows by source: neighbours of a round (graph/rows_of_owners.cpp)."""

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
    rows_met: float = inf
    cols_met: float = inf
    """the same of all originals, leaves and arcs from leaves counted"""
    has_wide_positions: bool = False
    """of originals in the grid row and column: 40 bits (docs/adr/0053)"""

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
    def has_few_codes_of_rows(self) -> bool:
        """Construction has codes of originals of the grid row that occur here alone
        (graph/hypersparse.hpp).
        """
        return 4 * self.rows_met < self.cols * self.vertices

    @property
    def has_few_codes_of_cols(self) -> bool:
        """The same of the grid column."""
        return 4 * self.cols_met < self.rows * self.vertices

    @property
    def has_few_rows(self) -> bool:
        """Before rows are laid it is known that they are hypersparse (graph/construct.cpp)."""
        return self.has_few_codes_of_rows and 2 * self.rows_met < self.cols * self.searched

    @property
    def has_few_cols(self) -> bool:
        """The same of columns."""
        return self.has_few_codes_of_cols and 2 * self.cols_met < self.rows * self.searched

    @property
    def present_rows(self) -> float:
        """Of a weighted graph: rows that occur, at the most, and the own ones, where rows are
        hypersparse (graph/present_indices.hpp).
        """
        return self.rows_met + self.searched if self.has_few_rows else self.cols * self.searched

    @property
    def present_cols(self) -> float:
        """The same by column."""
        return self.cols_met + self.searched if self.has_few_cols else self.rows * self.searched

    @property
    def row_entries(self) -> float:
        """Of arrays by row that have entries of rows with an arc alone where most have none."""
        return self.rows_with_arc if self.has_hypersparse_rows else self.cols * self.searched

    @property
    def col_entries(self) -> float:
        """The same by column."""
        return self.cols_with_arc if self.has_hypersparse_cols else self.rows * self.searched


def with_arcs(rank: Rank, scale: int, edgefactor: int) -> Rank:
    """The same, and how many of its rows and columns have an arc: vertices with a neighbour in one
    of as many equal parts of the vertices as there are grid columns, or rows. Searched ones alone,
    and all.
    """
    from isobath.costmodel.arcs import met_vertices  # NumPy, which one grid column does without

    def met(parts: int, *, searched: bool) -> float:
        return met_vertices(scale, edgefactor, 1 / parts, without_leaves=searched)

    return replace(
        rank,
        rows_with_arc=met(rank.cols, searched=True) / rank.rows,
        cols_with_arc=met(rank.rows, searched=True) / rank.cols,
        rows_met=met(rank.cols, searched=False) / rank.rows,
        cols_met=met(rank.rows, searched=False) / rank.cols,
    )


def pages(size: float) -> float:
    """An array of its own, on whole pages: huge ones where it fills one."""
    page = HUGE_PAGE if size >= HUGE_PAGE else SMALL_PAGE
    return float(ceil(size / page) * page)


def dealt(rank: Rank) -> dict[str, float]:
    """OwnedUpdates: end points on their way to the thread that counts them, in growing vectors."""
    items = min(DEALT_ENDPOINTS * rank.threads, 2 * rank.edges)
    return {"dealt end points": 16.0 * items}


def edges_of_round(ranks: float, message_bytes: int) -> int:
    """Edges of one round of messages of that many bytes."""
    most = ROUND_BYTES // message_bytes
    return max(ROUND_EDGES, min(ROUND_EDGES_OF_RANK * int(ranks), most))


def edges_in_round(rank: Rank, message_bytes: int) -> float:
    """The same where a rank may have fewer."""
    return min(edges_of_round(rank.rows * rank.cols, message_bytes), rank.edges)


def messages(rank: Rank, message_bytes: int) -> dict[str, float]:
    """exchange_rounds: the edges of a round, two messages for each on the way out; in comes what
    others send.
    """
    edges = edges_in_round(rank, message_bytes)
    sent = message_bytes * 2 * edges
    of_others = sent * (1 - 1 / (rank.rows * rank.cols))
    return {"messages": pages(16 * edges) + pages(sent) + pages(of_others)}


def numbering(rank: Rank) -> dict[str, float]:
    """Numbering and leaves; they stay to the end."""
    of_leaf = 12 + (8 if rank.has_complete_rows else 0)
    return {
        "codes": pages(4 * rank.vertices),
        "numbering": 2 * pages(4 * rank.searched) + pages(4 * rank.leaves),
        "masks": pages(rank.vertices * 12 / 16),
        "leaves": of_leaf * rank.leaves,
    }


def dealt_arcs(rank: Rank) -> dict[str, float]:
    """OriginalArcs: 6 bytes an arc, 7 with wide positions, duplicates included, and the open lines
    they come through.
    """
    return by_vertex(rank) | open_lines(rank)


def column_originals(rank: Rank) -> dict[str, float]:
    """Graph::column_original of all columns, as graphs with weights have it."""
    return {"column originals": pages(4 * rank.rows * rank.searched)}


def by_vertex(rank: Rank) -> dict[str, float]:
    """DealtArcs of the arcs of a rank, duplicates included, and on several ranks room around."""
    arcs = arcs_and_room(rank)
    highs = pages(arcs) if rank.has_wide_positions else 0.0  # of sources
    return {"arcs by vertex": pages(4 * arcs) + pages(2 * arcs) + highs} | blocks_of_arcs(rank)


def blocks_of_arcs(rank: Rank) -> dict[str, float]:
    """DealtArcs: where the parts of all ranges are. On one rank each has one."""
    return {} if rank.is_alone else {"blocks of arcs": BLOCK_BYTES * num_blocks(rank)}


def told_at_a_time(rank: Rank) -> float:
    """Own vertices that another rank of the grid row tells of at a time, and is told of."""
    return min(rank.vertices, TOLD_TARGETS)


@dataclass(frozen=True)
class Chains:
    """ArrivingArcs: chains of blocks that a rank deals its arcs into."""

    count: float
    most: int
    """arcs of the longest block"""
    grown: int
    """arcs of a chain when its blocks are as long as they get"""

    def blocks(self, arcs: float) -> float:
        """Of all chains. Three are equal, then each is half as long as those before it, until they
        are as long as they get.
        """
        of_chain = arcs / self.count if self.count else 0.0
        equal = min(EQUAL_BLOCKS, 1 + of_chain / FIRST_BLOCK)
        if of_chain <= EQUAL_BLOCKS * FIRST_BLOCK:
            return self.count * equal
        growing = log(min(of_chain, self.grown) / (EQUAL_BLOCKS * FIRST_BLOCK)) / log(GROWTH)
        return self.count * (equal + growing + max(0.0, of_chain - self.grown) / self.most)

    def unused(self, arcs: float) -> float:
        """The last block of every chain, half as long as those before, is half full."""
        if not self.count:
            return 0.0
        return self.count * min(self.most / 2, FIRST_BLOCK / 2 + arcs / self.count / 6)


def chains_of(ranges: float, threads: int) -> Chains:
    """Every thread has one for each range; but of more ranges than MOST_RANGES each has one thread,
    whose open lines are those of its own ranges.
    """
    if ranges > MOST_RANGES:
        return Chains(ranges, most=512, grown=1504)
    return Chains(threads * ranges, most=2048, grown=5056)


def num_blocks(rank: Rank) -> float:
    """ArrivingArcs: blocks of all chains."""
    return chains_of(ranges_of(rank), rank.threads).blocks(2 * rank.edges)


def arcs_and_room(rank: Rank) -> float:
    """ArrivingArcs: what no arc stands in beside the arcs; a thread's slab is half full, too. On
    one rank it is known how many arcs go where.
    """
    arcs = 2 * rank.edges
    if rank.is_alone:
        return arcs
    chains = chains_of(ranges_of(rank), rank.threads)
    return arcs + chains.unused(arcs) + rank.threads * SLAB_ARCS / 2


def open_lines(rank: Rank) -> dict[str, float]:
    """What is collected for each range before it is written: by every thread; on several ranks by
    the only one that a range has, where ranges are many.
    """
    ranges = ranges_of(rank)
    lines = rank.threads * ranges if rank.is_alone else chains_of(ranges, rank.threads).count
    line_bytes = WIDE_LINE_BYTES if rank.has_wide_positions else LINE_BYTES
    return {"open lines": float(line_bytes * lines)}


def ranges_of(rank: Rank) -> float:
    """That a rank deals its arcs into."""
    return num_ranges(rank.cols * rank.vertices, rank.threads * rank.cols)


def num_ranges(targets: float, shares: int) -> float:
    """Ranges of a power of two targets each (graph/target_ranges.hpp)."""
    most = min(max(THREAD_RANGES * shares, FEW_RANGES), MOST_RANGES)
    bits = min(max(ceil(log2(targets / most)), 0), RANGE_BITS) if targets else 0
    return targets / float(1 << bits)


def _codes(all_originals: float, met: float, *, are_few: bool) -> float:
    """GridCodes of a grid row or column: of all originals; or of those that occur, and which."""
    return members(all_originals, met) + pages(4 * met) if are_few else pages(4 * all_originals)


def members(among: float, count: float) -> float:
    """A set of few of many, by blocks (base/sparse_members.hpp)."""
    return among / 64 + count


def _codes_of_rows(rank: Rank) -> float:
    return _codes(rank.cols * rank.vertices, rank.rows_met, are_few=rank.has_few_codes_of_rows)


def grid_codes(rank: Rank) -> float:
    """Numbers of the originals of a grid row and of a grid column."""
    cols = _codes(rank.rows * rank.vertices, rank.cols_met, are_few=rank.has_few_codes_of_cols)
    return _codes_of_rows(rank) + cols


def codes_of_rows(rank: Rank) -> dict[str, float]:
    """Those of a grid row; those of the column are given back by then."""
    return {} if rank.is_alone else {"codes of the grid row": _codes_of_rows(rank)}


def row_starts(rank: Rank) -> dict[str, float]:
    """While rows are sorted and laid: of all, or of those that may have an arc; then of all a bit,
    and a count for each word of them.
    """
    rows = rank.cols * rank.searched
    if rank.has_few_rows:
        may_exist = {"rows that may exist": 3 / 16 * rows}
        return {"row starts": starts(rank.rows_met, are_few=True)} | may_exist
    return {"row starts": starts(rows, are_few=False)}


def starts(rows: float, *, are_few: bool) -> float:
    """Of all rows, or columns, 8 bytes each; of hypersparse ones 4, and 8 for each block of them
    (graph/compact_starts.hpp).
    """
    return pages(4 * rows) + pages(8 * rows / BLOCK_STARTS) if are_few else pages(8 * rows)


def present_indices(rank: Rank) -> dict[str, float]:
    """PresentIndices of hypersparse rows and columns: a bit for each, a count for each word of them
    and a word for every 256 that are present.
    """
    rows = 3 / 16 * rank.cols * rank.searched + 4 * rank.present_rows / 256
    cols = 3 / 16 * rank.rows * rank.searched + 4 * rank.present_cols / 256
    few = (rows if rank.has_few_rows else 0) + (cols if rank.has_few_cols else 0)
    return {"rows and columns present": few} if few else {}


def delivering(rank: Rank) -> dict[str, float]:
    """Arcs arrive, and are dealt by vertex at once. At the end the list of blocks
    stands twice."""
    blocks = {"blocks of arcs": 2 * BLOCK_BYTES * num_blocks(rank)}
    return dealt_arcs(rank) | blocks | messages(rank, 12 if rank.has_wide_positions else 8)


def heavy_sources(rank: Rank) -> dict[str, float]:
    """Places of the first heavy neighbours of own originals; which originals of the grid column
    are heavy. Of those there are few: they are left out.
    """
    few = source_places(rank.rows * rank.vertices, 0)
    return {"heavy sources": pages(4 * rank.vertices) + few}


def source_places(sources: float, placed: float) -> float:
    """SourcePlaces, without the places: a bit for every source, and a count for each word of them;
    where sources are many and few have a place, these by blocks.
    """
    are_few = sources > MOST_SOURCE_BITS and 64 * placed < sources
    return members(sources, placed) if are_few else 3 / 16 * sources


def telling_rows(rank: Rank) -> dict[str, float]:
    """On one grid column owners tell each other the rows by source: those by target, their lengths
    by owner, what arrives; lengths, and then a round of neighbours, on their way.
    """
    targets, sources = rank.searched, rank.rows * rank.searched
    arcs = pages(4 * rank.distinct_arcs)
    round_of_arcs = pages(4 * min(TOLD_ROUND, rank.distinct_arcs))
    return {
        "arcs by target": pages(8 * targets) + arcs,
        "lengths by owner": pages(4 * sources),
        "arcs by source": pages(8 * sources) + arcs,
        "messages": max(pages(4 * sources), round_of_arcs),
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
