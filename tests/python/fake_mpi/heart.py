# SPDX-License-Identifier: Apache-2.0
"""The heartbeat of a fake rank, and ranks that hang with it."""

import mmap
import os
import signal
import struct
import sys
import time

RANK = int(os.environ.get("FAKE_RANK", "0"))
SIZE = int(os.environ.get("FAKE_SIZE", "1"))
COMPUTING, WAITING, ASKING = 0, 1, 2


class Heart:
    """A rank's slot; each beat is progress, but of a call that asks in vain."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), 0)
        assert self.map[:8] == b"ISOBHB2\0"
        self.progress = 0

    def beat(
        self,
        phase: str,
        call: str = "",
        search: int = -1,
        level: int = 0,
        *,
        asks: bool = False,
        cell: str = "",
    ) -> None:
        self.progress += not asks
        slot = struct.pack(
            "<QIIiiII24s32s112s",
            self.progress,
            RANK,
            os.getpid(),
            search,
            level,
            ASKING if asks else WAITING if call else COMPUTING,
            0,
            phase.encode(),
            call.encode(),
            cell.encode(),
        )
        begin = 64 + 256 * RANK
        self.map[begin : begin + len(slot)] = slot

    def beats_of(self, rank: int) -> int:
        begin = 64 + 256 * rank
        return int(struct.unpack("<Q", self.map[begin : begin + 8])[0])

    def waits(self, rank: int) -> bool:
        """Whether another rank said that it waits in a call."""
        begin = 64 + 256 * rank + 24
        return int(struct.unpack("<I", self.map[begin : begin + 4])[0]) == WAITING

    @property
    def stop_requested(self) -> bool:
        return bool(struct.unpack("<I", self.map[12:16])[0])


def hang_where_asked(options: dict[str, str]) -> None:
    """FAKE_TROUBLE: hangs (all ranks, in a cell), stopped (rank 1 stops itself there), killed (rank
    1 kills itself, the other notices), launcher (rank 1 kills the launcher).
    """
    trouble = os.environ.get("FAKE_TROUBLE", "")
    if trouble not in ("hangs", "stopped", "killed", "launcher"):
        return
    heart = Heart(options["--heartbeat"])
    call = "MPI_Allreduce" if RANK else ""
    heart.beat("start", call, cell="cell 1 of 2, allreduce of 8 B")
    while not all(heart.beats_of(rank) for rank in range(SIZE)):
        time.sleep(0.01)  # MPI_Init: nobody falls silent before all have said where they are
        heart.beat("start", call, cell="cell 1 of 2, allreduce of 8 B")
    if trouble == "stopped" and RANK == 1:
        os.kill(os.getpid(), signal.SIGSTOP)
    if trouble in ("killed", "launcher"):
        time.sleep(0.2)
    if trouble == "killed" and RANK == 0:
        print("isobath: rank 0 of 2: MPI_Allreduce failed", file=sys.stderr, flush=True)
    if trouble == "killed" and RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if trouble == "launcher" and RANK == 1:
        os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)
