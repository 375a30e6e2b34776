# SPDX-License-Identifier: Apache-2.0
"""A schedule as GOAL, the group operation assembly language that LogGOPSim reads.

Language: Hoefler, Siebert, Lumsdaine, ICPP 2009. Its form here is that of LogGOPSim's own reader
(txt2bin.re in github.com/spcl/LogGOPSim): times are nanoseconds, labels are told before they are
used, ranks stand in their order. Messages are those that the ledger counts: in a collective call
every rank sends its part directly to each that needs it. A barrier is rounds of empty messages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from isobath.errors import UsageError
from isobath.prediction.calls import doublings
from isobath.simulation.schedule import NOTHING, Parcel, Schedule, Step, group_size
from isobath.units import format_count

MESSAGES_AT_A_TIME = 8
"""of a pair, as the skeleton plays them (engine/skeleton/play.cpp)"""

MOST_MESSAGES = 20_000_000
"""that are written: a file of about 3 GB"""

NANOSECONDS = 1e9


@dataclass(frozen=True)
class Operation:
    """What a rank does as soon as all before it has ended."""

    kind: Literal["send", "recv", "calc"]
    size: int
    """bytes, or nanoseconds"""
    peer: int = 0
    tag: int = 0

    def text(self) -> str:
        """Without its label."""
        if self.kind == "calc":
            return f"calc {self.size}"
        word = "to" if self.kind == "send" else "from"
        return f"{self.kind} {self.size}b {word} {self.peer} tag {self.tag}"


Stage = list[Operation]
"""Operations that go on at the same time. The next stage begins when all have ended."""


def messages_of(schedule: Schedule) -> int:
    """That are written, empty ones too."""
    return sum(_messages(schedule, step) for step in schedule.steps)


def check_length(schedule: Schedule) -> None:
    """Raises: UsageError for a schedule too long to write."""
    messages = messages_of(schedule)
    if messages > MOST_MESSAGES:
        raise UsageError(
            f"GOAL would have {format_count(messages)} messages, more than the "
            f"{format_count(MOST_MESSAGES)} that are written; take fewer ranks, or a smaller "
            "--messages"
        )


def goal_lines(schedule: Schedule) -> Iterator[str]:
    """The file."""
    yield f"num_ranks {schedule.grid.size}"
    first_tags = _first_tags(schedule)
    for rank in range(schedule.grid.size):
        yield f"rank {rank} {{"
        writer = _Writer()
        for number, step in enumerate(schedule.steps):
            yield f"// step {number} level {step.level} {step.phase} {step.call} {step.along}"
            for stage in _stages(schedule, step, rank, first_tags[number]):
                yield from writer.stage(stage)
        yield "}"


class _Writer:
    """Labels of one rank, and what the next operation waits for."""

    def __init__(self) -> None:
        self._operations = 0
        self._last = ""

    def stage(self, stage: Stage) -> Iterator[str]:
        """All of it after what was before; then what ends when all of it has."""
        labels = []
        for operation in stage:
            self._operations += 1
            label = f"op{self._operations}"
            labels.append(label)
            yield f"{label}: {operation.text()}"
            if self._last:
                yield f"{label} requires {self._last}"
        if len(labels) > 1:
            end = f"end{self._operations}"
            yield f"{end}: calc 0"
            yield from (f"{end} requires {label}" for label in labels)
            labels = [end]
        if labels:
            self._last = labels[0]


def _stages(schedule: Schedule, step: Step, rank: int, tag: int) -> Iterator[Stage]:
    """What one rank does in a step."""
    if step.call == "compute":
        yield [Operation("calc", round(step.seconds * NANOSECONDS))]
        return
    part = _Part(schedule, step, rank, tag)
    if step.call == "barrier":
        yield from part.barrier()
    elif step.call == "sendrecv":
        yield from part.shifts()
    elif step.call == "isend":
        yield from part.windows()
    else:
        yield part.at_once()


class _Part:
    """One rank's part in one step."""

    def __init__(self, schedule: Schedule, step: Step, rank: int, tag: int) -> None:
        rows = schedule.grid.rows
        self._step, self._tag = step, tag
        self._ranks = {
            "world": range(schedule.grid.size),
            "row": range(rank % rows, schedule.grid.size, rows),
            "column": range(rank // rows * rows, (rank // rows + 1) * rows),
        }[step.along]
        self._place = self._ranks.index(rank)

    @property
    def _size(self) -> int:
        return len(self._ranks)

    def barrier(self) -> Iterator[Stage]:
        """By dissemination: in each round the distance is twice that of the one before."""
        for number in range(doublings(self._size)):
            to, source = self._neighbours(1 << number)
            yield [
                Operation("recv", 0, source, self._tag + number),
                Operation("send", 0, to, self._tag + number),
            ]

    def shifts(self) -> Iterator[Stage]:
        """To the one at each distance in turn, and from the one as far on the other side."""
        for distance in range(1, self._size):
            received, sent = self._received(distance), self._sent(distance)
            for index in range(max(len(received), len(sent))):
                yield received[index : index + 1] + sent[index : index + 1]

    def windows(self) -> Iterator[Stage]:
        """So many others at a time, and of each a few messages."""
        window = self._step.window or self._size
        for first in range(1, self._size, window):
            distances = range(first, min(first + window, self._size))
            received = [self._received(distance) for distance in distances]
            sent = [self._sent(distance) for distance in distances]
            longest = max(map(len, received + sent))
            for index in range(0, longest, MESSAGES_AT_A_TIME):
                end = index + MESSAGES_AT_A_TIME
                yield [
                    operation for messages in received + sent for operation in messages[index:end]
                ]

    def at_once(self) -> Stage:
        """All messages of a collective call."""
        distances = range(1, self._size)
        received = [operation for distance in distances for operation in self._received(distance)]
        return received + [
            operation for distance in distances for operation in self._sent(distance)
        ]

    def _neighbours(self, distance: int) -> tuple[int, int]:
        """Who is so far after this rank, and so far before."""
        size = self._size
        after, before = (self._place + distance) % size, (self._place - distance) % size
        return self._ranks[after], self._ranks[before]

    def _sent(self, distance: int) -> Stage:
        to, _ = self._neighbours(distance)
        sizes = self._sizes(_parcel(self._step, self._ranks[self._place], to, distance))
        return [Operation("send", size, to, self._tag + n) for n, size in enumerate(sizes)]

    def _received(self, distance: int) -> Stage:
        _, source = self._neighbours(distance)
        sizes = self._sizes(_parcel(self._step, source, self._ranks[self._place], distance))
        return [Operation("recv", size, source, self._tag + n) for n, size in enumerate(sizes)]

    def _sizes(self, parcel: Parcel) -> list[int]:
        """Bytes of every message of a parcel, cut as the skeleton cuts it."""
        step = self._step
        if step.piece:
            units = [
                min(step.piece, parcel.units - index * step.piece)
                for index in range(parcel.messages)
            ]
        else:
            least, more = divmod(parcel.units, max(1, parcel.messages))
            units = [least + (index < more) for index in range(parcel.messages)]
        return [count * step.unit for count in units] + [0] * step.ends


def _parcel(step: Step, sender: int, receiver: int, distance: int) -> Parcel:
    """What goes from one rank of a communicator to the one so far after it."""
    if (sender, receiver) in step.by_pair:
        return step.by_pair[sender, receiver]
    if sender in step.by_rank:
        return step.by_rank[sender]
    if step.root is not None and step.root[0] == sender:
        return step.root[1]
    if step.following is not None and distance == 1:
        return step.following
    return step.each or NOTHING


def _messages(schedule: Schedule, step: Step) -> int:
    size = group_size(schedule.grid, step.along)
    if step.call == "barrier":
        return schedule.grid.size * doublings(size)
    totals = step.totals(schedule.grid)
    return totals.messages + (schedule.grid.size * (size - 1) if step.ends else 0)


def _first_tags(schedule: Schedule) -> list[int]:
    """Of each step: no two messages of a pair have the same tag."""
    tags, tag = [], 0
    for step in schedule.steps:
        tags.append(tag)
        parcels = [*step.by_pair.values(), *step.by_rank.values(), step.each or NOTHING]
        parcels += [step.following or NOTHING, step.root[1] if step.root else NOTHING]
        rounds = doublings(group_size(schedule.grid, step.along)) if step.call == "barrier" else 0
        tag += max(rounds, *(parcel.messages for parcel in parcels)) + step.ends
    return tags
