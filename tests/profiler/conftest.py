# SPDX-License-Identifier: Apache-2.0
"""Small MPI programs with known calls and bytes, under every MPI family that is here."""

import os
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

import isobath
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import WHEEL, known_libraries
from isobath.launch.profiling import Abi, profiler_library
from isobath.profile.profile import Profile, read_profile_file
from isobath.store.folders import list_runs
from needs import PACKAGES, reason_without
from patience import patience

PROGRAMS = Path(__file__).parent / "programs"
ROOT = Path(__file__).resolve().parents[2]
FAMILIES = ("standard", "mpich", "openmpi")


@dataclass(frozen=True)
class Family:
    """An MPI with which programs are built and run here."""

    name: str
    abi: Abi
    compiler: str
    fortran: str
    launcher: tuple[str, ...]


def wheel_folder() -> Path:
    """Where the wheel's wrappers and launcher are."""
    for library in known_libraries(Installation.here()):
        if library.id == WHEEL:
            return Path(library.mpicxx).parent
    pytest.fail("the MPICH wheel is not set up: run ./isobath test, which does it")


def _candidate(name: str) -> Family:
    if name == "standard":
        folder = wheel_folder()
        launcher = (str(folder / "mpiexec"),)
        return Family(name, "mpi5", str(folder / "mpicc_abi"), "", launcher)
    if name == "mpich":
        return Family(name, "mpich", "mpicc.mpich", "mpif90.mpich", ("mpirun.mpich",))
    launcher = ("mpirun.openmpi", "--oversubscribe")
    return Family(name, "ompi", "mpicc.openmpi", "mpif90.openmpi", launcher)


@cache
def family_or_reason(name: str) -> Family | str:
    """A family, or why it cannot be tested here."""
    reason = reason_without(name) if name in PACKAGES else ""
    if reason:
        return reason
    found = _candidate(name)
    try:
        profiler_library(Installation.here(), found.abi)
    except EnvironmentProblem as problem:
        return f"MPI family {name}: {problem}"
    return found


@dataclass(frozen=True)
class Done:
    """A profiled program that ended."""

    code: int
    out: str
    err: str
    profiles: tuple[Profile, ...]
    """of each world; empty where nothing was stored"""

    @property
    def profile(self) -> Profile | None:
        """That of the only world."""
        assert len(self.profiles) < 2
        return self.profiles[0] if self.profiles else None


@dataclass(frozen=True)
class Profiler:
    """Builds programs with one family and profiles them."""

    family: Family
    folder: Path

    def build(self, source: str, *flags: str) -> Path:
        """A program of tests/profiler/programs."""
        is_fortran = source.endswith(".F90")
        program = self.folder / "-".join((Path(source).stem, *(f.strip("-") for f in flags)))
        if not program.exists():
            compiler = self.family.fortran if is_fortran else self.family.compiler
            words = [compiler, "-g", "-O1", "-w", f"-I{ROOT / 'engine' / 'profiler'}", *flags]
            words += ["-o", str(program), str(PROGRAMS / source)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        return program

    def run(
        self, *words: object, ranks: int = 2, options: tuple[str, ...] = (), **more: str
    ) -> Done:
        """Profiles a command of so many ranks."""
        return self.shown(options, *self.family.launcher, "-n", str(ranks), *words, **more)

    def shown(self, options: tuple[str, ...], *command: object, **more: str) -> Done:
        """Profiles a command; what is shown of it follows what it printed."""
        shown = self.folder / "shown.txt"
        shown.unlink(missing_ok=True)
        ours = ("profile", *options, "--store", self.store, "--output", shown, "--")
        done = self.isobath(*ours, *command, **more)
        text = shown.read_text(encoding="utf-8") if shown.exists() else ""
        return replace(done, out=done.out + text)

    def isobath(self, *words: object, **more: str) -> Done:
        """The command line; with the profile that it stored, if any."""
        before = {run.run_id for run in list_runs(self.store)}
        done = subprocess.run(
            [sys.executable, "-m", "isobath", *map(str, words)],
            capture_output=True,
            text=True,
            env={**environment(), **more},
            cwd=self.folder,
            timeout=patience(),
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        fresh = [run for run in list_runs(self.store) if run.run_id not in before]
        stored = read_profile_file(fresh[0].path / "records.jsonl") if fresh else ()
        return Done(done.returncode, done.stdout, done.stderr, stored)

    def profile(self, *words: object, ranks: int = 2, **more: str) -> Profile:
        """The profile of a program that must succeed."""
        done = self.run(*words, ranks=ranks, **more)
        assert done.code == 0, done.out + done.err
        assert done.profile is not None
        return done.profile

    @property
    def store(self) -> Path:
        return self.folder / "studies"


def environment() -> dict[str, str]:
    """For ranks that outnumber processors, in a container as root too."""
    more = {
        "PYTHONPATH": str(Path(isobath.__file__).resolve().parents[1]),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "MPIR_CVAR_POLLS_BEFORE_YIELD": "50",
        "OMP_NUM_THREADS": "1",
        "ISOBATH_PREFIX": str(Installation.here().prefix),
    }
    return {**os.environ, **more}


@pytest.fixture(scope="session")
def profilers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Profiler | str]:
    found: dict[str, Profiler | str] = {}
    for name in FAMILIES:
        family = family_or_reason(name)
        is_there = isinstance(family, Family)
        found[name] = Profiler(family, tmp_path_factory.mktemp(name)) if is_there else family  # type: ignore[arg-type]
    return found


def profiler_of(profilers: dict[str, Profiler | str], family: str) -> Profiler:
    """That of a family; the test is skipped, or left out by name, where it cannot be."""
    found = profilers[family]
    if isinstance(found, str):
        pytest.skip(found)
    return found


@pytest.fixture(params=FAMILIES)
def every(request: pytest.FixtureRequest, profilers: dict[str, Profiler | str]) -> Profiler:
    return profiler_of(profilers, request.param)


@pytest.fixture
def standard(profilers: dict[str, Profiler | str]) -> Profiler:
    found = profilers["standard"]
    if isinstance(found, str):
        pytest.fail(found)
    return found
