# SPDX-License-Identifier: Apache-2.0
"""Ranks before their first heartbeat: processes below the launcher, as /proc shows them."""

import signal
from collections.abc import Sequence

from isobath.errors import ExitCode
from isobath.launch.heartbeat import RankState
from isobath.launch.limits import PATIENCE_SECONDS
from isobath.launch.processes import (
    descendants,
    is_alive,
    process_name,
    process_state,
    variables,
)
from isobath.launch.watchdog import Trouble, dead, stopped

RANK_VARIABLES = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
"""Where launchers tell a process its rank: Open MPI, MPICH and its relatives, PMIx."""

STOPPED = ("T", "t")


class StartUp:
    """Looks again and again at what the launcher has started, until all have a heartbeat."""

    def __init__(self, launcher_pid: int, ranks: int | None) -> None:
        """Args: ranks are how many are started; whoever has a higher number is none of them."""
        self._launcher_pid = launcher_pid
        self._most = ranks
        self._ranks: dict[int, RankState] = {}
        self._suspects: dict[int, float] = {}
        self._dead: dict[int, float] = {}

    @property
    def ranks(self) -> list[RankState]:
        """Every rank that was seen, also where it is gone by now."""
        return list(self._ranks.values())

    def look(self) -> list[int]:
        """All that the launcher has started; notes which rank is which process."""
        pids = descendants(self._launcher_pid)
        for pid in pids:
            number = rank_of(pid)
            if number is not None and (self._most is None or number < self._most):
                self._ranks[pid] = RankState(rank=number, pid=pid)
        return pids

    def check(
        self, registered: Sequence[RankState], now_seconds: float, *, all_will_register: bool
    ) -> Trouble | None:
        """Who has been stopped, or gone, for a while; ``registered`` are watched by others.

        Args: all_will_register says that a rank of this program has a heartbeat before it ends.
        """
        return self._one_stopped(registered, now_seconds) or (
            self._one_dead(registered, now_seconds) if all_will_register else None
        )

    def _one_stopped(self, registered: Sequence[RankState], now: float) -> Trouble | None:
        known = {state.pid for state in registered}
        self._suspects = {
            pid: self._suspects.get(pid, now)
            for pid in self.look()
            if pid not in known and process_state(pid) in STOPPED
        }
        for pid, since in self._suspects.items():
            if now - since >= PATIENCE_SECONDS:
                return self._stopped(pid)
        return None

    def _one_dead(self, registered: Sequence[RankState], now: float) -> Trouble | None:
        """A launcher may lose a rank that dies this early, and the others wait for it for ever.

        A rank may have several processes, of which some end: a shell, and what it asks first.
        """
        alive = {state.rank for state in self.ranks if is_alive(state.pid)}
        others_go_on = bool(alive) or any(is_alive(state.pid) for state in registered)
        fine = alive | {state.rank for state in registered}
        gone = {state.rank: state for state in self.ranks if state.rank not in fine}
        self._dead = {rank: self._dead.get(rank, now) for rank in gone} if others_go_on else {}
        for rank, since in self._dead.items():
            if now - since >= PATIENCE_SECONDS:
                return dead(gone[rank])
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
