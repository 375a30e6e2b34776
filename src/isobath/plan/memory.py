# SPDX-License-Identifier: Apache-2.0
"""Memory of a run before it is started: the sum of the ranks' peaks, by what is alive at once.

The terms follow the arrays of the engine (engine/generator, engine/graph, engine/bfs, engine/sssp,
engine/validate). Only what no array explains is measured, by benchmarks/plan_accuracy.py. For plans
other than hybrid it is a bound: what a level sends depends on the graph.
"""

from dataclasses import dataclass
from functools import partial
from math import log2

from isobath.plan.graph_facts import GraphFacts, expected_facts
from isobath.plan.grid_numbers import GridNumbers
from isobath.plan.hub_arrays import (
    dealt_parents,
    families,
    hub_arcs,
    hub_sources,
    hubs_told,
    kept_hubs,
)
from isobath.plan.list_copy import add_list_copy
from isobath.plan.path_memory import PathMemory, path_memory
from isobath.plan.process_memory import process_bytes
from isobath.plan.rank_arrays import (
    HUGE_PAGE,
    LINE_BYTES,
    Rank,
    arcs_and_room,
    blocks_of_arcs,
    by_vertex,
    codes_of_rows,
    dealt_arcs,
    delivering,
    edges_in_round,
    grid_codes,
    heavy_sources,
    messages,
    num_ranges,
    numbering,
    pages,
    ranges_of,
    rank_tables,
    row_starts,
    starts,
    telling_rows,
    told_at_a_time,
    with_arcs,
)
from isobath.plan.search_plans import HYBRID, PATH_PLANS, REPLICATED
from isobath.units import Bytes

THREAD_BYTES = 1.0e6
"""A thread's stack and its heap of small pieces."""

NARROW_SCALE, NARROW_EDGE_BYTES = 28, 7
"""The largest whose edges are kept in 7 bytes (generator/narrow_edges.hpp)."""

MOST_LIKELY = 1 << 31
"""Vertices whose likely parents have numbers of 31 bits (graph/likely_parents.cpp)."""

COLUMN_ARCS = 1 << 25
"""Arcs of hypersparse columns that are dealt at a time (graph/rows_by_source.hpp)."""

CHUNK_QUESTIONS, CHUNK_QUESTIONS_OF_RANK, MOST_CHUNK_QUESTIONS = 1 << 18, 16, 1 << 20
"""Questions of one chunk in validation, at least, for each rank where ranks are many, and at the
most (validate/exchange_limits.hpp)."""

PAIRS_AT_ONCE = 1 << 22
"""Pairs that the construction check holds at once, at least (validate/distinct_edges.cpp)."""

FEWEST_LONG_PASSES, MOST_LONG_PASSES = 8, 64
"""How often it goes through a long list: on few ranks, and where they are many; half as often as
there are ranks between."""

BYTES_OF_ARC = 16
BYTES_OF_RECORD = 24
"""Of plans as published: an arc on its way to its rank; a target with its parent in its longest
form, that of one-sided communication played by alltoallv."""

PENDING_BYTES, PENDING_LESS = 770, 125
"""What MPICH keeps until the fence of every accumulate of one-sided, per tuple of a whole search:
770 bytes with 2^22 edges, and less for either doubling up to 2^24, whose fullest level has a
smaller share of the tuples (measured at scales 18 and 20 on 2, 4, 8 and 16 ranks)."""

DEGREE_CLASSES = 6
"""The numbering's (graph/numbering.hpp)."""


@dataclass(frozen=True)
class MemoryEstimate:
    """Bytes of all ranks together, by moment; the largest moment is the peak."""

    facts: GraphFacts
    moments: dict[str, dict[str, float]]
    """what is alive, by name, at each moment"""
    edge_file_bytes: Bytes
    """on disk with edges in a file, else 0"""
    copies_list: bool = False
    """the validator keeps a copy of the edges"""

    @property
    def moment(self) -> str:
        """When the peak is reached."""
        return max(self.moments, key=lambda name: sum(self.moments[name].values()))

    @property
    def peak_bytes(self) -> Bytes:
        """Sum of the ranks' peaks."""
        return int(sum(self.moments[self.moment].values()))


def estimate_memory(
    scale: int,
    *,
    rows: int = 1,
    cols: int = 1,
    threads: int = 1,
    edges: str = "memory",
    edgefactor: int = 16,
    validation: bool = True,
    construction_check: bool = False,
    plan: str = HYBRID,
    copies_list: bool = False,
    kernel: str = "bfs",
    sssp_plan: str = PATH_PLANS[0],
) -> MemoryEstimate:
    """Expected peak of a run on a ``rows`` x ``cols`` grid with ``threads`` threads per rank."""
    facts = expected_facts(scale, edgefactor)
    ranks = rows * cols
    grid_numbers = GridNumbers(rows, cols, edgefactor, plan, kernel, sssp_plan)
    rank = Rank(
        rows=rows,
        cols=cols,
        threads=threads,
        vertices=facts.num_vertices / ranks,
        edges=facts.num_edges / ranks,
        searched=facts.searched_vertices / ranks,
        leaves=facts.leaves / ranks,
        arcs=2 * max(0.0, facts.num_edges - facts.leaves) / ranks,
        distinct_arcs=facts.stored_arcs / ranks,
        has_wide_positions=grid_numbers.are_wide(scale),
    )
    has_paths_by_place = kernel != "bfs" and sssp_plan == "delta-stepping"
    if cols > 1 and (plan == HYBRID or has_paths_by_place):
        rank = with_arcs(rank, scale, edgefactor)
    kept = {
        "process": process_bytes(ranks, has_grid=kernel != "sssp" or sssp_plan != "landmark"),
        "threads": THREAD_BYTES * threads,
        "tables of ranks": rank_tables(rank),
    }
    if edges == "memory":
        kept["edges"] = _edges_in_memory(scale, rank.edges)
        kept["weights"] = 0.0 if kernel == "bfs" else pages(4 * rank.edges)
    alive_at: dict[str, dict[str, float]] = {}
    if kernel != "sssp":
        moments_of = _moments if plan == HYBRID else partial(_published_moments, plan=plan)
        alive_at = moments_of(rank, validation=validation, construction_check=construction_check)
    if kernel != "bfs":
        connected = facts.connected_vertices / ranks
        paths = path_memory(rank, sssp_plan, scale, connected)
        alive_at = _with_paths(rank, alive_at, paths, validation=validation)
    if copies_list:
        add_list_copy(alive_at, facts, rank)
    moments = {name: kept | alive for name, alive in alive_at.items()}
    return MemoryEstimate(
        facts,
        {
            moment: {name: ranks * size for name, size in alive.items()}
            for moment, alive in moments.items()
        },
        (wide_edge_bytes(scale) + (0 if kernel == "bfs" else 4)) * facts.num_edges
        if edges == "file"
        else 0,
        copies_list,
    )


def fits(estimate: MemoryEstimate, available_bytes: Bytes, *, reserve: float = 0.05) -> bool:
    """Whether the peak leaves a part of the available memory free."""
    return estimate.peak_bytes <= available_bytes * (1 - reserve)


def wide_edge_bytes(scale: int) -> int:
    """Of an edge whose ends have 32 bits, or 48 (generator/compact_edge.hpp)."""
    return 8 if scale <= 32 else 12


def _edges_in_memory(scale: int, edges: float) -> float:
    """Ends of 28 bits are kept in three arrays (generator/narrow_edges.hpp)."""
    if scale <= NARROW_SCALE:
        return sum(pages(width * edges) for width in (4, 2, 1))
    return pages(wide_edge_bytes(scale) * edges)


def _with_paths(
    rank: Rank, bfs: dict[str, dict[str, float]], paths: PathMemory, *, validation: bool
) -> dict[str, dict[str, float]]:
    """Moments of both kernels. Both graphs are constructed before anything is searched."""
    searched = bfs.get("searching", {})
    moments = {
        name: alive | (_of_paths(paths.searching) if name in ("searching", "validating") else {})
        for name, alive in bfs.items()
    }
    for moment, alive in paths.construction.items():
        moments[f"shortest paths: {moment}"] = searched | _of_paths(alive)
    resident = searched | _of_paths(paths.searching)
    moments["shortest paths: searching"] = resident
    if validation:
        moments["shortest paths: validating"] = resident | _validation(rank)
    return moments


def _of_paths(alive: dict[str, float]) -> dict[str, float]:
    """By names that those of breadth-first search do not have."""
    return {f"shortest paths: {name}": size for name, size in alive.items()}


def _moments(
    rank: Rank, *, validation: bool, construction_check: bool
) -> dict[str, dict[str, float]]:
    """What one rank holds at each moment beside its edges."""
    numbered = numbering(rank) | families(rank)
    kept = numbered | _column_originals(rank)  # once columns are laid
    kept |= families(rank, told=True)
    searching = kept | _rows(rank) | kept_hubs(rank) | _search_state(rank)
    end_points = {"end points": pages(8 * rank.vertices)}
    codes: dict[str, float] = {} if rank.is_alone else {"codes of the grid": grid_codes(rank)}
    dealt = by_vertex(rank)
    begins = row_starts(rank)
    moments: dict[str, dict[str, float]] = (
        {} if rank.is_alone else {"delivering arcs": delivering(rank)}
    )
    moments["counting"] = (dealt_arcs(rank) if rank.is_alone else dealt) | end_points
    if not rank.has_complete_rows:  # and a piece on its way each way
        moments["counting"]["end points"] += 2 * pages(8 * told_at_a_time(rank))
    # before leaves have their neighbours
    numbers = {name: size for name, size in numbered.items() if name != "leaves"}
    sources = heavy_sources(rank) if rank.has_complete_rows else hub_sources(rank)
    told = hubs_told(rank)
    moments["finding families"] = numbers | dealt | end_points | sources | told
    moments["numbering"] = numbered | codes | dealt | end_points | told
    moments["sorting arcs"] = numbered | codes | dealt | begins | _sorted_ranges(rank) | told
    moments["laying rows"] = numbered | codes_of_rows(rank) | _laid_rows(rank) | begins | told
    if rank.has_complete_rows and not rank.is_alone:
        moments["telling rows by source"] = numbered | telling_rows(rank)
    if not rank.has_complete_rows:
        moments["transposing arcs"] = numbered | _transposing(rank) | told
        moments["keeping hubs"] = kept | _rows(rank) | kept_hubs(rank) | hub_arcs(rank)
    moments["searching"] = searching | _proposals(rank)
    if construction_check:
        moments["looking arcs up"] = searching | _arc_check(rank)
        moments["counting distinct edges"] = searching | _distinct_edges(rank)
    if validation:
        moments["validating"] = searching | _validation(rank)
    return moments


def _column_originals(rank: Rank) -> dict[str, float]:
    """ColumnOriginals: 32 bits of each, and 8 more of wide ones."""
    highs = pages(rank.col_entries) if rank.has_wide_positions else 0.0
    return {"column originals": pages(4 * rank.col_entries) + highs}


def _published_moments(
    rank: Rank, *, plan: str, validation: bool, construction_check: bool
) -> dict[str, dict[str, float]]:
    """The same for a plan as published, at the most: its own numbering, duplicates kept."""
    graph = _published_rows(rank)
    arrived = {"arcs as they arrived": pages(BYTES_OF_ARC * 2 * rank.edges)} | messages(rank, 16)
    searching = graph | _published_search(rank, plan)
    moments = {
        "delivering arcs": arrived,
        "sorting arcs": graph | arrived,
        "searching": searching,
    }
    if construction_check:
        moments["looking arcs up"] = searching | messages(rank, 32)
        moments["counting distinct edges"] = searching | _distinct_edges(rank)
    if validation:
        moments["validating"] = searching | _validation(rank)
    return moments


def _published_rows(rank: Rank) -> dict[str, float]:
    """Rows with duplicates: 64-bit offsets, 4-byte neighbours; both directions on several ranks."""
    ranks = rank.rows * rank.cols
    ways = (rank.rows,) if rank.is_alone else (rank.rows, rank.cols)
    vertices = ranks * rank.vertices
    return {"rows": sum(pages(8 * vertices / w) + pages(4 * 2 * rank.edges) for w in ways)}


def _published_search(rank: Rank, plan: str) -> dict[str, float]:
    """Bitmaps, parents, and what fold sends and receives where every arc of a level is a tuple."""
    line = rank.vertices * max(rank.rows, rank.cols)
    state = {"bitmaps": 4 * line / 8, "parents": 2 * pages(8 * rank.vertices)}
    if plan in REPLICATED or rank.cols == 1:
        return state
    tuples = 2 * rank.edges * (rank.cols - 1) / rank.cols
    if plan == "one-sided":
        doublings = min(max(log2(rank.edges * rank.cols) - 22, 0), 2)
        return state | {"fold": (PENDING_BYTES - PENDING_LESS * doublings) * tuples}
    return state | {"fold": 2 * BYTES_OF_RECORD * tuples}


def _sorted_ranges(rank: Rank) -> dict[str, float]:
    """Every thread sorts a range of vertices at a time."""
    ranges = ranges_of(rank)
    arcs, targets = 2 * rank.edges / ranges, rank.cols * rank.vertices / ranges
    return {"ranges": rank.threads * (pages(4 * arcs) + 12 * targets)}


def _laid_rows(rank: Rank) -> dict[str, float]:
    """Sorted rows go to their places. What they leave is given back, on one rank; on several it
    goes to the rows by source."""
    arcs = {"arcs by vertex": pages(4 * arcs_and_room(rank))} | blocks_of_arcs(rank)
    if rank.is_alone:
        return arcs | _first_rows(rank, DEGREE_CLASSES)
    return arcs | {"arcs by target": pages(4 * rank.distinct_arcs)}


def _first_rows(rank: Rank, places: int) -> dict[str, float]:
    """Pages of rows that are open before one of what they are made from is given back.

    Args: places is where every thread writes at once: ranges are laid in original order, into rows
    of all degree classes; columns are filled one after the other.
    """
    open_pages = HUGE_PAGE * places * rank.threads
    return {"first rows": float(min(open_pages, pages(4 * rank.distinct_arcs)))}


def _transposing(rank: Rank) -> dict[str, float]:
    """On several grid columns the rows by source are made from those by target."""
    targets, sources = rank.cols * rank.searched, rank.rows * rank.searched
    rows = rank.rows_with_arc if rank.has_few_rows else targets
    cols = rank.cols_with_arc if rank.has_few_cols else sources
    existing = (targets if rank.has_few_rows else 0) + (sources if rank.has_few_cols else 0)
    arcs = {
        "arcs by target": starts(rows, are_few=rank.has_few_rows) + pages(4 * rank.distinct_arcs),
        "row starts": starts(cols, are_few=rank.has_few_cols),
        "rows that exist": 3 / 16 * existing,
    }
    counters = 4 * sources * rank.threads
    if not rank.has_few_cols and counters <= rank.distinct_arcs < 1 << 32:
        counted = rank.threads * pages(4 * sources)
        return arcs | {"arcs by source": pages(4 * rank.distinct_arcs), "columns counted": counted}
    # hypersparse columns are dealt a range after the other, into rows that are there beside them
    dealt = min(rank.distinct_arcs, COLUMN_ARCS) if rank.has_few_cols else rank.distinct_arcs
    by_column = {"arcs by column": pages(4 * dealt) + pages(2 * dealt)}
    if rank.has_few_cols:
        by_column["arcs by source"] = pages(4 * rank.distinct_arcs)
    ranges = num_ranges(sources * dealt / rank.distinct_arcs, rank.threads)
    lines = float(LINE_BYTES * rank.threads * ranges)
    return arcs | by_column | {"open lines": lines} | _first_rows(rank, 1)


def _rows(rank: Rank) -> dict[str, float]:
    """The searched graph: rows by target (by source too on more than one rank), and the planes."""
    arcs = starts(rank.row_entries, are_few=rank.has_hypersparse_rows)
    arcs += pages(4 * rank.distinct_arcs)
    if not rank.is_alone:
        arcs += starts(rank.col_entries, are_few=rank.has_hypersparse_cols)
        arcs += pages(4 * rank.distinct_arcs)
    planes = 0.0 if rank.has_hypersparse_rows else 4 * pages(4 * rank.row_entries)
    return {"rows": arcs, "planes": planes}


def _search_state(rank: Rank) -> dict[str, float]:
    """Parts of GridSearch: bitmaps, frontier, parents."""
    bits = rank.searched / 8
    # one column: a copy for each thread; several: halves on their way, followers, and four bitmaps
    # of rows, of hypersparse ones two, one with counts of words; of such columns one with counts
    of_rows = 2.5 if rank.has_hypersparse_rows else 4
    copies = 2 + rank.threads if rank.has_complete_rows else 3 + of_rows * rank.cols
    copies += 1.5 * rank.rows if rank.has_hypersparse_cols else 0
    # the ring lists hypersparse rows of half a piece, and their parents
    lists = 8 * rank.rows_with_arc / (2 * rank.cols) if rank.has_hypersparse_rows else 0.0
    of_all_rows = 0.0 if rank.has_hypersparse_rows else pages(4 * rank.row_entries)
    parents = of_all_rows + pages(8 * rank.vertices)
    parents += pages(4 * rank.vertices if rank.has_complete_rows else 8 * rank.searched)
    is_likely = rank.vertices * rank.rows * rank.cols <= MOST_LIKELY
    if not rank.has_complete_rows and is_likely:  # the first kept hubs
        parents += pages(4 * rank.vertices)
    if rank.has_complete_rows or is_likely:
        parents += dealt_parents(rank)
    return {
        "bitmaps": (2 + copies + rank.rows) * bits,
        "lists of the ring": lists,
        "frontier": pages(4 * rank.searched),
        "parents": parents,
    }


def _proposals(rank: Rank) -> dict[str, float]:
    """Found parents on their way to their owners: collected, grouped, and received."""
    return {"proposals": 0.0 if rank.has_complete_rows else 3 * 8 * rank.searched}


def _arc_check(rank: Rank) -> dict[str, float]:
    """check_arcs: codes of the grid, a bit for each arc, on several ranks questions on the way."""
    checked = {
        "codes of the grid": grid_codes(rank),
        "arcs met": (rank.distinct_arcs + rank.leaves) / 8,
    }
    if rank.is_alone:
        return checked
    question = 40 if rank.has_wide_positions else 32
    edges = edges_in_round(rank, question)
    return checked | {"messages": pages(16 * edges) + 2 * pages(question * 4 * edges)}


def _distinct_edges(rank: Rank) -> dict[str, float]:
    """count_distinct_edges: the pairs of one pass, in growing vectors."""
    most = min(max(rank.rows * rank.cols // 2, FEWEST_LONG_PASSES), MOST_LONG_PASSES)
    passes = max(1, int(rank.edges / max(PAIRS_AT_ONCE, rank.edges / most)))
    chunk = (1.5 if rank.is_alone else 3) * 16 * chunk_questions(rank.rows * rank.cols)
    return {"pairs": 1.5 * 16 * rank.edges / passes + chunk}


def chunk_questions(ranks: float) -> int:
    """Questions of one chunk in validation."""
    return min(MOST_CHUNK_QUESTIONS, max(CHUNK_QUESTIONS, CHUNK_QUESTIONS_OF_RANK * int(ranks)))


def _validation(rank: Rank) -> dict[str, float]:
    """BfsValidator: levels of the own vertices; facts of edges, all or a chunk with questions."""
    levels = {"levels": pages(rank.vertices) + pages(4 * rank.vertices) + rank.vertices / 8}
    if rank.is_alone:
        return levels
    vertices = rank.rows * rank.cols * rank.vertices
    if vertices <= rank.edges:  # gathered: validate/gathered_vertices.hpp
        return levels | {"facts of all vertices": pages(vertices) + pages(4 * vertices)}
    questions = chunk_questions(rank.rows * rank.cols)
    chunk = 4 * 4 * questions + 2 * pages(16 * questions / 2) + 4 * questions
    return levels | {"chunk": chunk}
