# SPDX-License-Identifier: Apache-2.0
"""One more launch of a plain arm, under the profiler: where its iterations spend time in MPI."""

import tempfile
from pathlib import Path

from isobath.cli.cg_launches import line_of, seal, started
from isobath.errors import ExitCode, IsobathError
from isobath.krylov.spec import CgArm, CgFolder, CgSpec, profile_name
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.petsc import Petsc
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.profiling import prepare
from isobath.profile.merge import merge
from isobath.profile.rank_files import read_rank_files
from isobath.profile.worlds import only_world
from isobath.store.folders import OpenRun, RunPaths


def profile_arm(
    folder: CgFolder,
    spec: CgSpec,
    arm: CgArm,
    petsc: tuple[Petsc, Path] | None,
    interrupts: Interrupts,
    *,
    asked: Asked = NOTHING_ASKED,
) -> str:
    """A sealed launch with the profile's records behind its own. Returns what it came to; where
    there is no profiler, why, and nothing is left.
    """
    shared = Installation.here().state_folder / "profiles"
    try:
        shared.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"left out: cannot make {shared}: {error.strerror}"
    with tempfile.TemporaryDirectory(prefix="isobath-profile-", dir=shared) as place:
        try:
            plain = line_of(spec, arm, 0, RunPaths(Path(place), "planned"), petsc)
            prepare(Installation.here(), list(plain.command), Path(place))
        except IsobathError as error:
            return f"left out: {error}"
        return _profile(folder, spec, arm, petsc, interrupts, Path(place), asked)


def _profile(
    folder: CgFolder,
    spec: CgSpec,
    arm: CgArm,
    petsc: tuple[Petsc, Path] | None,
    interrupts: Interrupts,
    place: Path,
    asked: Asked,
) -> str:
    run = OpenRun(folder.runs, profile_name(arm))
    line = None
    try:
        plain = line_of(spec, arm, 0, run, petsc)
        prepared = prepare(Installation.here(), list(plain.command), place)
        environment = plain.environment | prepared.environment
        line = LaunchLine(prepared.command, environment, plain.launcher)
        outcome = started(line, run, arm, interrupts, asked)
        if outcome.exit_code == ExitCode.DONE:
            run.append(*merge(run.run_id, only_world(read_rank_files(place))))
    except IsobathError as error:
        outcome = PlainOutcome(error.exit_code, str(error), 0.0)
    code, words = seal(run, arm, line, outcome)
    if interrupts.wants_end and code != ExitCode.DONE:
        folder.set_aside(profile_name(arm))
    return words
