# SPDX-License-Identifier: Apache-2.0
"""The heartbeat file: what every rank is doing, and whether it shall stop.

Binary, little endian, mapped by every rank. A header of 64 bytes (magic, number of ranks, the word
that asks for an early end), then 128 bytes per rank.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem

MAGIC = b"ISOBHB1\0"
HEADER_BYTES = 64
SLOT_BYTES = 128
STOP_OFFSET = 12
SLOT = struct.Struct("<QdIIii24s32s")


@dataclass(frozen=True)
class RankState:
    """One rank as it last described itself. ``pid`` is 0 until it has started."""

    rank: int
    pid: int
    sequence: int
    changed_seconds: float
    """on the monotonic clock"""
    search: int
    """index of the search, -1 outside"""
    level: int
    phase: str
    waiting_in: str
    """MPI call it is in, empty outside"""

    def describe(self) -> str:
        """For example: rank 1 waits in MPI_Allreduce (phase reduce, search 3, level 2)."""
        where = [f"phase {self.phase}"] if self.phase else []
        if self.search >= 0:
            where += [f"search {self.search}", f"level {self.level}"]
        doing = f"waits in {self.waiting_in}" if self.waiting_in else "computes"
        return f"rank {self.rank} {doing}" + (f" ({', '.join(where)})" if where else "")


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
            sequence, changed, rank, pid, search, level, phase, call = SLOT.unpack(slot)
            states.append(
                RankState(
                    rank=rank if pid else number,
                    pid=pid,
                    sequence=sequence,
                    changed_seconds=changed,
                    search=search if pid else -1,
                    level=level,
                    phase=_text(phase),
                    waiting_in=_text(call),
                )
            )
        return states

    def request_stop(self) -> None:
        """Asks the ranks to finish or drop the current search and end."""
        with self.path.open("r+b") as file:
            file.seek(STOP_OFFSET)
            file.write(struct.pack("<I", 1))


def _text(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("ascii", errors="replace")
