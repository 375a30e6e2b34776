# SPDX-License-Identifier: Apache-2.0
"""A launch under the profiler: where the iterations of a plain arm spend time in MPI."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.launcher import LaunchLine
from isobath.launch.profiling import prepare
from isobath.profile.merge import merge
from isobath.profile.rank_files import read_rank_files
from isobath.profile.worlds import only_world
from isobath.store.folders import OpenRun


def why_not_profiled(line: LaunchLine) -> str:
    """Why a program cannot be profiled here; empty where it can."""
    try:
        with _shared_place() as place:
            prepare(Installation.here(), list(line.command), place)
    except IsobathError as error:
        return str(error)
    return ""


@contextmanager
def profiled(line: LaunchLine) -> Iterator[tuple[LaunchLine, Callable[[OpenRun], None]]]:
    """The line with the profiler before its program, and what puts the profile's records behind
    those of the program once it is over.

    Raises: EnvironmentProblem where there is no profiler or the files of ranks cannot be read.
    """
    with _shared_place() as place:
        prepared = prepare(Installation.here(), list(line.command), place)
        environment = line.environment | prepared.environment

        def append_profile(run: OpenRun) -> None:
            run.append(*merge(run.run_id, only_world(read_rank_files(place))))

        yield (
            LaunchLine(prepared.command, environment, line.launcher, latency=line.latency),
            append_profile,
        )


@contextmanager
def _shared_place() -> Iterator[Path]:
    """A folder that ranks on other machines see too, if any does."""
    shared = Installation.here().state_folder / "profiles"
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(f"cannot make {shared}: {error.strerror}") from error
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=shared) as place:
        yield Path(place)
