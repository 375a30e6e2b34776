# SPDX-License-Identifier: Apache-2.0
"""One launch of a program that measures the network, from start to a known end."""

from dataclasses import dataclass
from pathlib import Path

from isobath.errors import ExitCode
from isobath.launch.exit_status import Said, trouble_of
from isobath.launch.heartbeat import Heartbeat, Pulse, RankState
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.processes import is_alive, mentions
from isobath.launch.start_up import StartUp
from isobath.launch.supervised import Ended, Launch, OnInterrupt, supervise
from isobath.launch.watchdog import Trouble


@dataclass(frozen=True)
class PlainOutcome:
    """How a launch ended."""

    exit_code: ExitCode
    message: str
    """one sentence where it did not end well; empty elsewhere"""
    elapsed_seconds: float
    interrupted: bool = False
    trouble: Trouble | None = None
    """the same as message, and who is to blame"""


@dataclass(frozen=True)
class PlainFiles:
    """Where a launch writes."""

    stdout: Path
    stderr: Path
    heartbeat: Path | None = None
    """None: the program has none, and shows progress by what it writes alone"""
    results: Path | None = None
    """beside standard output"""


def run_plainly(
    line: LaunchLine,
    files: PlainFiles,
    *,
    ranks: int,
    run_id: str,
    limits: Limits,
    interrupts: Stop,
) -> PlainOutcome:
    """Starts the ranks and waits until all are gone; an asked-for end ends them at once.

    Args: run_id is in the command line of every rank, where there is a heartbeat.
    Raises: EnvironmentProblem where the launcher cannot be started or a file cannot be written.
    """
    heartbeat = Heartbeat.create(files.heartbeat, ranks) if files.heartbeat else None
    written = tuple(path for path in (files.stdout, files.results) if path)

    def pulse(start_up: StartUp) -> Pulse:
        return heartbeat or WrittenOutput(written, start_up, ranks)

    launch = Launch(
        line,
        limits,
        interrupts,
        OnInterrupt.END,
        stdout=files.stdout,
        stderr=files.stderr,
        ranks=ranks,
        has_heartbeat=heartbeat is not None,
        owns=lambda pid: heartbeat is None or mentions(pid, run_id),
    )
    return _outcome(supervise(launch, pulse, lambda _: False), line, files)


class WrittenOutput:
    """The progress of a program without a heartbeat: of all its ranks together, what they write."""

    def __init__(self, files: tuple[Path, ...], start_up: StartUp, ranks: int) -> None:
        self._files = files
        self._start_up = start_up
        self._ranks = ranks

    def read(self) -> list[RankState]:
        """The ranks that the launcher has started, as long as that is known."""
        if len(self._start_up.ranks) < self._ranks:
            self._start_up.look()
        size = sum(path.stat().st_size for path in self._files if path.exists())
        return [
            RankState(rank=rank.rank, pid=rank.pid, progress=size)
            for rank in self._start_up.ranks
            if is_alive(rank.pid)  # the launcher tells who died
        ]

    def request_stop(self) -> None:
        """Such a program hears signals alone."""


def _outcome(ended: Ended, line: LaunchLine, files: PlainFiles) -> PlainOutcome:
    elapsed = ended.elapsed_seconds
    said = Said(files.stdout, files.stderr)
    said.separate()
    if ended.interrupted:
        return PlainOutcome(ExitCode.ENVIRONMENT, "interrupted", elapsed, interrupted=True)
    trouble = trouble_of(ended, line.launcher_name, said)
    if trouble is None:
        return PlainOutcome(ExitCode.DONE, "", elapsed)
    return PlainOutcome(trouble.exit_code, trouble.message, elapsed, trouble=trouble)
