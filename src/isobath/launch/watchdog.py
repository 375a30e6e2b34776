# SPDX-License-Identifier: Apache-2.0
"""Finds ranks that died, were stopped, or wait for each other without end."""

import re
import signal
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.launch.heartbeat import RankState
from isobath.launch.processes import is_alive, process_state

PATIENCE_SECONDS = 3.0
"""How long a rank may look dead or stopped before it counts: ranks leave in turn."""

DEFECTS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGILL, signal.SIGSYS)
"""Signals that a program earns by its own fault."""


@dataclass(frozen=True)
class Trouble:
    """Why a run must end now, or ended."""

    message: str
    exit_code: ExitCode
    phase: str = "start"
    rank: int | None = None
    signal: int | None = None
    last_call: str | None = None


@dataclass(frozen=True)
class Limits:
    """How long is too long, in seconds."""

    hang_seconds: float = 300.0
    """no rank changes phase, level or MPI call"""
    start_seconds: float = 60.0
    """until the first rank says that it runs"""


class Watchdog:
    """Looks at the heartbeat again and again and says when a run cannot go on."""

    def __init__(self, limits: Limits, started_seconds: float) -> None:
        self._limits = limits
        self._started = started_seconds
        self._suspects: dict[tuple[int, str], float] = {}

    def check(self, ranks: list[RankState], now_seconds: float) -> Trouble | None:
        """What is wrong at ``now_seconds`` (monotonic clock), or None."""
        running = [state for state in ranks if state.pid]
        if not running:
            if now_seconds - self._started > self._limits.start_seconds:
                return Trouble(
                    f"no rank started within {self._limits.start_seconds:.0f} s; "
                    "check the MPI with ./isobath doctor --mpi",
                    ExitCode.TIMEOUT,
                )
            return None
        return self._stopped_or_dead(running, now_seconds) or self._hung(running, now_seconds)

    def _stopped_or_dead(self, running: list[RankState], now: float) -> Trouble | None:
        found: dict[tuple[int, str], RankState] = {}
        alive = 0
        for state in running:
            letter = process_state(state.pid)
            if letter == "T":
                found[state.rank, "stopped"] = state
            if is_alive(state.pid):
                alive += 1
            else:
                found[state.rank, "dead"] = state
        if not alive:  # an ordinary end, or the launcher will say what happened
            found = {}
        since = {key: self._suspects.get(key, now) for key in found}
        self._suspects = since
        for key, state in found.items():
            if now - since[key] >= PATIENCE_SECONDS:
                return stopped(state) if key[1] == "stopped" else _dead(state)
        return None

    def _hung(self, running: list[RankState], now: float) -> Trouble | None:
        latest = max([self._started, *(state.changed_seconds for state in running)])
        if now - latest < self._limits.hang_seconds:
            return None
        computing = [state for state in running if not state.waiting_in]
        blamed = min(computing or running, key=lambda state: state.changed_seconds)
        where = "; ".join(state.describe() for state in running[:16])
        more = f"; and {len(running) - 16} more" if len(running) > 16 else ""
        return Trouble(
            f"no rank made progress for {now - latest:.0f} s: {where}{more}; "
            "if the machine is only slow, allow more with --hang-seconds",
            ExitCode.TIMEOUT,
            phase=blamed.phase or "start",
            rank=blamed.rank,
            last_call=blamed.waiting_in or None,
        )


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
    if number == signal.SIGABRT and state and (state.waiting_in or not state.phase):
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
        f"{who} was killed by {signal_name(number)} in phase {phase}; {advice}",
        code,
        phase=phase,
        rank=state.rank if state else None,
        signal=number,
        last_call=(state.waiting_in or None) if state else None,
    )


def death_in_text(text: str, ranks: list[RankState]) -> Trouble | None:
    """The death of a rank as a launcher reports it on standard error, or None."""
    openmpi = re.search(
        r"process rank (\d+) with PID (\d+) .*?exited on\s+signal (\d+)", text, re.S
    )
    if openmpi:
        rank, number = int(openmpi[1]), int(openmpi[3])
        state = next((state for state in ranks if state.pid and state.rank == rank), None)
        return death_of(state, number)
    hydra = re.search(r"EXIT STRING: .*\(signal (\d+)\)", text)
    if hydra:
        process = re.search(r"PID (\d+) RUNNING AT", text)
        pid = int(process[1]) if process else 0
        state = next((state for state in ranks if pid and state.pid == pid), None)
        return death_of(state, int(hydra[1]))
    intel = re.findall(r"PID (\d+) RUNNING AT[^\n]*\n=\s+KILLED BY SIGNAL: (\d+)", text)
    if intel:
        # Ranks that the launcher ended itself are told in the same words, as killed by SIGKILL.
        first = [one for one in intel if int(one[1]) != signal.SIGKILL] or intel
        died = int(first[0][0]) if len(first) == 1 else None
        state = next((state for state in ranks if state.pid == died), None)
        return death_of(state, int(first[0][1]))
    return None


def stopped(state: RankState) -> Trouble:
    """A rank that somebody stopped."""
    return Trouble(
        f"rank {state.rank} was stopped by a signal in phase {state.phase or 'start'}, "
        "so the others would wait for ever; start the run again and let it be",
        ExitCode.ENVIRONMENT,
        phase=state.phase or "start",
        rank=state.rank,
        signal=int(signal.SIGSTOP),
        last_call=state.waiting_in or None,
    )


def _dead(state: RankState) -> Trouble:
    return Trouble(
        f"rank {state.rank} ended in phase {state.phase or 'start'} while others go on; "
        "see stderr.txt in the run folder",
        ExitCode.ENVIRONMENT,
        phase=state.phase or "start",
        rank=state.rank,
        last_call=state.waiting_in or None,
    )
