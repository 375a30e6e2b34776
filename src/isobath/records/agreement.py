# SPDX-License-Identifier: Apache-2.0
"""What records of one file say of each other: nothing stands twice, and totals are those of their
parts. A seal only tells that a file is the one that was hashed; this tells a file that was put
together from lines of a good one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import isclose
from typing import TypeAlias

from isobath.records.collective import LaunchRecord
from isobath.records.communication import CallsRecord
from isobath.records.construction import ConstructionRecord
from isobath.records.ending import FinishRecord
from isobath.records.record import Record
from isobath.records.run import RunRecord
from isobath.records.search import LevelRecord, RoundRecord, SearchRecord
from isobath.records.search_keys import first_not_drawn, kronecker_candidates, uniform_candidates
from isobath.units import Seconds

Numbered: TypeAlias = tuple[int, Record]
"""A record and its line."""

EXACTLY = 1e-9
"""relative: what was computed from numbers that were written with all their digits"""


def disagreement(rows: Sequence[Numbered]) -> tuple[int, str] | None:
    """The first line that others contradict, and how; None where all agree."""
    return next(_disagreements(rows), None)


def _disagreements(rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    yield from _of_one_run(rows)
    yield from _named_twice(rows)
    run = next((row for _, row in rows if isinstance(row, RunRecord)), None)
    if run is not None:
        yield from _of_searches(run, rows)
        yield from _of_parts(rows)
        yield from _of_graph(run, rows)
        yield from _of_finish(run, rows)
        yield from _of_drawn_keys(run, rows)


def _of_one_run(rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    for line, row in rows:
        if row.run_id != rows[0][1].run_id:
            yield line, f"its run_id is another than that of line {rows[0][0]}"


def _name_of(row: Record) -> tuple[object, ...] | None:
    """What no other record of the file may be called; None where that is not told by a name."""
    match row:
        case RunRecord() | LaunchRecord() | FinishRecord():
            return (type(row),)
        case ConstructionRecord():
            return (type(row), row.kernel)
        case SearchRecord() if not row.warmup:
            return (type(row), row.kernel, row.index)
        case CallsRecord():
            return (type(row), row.kernel, row.search)
    order = getattr(row, "order", None)  # of what benchmarks measure, by their place in the launch
    return None if order is None else (type(row), order)


def _named_twice(rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    seen: dict[tuple[object, ...], int] = {}
    for line, row in rows:
        name = _name_of(row)
        if name is not None and name in seen:
            yield line, f"it stands for the same as line {seen[name]}"
        elif name is not None:
            seen[name] = line


def _of_searches(run: RunRecord, rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    """Keys are those asked for, each once, and vertices; a rate is edges by seconds."""
    vertices = 1 << run.scale if run.graph is None else run.graph.num_vertices
    roots = _roots_asked_for(run)
    are_sampled = _are_sampled(run)
    seen: dict[tuple[str, int], int] = {}
    for line, row in rows:
        if not isinstance(row, SearchRecord):
            continue
        if row.index >= run.keys_requested:
            yield line, f"its index is {row.index}, of {run.keys_requested} keys asked for"
        elif roots and row.root != roots[row.index]:
            yield line, f"its root is {row.root}; asked for was {roots[row.index]}"
        elif run.graph is None and row.root >= vertices:  # a file names its vertices as it likes
            yield line, f"its root is {row.root}, of {vertices} vertices"
        name = (row.kernel, row.root)
        if are_sampled and not row.warmup:
            if name in seen:
                yield line, f"its root is that of line {seen[name]}, and no key is drawn twice"
            seen[name] = line
        if not isclose(row.teps * row.seconds, row.traversed_edges, rel_tol=EXACTLY, abs_tol=1e-6):
            yield line, "its teps are not its traversed_edges by its seconds"
        if not row.traversed_edges <= row.traversed_edges_with_self_loops:
            yield line, "it has more traversed_edges than with self-loops"
        yield from ((line, words) for words in _of_ranks(row))
        yield from ((line, words) for words in _inside(row, run.ranks))


def _of_ranks(search: SearchRecord) -> Iterator[str]:
    """Seconds of ranks: the slowest is the time of the search."""
    of_ranks = search.seconds_per_rank or (search.seconds_min, search.seconds_mean, search.seconds)
    for name, value, computed in (
        ("seconds", search.seconds, max(of_ranks)),
        ("seconds_min", search.seconds_min, min(of_ranks)),
    ):
        if not isclose(value, computed, rel_tol=EXACTLY):
            yield f"its {name} are not those of its ranks"


def _inside(search: SearchRecord, ranks: int) -> Iterator[str]:
    """No part of a search is longer than the search. A phase has the time of its slowest rank, so
    all of them together have no more than that of all ranks.
    """
    longest, together = max(search.phases.values(), default=0.0), sum(search.phases.values())
    if longest > _at_most(search.seconds) or together > _at_most(ranks * search.seconds):
        yield "its phases take longer than it did"
    of_ranks = zip(search.mpi_seconds_per_rank or (), search.seconds_per_rank or (), strict=False)
    if any(in_calls > _at_most(whole) for in_calls, whole in of_ranks):
        yield "a rank was longer in calls of MPI than in the search"


def _at_most(seconds: Seconds) -> Seconds:
    """With room for the clock, which is read a few times more than parts are counted."""
    return 1.01 * seconds + 1e-6


def _roots_asked_for(run: RunRecord) -> tuple[int, ...]:
    """Of a graph that was generated: a file has its own numbers."""
    words = run.argv if run.graph is None else ()
    asked = [
        after if word == "--root" else word.partition("=")[2]
        for word, after in pairwise((*words, ""))
        if _names_a_root(word)
    ]
    is_plain = all(root.isdecimal() for root in asked) and len(asked) == run.keys_requested
    return tuple(map(int, asked)) if is_plain else ()


def _of_drawn_keys(run: RunRecord, rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    """Sampled keys are those that the seeds draw; both kernels and warm-ups search from them."""
    begins: dict[int, tuple[int, int]] = {}
    if not _are_sampled(run):
        return
    for line, row in rows:
        if isinstance(row, SearchRecord):
            earlier, root = begins.setdefault(row.index, (line, row.root))
            if row.root != root:
                yield line, f"its root is {row.root}; line {earlier} has {root} for the same key"
    graph = next((row for _, row in rows if isinstance(row, ConstructionRecord)), None)
    vertices = 1 << run.scale if run.graph is None else run.graph.num_vertices
    candidates = (
        kronecker_candidates(run.scale, run.seeds)
        if run.graph is None
        else uniform_candidates(vertices, run.seeds[0])
    )
    isolated = vertices * 63 // 64 if graph is None else graph.isolated_vertices
    roots = {index: root for index, (_, root) in begins.items()}
    wrong = first_not_drawn(candidates, roots, vertices, isolated)
    if wrong is not None:
        line, root = begins[wrong]
        yield line, f"its root is {root}, not key {wrong} as the seeds of the run draw it"


def _are_sampled(run: RunRecord) -> bool:
    return not any(map(_names_a_root, run.argv))


def _names_a_root(word: str) -> bool:
    return word == "--root" or word.startswith("--root=")


def _of_parts(rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    """Bytes and messages of a search are those of its calls; its levels have no more, and each
    level stands once. They are written before their search.
    """
    levels: dict[tuple[str, int], LevelRecord | RoundRecord] = {}
    calls: CallsRecord | None = None
    for line, row in rows:
        if isinstance(row, LevelRecord | RoundRecord):
            number = row.level if isinstance(row, LevelRecord) else row.round
            if (row.kind, number) in levels:
                yield line, f"{row.kind} {number} of search {row.search} is there twice"
            levels[row.kind, number] = row
        elif isinstance(row, CallsRecord):
            calls = row
        elif isinstance(row, SearchRecord):
            yield from ((line, words) for words in _against_parts(row, levels.values(), calls))
            levels, calls = {}, None


def _against_parts(
    search: SearchRecord, levels: Iterable[LevelRecord | RoundRecord], calls: CallsRecord | None
) -> Iterator[str]:
    inside = [level for level in levels if level.search == search.index]
    if sum(sum(level.bytes_sent.values()) for level in inside) > search.bytes_sent:
        yield "its levels sent more bytes than it did"
    if sum(sum(level.messages.values()) for level in inside) > search.messages:
        yield "its levels sent more messages than it did"
    if calls is None or (calls.kernel, calls.search) != (search.kernel, search.index):
        return
    if sum(cell.bytes_sent for cell in calls.cells) != search.bytes_sent:
        yield "its bytes_sent are not those of its calls"
    if sum(cell.messages for cell in calls.cells) != search.messages:
        yield "its messages are not those of its calls"


def _of_graph(run: RunRecord, rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    """Vertices and edges are those of the scale, or of the file."""
    asked = (1 << run.scale, run.edgefactor << run.scale)
    if run.graph is not None:
        asked = (run.graph.num_vertices, run.graph.num_edges)
    for line, row in rows:
        if isinstance(row, ConstructionRecord) and (row.num_vertices, row.num_edges) != asked:
            yield line, f"vertices and edges are not {asked[0]} and {asked[1]}, as asked for"
        if isinstance(row, SearchRecord) and row.traversed_edges_with_self_loops > asked[1]:
            yield line, f"it traversed more than the {asked[1]} edges that there are"


def _of_finish(run: RunRecord, rows: Sequence[Numbered]) -> Iterator[tuple[int, str]]:
    """The last line counts what stands before it."""
    searches = [row for _, row in rows if isinstance(row, SearchRecord)]
    timed = [row for row in searches if not row.warmup]
    for line, row in rows:
        if not isinstance(row, FinishRecord):
            continue
        if row.searches_completed != len(timed):
            yield line, f"it counts {row.searches_completed} searches where there are {len(timed)}"
        yield from ((line, words) for words in _left_out(run, row, rows))
        if len(row.peak_bytes_per_rank) != run.ranks:
            yield line, f"it has the memory of {len(row.peak_bytes_per_rank)} ranks of {run.ranks}"
        if sum(row.peak_bytes_per_rank) != row.peak_bytes:
            yield line, "its peak_bytes are not the sum over ranks"
        if sum(search.seconds for search in searches) > row.seconds:
            yield line, "its seconds are fewer than those of its searches"
        if (row.violations > 0) != _has_violations(rows):
            yield line, "its violations are not those of searches and construction"


SURELY_FOUND = 8
"""Of so many times as many vertices with a neighbour, sampling finds all keys that it is to."""


def _left_out(run: RunRecord, finish: FinishRecord, rows: Sequence[Numbered]) -> Iterator[str]:
    """A complete run has searched from every key, but where the graph has too few of them."""
    graph = next((row for _, row in rows if isinstance(row, ConstructionRecord)), None)
    if finish.state != "complete" or graph is None:
        return
    usable, keys = graph.num_vertices - graph.isolated_vertices, run.keys_requested
    has_all = usable >= max(SURELY_FOUND * keys, graph.num_vertices // SURELY_FOUND)
    if not has_all and _are_sampled(run):
        return
    for kernel in ("bfs", "sssp") if run.kernel == "both" else (run.kernel,):
        timed = sum(
            not row.warmup and row.kernel == kernel
            for _, row in rows
            if isinstance(row, SearchRecord)
        )
        if timed != keys:
            yield f"it is complete with {timed} searches of {keys} keys asked for"


def _has_violations(rows: Iterable[Numbered]) -> bool:
    searched = (
        row.validation
        for _, row in rows
        if isinstance(row, SearchRecord) and row.validation is not None
    )
    checks = (row.check for _, row in rows if isinstance(row, ConstructionRecord) and row.check)
    return any(rule.violations for search in searched for rule in search.rules) or any(
        not check.passed for check in checks
    )
