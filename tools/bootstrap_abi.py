# SPDX-License-Identifier: Apache-2.0
"""MPI libraries of the MPI-5 standard ABI: a folder with a library and a launcher, no compiler.

The engine that is built with the wheel runs under each of them, because they have one binary
interface: its library is put first in LD_LIBRARY_PATH.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bootstrap_workspace import identity

SONAME = "libmpi_abi.so.1"
LAUNCHERS = ("mpiexec", "mpiexec.hydra", "mpirun")
LIBFABRIC = "libfabric.so.1"
LIBFABRIC_FOLDERS = ("lib", "lib/libfabric", "libfabric/lib", "opt/mpi/libfabric/lib")
"""Where Intel MPI keeps its network layer, by version and kind of package."""

ENTRY = ("folder", "abi_library", "library_path", "provider_path")
"""What state.json has of a place, beside its launcher."""


@dataclass(frozen=True)
class Place:
    """An MPI that is reached by the standard ABI."""

    folder: str
    abi_library: str
    """its libmpi_abi.so.1"""
    mpiexec: str
    library_path: tuple[str, ...]
    """folders that stand first in LD_LIBRARY_PATH"""
    provider_path: str
    """libfabric's drivers, where they are files of their own"""

    @property
    def identity(self) -> str:
        """Changes when library or launcher do."""
        return f"{identity(self.abi_library)} {identity(self.mpiexec)} {self.library_path}"

    def entry(self) -> dict[str, Any]:
        """Its part of the entry in state.json."""
        found = {name: getattr(self, name) for name in ENTRY}
        return {**found, "library_path": list(self.library_path)}

    def environment(self, kind: str) -> dict[str, str]:
        """What leads a program of the wheel's build to this library, on one machine."""
        path = [*self.library_path, os.environ.get("LD_LIBRARY_PATH", "")]
        found = {"LD_LIBRARY_PATH": ":".join(part for part in path if part)}
        if kind == "intel":
            found |= {"I_MPI_ROOT": self.folder, "I_MPI_FABRICS": "shm", "I_MPI_PIN": "0"}
            if self.provider_path:
                found["FI_PROVIDER_PATH"] = self.provider_path
        return found


def place_of(folder: Path) -> Place | None:
    """The MPI of the standard ABI that is installed in a folder; None where there is none."""
    folder = folder.resolve()
    library = _library(folder)
    launcher = _launcher(folder)
    if library is None or launcher is None:
        return None
    fabric = next(
        (folder / name for name in LIBFABRIC_FOLDERS if (folder / name / LIBFABRIC).exists()), None
    )
    path = [library.parent] + ([fabric] if fabric else [])
    return Place(
        folder=str(folder),
        abi_library=str(library),
        mpiexec=str(launcher),
        library_path=tuple(dict.fromkeys(map(str, path))),
        provider_path=_drivers(fabric),
    )


def place_in(entry: Mapping[str, Any]) -> Place | None:
    """The place of an entry of state.json; None for a library with a compiler wrapper."""
    if not entry.get("folder"):
        return None
    return Place(
        folder=entry["folder"],
        abi_library=entry["abi_library"],
        mpiexec=entry["mpiexec"],
        library_path=tuple(entry["library_path"]),
        provider_path=entry["provider_path"],
    )


def what_is_missing(folder: Path) -> str:
    """Why ``place_of`` found nothing, for people who named this folder."""
    if _library(folder) is not None:
        return f"there is a {SONAME} but no bin/mpiexec"
    return f"there is no mpicxx, and no lib/{SONAME} of an MPI of the standard ABI"


def _library(folder: Path) -> Path | None:
    for pattern in ("lib*", "lib*/*"):
        for found in sorted(folder.glob(f"{pattern}/{SONAME}")):
            return found
    return None


def _launcher(folder: Path) -> Path | None:
    for name in LAUNCHERS:
        path = folder / "bin" / name
        if path.is_file() and os.access(path, os.X_OK):
            return path
    return None


def _drivers(fabric: Path | None) -> str:
    """The folder with libfabric's drivers; empty where they are inside the library."""
    for folder in (fabric / "prov", fabric) if fabric else ():
        if any(folder.glob("*-fi.so")):
            return str(folder)
    return ""
