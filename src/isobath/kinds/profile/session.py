# SPDX-License-Identifier: Apache-2.0
"""A program under the profiler, from its start to the sealed folder of its profile."""

import contextlib
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError, UsageError
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import of_profiled_program
from isobath.launch.profiled_run import run_program, status_of
from isobath.launch.profiling import ProfiledCommand, is_launcher
from isobath.launch.symbols import find_places
from isobath.profile.merge import sites
from isobath.profile.rank_files import has_rank_files, read_rank_files
from isobath.profile.worlds import World, find_mistake, find_worlds, merge_worlds
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import Setting
from isobath.study.driver import SILENT, Driver
from isobath.study.ids import make_id
from isobath.study.sealing import HowItEnded, Origin, seal

NOTE = "the profile of a program, not a run of the benchmark: there is nothing to validate"


@contextlib.contextmanager
def folder_of_ranks() -> Iterator[Path]:
    """Where ranks write: a folder that those on other machines see too, if any is."""
    place = Installation.here().state_folder / "profiles"
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=place) as folder:
        yield Path(folder)


@dataclass(frozen=True)
class ProfiledProgram:
    """What is profiled, and what is kept of it."""

    prepared: ProfiledCommand
    typed: tuple[str, ...]
    """the program with its launcher, as a person wrote them"""
    files: Path
    """where ranks write"""
    with_timeline: bool = False
    level_site: str | None = None
    """where a level ends: part of the name of a call site"""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """that profile it again, kept with the profile"""


@dataclass(frozen=True)
class Profiled:
    """A sealed profile, and how its program ended."""

    folder: RunFolder
    status: int
    """as a shell would say it"""
    complaint: IsobathError | None
    """what was wrong, although the profile is there"""
    limit: str = ""
    """why it was ended, where a limit did that"""


@dataclass(frozen=True)
class NothingRecorded:
    """The program ended, and there is no profile."""

    status: int
    """what it ended with, as a shell would say it"""

    @property
    def sentence(self) -> str:
        """What that may come from."""
        return (
            f"the program ended with status {self.status} and recorded nothing: it made no MPI "
            "call, was linked statically, or its launcher did not pass the environment on; check "
            "that it is an MPI program"
        )


def profile_program(
    program: ProfiledProgram,
    store: Path,
    stop: Stop,
    command: tuple[str, ...],
    driver: Driver = SILENT,
) -> Profiled | NothingRecorded:
    """Runs the program with our own standard streams, and seals what its ranks wrote.

    Args: command is what the person typed.
    Raises: IsobathError where a limit ended it and it left nothing.
    """
    prepared = program.prepared
    started = datetime.now(UTC)
    status, limit = _start(program, stop, driver)
    ended = datetime.now(UTC)
    if not has_rank_files(program.files):
        return NothingRecorded(status)
    files = read_rank_files(program.files)
    places = {at: (place.function, place.line) for at, place in find_places(sites(files)).items()}
    run_id = make_id("profile", started)
    worlds = find_worlds(files)
    mistake = find_mistake(worlds, by_launcher=is_launcher(prepared.command[0]))
    complaint: IsobathError | None = None
    if mistake is not None and status == ExitCode.DONE:
        complaint, status = EnvironmentProblem(mistake.sentence), int(ExitCode.ENVIRONMENT)
    to_records = partial(
        merge_worlds, run_id, worlds, mistake, places, with_timeline=program.with_timeline
    )
    try:
        records = to_records(level_site=program.level_site)
    except UsageError as error:  # a wrong word must not lose what the program did
        complaint = error
        records = to_records()
    run = OpenRun(store, run_id)
    run.append(*records)
    why = limit or (mistake.sentence if mistake else _why_incomplete(status, worlds))
    how = HowItEnded(
        started, ended, "failed" if why else "complete", "unvalidated", status, why or None
    )
    origin = Origin("", command, (NOTE, f"ABI {prepared.abi}: {prepared.why}"),
                    program.settings)  # fmt: skip
    line = LaunchLine(prepared.command, prepared.environment)
    sealed = seal(run, line, origin, how, {"launch_line": shlex.join(program.typed)})
    return Profiled(sealed, status, complaint, limit)


def _why_incomplete(status: int, worlds: list[World]) -> str | None:
    for world in worlds:
        recorded, ranks = len(world), world[0].head["ranks"]
        if recorded < ranks:
            return f"{ranks - recorded} of {ranks} ranks were killed before they could write"
        killed = [rank_file.rank for rank_file in world if rank_file.head["ended"] == "killed"]
        if killed:
            who = f"rank {killed[0]}" if len(killed) == 1 else f"{len(killed)} of {ranks} ranks"
            was, it = ("was", "it") if len(killed) == 1 else ("were", "they")
            its = "its" if it == "it" else "their"
            return f"{who} {was} killed; what {it} recorded up to {its} last checkpoint is kept"
    return f"the program ended with {status}" if status else None


def _start(program: ProfiledProgram, stop: Stop, driver: Driver) -> tuple[int, str]:
    """The program's exit status as a shell would say it, and why a limit ended it, if one did.

    Raises: IsobathError where it was ended and left nothing.
    """
    ended = run_program(
        program.prepared.command,
        program.prepared.environment,
        limits=of_profiled_program(driver.asked),
        interrupts=stop,
    )
    status = status_of(ended, stop)
    why = ended.trouble.message if ended.trouble else ""
    if why and not has_rank_files(program.files):
        problem = IsobathError(why)
        problem.exit_code = ExitCode(status)
        raise problem
    return status, why
