# SPDX-License-Identifier: Apache-2.0
"""The schedule of a search that was run, with its own uneven counts.

Calls tell how many there were of each kind; matrices tell who sent how much to whom in a phase of a
level. Where several kinds of calls share a phase, those that send the same to everybody are taken
out of its matrix first, and lengths with short parcels (isend_all), which go to every other rank
once; what is left is the one kind whose counts differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.upcoming import SHORT_CALL
from isobath.records.communication import CallCell, TrafficMatrixRecord
from isobath.records.phases import PHASE_NAMES
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord
from isobath.simulation.schedule import (
    NOTHING,
    PLAYED_CALLS,
    Along,
    Parcel,
    Schedule,
    Step,
    group_size,
    parcel,
)
from isobath.stats.estimates import IntArray

PASSIVE = ("irecv", "iprobe", "test", "wait", "waitall", "waitany", "waitsome")
"""They send nothing: messages are waited for where they are sent."""

EVEN = ("barrier", "allreduce", "allgather", "alltoall")
"""Calls in which every rank gives every other the same."""

COALESCED_BYTES = 4096
"""of a message of the exchange that sends as it goes (engine/comm/messages/channel.hpp)"""

OUTSIDE = -1
AFTERWARDS = "emit"
"""the phase outside of levels that comes after them"""


def schedule_of_run(
    records: RunRecords, search: int | None = None, *, computes: bool = True
) -> Schedule:
    """Of one search, else of that with the median time.

    Args: computes: with the time that ranks computed in each level, as it was measured.
    Raises: UsageError where the run does not tell enough, or has calls that are not played.
    """
    run = records.run
    if run.ranks < 2:
        raise UsageError(f"{run.run_id} has one rank, which sends nothing")
    chosen = chosen_search(records, search)
    cells = next(
        calls.cells
        for calls in records.calls
        if calls.search == chosen.index and calls.kernel == "bfs"
    )
    matrices = {
        (matrix.level, matrix.phase): matrix
        for matrix in records.traffic_matrices
        if matrix.search == chosen.index
        and matrix.unit == "rank"
        and matrix.kernel in (None, "bfs")
    }
    levels = {level.level: level for level in records.levels if level.search == chosen.index}
    grid = Grid(run.grid_rows, run.grid_cols)
    steps: list[Step] = []
    computed: set[int] = set()
    for level, phase in sorted({(cell.level, cell.phase) for cell in cells}, key=_when):
        if computes and level in levels and level not in computed:
            computed.add(level)
            steps.append(_computation(levels[level], cells))
        there = [cell for cell in cells if (cell.level, cell.phase) == (level, phase)]
        steps += _Phase(run.run_id, grid, there, matrices.get((level, phase))).steps()
    notes = []
    if computes and run.oversubscribed:
        notes.append("Ranks of the run shared processors; its computation is longer than alone.")
    return Schedule(grid, tuple(steps), tuple(notes))


def _when(place: tuple[int, str]) -> tuple[float, int]:
    level, phase = place
    after = level == OUTSIDE and phase == AFTERWARDS
    return (float("inf") if after else level), PHASE_NAMES.index(phase)


def chosen_search(records: RunRecords, wanted: int | None = None) -> SearchRecord:
    """Raises: UsageError where there is none with who sent how much to whom."""
    kept = {
        matrix.search
        for matrix in records.traffic_matrices
        if matrix.search is not None and matrix.unit == "rank" and matrix.kernel in (None, "bfs")
    }
    told = {calls.search for calls in records.calls if calls.kernel == "bfs"}
    there = [search for search in records.timed_searches_of("bfs") if search.index in kept & told]
    if not there:
        raise UsageError(
            f"{records.run.run_id} did not keep who sent how much to whom in every level; run it "
            "again with ./isobath run --peer-records"
        )
    if wanted is None:
        return sorted(there, key=lambda search: search.seconds)[len(there) // 2]
    for search in there:
        if search.index == wanted:
            return search
    raise UsageError(
        f"--search {wanted}: {records.run.run_id} has no such search; there are "
        f"{min(search.index for search in there)} to {max(search.index for search in there)}"
    )


def _computation(level: LevelRecord, cells: Sequence[CallCell]) -> Step:
    """The time of a level outside of calls, the same on every rank."""
    inside = sum(cell.seconds_mean for cell in cells if cell.level == level.level)
    phase = "top_down" if level.direction == "top_down" else "bottom_up"
    return Step(level.level, phase, "compute", seconds=max(0.0, level.seconds - inside))


@dataclass
class _Phase:
    """The calls of one phase of one level."""

    run_id: str
    grid: Grid
    cells: list[CallCell]
    matrix: TrafficMatrixRecord | None

    def steps(self) -> Iterator[Step]:
        """Raises: UsageError for calls that are not played, or that cannot be told apart."""
        ranks = self.grid.size
        sent = np.zeros((ranks, ranks), dtype=np.int64)
        messages = np.zeros((ranks, ranks), dtype=np.int64)
        if self.matrix is not None:
            sent += np.array(self.matrix.bytes, dtype=np.int64)
            messages += np.array(self.matrix.messages, dtype=np.int64)
        uneven: list[CallCell] = []
        for cell in self.cells:
            along = self._along(cell)
            if cell.call in PASSIVE or group_size(self.grid, along) < 2:
                continue
            if cell.call not in EVEN:
                uneven.append(cell)
                continue
            for step in self._even(cell, along):
                yield step
                if step.each is not None:
                    inside = self._inside(along)
                    sent -= inside * step.each.units
                    messages -= inside * step.each.messages
        short = [cell for cell in uneven if cell.call == SHORT_CALL]
        if short:
            uneven.remove(short[0])
            own = self._short(short[0], sent, messages, is_alone=not uneven)
            yield from self._uneven(short[0], *own)
            sent, messages = sent - own[0], messages - own[1]
        if len(uneven) > 1:
            names = " and ".join(str(cell.call) for cell in uneven)
            raise self._refused(
                f"{names} share {self._place}, and nobody knows whose bytes are whose"
            )
        if uneven:
            yield from self._uneven(uneven[0], sent, messages)

    @property
    def _place(self) -> str:
        return f"{self.cells[0].phase} of level {self.cells[0].level}"

    def _refused(self, why: str) -> UsageError:
        return UsageError(f"{self.run_id} cannot be simulated: {why}")

    def _along(self, cell: CallCell) -> Along:
        if cell.call in PASSIVE:
            return "world"
        if cell.call not in PLAYED_CALLS:
            raise self._refused(
                f"{self._place} calls {cell.call}, which is not played; take a run with --exchange "
                "own, eager, alltoallv or pairwise"
            )
        if cell.communicator == "other":
            raise self._refused(f"{self._place} calls on ranks of a node, which are not told")
        return cell.communicator

    def _inside(self, along: Along) -> IntArray:
        """1 for every pair of a communicator."""
        rank = np.arange(self.grid.size)
        group = {
            "world": rank * 0, "row": rank % self.grid.rows, "column": rank // self.grid.rows,
        }[along]  # fmt: skip
        inside: IntArray = (group[:, None] == group[None, :]).astype(np.int64)
        np.fill_diagonal(inside, 0)
        return inside

    def _times(self, cell: CallCell) -> int:
        """Calls of each rank."""
        times, rest = divmod(cell.calls, self.grid.size)
        if rest:
            raise self._refused(f"not all ranks call {cell.call} equally often in {self._place}")
        return times

    def _even(self, cell: CallCell, along: Along) -> Iterator[Step]:
        times = self._times(cell)
        pairs = self.grid.size * (group_size(self.grid, along) - 1)
        each, rest = divmod(cell.bytes_sent, pairs)
        if rest:
            raise self._refused(f"{cell.call} of {self._place} does not send the same to everybody")
        for part in _parts(each, times):
            one = parcel(part) if part else None
            yield Step(cell.level, cell.phase, cell.call, along, each=one)  # type: ignore[arg-type]

    def _uneven(self, cell: CallCell, sent: IntArray, messages: IntArray) -> Iterator[Step]:
        along = self._along(cell)
        inside = self._inside(along)
        if (sent < 0).any() or (messages < 0).any() or (sent * (1 - inside)).any():
            raise self._refused(f"the matrix of {self._place} does not fit its calls")
        if cell.call == "bcast":
            yield from self._told(cell, along, sent, messages)
        elif cell.call == "allgatherv":
            yield from self._gathered(cell, along, sent, messages)
        elif cell.call in ("alltoallv", SHORT_CALL):
            yield from self._exchanged(cell, along, sent, messages)
        else:
            yield self._sent(cell, along, sent, messages)

    def _short(
        self, cell: CallCell, sent: IntArray, messages: IntArray, *, is_alone: bool
    ) -> tuple[IntArray, IntArray]:
        """Bytes and messages of a phase that are of isend_all: one message to every other rank in
        each call. A pair of more messages has another call, too, whose bytes are what an even share
        for all such pairs leaves: of long parcels the lengths alone.
        """
        own_messages = self._inside(self._along(cell)) * self._times(cell)
        has_more = messages > own_messages
        own: IntArray = np.where(has_more, 0, sent)
        pairs = np.argwhere(has_more)
        left = cell.bytes_sent - int(own.sum())
        for (sender, receiver), share in zip(pairs, _parts(left, len(pairs)), strict=True):
            own[sender, receiver] = share
        if int(own.sum()) != cell.bytes_sent or (own < 0).any() or (is_alone and len(pairs)):
            raise self._refused(f"the matrix of {self._place} does not fit its calls")
        return own, own_messages

    def _told(
        self, cell: CallCell, along: Along, sent: IntArray, messages: IntArray
    ) -> Iterator[Step]:
        left = self._times(cell)
        for root in np.flatnonzero(messages.sum(axis=1)):
            column = int(np.flatnonzero(messages[root])[0])
            times = int(messages[root, column])
            left -= times
            for part in _parts(int(sent[root, column]), times):
                yield Step(cell.level, cell.phase, "bcast", along, root=(int(root), parcel(part)))
        for _ in range(left):
            yield Step(cell.level, cell.phase, "bcast", along, root=(0, NOTHING))

    def _gathered(
        self, cell: CallCell, along: Along, sent: IntArray, messages: IntArray
    ) -> Iterator[Step]:
        given, cut = sent.max(axis=1), messages.max(axis=1)
        inside = self._inside(along)
        if (sent != inside * given[:, None]).any():
            raise self._refused(f"allgatherv of {self._place} does not give the same to everybody")
        # Ranks that have nothing to gather, all of a communicator, do not call.
        times = -(-cell.calls // self.grid.size)
        parts = [_dealt(int(given[rank]), int(cut[rank]), times) for rank in range(self.grid.size)]
        for number in range(times):
            yield Step(
                cell.level, cell.phase, "allgatherv", along,
                by_rank={
                    rank: parcel(own[number]) for rank, own in enumerate(parts) if own[number]
                },
            )  # fmt: skip

    def _exchanged(
        self, cell: CallCell, along: Along, sent: IntArray, messages: IntArray
    ) -> Iterator[Step]:
        times = self._times(cell)
        parts = {
            (int(sender), int(receiver)): _dealt(
                int(sent[sender, receiver]), int(messages[sender, receiver]), times
            )
            for sender, receiver in np.argwhere(sent)
        }
        for number in range(times):
            yield Step(
                cell.level, cell.phase, cell.call, along,  # type: ignore[arg-type]
                by_pair={pair: parcel(own[number]) for pair, own in parts.items() if own[number]},
            )  # fmt: skip

    def _sent(self, cell: CallCell, along: Along, sent: IntArray, messages: IntArray) -> Step:
        pairs: dict[tuple[int, int], Parcel] = {
            (int(sender), int(receiver)): Parcel(
                int(sent[sender, receiver]), int(messages[sender, receiver])
            )
            for sender, receiver in np.argwhere(sent)
        }
        is_coalesced = all(
            pair.messages == -(-pair.units // COALESCED_BYTES) for pair in pairs.values()
        )
        others = self.grid.size * (group_size(self.grid, along) - 1)
        is_own = cell.call == "isend" and is_coalesced
        return Step(
            cell.level, cell.phase, cell.call, along,  # type: ignore[arg-type]
            piece=COALESCED_BYTES if is_own else 0,
            ends=cell.call == "isend" and cell.calls - cell.messages >= others,
            by_pair=pairs,
        )  # fmt: skip


def _parts(whole: int, times: int) -> list[int]:
    """As even as can be, the larger ones first.

    >>> _parts(40, 3)
    [14, 13, 13]
    """
    return [whole // times + (place < whole % times) for place in range(times)] if times else []


def _dealt(whole: int, messages: int, times: int) -> list[int]:
    """So many messages over so many calls: the first calls have one each."""
    used = min(messages, times)
    return [*_parts(whole, used), *([0] * (times - used))]
