# SPDX-License-Identifier: Apache-2.0
"""The launch line: which command and which variables start the ranks under a given MPI."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from isobath.launch.mpi_library import MpiLibrary

DEVICE_COLLECTIVES = ("BARRIER", "ALLREDUCE", "REDUCE", "BCAST")
"""With more ranks than processors the shared-memory versions of these take milliseconds."""

WAITING_RANKS_SLEEP = {"MPIR_CVAR_ENABLE_HEAVY_YIELD": "1", "MPIR_CVAR_POLLS_BEFORE_YIELD": "1"}
"""Else a waiting rank uses up the time slice of the one it waits for."""


@dataclass(frozen=True)
class LaunchLine:
    """What starts the ranks. ``environment`` holds only what is added to the caller's."""

    command: tuple[str, ...]
    environment: dict[str, str]

    def text(self) -> str:
        """The line as one would type it, variables first."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in self.environment.items()]
        return " ".join([*variables, shlex.join(self.command)])


def launch_line(
    mpi: MpiLibrary,
    program: Path,
    arguments: list[str],
    *,
    ranks: int,
    threads: int,
    cpus: int,
    as_root: bool | None = None,
) -> LaunchLine:
    """The launch line for ``ranks`` ranks of ``threads`` threads on ``cpus`` processors.

    Oversubscribed, ranks wait passively and MPICH avoids its shared-memory collectives; else
    threads spin while they wait. Ranks are left unbound: the engine binds its own threads.

    Args: as_root says whether the caller is root; by default it is found out.
    """
    oversubscribed = ranks * threads > cpus
    root = os.geteuid() == 0 if as_root is None else as_root
    environment = {
        "ISOBATH_EXPECT_RANKS": str(ranks),
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive" if oversubscribed else "active",
        "OMP_DYNAMIC": "false",
    }
    if mpi.family == "openmpi":
        flags = _openmpi(mpi, environment, oversubscribed=oversubscribed, root=root)
    else:
        flags = _hydra(mpi, environment, ranks=ranks, oversubscribed=oversubscribed)
    command = (mpi.mpiexec, *flags, "-n", str(ranks), str(program), *arguments)
    return LaunchLine(command, environment)


def _hydra(
    mpi: MpiLibrary, environment: dict[str, str], *, ranks: int, oversubscribed: bool
) -> list[str]:
    if mpi.family == "intel":
        environment["I_MPI_FABRICS"] = "shm"
        environment["I_MPI_PIN"] = "0"
        return []
    if oversubscribed:
        for name in DEVICE_COLLECTIVES:
            environment[f"MPIR_CVAR_{name}_DEVICE_COLLECTIVE"] = "0"
        environment |= WAITING_RANKS_SLEEP
    if ranks == 1:
        # The deprecated provider that a single rank may get spins for ever at times.
        environment["FI_PROVIDER"] = "tcp"
    return ["-bind-to", "none"]


def _openmpi(
    mpi: MpiLibrary, environment: dict[str, str], *, oversubscribed: bool, root: bool
) -> list[str]:
    flags = ["--bind-to", "none"]
    newer = mpi.version.partition(".")[0] >= "5"
    if root:
        environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
        environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        flags.append("--allow-run-as-root")
    if oversubscribed:
        environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        flags += ["--map-by", ":OVERSUBSCRIBE"] if newer else ["--oversubscribe"]
    return flags
