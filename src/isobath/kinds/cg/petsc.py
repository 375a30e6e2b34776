# SPDX-License-Identifier: Apache-2.0
"""PETSc's conjugate gradients beside ours: their program."""

import subprocess
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, choose_library
from isobath.launch.petsc import Petsc

SOURCE = Path("benchmarks") / "petsc" / "bilinear_cg.c"
PROGRAM = "isobath-petsc-cg"


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
