# SPDX-License-Identifier: Apache-2.0
"""A place for fake MPI libraries, which compile and run with the wheel of this checkout."""

import shutil
from pathlib import Path

from bootstrap_console import Console
from bootstrap_health import HealthTest
from bootstrap_mpi import Inventory
from bootstrap_toolchain import Toolchain
from bootstrap_workspace import Workspace
from front_door.small_checkout import PREFIX, ROOT

WHEEL_BIN = PREFIX / ".venv" / "bin"
WHEEL_LIBRARY = PREFIX / ".venv" / "lib" / "libmpi_abi.so.1"


def abi_folder(folder: Path, launcher: str = "", *, words: str = "Intel(R) MPI Library") -> Path:
    """An MPI of the standard ABI without compiler: a copy of the wheel's library, and a launcher
    that begins with this shell script.
    """
    (folder / "bin").mkdir(parents=True)
    (folder / "lib").mkdir()
    shutil.copy2(WHEEL_LIBRARY, folder / "lib" / WHEEL_LIBRARY.name)
    (folder / "lib" / "mpich").symlink_to(WHEEL_LIBRARY.parent / "mpich")  # its network layers
    script(
        folder / "bin" / "mpiexec",
        f'[ "$1" = --version ] && {{ echo "{words}"; exit 0; }}\n'
        f'{launcher}\nexec "{WHEEL_BIN}/mpiexec" "$@"',
    )
    return folder


class Machine:
    """A place for fake MPI libraries, with the real compiler."""

    def __init__(self, folder: Path, console: Console) -> None:
        self.folder = folder
        self.workspace = Workspace(ROOT, folder / "prefix")
        self.workspace.state.mkdir(parents=True)
        self.console = console
        compiler = shutil.which("g++") or shutil.which("clang++") or ""
        self.toolchain = Toolchain(compiler, "g++ 12", "cmake", "ninja")
        self.health = HealthTest(self.workspace, self.console, self.toolchain)

    def inventory(self) -> Inventory:
        return Inventory(self.workspace, self.console, self.toolchain)

    def library(self, launcher: str, *, words: str = "HYDRA", name: str = "fake") -> Path:
        """A wrapper that compiles with the wheel's MPI, and a launcher with this shell script."""
        folder = self.folder / name / "bin"
        folder.mkdir(parents=True)
        script(folder / "mpicxx", f'exec "{WHEEL_BIN}/mpicxx" "$@"')
        script(
            folder / "mpiexec",
            f'[ "$1" = --version ] && {{ echo "{words}"; exit 0; }}\n'
            f"shift; n=$1; shift\n{launcher}",
        )
        return folder / "mpicxx"


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
