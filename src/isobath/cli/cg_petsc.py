# SPDX-License-Identifier: Apache-2.0
"""PETSc's conjugate gradients beside ours: is it here, and its program."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library

SOURCE = Path("benchmarks") / "petsc" / "bilinear_cg.c"
PROGRAM = "isobath-petsc-cg"
COMPILER = "mpicc.openmpi"
LAUNCHER = "mpiexec.openmpi"


@dataclass(frozen=True)
class Petsc:
    """A PETSc on this machine. Debian's is bound to Debian's Open MPI."""

    version: str
    flags: tuple[str, ...]
    compiler: str
    launcher: str


def find_petsc() -> Petsc | str:
    """PETSc, or the sentence that says what is missing."""
    config = shutil.which("pkg-config")
    if config is None:
        return "PETSc is left out: pkg-config is not here; on Debian: apt-get install pkg-config"
    asked = [_ask(config, *words) for words in
             (("--modversion",), ("--cflags", "--libs"))]  # fmt: skip
    version, flags = asked
    if version is None or flags is None:
        return "PETSc is left out: pkg-config finds none; on Debian: apt-get install petsc-dev"
    compiler, launcher = shutil.which(COMPILER), shutil.which(LAUNCHER)
    if compiler is None or launcher is None:
        return (
            f"PETSc is left out: {COMPILER if compiler is None else LAUNCHER} of its Open MPI is "
            "not here; on Debian: apt-get install libopenmpi-dev openmpi-bin"
        )
    return Petsc(version, tuple(flags.split()), compiler, launcher)


def _ask(config: str, *words: str) -> str | None:
    found = subprocess.run([config, *words, "PETSc"], capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else None


def build_program(petsc: Petsc, folder: Path) -> Path:
    """Raises: EnvironmentProblem where it does not compile, with the compiler's first complaint."""
    program = folder / PROGRAM
    root = Installation.here().root
    words = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", f"-I{root / 'engine' / 'profiler'}",
             str(root / SOURCE), "-o", str(program), *petsc.flags, "-lm"]  # fmt: skip
    built = subprocess.run([petsc.compiler, *words], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        complaint = next((one for one in built.stderr.splitlines() if "error" in one), "no words")
        raise EnvironmentProblem(
            f"the program for PETSc {petsc.version} does not compile: {complaint}; "
            "leave it out with --no-petsc"
        )
    return program


def library_of(petsc: Petsc) -> MpiLibrary:
    """Its MPI: as set-up knows it, else as it is."""
    try:
        return choose_library(Installation.here(), "openmpi")
    except IsobathError:
        return MpiLibrary("openmpi", "openmpi", "", petsc.compiler, petsc.launcher, healthy=None)
