# SPDX-License-Identifier: Apache-2.0
"""Ranks before their first heartbeat: processes below the launcher, as /proc shows them."""

import signal
from collections.abc import Container

from isobath.errors import ExitCode
from isobath.launch.heartbeat import RankState
from isobath.launch.limits import PATIENCE_SECONDS
from isobath.launch.processes import descendants, process_name, process_state, variables
from isobath.launch.watchdog import Trouble, stopped

RANK_VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
"""Where launchers tell a process its rank: Open MPI, MPICH and its relatives, PMIx."""

STOPPED = ("T", "t")


class StartUp:
    """Looks again and again at what the launcher has started, until all have a heartbeat."""

    def __init__(self, launcher_pid: int) -> None:
        self._launcher_pid = launcher_pid
        self._ranks: dict[int, RankState] = {}
        self._suspects: dict[int, float] = {}

    @property
    def ranks(self) -> list[RankState]:
        """Every rank that was seen, also where it is gone by now."""
        return list(self._ranks.values())

    def look(self) -> list[int]:
        """All that the launcher has started; notes which rank is which process."""
        pids = descendants(self._launcher_pid)
        for pid in pids:
            number = rank_of(pid)
            if number is not None:
                self._ranks[pid] = RankState(rank=number, pid=pid)
        return pids

    def check(self, registered: Container[int], now_seconds: float) -> Trouble | None:
        """Who has been stopped for a while; ``registered`` have a heartbeat and are left out."""
        self._suspects = {
            pid: self._suspects.get(pid, now_seconds)
            for pid in self.look()
            if pid not in registered and process_state(pid) in STOPPED
        }
        for pid, since in self._suspects.items():
            if now_seconds - since >= PATIENCE_SECONDS:
                return self._stopped(pid)
        return None

    def _stopped(self, pid: int) -> Trouble:
        if pid in self._ranks:
            return stopped(self._ranks[pid])
        return Trouble(
            f"{process_name(pid)} (process {pid}), which starts ranks, was stopped by a signal; "
            "start the run again and let it be",
            ExitCode.ENVIRONMENT,
            signal=int(signal.SIGSTOP),
        )


def rank_of(pid: int) -> int | None:
    """The rank that a launcher gave a process; None where it is no rank."""
    given = variables(pid)
    words = [given[name] for name in RANK_VARIABLES if given.get(name, "").isdecimal()]
    return int(words[0]) if words else None
