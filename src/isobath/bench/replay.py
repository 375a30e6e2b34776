# SPDX-License-Identifier: Apache-2.0
"""The traffic of a search as cells of a benchmark: one for each level and phase that sent bytes.

An expand is an allgatherv along the grid columns, a hub pass one along the grid rows; fold, count
and rotate are alltoallvs along the grid rows, all rows or columns at once as in the search. What a
rank kept for itself is in no matrix, and small reductions are left out. Phases that a search ended
in another way (pairs, pieces, one-sided) are measured as these collectives too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.bench.measured import MeasuredCell
from isobath.bench.plan import Cell
from isobath.errors import UsageError
from isobath.records.communication import TrafficMatrixRecord
from isobath.records.phases import PhaseName
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord
from isobath.units import Bytes, Seconds

AS_CALLS: dict[PhaseName, tuple[str, str]] = {
    "expand": ("allgatherv", "col"),
    "fold": ("alltoallv", "row"),
    "count": ("alltoallv", "row"),
    "rotate": ("alltoallv", "row"),
    "hub_pass": ("allgatherv", "row"),
}
"""The collective that a phase amounts to, and the communicators it is along."""

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class ReplayedPhase:
    """One phase of one level, as it was and as a cell."""

    name: str
    """of its matrix: ``s3-l2-fold``"""
    level: int
    phase: PhaseName
    bytes: Bytes
    recorded_seconds: Seconds | None
    """of the phase in the run, slowest rank, packing and waiting included; None where it has no
    level of its own"""
    matrix: Matrix
    cell: Cell


@dataclass(frozen=True)
class Replay:
    """A search, cut into phases that communicate."""

    search: SearchRecord
    grid: str
    ranks: int
    phases: tuple[ReplayedPhase, ...]

    def matrices(self) -> dict[str, Matrix]:
        """By the name that cells give them."""
        return {phase.name: phase.matrix for phase in self.phases}


def replay_of(records: RunRecords, search: int | None = None, *, buffers: str = "dirty") -> Replay:
    """The phases of a search.

    Args: search is its index, else that of the median time is taken; buffers of the cells.

    Raises: UsageError where the run has one rank, has no such search, or did not keep who sent to
        whom level by level.
    """
    run = records.run
    if run.ranks < 2:
        raise UsageError("a run of one rank sends nothing, so there is nothing to replay")
    matrices = _matrices(records.traffic_matrices)
    if not matrices:
        raise UsageError(
            "this run did not keep who sent how much to whom in every level; run it again with "
            "./isobath run --peer-records"
        )
    replayed = _search(records, search, set(matrices))
    levels = {row.level: row for row in records.levels if row.search == replayed.index}
    grid = f"{run.grid_rows}x{run.grid_cols}"
    phases = []
    for row in matrices[replayed.index]:
        level, phase = row.level, row.phase
        if level is None or phase is None or phase not in AS_CALLS or not any(map(any, row.bytes)):
            continue
        collective, along = AS_CALLS[phase]
        name = f"s{replayed.index}-l{level}-{phase}"
        own = levels.get(level)
        phases.append(
            ReplayedPhase(
                name=name,
                level=level,
                phase=phase,
                bytes=sum(map(sum, row.bytes)),
                recorded_seconds=own.phases.get(phase) if own else None,
                matrix=row.bytes,
                cell=Cell(
                    collective=collective,
                    shape=grid,
                    along=along,
                    together=True,
                    counts=f"recorded:{name}",
                    datatype="byte",
                    buffers=buffers,
                ),
            )
        )
    if not phases:
        raise UsageError(
            f"search {replayed.index} sent nothing between ranks; name another by --search"
        )
    phases.sort(key=lambda part: (part.level, part.phase))
    return Replay(replayed, grid, run.ranks, tuple(phases))


def _matrices(rows: Sequence[TrafficMatrixRecord]) -> dict[int, list[TrafficMatrixRecord]]:
    """Those of single searches breadth-first, between ranks."""
    by_search: dict[int, list[TrafficMatrixRecord]] = {}
    for row in rows:
        if row.search is not None and row.unit == "rank" and row.kernel in (None, "bfs"):
            by_search.setdefault(row.search, []).append(row)
    return by_search


def _search(records: RunRecords, wanted: int | None, kept: set[int]) -> SearchRecord:
    there = [
        search
        for search in records.timed_searches
        if search.kernel == "bfs" and search.index in kept
    ]
    if wanted is None:
        return sorted(there, key=lambda search: search.seconds)[len(there) // 2]
    for search in there:
        if search.index == wanted:
            return search
    raise UsageError(
        f"there is no search {wanted} with matrices in this run; there are "
        f"{min(kept)} to {max(kept)}"
    )


@dataclass(frozen=True)
class Comparison:
    """A phase beside the call that it amounts to."""

    part: ReplayedPhase
    measured: MeasuredCell | None
    """None where it was not measured, or its times do not count"""


def compared(
    phases: Sequence[ReplayedPhase], cells: Sequence[MeasuredCell]
) -> tuple[Comparison, ...]:
    """Every phase with its measured cell."""
    by_counts = {cell.cell.counts: cell for cell in cells if cell.is_result}
    return tuple(Comparison(part, by_counts.get(part.cell.counts)) for part in phases)
