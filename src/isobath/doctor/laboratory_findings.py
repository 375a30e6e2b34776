# SPDX-License-Identifier: Apache-2.0
"""Findings about the laboratories of the network: each works here, or what is missing."""

import os
from dataclasses import dataclass
from typing import cast

from isobath.doctor.finding import Finding
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.offload_hardware import offload_hardware
from isobath.launch.petsc import find_petsc
from isobath.launch.profiling import Abi, profiler_library
from isobath.launch.simgrid import (
    INSTALL,
    INSTALL_SETPRIV,
    PROGRAM,
    WITHOUT_SETPRIV,
    has_setpriv,
    simgrid_version,
)
from isobath.machine.facts import Machine
from isobath.study.kinds import KINDS, KindEntry, imported

SET_UP = "./isobath setup"


@dataclass(frozen=True)
class Here:
    """Where a laboratory is to work."""

    installation: Installation
    library: MpiLibrary
    machine: Machine


def laboratory_findings(
    installation: Installation, library: MpiLibrary, machine: Machine
) -> list[Finding]:
    """One line for each that the registry has, under the default MPI."""
    here = Here(installation, library, machine)
    findings: list[Finding] = []
    for entry in KINDS:
        if entry.doctor:
            findings.append(imported(entry.doctor)(here))
        elif entry.label == "bench":
            findings.append(program_finding(entry, here))
    return findings


def program_finding(entry: KindEntry, here: Here) -> Finding:
    """Of a benchmark that says no more: whether its program is built."""
    missing = _missing(here.library, entry.program)
    if missing:
        return Finding(entry.name, "warning", missing, SET_UP)
    return Finding(entry.name, "good", "works here")


def profile_finding(here: Here) -> Finding:
    """Whether the library that is preloaded is built, for the interface of the default MPI."""
    try:
        preloaded = profiler_library(here.installation, cast(Abi, here.library.abi))
    except EnvironmentProblem as problem:
        return Finding("profile", "warning", str(problem), SET_UP)
    return Finding("profile", "good", f"works here, {preloaded.name}")


def collectives_finding(here: Here) -> Finding:
    """Whether collectives can be measured, and on how many ranks times count."""
    machine, hardware = here.machine, offload_hardware(here.library)
    missing = _missing(here.library, "isobath-collectives")
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


def overlap_finding(here: Here) -> Finding:
    """Ways of progress, and whether a processor is left for threads and aggregation trees."""
    missing = _missing(here.library, "isobath-overlap")
    if missing:
        return Finding("bench overlap", "warning", missing, SET_UP)
    spare = here.machine.usable_cpus - 2
    words = "works here, progress by library, tests and thread"
    if spare >= 1:
        words += f"; offload and spare threads with {spare} processors beside 2 ranks"
        return Finding("bench overlap", "good", words)
    words += (
        "; spare threads and offload have no processor of their own beside 2 ranks: they are "
        "measured with fewer ranks or left out"
    )
    return Finding("bench overlap", "good", words)


def replay_finding(here: Here) -> Finding:
    """Whether the traffic of a search can be measured by itself."""
    missing = _missing(here.library, "isobath-collectives")
    if missing:
        return Finding("bench replay", "warning", missing, SET_UP)
    return Finding("bench replay", "good", "works here, of runs with --peer-records")


def gradients_finding(here: Here) -> Finding:
    """Whether conjugate gradients can be measured, and PETSc's beside them."""
    petsc = find_petsc()
    missing = _missing(here.library, "isobath-krylov")
    if missing:
        return Finding("bench cg", "warning", missing, SET_UP)
    if isinstance(petsc, str):
        return Finding("bench cg", "good", f"works here; {petsc}")
    return Finding("bench cg", "good", f"works here, beside PETSc {petsc.version}")


def simulation_finding(here: Here) -> Finding:
    """Whether searches can be simulated; nothing else needs it."""
    version = simgrid_version()
    if version is None:
        words = f"SimGrid is not here, and everything else works without; to simulate: {INSTALL}"
        return Finding("simulate", "good", words)
    if not has_setpriv():
        words = f"{WITHOUT_SETPRIV}; everything else works; to simulate: {INSTALL_SETPRIV}"
        return Finding("simulate", "good", words)
    missing = _missing(here.library, PROGRAM)
    if missing:
        words = f"SimGrid {version} is here, {missing}; everything else works without"
        return Finding("simulate", "good", f"{words}; to simulate: {SET_UP}")
    return Finding("simulate", "good", f"works here, SimGrid {version}")


def _missing(library: MpiLibrary, program: str) -> str:
    """What to say where a program is not built; empty where it is."""
    if library.build_dir is None:
        return f"{program} is not built for {library.id}"
    path = library.build_dir / "bin" / program
    return "" if os.access(path, os.X_OK) else f"{program} is not built for {library.id}"
