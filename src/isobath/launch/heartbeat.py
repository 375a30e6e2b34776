# SPDX-License-Identifier: Apache-2.0
"""The heartbeat file: what every rank is doing, and whether it shall stop.

Binary, little endian, mapped by every rank. A header of 64 bytes (magic, number of ranks, the word
that asks for an early end), then 256 bytes per rank. Ranks of a profiled program write a file each.
"""

import struct
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Protocol

from isobath.errors import EnvironmentProblem

MAGIC = b"ISOBHB2\0"
HEADER_BYTES = 64
SLOT_BYTES = 256
STOP_OFFSET = 12
SLOT = struct.Struct("<QIIiiII24s32s112s")


class Doing(IntEnum):
    """What a rank was doing when it last told."""

    COMPUTING = 0
    WAITING = 1
    """in a call that ends when its messages are complete"""
    ASKING = 2
    """its last call asked for messages and found none"""
    RESTING = 3
    """it waits for orders of other ranks, however long these take"""


@dataclass(frozen=True, kw_only=True)
class RankState:
    """One rank as it last described itself. ``pid`` is 0 until it has started."""

    rank: int
    pid: int
    progress: int = 0
    """phases, levels, searches, cells and complete messages so far"""
    search: int = -1
    """index of the search, -1 outside"""
    level: int = 0
    doing: Doing = Doing.COMPUTING
    phase: str = ""
    last_call: str = ""
    """MPI call that it is in, or made last; empty before the first"""
    cell: str = ""
    """what a benchmark measures; empty elsewhere"""

    @property
    def waits(self) -> bool:
        """It is inside a call."""
        return self.doing in (Doing.WAITING, Doing.RESTING)

    def when(self) -> str:
        """While it measured bcast 8 B; in phase fold."""
        if self.cell:
            return f"while it measured {self.cell}"
        return f"in phase {self.phase or 'start'}"

    def describe(self) -> str:
        """For example: rank 1 waits in MPI_Allreduce (phase reduce, search 3, level 2)."""
        where = [self.cell] if self.cell else [f"phase {self.phase}"] if self.phase else []
        if self.search >= 0:
            where += [f"search {self.search}", f"level {self.level}"]
        return f"rank {self.rank} {self._doing()}" + (f" ({', '.join(where)})" if where else "")

    def _doing(self) -> str:
        if self.doing == Doing.WAITING:
            return f"waits in {self.last_call}"
        if self.doing == Doing.RESTING:
            return f"waits for orders in {self.last_call}"
        if self.doing == Doing.ASKING:
            return f"asks in vain with {self.last_call}"
        return f"computes, last call {self.last_call}" if self.last_call else "computes"


class Pulse(Protocol):
    """Where ranks show what they do."""

    def read(self) -> list[RankState]:
        """All ranks; empty where nothing can be read."""
        ...

    def request_stop(self) -> None:
        """Asks the ranks to end, where they can hear it."""
        ...


class Heartbeat:
    """The launcher's view of the file."""

    def __init__(self, path: Path, ranks: int) -> None:
        self.path = path
        self.ranks = ranks

    @classmethod
    def create(cls, path: Path, ranks: int) -> "Heartbeat":
        """Writes an empty file for ``ranks`` ranks. Raises: EnvironmentProblem when it cannot."""
        header = struct.pack("<8sII", MAGIC, ranks, 0).ljust(HEADER_BYTES, b"\0")
        try:
            path.write_bytes(header + b"\0" * (SLOT_BYTES * ranks))
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {path}: {error.strerror}; free space or use --store"
            ) from error
        return cls(path, ranks)

    def read(self) -> list[RankState]:
        """All ranks; empty where the file cannot be read."""
        try:
            content = self.path.read_bytes()
        except OSError:
            return []
        if content[:8] != MAGIC:
            return []
        states = []
        for number in range(self.ranks):
            begin = HEADER_BYTES + SLOT_BYTES * number
            slot = content[begin : begin + SLOT.size]
            if len(slot) < SLOT.size:
                break
            progress, rank, pid, search, level, doing, _, phase, call, cell = SLOT.unpack(slot)
            states.append(
                RankState(
                    rank=rank if pid else number,
                    pid=pid,
                    progress=progress,
                    search=search if pid else -1,
                    level=level,
                    doing=Doing(doing) if doing in iter(Doing) else Doing.COMPUTING,
                    phase=_text(phase),
                    last_call=_text(call),
                    cell=_text(cell),
                )
            )
        return states

    def request_stop(self) -> None:
        """Asks the ranks to finish or drop the current search and end."""
        with self.path.open("r+b") as file:
            file.seek(STOP_OFFSET)
            file.write(struct.pack("<I", 1))


class Beats:
    """The files of the ranks of a profiled program, one for each process, as they come."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self) -> list[RankState]:
        """Every process that has come so far, by rank."""
        files = self._folder.glob("beat-*.bin")
        states = [state for file in files for state in Heartbeat(file, 1).read() if state.pid]
        return sorted(states, key=lambda state: (state.rank, state.pid))

    def request_stop(self) -> None:
        """A foreign program hears signals alone."""


def _text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("ascii", errors="replace")
