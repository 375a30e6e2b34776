# SPDX-License-Identifier: Apache-2.0
"""Memory of a run before it is started: the sum of the ranks' peaks, by what is alive at once.

The terms follow the arrays of the engine (engine/generator, engine/graph, engine/bfs,
engine/validate). Only what no array explains is measured, by benchmarks/plan_accuracy.py. For plans
other than hybrid it is a bound: what a level sends depends on the graph.
"""

from dataclasses import dataclass
from math import ceil, log2

from isobath.plan.graph_facts import GraphFacts, expected_facts
from isobath.plan.search_plans import HYBRID, REPLICATED
from isobath.units import Bytes

ALONE_BYTES = 20.5e6
"""Resident memory of a single rank before it has a graph: program and libraries."""

TOGETHER_BYTES = 22.5e6
"""The same of one rank of several, with MPI ..."""

DOUBLING_BYTES = 2.95e6
"""... and its connections, whose number grows with the logarithm of the ranks: 25.4 MB on 2, 28.2
on 4, 30.5 on 6, 35.4 on 16, 36.9 on 32 (scale 10, MPICH 5.0.2)."""

THREAD_BYTES = 1.0e6
"""A thread's stack and its heap of small pieces."""

HUGE_PAGE = 2 << 20
SMALL_PAGE = 4096
ROUND_EDGES = 1 << 18
"""Edges of one round of messages between ranks (graph/rounds.hpp)."""

NARROW_SCALE = 28
"""The largest whose edges are kept in 7 bytes (generator/narrow_edges.hpp)."""

CHUNK_QUESTIONS = 1 << 18
"""Questions of one chunk in validation, where ranks are few (validate/owner_exchange.cpp)."""

PAIRS_AT_ONCE = 1 << 22
"""Pairs that the construction check holds at once, at least (validate/distinct_edges.cpp)."""

DEALT_ENDPOINTS = 1 << 16
"""End points that a thread deals to others before they are counted (graph/owned_updates.hpp)."""

BYTES_OF_ARC = 16
BYTES_OF_RECORD = 24
"""Of plans as published: an arc on its way to its rank; a target with its parent in its longest
form, that of one-sided communication played by alltoallv."""

PENDING_BYTES, PENDING_LESS = 770, 125
"""What MPICH keeps until the fence of every accumulate of one-sided, per tuple of a whole search:
770 bytes with 2^22 edges, and less for either doubling up to 2^24, whose fullest level has a
smaller share of the tuples (measured at scales 18 and 20 on 2, 4, 8 and 16 ranks)."""

BUCKETS = 512
"""Ranges of rows that arcs are dealt into (graph/arc_buckets.cpp)."""

MOST_RANGES, LINE_BYTES = 2048, 128
"""Ranges of vertices that one rank deals its arcs into, and a thread's open line of each
(graph/original_arcs.cpp)."""

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

    @property
    def moment(self) -> str:
        """When the peak is reached."""
        return max(self.moments, key=lambda name: sum(self.moments[name].values()))

    @property
    def peak_bytes(self) -> Bytes:
        """Sum of the ranks' peaks."""
        return int(sum(self.moments[self.moment].values()))


@dataclass(frozen=True)
class _Rank:
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

    @property
    def is_alone(self) -> bool:
        return self.rows * self.cols == 1

    @property
    def has_complete_rows(self) -> bool:
        return self.cols == 1


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
) -> MemoryEstimate:
    """Expected peak of a run on a ``rows`` x ``cols`` grid with ``threads`` threads per rank."""
    facts = expected_facts(scale, edgefactor)
    ranks = rows * cols
    rank = _Rank(
        rows=rows,
        cols=cols,
        threads=threads,
        vertices=facts.num_vertices / ranks,
        edges=facts.num_edges / ranks,
        searched=facts.searched_vertices / ranks,
        leaves=facts.leaves / ranks,
        arcs=2 * max(0.0, facts.num_edges - facts.leaves) / ranks,
        distinct_arcs=facts.stored_arcs / ranks,
    )
    kept = {
        "process": ALONE_BYTES if ranks == 1 else TOGETHER_BYTES + DOUBLING_BYTES * log2(ranks),
        "threads": THREAD_BYTES * threads,
    }
    if edges == "memory":
        kept["edges"] = _edges_in_memory(scale, rank.edges)
    if plan == HYBRID:
        alive_at = _moments(rank, validation=validation, construction_check=construction_check)
    else:
        alive_at = _published_moments(
            rank, plan, validation=validation, construction_check=construction_check
        )
    moments = {name: kept | alive for name, alive in alive_at.items()}
    return MemoryEstimate(
        facts,
        {
            moment: {name: ranks * size for name, size in alive.items()}
            for moment, alive in moments.items()
        },
        _wide_bytes(scale) * facts.num_edges if edges == "file" else 0,
    )


def fits(estimate: MemoryEstimate, available_bytes: Bytes, *, reserve: float = 0.05) -> bool:
    """Whether the peak leaves a part of the available memory free."""
    return estimate.peak_bytes <= available_bytes * (1 - reserve)


def _wide_bytes(scale: int) -> int:
    """Of an edge whose ends have 32 bits, or 48 (generator/compact_edge.hpp)."""
    return 8 if scale <= 32 else 12


def _edges_in_memory(scale: int, edges: float) -> float:
    """Ends of 28 bits are kept in three arrays (generator/narrow_edges.hpp)."""
    if scale <= NARROW_SCALE:
        return sum(_pages(width * edges) for width in (4, 2, 1))
    return _pages(_wide_bytes(scale) * edges)


def _moments(
    rank: _Rank, *, validation: bool, construction_check: bool
) -> dict[str, dict[str, float]]:
    """What one rank holds at each moment beside its edges."""
    numbering = _numbering(rank)
    searching = numbering | _rows(rank) | _search_state(rank)
    end_points = {"end points": _pages(8 * rank.vertices)}
    if rank.is_alone:
        dealt = _dealt_arcs(rank)
        starts = {"row starts": _pages(8 * rank.searched)}
        moments = {
            "counting": dealt | end_points,
            "numbering": numbering | dealt | end_points,
            "sorting arcs": numbering | dealt | starts | _sorted_ranges(rank),
            "laying rows": numbering | _laid_rows(rank) | starts,
        }
    else:
        moments = {"counting": end_points | _dealt(rank) | _messages(rank, 16)}
        codes = {"codes of the grid": 4 * rank.vertices * (rank.rows + rank.cols)}
        arrived = {"arcs as they arrived": _pages(8 * rank.arcs)}
        moments["delivering arcs"] = numbering | codes | arrived | _messages(rank, 8)
        moments["sorting arcs"] = numbering | arrived | _sorting(rank) | _first_rows(rank)
        moments["transposing arcs"] = numbering | _transposing(rank) | _first_rows(rank)
    moments["searching"] = searching | _proposals(rank)
    if construction_check:
        moments["looking arcs up"] = searching | _arc_check(rank)
        moments["counting distinct edges"] = searching | _distinct_edges(rank)
    if validation:
        moments["validating"] = searching | _validation(rank)
    return moments


def _published_moments(
    rank: _Rank, plan: str, *, validation: bool, construction_check: bool
) -> dict[str, dict[str, float]]:
    """The same for a plan as published, at the most: its own numbering, duplicates kept."""
    graph = _published_rows(rank)
    arrived = {"arcs as they arrived": _pages(BYTES_OF_ARC * 2 * rank.edges)} | _messages(rank, 16)
    searching = graph | _published_search(rank, plan)
    moments = {
        "delivering arcs": arrived,
        "sorting arcs": graph | arrived,
        "searching": searching,
    }
    if construction_check:
        moments["looking arcs up"] = searching | _messages(rank, 32)
        moments["counting distinct edges"] = searching | _distinct_edges(rank)
    if validation:
        moments["validating"] = searching | _validation(rank)
    return moments


def _published_rows(rank: _Rank) -> dict[str, float]:
    """Rows with duplicates: 64-bit offsets, 4-byte neighbours; both directions on several ranks."""
    ranks = rank.rows * rank.cols
    ways = (rank.rows,) if rank.is_alone else (rank.rows, rank.cols)
    vertices = ranks * rank.vertices
    return {"rows": sum(_pages(8 * vertices / w) + _pages(4 * 2 * rank.edges) for w in ways)}


def _published_search(rank: _Rank, plan: str) -> dict[str, float]:
    """Bitmaps, parents, and what fold sends and receives where every arc of a level is a tuple."""
    line = rank.vertices * max(rank.rows, rank.cols)
    state = {"bitmaps": 4 * line / 8, "parents": 2 * _pages(8 * rank.vertices)}
    if plan in REPLICATED or rank.cols == 1:
        return state
    tuples = 2 * rank.edges * (rank.cols - 1) / rank.cols
    if plan == "one-sided":
        doublings = min(max(log2(rank.edges * rank.cols) - 22, 0), 2)
        return state | {"fold": (PENDING_BYTES - PENDING_LESS * doublings) * tuples}
    return state | {"fold": 2 * BYTES_OF_RECORD * tuples}


def _pages(size: float) -> float:
    """An array of its own, on whole pages: huge ones where it fills one."""
    page = HUGE_PAGE if size >= HUGE_PAGE else SMALL_PAGE
    return float(ceil(size / page) * page)


def _dealt(rank: _Rank) -> dict[str, float]:
    """OwnedUpdates: end points on their way to the thread that counts them, in growing vectors."""
    items = min(DEALT_ENDPOINTS * rank.threads, 2 * rank.edges)
    return {"dealt end points": 16.0 * items}


def _messages(rank: _Rank, message_bytes: int) -> dict[str, float]:
    """exchange_rounds: the edges of a round, two messages for each on the way out, as many in."""
    edges = min(ROUND_EDGES, rank.edges)
    return {"messages": _pages(16 * edges) + 2 * _pages(message_bytes * 2 * edges)}


def _numbering(rank: _Rank) -> dict[str, float]:
    """Numbering, column originals and leaves; they stay to the end."""
    of_leaf = 12 + (8 if rank.has_complete_rows else 0)
    return {
        "codes": _pages(4 * rank.vertices),
        "numbering": 2 * _pages(4 * rank.searched) + _pages(4 * rank.leaves),
        "masks": _pages(rank.vertices * 12 / 16),
        "column originals": _pages(4 * rank.rows * rank.searched),
        "leaves": of_leaf * rank.leaves,
    }


def _dealt_arcs(rank: _Rank) -> dict[str, float]:
    """OriginalArcs: 6 bytes an arc, duplicates included, and the open lines they come through."""
    arcs = 2 * rank.edges
    ranges = min(MOST_RANGES, rank.vertices)
    return {
        "arcs by vertex": _pages(4 * arcs) + _pages(2 * arcs),
        "open lines": float(LINE_BYTES * ranges * rank.threads),
    }


def _sorted_ranges(rank: _Rank) -> dict[str, float]:
    """Every thread sorts a range of vertices at a time."""
    return {"ranges": rank.threads * _pages(4 * 2 * rank.edges / min(MOST_RANGES, rank.vertices))}


def _laid_rows(rank: _Rank) -> dict[str, float]:
    """Sorted rows, where the arcs were, go to their places; what they leave is given back."""
    return {"arcs by vertex": _pages(4 * 2 * rank.edges)} | _first_rows(rank)


def _first_rows(rank: _Rank) -> dict[str, float]:
    """Pages of rows that are open before one of what they are made from is given back.

    On one rank every thread writes rows of five classes at once.
    """
    pages = (DEGREE_CLASSES if rank.is_alone else 1) * rank.threads
    return {"first rows": float(min(HUGE_PAGE * pages, _pages(4 * rank.distinct_arcs)))}


def _sorting(rank: _Rank) -> dict[str, float]:
    """Arcs that arrived go into buckets.

    What they leave is given back, but every bucket has a page open: small graphs hold both whole.
    """
    in_buckets = min(_pages(8 * rank.arcs), BUCKETS * HUGE_PAGE)
    starts = rank.cols * rank.searched
    return {"arcs in buckets": in_buckets, "row starts": _pages(8 * starts) + _pages(4 * starts)}


def _transposing(rank: _Rank) -> dict[str, float]:
    """The rows by source are made from those by target."""
    targets, sources = rank.cols * rank.searched, rank.rows * rank.searched
    return {
        "arcs by target": _pages(8 * targets) + _pages(4 * rank.distinct_arcs),
        "arcs in buckets": _pages(8 * rank.distinct_arcs),
        "row starts": _pages(8 * sources) + _pages(4 * sources),
    }


def _rows(rank: _Rank) -> dict[str, float]:
    """The searched graph: rows by target (by source too on more than one rank), and the planes."""
    targets, sources = rank.cols * rank.searched, rank.rows * rank.searched
    arcs = _pages(8 * targets) + _pages(4 * rank.distinct_arcs)
    if not rank.is_alone:
        arcs += _pages(8 * sources) + _pages(4 * rank.distinct_arcs)
    planes = 4 * _pages(4 * targets)
    return {"rows": arcs, "planes": planes}


def _search_state(rank: _Rank) -> dict[str, float]:
    """GridSearch: bitmaps, frontier, parents."""
    bits = rank.searched / 8
    copies = rank.threads if rank.has_complete_rows else 5
    parents = _pages(4 * rank.cols * rank.searched) + _pages(8 * rank.vertices)
    parents += _pages(4 * rank.vertices if rank.has_complete_rows else 8 * rank.searched)
    return {
        "bitmaps": (3 + copies + rank.rows) * bits,
        "frontier": _pages(4 * rank.searched),
        "parents": parents,
    }


def _proposals(rank: _Rank) -> dict[str, float]:
    """Found parents on their way to their owners: collected, grouped, and received."""
    return {"proposals": 0.0 if rank.has_complete_rows else 3 * 8 * rank.searched}


def _arc_check(rank: _Rank) -> dict[str, float]:
    """check_arcs: codes of the grid, a bit for each arc, on several ranks questions on the way."""
    ways = 1 if rank.is_alone else 2
    checked = {
        "codes of the grid": 4 * rank.vertices * (rank.rows + rank.cols),
        "arcs met": (ways * rank.distinct_arcs + rank.leaves) / 8,
    }
    if rank.is_alone:
        return checked
    edges = min(ROUND_EDGES, rank.edges)
    return checked | {"messages": _pages(16 * edges) + 2 * _pages(32 * 4 * edges)}


def _distinct_edges(rank: _Rank) -> dict[str, float]:
    """count_distinct_edges: the pairs of one pass, in growing vectors."""
    passes = max(1, int(rank.edges / max(PAIRS_AT_ONCE, rank.edges / 8)))
    chunk = (1.5 if rank.is_alone else 3) * 16 * CHUNK_QUESTIONS
    return {"pairs": 1.5 * 16 * rank.edges / passes + chunk}


def _validation(rank: _Rank) -> dict[str, float]:
    """BfsValidator: levels of the own vertices, and one chunk of edges with its questions."""
    levels = {"levels": _pages(rank.vertices) + _pages(4 * rank.vertices) + rank.vertices / 8}
    if rank.is_alone:
        return levels
    chunk = 4 * 4 * CHUNK_QUESTIONS + 2 * _pages(16 * CHUNK_QUESTIONS / 2) + 4 * CHUNK_QUESTIONS
    return levels | {"chunk": chunk}
