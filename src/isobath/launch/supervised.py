# SPDX-License-Identifier: Apache-2.0
"""The one supervised start: a launcher and its ranks, from the start to a known end.

Whatever starts ranks goes through here: limits, heartbeats, stopped and dead ranks, signals that
reach us, and what is left in /dev/shm are looked after alike.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.heartbeat import Pulse, RankState
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import FAREWELL_SECONDS, GRACE_SECONDS, PATIENCE_SECONDS, Limits
from isobath.launch.process_tree import ProcessTree
from isobath.launch.processes import is_alive, process_state, send
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.start_up import RANK_VARIABLES, StartUp
from isobath.launch.watchdog import Trouble, Watchdog
from isobath.launch.with_parent import end_with_parent

POLL_SECONDS = 0.05
CHECK_SECONDS = 0.5


class OnInterrupt(Enum):
    """What happens to the ranks when a signal asks us to end."""

    ASK = "ask"
    """they are asked to stop when they next can; the second signal ends them"""
    END = "end"
    """they are ended at once: what they have done so far is of no use"""
    HAND_ON = "hand on"
    """the launcher gets the signal, as if we were not there; who does not heed it, a harder one"""


@dataclass(frozen=True)
class Launch:
    """What is started, and how it is looked after."""

    line: LaunchLine
    limits: Limits
    interrupts: Stop
    on_interrupt: OnInterrupt
    has_heartbeat: bool = field(kw_only=True)
    """whether every rank has one before it ends"""
    stdout: Path | None = None
    """None: ours; the same of stderr, and then of standard input"""
    stderr: Path | None = None
    ranks: int | None = None
    """None: whatever the command starts, a person's own program"""
    owns: Callable[[int], bool] = lambda _: True
    """whether a process that says it is a rank is one of this launch: numbers are used again"""


@dataclass(frozen=True)
class Ended:
    """How a launch ended."""

    elapsed_seconds: float
    status: int | None = None
    """of the launcher; None where we ended it"""
    trouble: Trouble | None = None
    """what made waiting pointless"""
    interrupted: bool = False
    """an early end was asked for"""
    removed_shared_memory: tuple[str, ...] = ()
    ranks: list[RankState] = field(default_factory=list)
    """their last words, and those that were seen before they said any"""
    phase: str = "start"
    """of the rank that had been silent for longest"""
    cell: str = ""
    """of a benchmark, which that rank measured; empty elsewhere"""


@dataclass(frozen=True)
class Look:
    """The ranks as they are now."""

    elapsed_seconds: float
    phase: str
    """of the rank that has been silent for longest"""
    ranks: list[RankState]


def supervise(
    launch: Launch, pulse: Callable[[StartUp], Pulse], watch: Callable[[Look], bool]
) -> Ended:
    """Starts the launcher, watches the ranks, and returns once all of them are gone.

    Args: pulse makes what ranks show themselves by. watch is called many times a second, and once
        more at the end; it says whether the ranks have done all they were to do.
    Raises: EnvironmentProblem where the launcher cannot be started or a file cannot be written.
    """
    shared_memory = SharedMemory.look()
    watching = _Watching(launch, _start(launch), pulse, watch)
    try:
        trouble = watching.until_the_end()
    finally:
        watching.end_everything()
    return watching.ended(trouble, tuple(shared_memory.clean()))


def _start(launch: Launch) -> "subprocess.Popen[bytes]":
    """In a session of its own, so that a Ctrl-C on the terminal reaches only us."""
    line = launch.line
    try:
        with ExitStack() as open_files:
            out, err = (
                open_files.enter_context(path.open("wb")) if path else None
                for path in (launch.stdout, launch.stderr)
            )
            return subprocess.Popen(
                line.command,
                stdin=subprocess.DEVNULL if out else None,
                stdout=out,
                stderr=err,
                env=_environment(launch),
                start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot start {line.command[0]}: {error.strerror}; see ./isobath doctor --libraries"
        ) from error


def _environment(launch: Launch) -> dict[str, str]:
    """Ours, in which a launcher that started us may have left a rank: its ranks are not ours."""
    ours = dict(os.environ)
    if launch.ranks is not None:
        for name in RANK_VARIABLES:
            ours.pop(name, None)
    return {**ours, **launch.line.environment}


class _Watching:
    """The loop around one launched process."""

    def __init__(
        self,
        launch: Launch,
        process: "subprocess.Popen[bytes]",
        pulse: Callable[[StartUp], Pulse],
        watch: Callable[[Look], bool],
    ) -> None:
        self._launch = launch
        self._process = process
        self._watch = watch
        self._started = time.monotonic()
        self._start_up = StartUp(process.pid, launch.ranks)
        self._tree = ProcessTree(process.pid)
        self._pulse = pulse(self._start_up)
        self._watchdog = Watchdog(
            launch.limits,
            self._started,
            watches_processes=launch.ranks is not None and not launch.line.is_elsewhere,
        )
        self._last_words: list[RankState] = []
        self._launcher_stopped_at: float | None = None
        self._alone_since: float | None = None
        self._asked_at: float | None = None
        self._finished_at: float | None = None
        self._handed_on = 0
        self._ended_by_us = False

    def until_the_end(self) -> Trouble | None:
        """Polls until the launcher is gone, or returns what made waiting pointless."""
        next_check = 0.0
        while True:
            over = self._process.poll() is not None
            now = time.monotonic()
            is_finished = self._look(now)
            if over:
                return None
            if is_finished:
                self._finished_at = self._finished_at or now
            if self._must_end(now):
                self._ended_by_us = True
                return self._why_ended()
            if now >= next_check:
                next_check = now + CHECK_SECONDS
                trouble = self._check(now)
                if trouble:
                    self._ended_by_us = True
                    return trouble
            time.sleep(POLL_SECONDS)

    def end_everything(self) -> None:
        """Nothing of the launch survives this.

        But what a person's own command left behind when it ended by itself is none of our business.
        """
        if self._launch.on_interrupt == OnInterrupt.HAND_ON and self._ended_alone():
            return
        if self._process.poll() is None:
            self._tree.look()
        self._remember([*self._pulse.read(), *self._start_up.ranks])
        if self._launch.on_interrupt == OnInterrupt.HAND_ON:
            self._end_gently()
        if self._process.poll() is None:
            self._tree.hold()
        left = self._tree.alive()
        if self._process.poll() is None:
            left.add(self._process.pid)
        send(left, signal.SIGKILL)
        self._process.wait()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(is_alive(pid) for pid in left) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _ended_alone(self) -> bool:
        is_over = self._process.poll() is not None
        return is_over and not self._ended_by_us and not self._launch.interrupts.wants_end

    def ended(self, trouble: Trouble | None, removed: tuple[str, ...]) -> Ended:
        """What happened, once everything is over."""
        elapsed = time.monotonic() - self._started
        self._look(time.monotonic())
        return Ended(
            elapsed_seconds=elapsed,
            status=None if self._ended_by_us else self._process.returncode,
            trouble=trouble,
            interrupted=self._launch.interrupts.wants_end,
            removed_shared_memory=removed,
            ranks=[*self._last_words, *self._start_up.ranks],
            phase=self._phase(),
            cell=self._cell(),
        )

    def _look(self, now: float) -> bool:
        states = self._pulse.read()
        if any(state.pid for state in states):
            self._last_words = states
        elif len(self._start_up.ranks) < (self._launch.ranks or 0):
            self._start_up.look()  # a rank may be killed as soon as it is there
        self._remember(states)
        self._watchdog.look(states, now)
        return self._watch(Look(now - self._started, self._phase(), states))

    def _remember(self, states: list[RankState]) -> None:
        for state in states:
            if not self._tree.knows(state.pid) and self._launch.owns(state.pid):
                self._tree.add(state.pid)

    def _phase(self) -> str:
        behind = [state for state in self._last_words if state.pid and state.phase]
        return min(behind, key=self._watchdog.silent_since).phase if behind else "start"

    def _cell(self) -> str:
        measuring = [state for state in self._last_words if state.pid and state.cell]
        return min(measuring, key=self._watchdog.silent_since).cell if measuring else ""

    def _must_end(self, now: float) -> bool:
        """After a signal that reached us, or when a launcher lingers."""
        interrupts, policy = self._launch.interrupts, self._launch.on_interrupt
        if self._finished_at is not None and now - self._finished_at > FAREWELL_SECONDS:
            return True
        if not interrupts.wants_end:
            return False
        if self._asked_at is None:
            self._asked_at = now
            if policy == OnInterrupt.ASK:
                self._pulse.request_stop()
        if policy == OnInterrupt.HAND_ON:
            self._hand_on()
            was_told = bool(interrupts.received)  # who called us may ask without a signal
            return not was_told or now - self._asked_at > GRACE_SECONDS
        return policy == OnInterrupt.END or interrupts.wants_end_now

    def _why_ended(self) -> Trouble | None:
        if self._launch.on_interrupt == OnInterrupt.ASK and self._launch.interrupts.wants_end_now:
            return Trouble(
                "ended at once by a second signal; the searches before it are kept",
                ExitCode.ENVIRONMENT,
                phase=self._phase(),
            )
        return None

    def _hand_on(self) -> None:
        """Every signal that came since the last time, to the launcher, which tells its ranks.

        SIGHUP as SIGTERM: it means the same, and Hydra dies of it without a word to its ranks.
        """
        fresh = self._launch.interrupts.received[self._handed_on :]
        if fresh:
            self._tree.look()  # who the ranks are, while the launcher is there to tell
        for number in fresh:
            is_told = signal.SIGTERM if number == signal.SIGHUP else number
            send([self._process.pid], is_told)
        self._handed_on += len(fresh)

    def _end_gently(self) -> None:
        """Ranks that are told to end may write what they know, as a profiler does."""
        told = self._tree.alive()
        if self._process.poll() is None:
            told.add(self._process.pid)
        send(told, signal.SIGTERM)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._tree.alive() and time.monotonic() < deadline:
            self._process.poll()
            time.sleep(POLL_SECONDS)

    def _check(self, now: float) -> Trouble | None:
        if self._launch.ranks is None:
            self._tree.look_at_times(now)
        asked = self._asked_at if self._launch.on_interrupt == OnInterrupt.ASK else None
        return (
            self._starting(now)
            or self._watchdog.check(self._last_words, now, stop_asked=asked)
            or self._launcher(now)
            or self._lingering(now)
        )

    def _starting(self, now: float) -> Trouble | None:
        """Ranks without a heartbeat may have been stopped, or be gone."""
        if self._launch.ranks is None:
            return None
        registered = [state for state in self._last_words if state.pid]
        if len(registered) == self._launch.ranks:
            return None
        return self._start_up.check(registered, now, all_will_register=self._launch.has_heartbeat)

    def _lingering(self, now: float) -> Trouble | None:
        """All ranks are gone, and the launcher has not noticed."""
        launch = self._launch
        if launch.ranks is None or not launch.has_heartbeat or launch.line.is_elsewhere:
            return None
        # Not those whose launcher hides them in a space of their own, where numbers are others.
        registered = [state for state in self._last_words if self._tree.knows(state.pid)]
        seen = [*self._start_up.ranks, *registered]
        all_seen = len({state.rank for state in seen}) >= launch.ranks
        if not all_seen or any(is_alive(state.pid) for state in seen):
            self._alone_since = None
            return None
        self._alone_since = self._alone_since or now
        if now - self._alone_since < FAREWELL_SECONDS:
            return None
        return Trouble(
            f"all ranks have ended, but the launcher {launch.line.launcher_name} has not for "
            f"{FAREWELL_SECONDS:.0f} s; start the run again, and see stderr.txt in the run folder",
            ExitCode.ENVIRONMENT,
            phase=self._phase(),
            is_guess=True,
        )

    def _launcher(self, now: float) -> Trouble | None:
        """The launcher itself may have been stopped."""
        if self._launch.ranks is None or process_state(self._process.pid) != "T":
            self._launcher_stopped_at = None
            return None
        self._launcher_stopped_at = self._launcher_stopped_at or now
        if now - self._launcher_stopped_at < PATIENCE_SECONDS:
            return None
        return Trouble(
            f"the launcher {self._launch.line.launcher_name} was stopped by a signal; "
            "start the run again",
            ExitCode.ENVIRONMENT,
            phase=self._phase(),
            signal=int(signal.SIGSTOP),
        )
