# SPDX-License-Identifier: Apache-2.0
"""One launch of a program that measures the network, from start to a known end."""

from dataclasses import dataclass
from pathlib import Path

from isobath.errors import ExitCode
from isobath.launch.engine_run import last_sentence, said
from isobath.launch.heartbeat import Heartbeat, Pulse, RankState
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.processes import is_alive, mentions
from isobath.launch.start_up import StartUp
from isobath.launch.supervised import Ended, Launch, OnInterrupt, supervise
from isobath.launch.watchdog import death_in_text


@dataclass(frozen=True)
class PlainOutcome:
    """How a launch ended."""

    exit_code: ExitCode
    message: str
    """one sentence where it did not end well; empty elsewhere"""
    elapsed_seconds: float
    interrupted: bool = False


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
    if ended.interrupted:
        return PlainOutcome(ExitCode.ENVIRONMENT, "interrupted", elapsed, interrupted=True)
    if ended.trouble is not None:
        return PlainOutcome(ended.trouble.exit_code, ended.trouble.message, elapsed)
    code, message = _ending(ended.status or 0, line, said(files.stdout, files.stderr), ended.ranks)
    return PlainOutcome(code, message, elapsed)


def _ending(
    status: int, line: LaunchLine, text: str, ranks: list[RankState]
) -> tuple[ExitCode, str]:
    """What the exit status of a launcher and its last words mean."""
    if status == 0:
        return ExitCode.DONE, ""
    sentence = last_sentence(text)
    if status in {int(code) for code in ExitCode} and sentence:
        return ExitCode(status), sentence
    death = death_in_text(text, ranks)
    if death is not None:
        return death.exit_code, death.message
    last = text.strip().splitlines()[-1:] or ["it said nothing"]
    return ExitCode.ENVIRONMENT, (
        f"{line.launcher_name} ended with status {status}: {last[0]}; see stderr.txt in the run "
        "folder"
    )
