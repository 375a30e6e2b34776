# SPDX-License-Identifier: Apache-2.0
"""PETSc of this machine: is it here, and with which MPI."""

import shutil
import subprocess
from dataclasses import dataclass

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
    done = subprocess.run([config, *words, "PETSc"], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None
