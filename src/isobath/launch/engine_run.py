# SPDX-License-Identifier: Apache-2.0
"""One launch of a program of the benchmark's protocol, from start to a known end."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from isobath.errors import ExitCode
from isobath.launch.exit_status import Said, trouble_of
from isobath.launch.heartbeat import Heartbeat
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.line_tail import LineTail
from isobath.launch.processes import mentions
from isobath.launch.supervised import Ended, Launch, Look, OnInterrupt, supervise
from isobath.launch.watchdog import Trouble


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
    interrupts: Stop,
) -> Outcome:
    """Starts the ranks, watches them, and returns once all of them are gone.

    The first signal that reaches us asks the engine to stop, the second ends it. Ranks that hang
    when they are asked to stop are ended too.

    Args: watch is called many times a second with what is new.
    Raises: EnvironmentProblem where the launcher cannot be started or a file cannot be written.
    """
    heartbeat = Heartbeat.create(files.heartbeat, ranks)
    following = _Following(files, watch, interrupts)
    launch = Launch(
        line,
        limits,
        interrupts,
        OnInterrupt.ASK,
        has_heartbeat=True,
        stdout=files.stdout,
        stderr=files.stderr,
        ranks=ranks,
        owns=lambda pid: mentions(pid, run_id),
    )
    return following.outcome(supervise(launch, lambda _: heartbeat, following.look), line)


class _Following:
    """The records and the progress of one launch."""

    def __init__(self, files: Files, watch: Callable[[Progress], None], interrupts: Stop) -> None:
        self._files = files
        self._watch = watch
        self._interrupts = interrupts
        self._tail = LineTail(files.records)
        self._kinds: set[str] = set()

    def look(self, look: Look) -> bool:
        """Hands on what is new; whether the last record is there."""
        fresh = tuple(self._tail.read())
        self._kinds |= {str(fields.get("kind")) for fields in fresh}
        search = min((state.search for state in look.ranks if state.pid), default=-1)
        stopping = self._interrupts.wants_end
        self._watch(Progress(look.elapsed_seconds, look.phase, search, fresh, stopping))
        return "finish" in self._kinds

    def outcome(self, ended: Ended, line: LaunchLine) -> Outcome:
        """What happened, once everything is over."""
        said = Said(self._files.stdout, self._files.stderr)
        said.separate()
        code, trouble = ExitCode.DONE, trouble_of(ended, line.launcher_name, said)
        ends_known = ended.status in (ExitCode.VIOLATIONS, ExitCode.ENVIRONMENT)
        if ended.trouble is None and ends_known and "finish" in self._kinds:
            code, trouble = ExitCode(ended.status or 0), None
        return Outcome(
            exit_code=trouble.exit_code if trouble else code,
            elapsed_seconds=ended.elapsed_seconds,
            trouble=trouble,
            interrupted=ended.interrupted,
            removed_shared_memory=ended.removed_shared_memory,
            kinds=frozenset(self._kinds),
        )
