# SPDX-License-Identifier: Apache-2.0
"""What a run tells a prediction: levels, computation and calls of its searches."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean, median

from isobath.costmodel.arcs import met_vertices
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.exact import COUNT_BYTES
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import ALPHA, BETA, Direction
from isobath.costmodel.switches import DEFAULTS, Switches, told_switches
from isobath.costmodel.volume import OUTSIDE
from isobath.errors import UsageError
from isobath.prediction.calls import Call, Layout
from isobath.prediction.costs import Timed
from isobath.prediction.machine import UNCROWDED, Machine, machine_of
from isobath.prediction.polling import polled
from isobath.prediction.upcoming import (
    NONE_FORCED,
    SHORT_CALL,
    call_of,
    is_collective,
    tells_at_once,
)
from isobath.records.communication import CallCell
from isobath.records.phases import PhaseName
from isobath.records.run import RunRecord
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord

MOST_SEARCHES = 16
"""of a run that are looked at: levels of more hardly differ"""


GATHERS = ("allgather", "allgatherv")
"""lengths, and what has them"""


@dataclass(frozen=True)
class ObservedLevel:
    """A level as it ran. Seconds: of the slowest rank; in calls the mean over ranks."""

    level: int
    direction: Direction
    vertices: int
    arcs_scanned: int
    seconds: float
    computing: float
    """outside of the calls that are predicted"""
    waiting: float
    """in calls, before the last rank came"""
    tuples: float = 0.0
    """that a rank sends to others"""


@dataclass(frozen=True)
class ObservedSearch:
    """A search as it ran."""

    seconds: float
    edges: int
    levels: tuple[ObservedLevel, ...]
    calls: tuple[Timed, ...]
    outside: float
    """seconds before the first level and after the last, without calls"""


@dataclass(frozen=True)
class Observed:
    """A run."""

    run_id: str
    setting: GraphSetting
    layout: Layout
    threads: int
    crowded: bool
    """more ranks and threads than processors"""
    searches: tuple[ObservedSearch, ...]
    share_searched: float
    """of all vertices, those that the plan searches"""
    forced: Mapping[str, str] = field(default_factory=dict)
    """algorithms that its calls were made to use, by call"""
    machine: Machine = UNCROWDED
    """processors that its ranks share"""

    @property
    def seconds(self) -> float:
        """Of a search, the median: one search that was disturbed moves it little."""
        return median(search.seconds for search in self.searches)

    @property
    def edges(self) -> float:
        """That a search traverses, the mean; where nothing was run, all of the graph's."""
        if not self.searches:
            return float(self.setting.edgefactor << self.setting.scale)
        return fmean(search.edges for search in self.searches)

    @cached_property
    def timed(self) -> tuple[Timed, ...]:
        """The mean call of each kind in each level, over the searches that have it: what sums of
        searches are made of, and without what scatters from search to search. Sums along grid rows
        and those along grid columns are two kinds.
        """
        alike: defaultdict[tuple[int, PhaseName, str, str], list[Timed]] = defaultdict(list)
        for search in self.searches:
            for timed in search.calls:
                call = timed.call
                alike[call.level, call.phase, call.name, call.along].append(timed)
        return tuple(_mean(several) for several in alike.values())


def nothing_run(scale: int, plan: str) -> Observed:
    """In the place of a run, where only calls are to be predicted: a graph, and no search."""
    switches, grid = Switches.of(plan), Grid(1, 1)
    leaves_out = _leaves_out(switches)
    searched = (
        round(met_vertices(scale, 16, 1.0, without_leaves=True)) if leaves_out else 1 << scale
    )
    setting = GraphSetting(scale, switches, Blocks.even(searched, grid))
    return Observed("no run", setting, Layout(grid, (0,)), 1, False, (), searched / (1 << scale))


def _mean(several: Sequence[Timed]) -> Timed:
    call = replace(
        several[0].call,
        calls=fmean(one.call.calls for one in several),
        messages=fmean(one.call.messages for one in several),
        bytes_sent=fmean(one.call.bytes_sent for one in several),
    )
    return Timed(call, fmean(one.seconds for one in several))


def observed_run(records: RunRecords, forced: Mapping[str, str] = NONE_FORCED) -> Observed:
    """Args: forced are the algorithms that its calls were made to use.

    Raises: UsageError for a run that a prediction cannot start from, and why.
    """
    run, built = records.run, records.construction
    name = run.run_id
    if run.kernel == "sssp" or "bfs" not in records.kernels:
        raise UsageError(
            f"{name} searched for shortest paths; times of breadth-first are predicted"
        )
    if run.graph is not None:
        raise UsageError(f"{name} searched a file; volumes are known of generated graphs alone")
    if built is None or run.switches is None or run.plan not in DEFAULTS:
        raise UsageError(f"{name} does not say how its graph was built; measure it again")
    searches = [search for search in records.timed_searches_of("bfs") if search.traversed_edges]
    levels = _levels(records)
    searches = [search for search in searches if levels.get(search.index)][:MOST_SEARCHES]
    if not searches:
        raise UsageError(f"{name} has no timed search with levels; measure it again")
    switches = _switches(run)
    if switches.direction == "policy" and (run.alpha, run.beta) != (ALPHA, BETA):
        raise UsageError(f"{name} had another direction policy than the usual one")
    grid = Grid(run.grid_rows, run.grid_cols)
    searched = built.searched_vertices if _leaves_out(switches) else 1 << run.scale
    machine = machine_of(run)
    layout = machine.crowded(Layout(grid, _nodes(run)))
    calls = {record.search: record.cells for record in records.calls if record.kernel == "bfs"}
    told = [cell for search in searches for cell in calls.get(search.index, ())]
    switches = replace(switches, lengths_first=_tells_lengths_first(told, layout, switches))
    return Observed(
        name,
        GraphSetting(run.scale, switches, Blocks.even(searched, grid), run.edgefactor,
                     float(built.stored_arcs)),
        layout,
        run.threads_per_rank,
        run.oversubscribed or layout.crowding > 1,
        tuple(_search(one, levels[one.index], calls.get(one.index, ()), layout, switches, forced)
              for one in searches),
        searched / (1 << run.scale),
        forced,
        machine,
    )  # fmt: skip


def _switches(run: RunRecord) -> Switches:
    return Switches.of(run.plan, **({} if run.switches is None else told_switches(run.switches)))


def _tells_lengths_first(cells: Sequence[CallCell], layout: Layout, switches: Switches) -> bool:
    """Whether a phase gathered, or summed, where short parcels go with their lengths now."""
    short = {(cell.level, cell.phase) for cell in cells if cell.call == SHORT_CALL}
    return any(
        (cell.call in GATHERS or (cell.call == "allreduce" and cell.phase == "reduce"))
        and (cell.level, cell.phase) not in short
        and cell.phase != "fold"
        and tells_at_once(cell.phase, switches, layout.group(cell.communicator).size)
        for cell in cells
    )


def _leaves_out(switches: Switches) -> bool:
    return switches.relabel != "off" or switches.leaves == "out"


def _nodes(run: RunRecord) -> tuple[int, ...]:
    return run.node_of_rank if run.node_of_rank is not None else (0,) * run.ranks


def _levels(records: RunRecords) -> Mapping[int, Sequence[LevelRecord]]:
    """A warm-up has the index of a timed search; it ran before: the later record counts."""
    last: defaultdict[int, dict[int, LevelRecord]] = defaultdict(dict)
    for record in records.levels:
        last[record.search][record.level] = record
    return {search: [own[level] for level in sorted(own)] for search, own in last.items()}


def _search(
    search: SearchRecord,
    levels: Sequence[LevelRecord],
    cells: Sequence[CallCell],
    layout: Layout,
    switches: Switches,
    forced: Mapping[str, str],
) -> ObservedSearch:
    grouped: defaultdict[tuple[int, PhaseName], list[CallCell]] = defaultdict(list)
    for cell in cells:
        if call_of(cell.phase, switches, layout.grid) is not None:
            grouped[cell.level, cell.phase].append(cell)
    inside: defaultdict[int, float] = defaultdict(float)
    waiting: defaultdict[int, float] = defaultdict(float)
    for (level, _), several in grouped.items():
        inside[level] += sum(cell.seconds_mean for cell in several)
        waiting[level] += sum(cell.wait_seconds_mean for cell in several)
    calls = [
        _timed(level, phase, name, communicator, several, layout, forced)
        for (level, phase), cells in grouped.items()
        for name, communicator, several in _by_call(phase, cells, switches, layout)
    ]
    outside = search.seconds - sum(level.seconds for level in levels) - inside[OUTSIDE]
    between = {one.level: max(0.0, one.seconds - inside[one.level]) for one in levels}
    polling = polled(cells, between, layout) if switches.exchange == "own" else {}
    sent = {level: sum(map(_data_bytes, several)) / layout.grid.size
            for (level, phase), several in grouped.items() if phase == "fold"}  # fmt: skip
    return ObservedSearch(
        search.seconds,
        search.traversed_edges,
        tuple(
            ObservedLevel(
                one.level, one.direction, one.frontier_vertices, one.arcs_scanned, one.seconds,
                between[one.level] - polling.get(one.level, 0.0), waiting[one.level],
                sent.get(one.level, 0.0) / switches.tuple_bytes,
            )
            for one in levels
        ),
        tuple(
            replace(one, seconds=one.seconds + polling.get(one.call.level, 0.0))
            if one.call.phase == "fold" else one
            for one in calls if one is not None
        ),
        max(0.0, outside),
    )  # fmt: skip


def _data_bytes(cell: CallCell) -> int:
    """Without lengths that went with them."""
    return cell.bytes_sent - COUNT_BYTES * cell.messages * (cell.call == SHORT_CALL)


def _by_call(
    phase: PhaseName, cells: Sequence[CallCell], switches: Switches, layout: Layout
) -> Iterator[tuple[str, str, Sequence[CallCell]]]:
    """Name and communicator of each kind of call that a phase is predicted by, with its cells."""
    known = call_of(phase, switches, layout.grid)
    assert known is not None  # others have no cells here
    for communicator, several in _by_communicator(phase, cells, known[1]):
        names = [_name_of(cell, phase, known[0]) for cell in several]
        for name in dict.fromkeys(names):
            own = [cell for cell, other in zip(several, names, strict=True) if other == name]
            yield name, communicator, own


def _name_of(cell: CallCell, phase: PhaseName, usual: str) -> str:
    """Short parcels go by a call of their own, and lists of who asks by gathers, lengths with them;
    what else a phase calls is of its usual call, waiting for messages too.
    """
    if cell.call == SHORT_CALL:
        return SHORT_CALL
    is_asked = phase == "rotate" and cell.call in GATHERS
    return "allgatherv" if is_asked else usual


def _by_communicator(
    phase: PhaseName, cells: Sequence[CallCell], usual: str
) -> Iterator[tuple[str, Sequence[CallCell]]]:
    """Of a phase that sums along rows and columns in turn, the cells of each; hubs were told to all
    ranks before they were told along rows.
    """
    if phase not in ("reduce", "hub_pass"):
        yield usual, cells
        return
    for communicator in dict.fromkeys(cell.communicator for cell in cells):
        yield communicator, [cell for cell in cells if cell.communicator == communicator]


def _timed(
    level: int,
    phase: PhaseName,
    name: str,
    communicator: str,
    cells: Sequence[CallCell],
    layout: Layout,
    forced: Mapping[str, str],
) -> Timed | None:
    ranks = layout.grid.size
    group = layout.group(communicator)
    if group.size < 2:
        return None
    calls = 1.0
    if is_collective(name):
        collective = [cell.calls for cell in cells if is_collective(str(cell.call))]
        calls = max(1.0, sum(collective) / ranks)
    sent = sum(cell.bytes_sent for cell in cells) / ranks
    messages = sum(cell.messages for cell in cells) / ranks
    call = Call(
        level, phase, name, group, calls, messages, sent, forced.get(name, ""), communicator
    )
    return Timed(call, sum(cell.seconds_mean - cell.wait_seconds_mean for cell in cells))
