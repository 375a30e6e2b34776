# SPDX-License-Identifier: Apache-2.0
"""What a launch of the search engine gives to be compared: searches, and construction."""

import zlib
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace

from isobath.comparison.measured import Bound, Cell, Parts, Taken, Value, Zoom
from isobath.guard.noise import scatter_of
from isobath.records.communication import NO_END
from isobath.records.run import RunRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import Kernel, SearchRecord
from isobath.report.wording import count_of, phase_name
from isobath.store.folders import RunFolder
from isobath.units import format_bytes

EDGEFACTOR, SEEDS = 16, (2, 3)
"""of Graph500: told only where they are others"""

SEARCHES: dict[Kernel, str] = {"bfs": "search", "sssp": "shortest paths"}
CONSTRUCTIONS: dict[Kernel, str] = {
    "bfs": "construction",
    "sssp": "construction for shortest paths",
}


def cells_of(
    records: RunRecords,
    folder: RunFolder,
    *,
    turn: Hashable = None,
    identity: Mapping[str, Value] | None = None,
) -> Iterator[Cell]:
    """Of one launch: the mean time an edge of each kernel's searches, and kernel 1.

    Args: turn is what it shares with launches that were taken in turns with it; identity is what
        else its cells are never compared across.
    """
    base = Cell(
        "",
        "seconds",
        identity or {},
        {},
        _settings(records, folder),
        (),
        _trouble(records),
        numbers=numbers_of(records.run),
    )
    name = records.run.run_id
    for kernel in records.kernels:
        searches = records.timed_searches_of(kernel)
        bound = _bound(records, kernel)
        if searches and all(search.traversed_edges for search in searches):
            times = [
                search.seconds / search.traversed_edges
                for search in searches
                if search.traversed_edges
            ]
            value = sum(times) / len(times)
            yield replace(
                base,
                title=SEARCHES[kernel],
                scale="TEPS",
                bound=bound | {"keys": _keys(searches)},
                taken=(Taken(value, name, turn, scatter_of(times)),),
                zooms=(tuple(_zooms(records, kernel, searches)),),
            )
        built = records.construction_of(kernel)
        if built is not None and built.seconds > 0:
            parts: Parts = {(phase_name(phase),): took for phase, took in built.phases.items()}
            yield replace(
                base,
                title=CONSTRUCTIONS[kernel],
                bound=bound,
                taken=(Taken(built.seconds, name, turn),),
                zooms=((Zoom(("phase",), parts),),),
            )


def numbers_of(run: RunRecord) -> dict[str, float]:
    """What a formula may name of every time of a run."""
    numbers: dict[str, float] = {
        "p": run.ranks,
        "nodes": run.nodes or len(run.hosts),
        "ppn": _ranks_per_node(run),
        "rows": run.grid_rows,
        "cols": run.grid_cols,
        "threads": run.threads_per_rank,
    }
    return numbers | {"scale": run.scale}


def _trouble(records: RunRecords) -> str:
    """Why no time of it is a result."""
    if records.verdict == "violations":
        return "a search broke a rule of validation"
    return "more ranks and threads than processors" if records.run.oversubscribed else ""


def _bound(records: RunRecords, kernel: Kernel) -> dict[Bound, str]:
    run = records.run
    paths = records.path_plan
    plan = paths.plan if kernel == "sssp" and paths is not None else run.plan
    return {"graph": _graph(run), "ranks": count_of(run.ranks, "rank"), "plan": plan}


def _graph(run: RunRecord) -> str:
    if run.graph is None:
        factor = "" if run.edgefactor == EDGEFACTOR else f", edgefactor {run.edgefactor}"
        seeds = "" if run.seeds == SEEDS else f", seeds {run.seeds[0]} {run.seeds[1]}"
        return f"scale {run.scale}{factor}{seeds}"
    graph = run.graph
    weights = f", weights {graph.assigned_weights}" if graph.assigned_weights else ""
    name = graph.path.rpartition("/")[2]
    return f"{name} of {format_bytes(graph.bytes)} with {graph.num_edges:,} edges{weights}"


def _keys(searches: tuple[SearchRecord, ...]) -> str:
    """Their number, and a digest: the same keys have the same."""
    roots = sorted(search.root for search in searches)
    digest = zlib.crc32(" ".join(map(str, roots)).encode())
    return f"{count_of(len(roots), 'key')} ({digest:08x})"


def _settings(records: RunRecords, folder: RunFolder) -> dict[str, Value]:
    """How it was asked to run, as far as that may change its times."""
    run = records.run
    chosen = folder.environment().get("mpi")
    asked = {name: setting.value for name, setting in folder.summary().settings.items()}
    settings: dict[str, Value] = {
        "mpi": str(chosen.get("id", "")) if isinstance(chosen, dict) else "",
        "grid": f"{run.grid_rows}x{run.grid_cols}",
        "threads": run.threads_per_rank,
        "transport": str(asked.get("transport") or ""),
        "ranks per node": _ranks_per_node(run),
        "instruction set": run.instruction_set,
        "engine build": str(asked.get("engine_build") or ""),
        "alpha": run.alpha,
        "beta": run.beta,
    }
    if run.switches is not None:
        settings |= run.switches.model_dump()
    return settings


def _ranks_per_node(run: RunRecord) -> int:
    nodes = run.nodes or len(run.hosts)
    return -(-run.ranks // nodes)


def _zooms(
    records: RunRecords, kernel: Kernel, searches: tuple[SearchRecord, ...]
) -> Iterator[Zoom]:
    """Of the mean search, from phases to sizes of messages. Seconds of the slowest rank; in calls
    the mean over ranks.
    """
    by_phase: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for search in searches:
        for phase, seconds in search.phases.items():
            by_phase[(phase_name(phase),)] += seconds / len(searches)
    yield Zoom(("phase",), dict(by_phase))
    finer = (
        Zoom(("phase", "level"), _by_level(records, kernel, searches)),
        Zoom(("phase", "level", "call"), _by_call(records, kernel, searches)),
        Zoom(("call", "size"), _by_size(records, searches)),
    )
    yield from (zoom for zoom in finer if zoom.seconds)


def _by_level(records: RunRecords, kernel: Kernel, searches: tuple[SearchRecord, ...]) -> Parts:
    if kernel != "bfs":
        return {}
    # A warm-up has the index of a timed search; it ran before: the later record counts.
    last = {(record.search, record.level): record for record in records.levels}
    timed = {search.index for search in searches}
    by_level: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for (search, level), record in last.items():
        for phase, seconds in record.phases.items() if search in timed else ():
            by_level[phase_name(phase), str(level)] += seconds / len(searches)
    return dict(by_level)


def _by_call(records: RunRecords, kernel: Kernel, searches: tuple[SearchRecord, ...]) -> Parts:
    timed = {search.index for search in searches}
    by_call: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for row in records.calls:
        for cell in row.cells if row.kernel == kernel and row.search in timed else ():
            level = "outside" if cell.level < 0 else str(cell.level)
            part = (phase_name(cell.phase), level, str(cell.call))
            by_call[part] += cell.seconds_mean / len(searches)
    return dict(by_call)


def _by_size(records: RunRecords, searches: tuple[SearchRecord, ...]) -> Parts:
    """Of one kernel alone: sizes are not told apart by kernel."""
    if len(records.kernels) > 1:
        return {}
    share = 1 / (records.run.ranks * len(searches))
    return {
        (str(row.call), _size(first, end)): seconds * share
        for row in records.message_sizes
        if row.part == "search" and row.meaning == "call_total"
        for first, end, seconds in zip(row.from_bytes, row.to_bytes, row.seconds, strict=True)
    }


def _size(first: int, end: int) -> str:
    """Of a bucket: from its smallest size to before the first beyond it."""
    low = format_bytes(first)
    return f"{low} or more" if end == NO_END else f"{low} to {format_bytes(end)}"
