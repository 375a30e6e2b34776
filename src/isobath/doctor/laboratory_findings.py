# SPDX-License-Identifier: Apache-2.0
"""Findings about the laboratories of the network: each works here, or what is missing."""

import os
from typing import cast

from isobath.doctor.finding import Finding
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.offload_hardware import OffloadHardware, offload_hardware
from isobath.launch.petsc import Petsc, find_petsc
from isobath.launch.profiling import Abi, profiler_library
from isobath.machine.facts import Machine

SET_UP = "./isobath setup"


def laboratory_findings(
    installation: Installation, library: MpiLibrary, machine: Machine
) -> list[Finding]:
    """One line for each, under the default MPI."""
    hardware = offload_hardware(library)
    return [
        profile_finding(installation, library),
        collectives_finding(library, machine, hardware),
        overlap_finding(library, machine),
        replay_finding(library),
        gradients_finding(library, find_petsc()),
    ]


def profile_finding(installation: Installation, library: MpiLibrary) -> Finding:
    """Whether the library that is preloaded is built, for the interface of the default MPI."""
    try:
        found = profiler_library(installation, cast(Abi, library.abi))
    except EnvironmentProblem as problem:
        return Finding("profile", "warning", str(problem), SET_UP)
    return Finding("profile", "good", f"works here, {found.name}")


def collectives_finding(
    library: MpiLibrary, machine: Machine, hardware: OffloadHardware
) -> Finding:
    """Whether collectives can be measured, and on how many ranks times count."""
    missing = _missing(library, "isobath-collectives")
    if missing:
        return Finding("bench collectives", "warning", missing, SET_UP)
    words = f"works here, times count up to {machine.usable_cpus} ranks; {hardware.sentence}"
    if machine.usable_cpus < 2:
        return Finding(
            "bench collectives", "warning",
            "data are checked, but no time of 2 ranks counts on one processor",
            "allow more processors",
        )  # fmt: skip
    return Finding("bench collectives", "good", words)


def overlap_finding(library: MpiLibrary, machine: Machine) -> Finding:
    """Ways of progress, and whether a processor is left for threads and aggregation trees."""
    missing = _missing(library, "isobath-overlap")
    if missing:
        return Finding("bench overlap", "warning", missing, SET_UP)
    spare = machine.usable_cpus - 2
    words = "works here, progress by library, tests and thread"
    if spare >= 1:
        words += f"; offload and spare threads with {spare} processors beside 2 ranks"
        return Finding("bench overlap", "good", words)
    words += (
        "; spare threads and offload have no processor of their own beside 2 ranks: they are "
        "measured with fewer ranks or left out"
    )
    return Finding("bench overlap", "good", words)


def replay_finding(library: MpiLibrary) -> Finding:
    """Whether the traffic of a search can be measured by itself."""
    missing = _missing(library, "isobath-collectives")
    if missing:
        return Finding("bench replay", "warning", missing, SET_UP)
    return Finding("bench replay", "good", "works here, of runs with --peer-records")


def gradients_finding(library: MpiLibrary, petsc: Petsc | str) -> Finding:
    """Whether conjugate gradients can be measured, and PETSc's beside them."""
    missing = _missing(library, "isobath-krylov")
    if missing:
        return Finding("bench cg", "warning", missing, SET_UP)
    if isinstance(petsc, str):
        return Finding("bench cg", "good", f"works here; {petsc}")
    return Finding("bench cg", "good", f"works here, beside PETSc {petsc.version}")


def _missing(library: MpiLibrary, program: str) -> str:
    """What to say where a program is not built; empty where it is."""
    if library.build_dir is None:
        return f"{program} is not built for {library.id}"
    path = library.build_dir / "bin" / program
    return "" if os.access(path, os.X_OK) else f"{program} is not built for {library.id}"
