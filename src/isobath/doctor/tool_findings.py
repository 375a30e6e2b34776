# SPDX-License-Identifier: Apache-2.0
"""Findings about compilers, MPI libraries and builds."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from isobath.doctor.finding import Finding
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, inventory
from isobath.units import format_bytes

SMALL_DISK = 2 * 10**9
PROGRAMS = ("isobath-graph500", "isobath-edges")


def tool_findings(installation: Installation) -> list[Finding]:
    """Everything but the machine itself."""
    libraries = inventory(installation)
    findings = [python_finding(), compiler_finding(installation)]
    findings += [mpi_finding(library, installation) for library in libraries]
    findings += [engine_finding(installation, libraries), disk_finding(installation)]
    return findings


def python_finding() -> Finding:
    """The interpreter; its packages are there, or this would not run."""
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", "good", f"{version} in {sys.prefix}")


def compiler_finding(installation: Installation) -> Finding:
    """The compiler that set-up chose, or one that it would find."""
    try:
        kept = json.loads((installation.state_folder / "toolchain.json").read_bytes())
        cxx = str(kept["cxx"])
    except (OSError, ValueError, KeyError, TypeError):
        cxx = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++") or ""
    if not cxx or shutil.which(cxx) is None:
        remedy = "apt-get install g++, or: module load gcc; or name one: CXX=/path/to/g++"
        return Finding("compiler", "bad", "no C++ compiler", remedy)
    asked = subprocess.run([cxx, "--version"], capture_output=True, text=True, check=False)
    first = (asked.stdout or asked.stderr).splitlines()[:1] or ["it does not say its version"]
    return Finding("compiler", "good" if asked.returncode == 0 else "bad", first[0])


def mpi_finding(library: MpiLibrary, installation: Installation) -> Finding:
    """One MPI: version, binary interface, launcher, health."""
    name = f"mpi {library.id}"
    default = installation.state().get("default_mpi") == library.id
    if library.healthy is None:
        words = f"found, not tested (launcher {library.mpiexec})"
        return Finding(name, "warning", words, f"./isobath --mpi {library.mpicxx} setup")
    words = f"{library.description}, launcher {library.mpiexec}"
    words += ", default" if default else ""
    if library.healthy:
        return Finding(name, "good", words)
    remedy = "choose another with --mpi" + ("; this one is the default" if default else "")
    return Finding(name, "bad" if default else "warning", f"{words}: {library.reason}", remedy)


def engine_finding(installation: Installation, libraries: list[MpiLibrary]) -> Finding:
    """Whether the programs are built for the default MPI."""
    default = installation.state().get("default_mpi")
    library = next((mpi for mpi in libraries if mpi.id == default), None)
    if library is None or library.build_dir is None:
        return Finding("engine", "bad", "not built", "./isobath setup")
    missing = [n for n in PROGRAMS if not os.access(library.build_dir / "bin" / n, os.X_OK)]
    if missing:
        return Finding("engine", "bad", f"{', '.join(missing)} not built", "./isobath setup")
    return Finding("engine", "good", f"built for {library.id} in {library.build_dir}")


def disk_finding(installation: Installation) -> Finding:
    """Room for runs."""
    folder: Path = installation.prefix
    free = shutil.disk_usage(folder).free
    words = f"{format_bytes(free)} free for runs in {folder}"
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        reason = f"{folder} cannot be written: {error.strerror}"
        return Finding("disk", "bad", reason, "name another folder with --store")
    if free < SMALL_DISK:
        return Finding("disk", "warning", words, "free some space, or use --store")
    return Finding("disk", "good", words)
