# SPDX-License-Identifier: Apache-2.0
"""Finds ranks that died, were stopped, or wait for each other without end.

A rank is silent as long as its count of progress stands: no new phase, level, search or cell, no
complete message or call. A call that asks for messages and finds none is no progress, so a rank
that polls is as silent as one that waits.

A run hangs
- when every rank has been silent for the limit: they wait for each other, or for one that does not
  come back;
- or when one rank that is in no call has been silent for the limit, whatever the others do.

A rank that waits, polls or rests is excused as long as others go on: who waits for a rank that
computes, or for its turn, does nothing wrong. What computes honestly is told from what does not by
the limit alone, which is longer than any phase of the run was to take (``launch/limits.py``).
"""

import re
import signal
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.launch.heartbeat import Doing, RankState
from isobath.launch.limits import PATIENCE_SECONDS, Limits
from isobath.launch.processes import is_alive, process_state

DEFECTS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL, signal.SIGSYS)
"""Signals that a program earns by its own fault."""

NAMED_RANKS = 16
"""in a sentence"""


@dataclass(frozen=True)
class Trouble:
    """Why a run must end now, or ended."""

    message: str
    exit_code: ExitCode
    phase: str = "start"
    rank: int | None = None
    signal: int | None = None
    last_call: str | None = None
    is_guess: bool = False
    """what the launcher or a rank said of it is better"""


class Watchdog:
    """Looks at the ranks again and again and says when a run cannot go on.

    Args: started_seconds is of the monotonic clock. Without ``watches_processes`` nobody is blamed
        for having died or been stopped: the program is somebody else's, and so are its ranks.
    """

    def __init__(
        self, limits: Limits, started_seconds: float, *, watches_processes: bool = True
    ) -> None:
        self._limits = limits
        self._started = started_seconds
        self._watches_processes = watches_processes
        self._suspects: dict[tuple[int, str], float] = {}
        self._seen: dict[tuple[int, int], tuple[int, float]] = {}

    def look(self, ranks: list[RankState], now_seconds: float) -> None:
        """Notes who has made progress; more often than check(), it knows better since when."""
        for state in ranks:
            if not state.pid:
                continue
            progress, _ = self._seen.get((state.rank, state.pid), (-1, 0.0))
            if progress != state.progress:
                self._seen[state.rank, state.pid] = (state.progress, now_seconds)

    def silent_since(self, state: RankState) -> float:
        """When the rank was last seen to make progress."""
        return self._seen.get((state.rank, state.pid), (0, self._started))[1]

    def check(
        self, ranks: list[RankState], now_seconds: float, *, stop_asked: float | None = None
    ) -> Trouble | None:
        """What is wrong at ``now_seconds`` (monotonic clock), or None.

        Args: stop_asked is when the ranks were asked to stop; from then on silence counts sooner.
        """
        self.look(ranks, now_seconds)
        running = [state for state in ranks if state.pid]
        if not running:
            return self._never_started(now_seconds)
        return (
            self._stopped_or_dead(running, now_seconds)
            or self._does_not_stop(running, now_seconds, stop_asked)
            or self._hung(running, now_seconds)
            or self._late(running, now_seconds)
        )

    def _never_started(self, now: float) -> Trouble | None:
        limits = [self._limits.time_limit]
        limits += (
            [self._limits.start_seconds] if self._watches_processes else [self._limits.hang_seconds]
        )
        limit = min((seconds for seconds in limits if seconds is not None), default=None)
        if limit is None or now - self._started <= limit:
            return None
        return Trouble(
            f"no rank started in {limit:.0f} s; check the MPI with ./isobath doctor --libraries",
            ExitCode.TIMEOUT,
        )

    def _stopped_or_dead(self, running: list[RankState], now: float) -> Trouble | None:
        if not self._watches_processes:
            return None
        suspects: dict[tuple[int, str], RankState] = {}
        alive = 0
        for state in running:
            letter = process_state(state.pid)
            if letter == "T":
                suspects[state.rank, "stopped"] = state
            if is_alive(state.pid):
                alive += 1
            else:
                suspects[state.rank, "dead"] = state
        if not alive:  # an ordinary end, or the launcher will say what happened
            suspects = {}
        since = {key: self._suspects.get(key, now) for key in suspects}
        self._suspects = since
        for key, state in suspects.items():
            if now - since[key] >= PATIENCE_SECONDS:
                return stopped(state) if key[1] == "stopped" else dead(state)
        return None

    def _does_not_stop(
        self, running: list[RankState], now: float, stop_asked: float | None
    ) -> Trouble | None:
        if stop_asked is None:
            return None
        since = max(stop_asked, *(self.silent_since(state) for state in running))
        if now - since < self._limits.stop_seconds:
            return None
        return self._trouble(
            running,
            f"asked to stop, but no rank made progress for {self._limits.stop_seconds:.0f} s",
            "it was ended",
            ExitCode.ENVIRONMENT,
        )

    def _hung(self, running: list[RankState], now: float) -> Trouble | None:
        limit = self._limits.hang_seconds
        if limit is None:
            return None
        latest = max(self._started, *(self.silent_since(state) for state in running))
        advice = "if the machine is only slow, allow more with --hang-seconds"
        if now - latest >= limit:
            words = f"no rank made progress for {limit:.0f} s"
            return self._trouble(running, words, advice, ExitCode.TIMEOUT)
        for state in running:
            silent = now - max(self._started, self.silent_since(state))
            if state.doing == Doing.COMPUTING and silent >= limit and is_alive(state.pid):
                words = f"rank {state.rank} made no progress for {limit:.0f} s while others went on"
                return self._trouble(running, words, advice, ExitCode.TIMEOUT, state)
        return None

    def _late(self, running: list[RankState], now: float) -> Trouble | None:
        limit = self._limits.time_limit
        if limit is None or now - self._started < limit:
            return None
        return self._trouble(
            running,
            f"it was not over after {limit:.0f} s",
            "allow more with --time-limit",
            ExitCode.TIMEOUT,
        )

    def _trouble(
        self,
        running: list[RankState],
        words: str,
        advice: str,
        code: ExitCode,
        blamed: RankState | None = None,
    ) -> Trouble:
        """Names where everybody is; the first is blamed of those that fell silent in no call."""
        computing = [state for state in running if not state.waits]
        blamed = blamed or min(computing or running, key=self.silent_since)
        where = "; ".join(_described(state) for state in running[:NAMED_RANKS])
        hidden = len(running) - NAMED_RANKS
        more = f"; and {hidden} more" if hidden > 0 else ""
        return Trouble(
            f"{words}: {where}{more}; {advice}",
            code,
            phase=blamed.phase or "start",
            rank=blamed.rank,
            last_call=blamed.last_call or None,
        )


def _described(state: RankState) -> str:
    is_stopped = process_state(state.pid) == "T"
    return state.describe() + (" and is stopped by a signal" if is_stopped else "")


def signal_name(number: int) -> str:
    """For example SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def death_of(state: RankState | None, number: int) -> Trouble:
    """A rank that ended by a signal; ``state`` is its last word, if any."""
    who = f"rank {state.rank}" if state else "a rank"
    phase = state.phase if state and state.phase else "start"
    when = state.when() if state else f"in phase {phase}"
    if number == signal.SIGABRT and state and (state.waits or not state.phase):
        advice = "its MPI library gave up, as when another rank ends: see stderr.txt of the run"
        code = ExitCode.ENVIRONMENT
    elif number in DEFECTS:
        advice = "this is a defect of Isobath: please report it with the run folder"
        code = ExitCode.INTERNAL
    elif number == signal.SIGBUS:
        advice = "/dev/shm or the disk may be full: see ./isobath doctor"
        code = ExitCode.ENVIRONMENT
    else:
        advice = "somebody ended it, or memory ran out: see dmesg, and ./isobath plan for its needs"
        code = ExitCode.ENVIRONMENT
    return Trouble(
        f"{who} was killed by {signal_name(number)} {when}; {advice}",
        code,
        phase=phase,
        rank=state.rank if state else None,
        signal=number,
        last_call=(state.last_call or None) if state else None,
    )


def death_in_text(text: str, ranks: list[RankState]) -> Trouble | None:
    """The death of a rank as a launcher reports it on standard error, or None."""
    openmpi = re.search(
        r"process rank (\d+) with PID (\d+) .*?exited on\s+signal (\d+)", text, re.S
    )
    if openmpi:
        rank, pid, number = map(int, openmpi.groups())
        known = (state for state in ranks if state.pid and state.rank == rank)
        unseen = RankState(rank=rank, pid=pid)  # it may die before we have looked
        return death_of(next(known, unseen), number)
    hydra = re.search(r"EXIT STRING: .*\(signal (\d+)\)", text)
    if hydra:
        process = re.search(r"PID (\d+) RUNNING AT", text)
        pid = int(process[1]) if process else 0
        state = next((state for state in ranks if pid and state.pid == pid), None)
        return death_of(state, int(hydra[1]))
    intel = re.findall(r"PID (\d+) RUNNING AT[^\n]*\n=\s+KILLED BY SIGNAL: (\d+)", text)
    if intel:
        # Ranks that the launcher ended itself are told in the same words, as killed by SIGKILL.
        first = [death for death in intel if int(death[1]) != signal.SIGKILL] or intel
        died = int(first[0][0]) if len(first) == 1 else None
        state = next((state for state in ranks if state.pid == died), None)
        return death_of(state, int(first[0][1]))
    return None


def stopped(state: RankState) -> Trouble:
    """A rank that somebody stopped."""
    return Trouble(
        f"rank {state.rank} was stopped by a signal {state.when()}, "
        "so the others would wait for ever; start the run again and let it be",
        ExitCode.ENVIRONMENT,
        phase=state.phase or "start",
        rank=state.rank,
        signal=int(signal.SIGSTOP),
        last_call=state.last_call or None,
    )


def dead(state: RankState) -> Trouble:
    """A rank that is gone, nobody knows why."""
    return Trouble(
        f"rank {state.rank} ended {state.when()} while others go on; "
        "see stderr.txt in the run folder",
        ExitCode.ENVIRONMENT,
        phase=state.phase or "start",
        rank=state.rank,
        last_call=state.last_call or None,
        is_guess=True,
    )
