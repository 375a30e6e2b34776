# SPDX-License-Identifier: Apache-2.0
"""One launch of isobath-graph500, from start to a known end."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.line_tail import LineTail
from isobath.launch.processes import descendants, is_alive, mentions, process_state, send
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.start_up import StartUp
from isobath.launch.watchdog import (
    PATIENCE_SECONDS,
    Limits,
    Trouble,
    Watchdog,
    death_in_text,
    death_of,
)
from isobath.launch.with_parent import end_with_parent

POLL_SECONDS = 0.05
CHECK_SECONDS = 0.5
FAREWELL_SECONDS = 30.0
"""How long the launcher may linger after the last record."""


@dataclass(frozen=True)
class Files:
    """Where a launch reads and writes."""

    records: Path
    stdout: Path
    stderr: Path
    heartbeat: Path


@dataclass(frozen=True)
class Progress:
    """A look at a run that is going on."""

    elapsed_seconds: float
    phase: str
    """of the rank that is furthest behind"""
    search: int
    """index of the running search, -1 outside"""
    records: tuple[dict[str, Any], ...] = ()
    """fields of the records written since the look before"""
    stopping: bool = False


@dataclass(frozen=True)
class Outcome:
    """How a launch ended."""

    exit_code: ExitCode
    elapsed_seconds: float
    trouble: Trouble | None = None
    interrupted: bool = False
    """an early end was asked for"""
    removed_shared_memory: tuple[str, ...] = ()
    kinds: frozenset[str] = field(default_factory=frozenset)
    """kinds of records that the engine wrote"""


def run_engine(
    line: LaunchLine,
    files: Files,
    *,
    ranks: int,
    run_id: str,
    limits: Limits,
    watch: Callable[[Progress], None],
    interrupts: Interrupts,
) -> Outcome:
    """Starts the ranks, watches them, and returns once all of them are gone.

    The engine runs in a session of its own, so that a Ctrl-C on the terminal reaches only us; the
    first asks the engine to stop, the second ends it.

    Args: watch is called many times a second with what is new.
    Raises: EnvironmentProblem where the launcher cannot be started or a file cannot be written.
    """
    shared_memory = SharedMemory.look()
    heartbeat = Heartbeat.create(files.heartbeat, ranks)
    try:
        with files.stdout.open("wb") as out, files.stderr.open("wb") as err:
            process = subprocess.Popen(
                line.command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, **line.environment},
                start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509 (takes no lock)
            )
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot start {line.command[0]}: {error.strerror}; see ./isobath doctor --mpi"
        ) from error
    watching = _Watching(
        process,
        launcher_name=line.launcher_name,
        files=files,
        heartbeat=heartbeat,
        run_id=run_id,
        limits=limits,
        watch=watch,
        interrupts=interrupts,
    )
    try:
        trouble = watching.until_the_end()
    finally:
        watching.end_everything()
    return watching.outcome(trouble, tuple(shared_memory.clean()))


class _Watching:
    """The loop around one launched process."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        *,
        launcher_name: str,
        files: Files,
        heartbeat: Heartbeat,
        run_id: str,
        limits: Limits,
        watch: Callable[[Progress], None],
        interrupts: Interrupts,
    ) -> None:
        self._process = process
        self._launcher_name = launcher_name
        self._files = files
        self._heartbeat = heartbeat
        self._run_id = run_id
        self._watch = watch
        self._interrupts = interrupts
        self._started = time.monotonic()
        self._watchdog = Watchdog(limits, self._started)
        self._start_up = StartUp(process.pid)
        self._tail = LineTail(files.records)
        self._last_words: list[RankState] = []
        self._kinds: set[str] = set()
        self._finished_at: float | None = None
        self._launcher_stopped_at: float | None = None
        self._stopping = False
        self._ended_by_us = False

    def until_the_end(self) -> Trouble | None:
        """Polls until the launcher is gone, or returns what made waiting pointless."""
        next_check = 0.0
        while True:
            over = self._process.poll() is not None
            now = time.monotonic()
            self._look(now)
            if over:
                return None
            if self._interrupts.wants_end_now:
                self._ended_by_us = True
                return Trouble(
                    "ended at once by a second signal; the searches before it are kept",
                    ExitCode.ENVIRONMENT,
                    phase=self._phase(),
                )
            if self._interrupts.wants_end and not self._stopping:
                self._stopping = True
                self._heartbeat.request_stop()
            if now >= next_check:
                next_check = now + CHECK_SECONDS
                trouble = (
                    self._starting(now)
                    or self._watchdog.check(self._last_words, now)
                    or self._launcher(now)
                )
                if trouble:
                    self._ended_by_us = True
                    return trouble
            if self._lingers(now):
                self._ended_by_us = True
                return None
            time.sleep(POLL_SECONDS)

    def end_everything(self) -> None:
        """Nothing of the launch survives this."""
        pids = set()
        if self._process.poll() is None:
            pids = {self._process.pid, *descendants(self._process.pid)}
        states = [*self._heartbeat.read(), *self._start_up.ranks]
        ours = {state.pid for state in states if state.pid}
        pids |= {pid for pid in ours if is_alive(pid) and mentions(pid, self._run_id)}
        send(pids, signal.SIGKILL)
        self._process.wait()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(is_alive(pid) for pid in pids) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def outcome(self, trouble: Trouble | None, removed: tuple[str, ...]) -> Outcome:
        """What happened, once everything is over."""
        elapsed = time.monotonic() - self._started
        self._look(time.monotonic())
        code = ExitCode.DONE
        if trouble is None and not self._ended_by_us:
            status = self._process.returncode
            trouble = self._trouble_of(status) if status != 0 else None
            if status in (ExitCode.VIOLATIONS, ExitCode.ENVIRONMENT) and "finish" in self._kinds:
                code, trouble = ExitCode(status), None
        return Outcome(
            exit_code=trouble.exit_code if trouble else code,
            elapsed_seconds=elapsed,
            trouble=trouble,
            interrupted=self._interrupts.wants_end,
            removed_shared_memory=removed,
            kinds=frozenset(self._kinds),
        )

    def _look(self, now: float) -> None:
        fresh = tuple(self._tail.read())
        for fields in fresh:
            self._kinds.add(str(fields.get("kind")))
        if "finish" in self._kinds and self._finished_at is None:
            self._finished_at = now
        states = self._heartbeat.read()
        if any(state.pid for state in states):
            self._last_words = states
        elif len(self._start_up.ranks) < self._heartbeat.ranks:
            self._start_up.look()  # a rank may be killed as soon as it is there
        running = [state.search for state in states if state.pid]
        search = min(running, default=-1)
        phase, stopping = self._phase(), self._interrupts.wants_end
        self._watch(Progress(now - self._started, phase, search, fresh, stopping))

    def _phase(self) -> str:
        behind = [state for state in self._last_words if state.pid and state.phase]
        if not behind:
            return "start"
        return min(behind, key=lambda state: state.changed_seconds).phase

    def _starting(self, now: float) -> Trouble | None:
        """Ranks without a heartbeat may have been stopped."""
        registered = {state.pid for state in self._last_words if state.pid}
        if len(registered) == self._heartbeat.ranks:
            return None
        return self._start_up.check(registered, now)

    def _launcher(self, now: float) -> Trouble | None:
        """The launcher itself may have been stopped."""
        if process_state(self._process.pid) != "T":
            self._launcher_stopped_at = None
            return None
        self._launcher_stopped_at = self._launcher_stopped_at or now
        if now - self._launcher_stopped_at < PATIENCE_SECONDS:
            return None
        return Trouble(
            f"the launcher {self._launcher_name} was stopped by a signal; start the run again",
            ExitCode.ENVIRONMENT,
            phase=self._phase(),
            signal=int(signal.SIGSTOP),
        )

    def _lingers(self, now: float) -> bool:
        return self._finished_at is not None and now - self._finished_at > FAREWELL_SECONDS

    def _trouble_of(self, status: int) -> Trouble:
        """Why the launcher returned something else than 0."""
        text = self._said()
        death = death_in_text(text, [*self._last_words, *self._start_up.ranks])
        if death:
            return death
        if status < 0:
            return death_of(None, -status)
        sentence = last_sentence(text)
        if status == ExitCode.VIOLATIONS:
            # Violations come with a finish record. Without one it is a launcher (MPICH 4.0's) that
            # forgot the code of an abort.
            status = int(ExitCode.ENVIRONMENT)
        known = status in {int(code) for code in ExitCode}
        if sentence and known:
            return Trouble(sentence, ExitCode(status), phase=self._phase())
        if status > 128:
            return death_of(None, status - 128)
        last = text.strip().splitlines()[-1:] or ["it said nothing"]
        return Trouble(
            f"{self._launcher_name} ended with status {status}: {last[0]}; "
            "see stderr.txt in the run folder, and ./isobath doctor --mpi",
            ExitCode.ENVIRONMENT,
            phase=self._phase(),
        )

    def _said(self) -> str:
        try:
            with self._files.stderr.open("rb") as source:
                out = self._files.stdout.read_bytes()[-8192:]  # Open MPI reports there at times
                source.seek(max(0, self._files.stderr.stat().st_size - 65536))
                return (source.read() + b"\n" + out).decode("utf-8", errors="replace")
        except OSError:
            return ""


def last_sentence(text: str) -> str:
    """The engine's own error sentence, without its prefix; empty where there is none."""
    for said in reversed(text.splitlines()):
        found = re.match(r"isobath\S*: (?:rank \d+ of \d+: )?(.+)", said)
        if found:
            return found[1].strip()
    return ""
