# SPDX-License-Identifier: Apache-2.0
"""PETSc's conjugate gradients beside ours: their program."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.petsc import Petsc

SOURCE = Path("benchmarks") / "petsc" / "bilinear_cg.c"
PROGRAM = "isobath-petsc-cg"
EXAMPLE_PROGRAM = "petsc-ex3"


def build_program(petsc: Petsc, folder: Path) -> Path:
    """Raises: EnvironmentProblem where it does not compile, with the compiler's first complaint."""
    program = folder / PROGRAM
    root = Installation.here().root
    words = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-O2", f"-I{root / 'engine' / 'profiler'}",
             str(root / SOURCE), "-o", str(program), *petsc.flags, "-lm"]  # fmt: skip
    complaint = _compile(petsc, words)
    if complaint:
        raise EnvironmentProblem(
            f"the program for PETSc {petsc.version} does not compile: {complaint}; "
            "leave it out with --no-petsc"
        )
    return program


def build_example(petsc: Petsc, source: Path, folder: Path) -> Path:
    """PETSc's ex3. Raises: EnvironmentProblem where it is gone or does not compile."""
    program = folder / EXAMPLE_PROGRAM
    complaint = _compile(petsc, ["-O2", str(source), "-o", str(program), *petsc.flags, "-lm"])
    if complaint:
        raise EnvironmentProblem(
            f"PETSc's example {source} does not compile with PETSc {petsc.version}: {complaint}; "
            "give the ex3.c of this version, or leave --petsc-example out"
        )
    return program


def _compile(petsc: Petsc, words: list[str]) -> str:
    """What the compiler complains of first; empty where it does not."""
    built = subprocess.run([petsc.compiler, *words], capture_output=True, text=True, check=False)
    if built.returncode == 0:
        return ""
    return next((line for line in built.stderr.splitlines() if "error" in line), "no words")


@dataclass(frozen=True)
class PetscPrograms:
    """PETSc with what is launched of it."""

    petsc: Petsc
    ours: Path
    """that solves our problem with its methods"""
    example: Path
    """its own ex3, where its source was given"""


def programs_in(petsc: Petsc, folder: Path) -> PetscPrograms:
    """Where the programs of a benchmark lie."""
    return PetscPrograms(petsc, folder / PROGRAM, folder / EXAMPLE_PROGRAM)


def library_of(petsc: Petsc) -> MpiLibrary:
    """Its MPI: as set-up knows it, else as it is."""
    try:
        return choose_library(Installation.here(), "openmpi")
    except IsobathError:
        return MpiLibrary("openmpi", "openmpi", "", petsc.compiler, petsc.launcher, healthy=None)
