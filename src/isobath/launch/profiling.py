# SPDX-License-Identifier: Apache-2.0
"""Starting any MPI program with the profiler preloaded.

The command is the person's own, launcher and all. What must be found out is which binary interface
the program's MPI library has, for there is one profiler for each.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from isobath.errors import EnvironmentProblem, UsageError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import known_libraries

Abi = Literal["mpi5", "mpich", "ompi"]

ABIS: tuple[Abi, ...] = ("mpi5", "mpich", "ompi")

LIBRARIES: tuple[tuple[str, Abi], ...] = (
    ("libmpi_abi.so", "mpi5"),
    ("libmpi.so.40", "ompi"),
    ("libmpi.so.12", "mpich"),
    ("libmpich.so.12", "mpich"),
)
"""Names under which a program asks for its MPI library; the first that it needs decides."""

LAUNCHERS = re.compile(r"^(mpirun|mpiexec|orterun|prterun|prun|srun|aprun|jsrun|flux)([.-].*)?$")

BUILDERS = {"mpi5": "wheel", "mpich": "wheel", "ompi": "openmpi"}
"""What ./isobath setup --mpi builds the profiler of each interface with."""


@dataclass(frozen=True)
class ProfiledCommand:
    """A command and what must be set so that its ranks are profiled."""

    command: tuple[str, ...]
    environment: dict[str, str]
    abi: Abi
    why: str
    """how the binary interface is known"""


def prepare(
    installation: Installation,
    words: list[str],
    folder: Path,
    *,
    abi: str | None = None,
    pcontrol: str = "isobath",
) -> ProfiledCommand:
    """The command with the profiler before it, which writes into ``folder``.

    Raises: UsageError where there is no command, EnvironmentProblem where it cannot be started or
    the profiler is not built.
    """
    if not words:
        raise UsageError(
            "there is nothing to profile; write isobath profile -- mpirun -n 2 program"
        )
    if shutil.which(words[0]) is None:
        raise EnvironmentProblem(f"{words[0]} is no program that can be started; check its path")
    chosen_abi, why = (_named(abi), "named by --abi") if abi else find_abi(words)
    library = profiler_library(installation, chosen_abi)
    preload = ":".join(filter(None, (str(library), os.environ.get("LD_PRELOAD", ""))))
    environment = {
        "LD_PRELOAD": preload,
        "ISOBATH_PROFILE_DIR": str(folder),
        "ISOBATH_PROFILE_PCONTROL": pcontrol,
    }
    command = tuple(words)
    if chosen_abi == "ompi" and is_launcher(words[0]) and _launcher_abi(words[0]) == "ompi":
        # Ranks on this machine inherit; those on others get what is named.
        exported = [word for name in environment for word in ("-x", name)]
        command = (words[0], *exported, *words[1:])
    return ProfiledCommand(command, environment, chosen_abi, why)


def profiler_library(installation: Installation, abi: Abi) -> Path:
    """The profiler of a binary interface. Raises: EnvironmentProblem where it is not built."""
    name = f"libisobath-profile-{abi}.so"
    for library in known_libraries(installation):
        for folder in (library.build_dir, library.test_build_dir):
            if folder is not None and (folder / "lib" / name).is_file():
                return folder / "lib" / name
    raise EnvironmentProblem(
        f"the profiler for the ABI {abi} is not built; build it: "
        f"./isobath setup --mpi {BUILDERS[abi]}"
    )


def find_abi(words: list[str]) -> tuple[Abi, str]:
    """Which binary interface a command's program has, and how that is known.

    Raises: UsageError where nothing tells.
    """
    for word in words:
        path = shutil.which(word)
        if path is None or (is_launcher(word) and word == words[0]):
            continue
        abi = abi_of_program(Path(path))
        if abi is not None:
            return abi, f"{word} is linked to it"
    launcher = _launcher_abi(words[0]) if is_launcher(words[0]) else None
    if launcher is not None:
        return launcher, f"{words[0]} belongs to it, and the program does not tell"
    raise UsageError(
        "neither the program nor its launcher tells which MPI it uses; name the ABI: "
        f"--abi {', '.join(ABIS)}"
    )


def is_launcher(word: str) -> bool:
    """Whether a word is the name of a program that starts ranks."""
    return LAUNCHERS.match(Path(word).name) is not None


def abi_of_program(path: Path) -> Abi | None:
    """The interface of the MPI library that a program is linked to; None where there is none.

    The loader is asked, for a program may reach its MPI through other libraries.
    """
    ldd = shutil.which("ldd")
    if ldd is None:
        return None
    try:
        done = subprocess.run(
            [ldd, str(path)], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    needed = done.stdout.split()
    for name, abi in LIBRARIES:
        if any(Path(word).name.startswith(name) for word in needed):
            return abi
    return None


def _launcher_abi(word: str) -> Abi | None:
    """What a launcher says of itself. The MPICH wheel's runs programs of two interfaces: of these
    the one that mpi4py and programs built by mpicc have.
    """
    try:
        done = subprocess.run(
            [word, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = done.stdout + done.stderr
    if re.search("Open MPI|OpenRTE|PRRTE", said):
        return "ompi"
    return "mpich" if re.search("HYDRA|MPICH|Intel", said) else None


def _named(abi: str) -> Abi:
    for known in ABIS:
        if abi == known:
            return known
    raise UsageError(f"there is no ABI {abi}; there are {', '.join(ABIS)}")
