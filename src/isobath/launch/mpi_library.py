# SPDX-License-Identifier: Apache-2.0
"""MPI libraries: which there are, which is wanted, and the engine programs built with it.

Set-up tests the health of every library and keeps the result; this file reads it.
"""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation

WHEEL = "mpich-wheel"
EVERY = "all"
"""Every healthy library that the engine is built with."""

WRAPPERS = ("mpicxx", "mpic++", "mpicxx.openmpi", "mpicxx.mpich")


@dataclass(frozen=True)
class Place:
    """Where an MPI is that is reached by the standard ABI: it runs the engine of another MPI."""

    folder: Path
    library_path: tuple[str, ...]
    """folders that stand first in LD_LIBRARY_PATH"""
    provider_path: str = ""
    """libfabric's drivers, where they are files of their own"""


@dataclass(frozen=True)
class MpiLibrary:
    """One MPI with its own launcher, and what set-up knows about it."""

    id: str
    kind: str
    """mpich-wheel, openmpi, mpich, intel, ... """
    version: str
    mpicxx: str
    mpiexec: str
    healthy: bool | None
    """absent where it was not tested"""
    reason: str = ""
    """why it is not healthy"""
    standard_abi: bool = False
    large_counts: bool = False
    build_dir: Path | None = None
    test_build_dir: Path | None = None
    thread_build_dir: Path | None = None
    """built with the sanitizer of threads"""
    place: Place | None = None
    """absent where the engine is built with its own compiler wrapper"""

    @property
    def family(self) -> str:
        """Whose launcher it has: openmpi, intel or hydra (MPICH and its relatives)."""
        return self.kind if self.kind in ("openmpi", "intel") else "hydra"

    @property
    def abi(self) -> str:
        """Which binary interface a program built with it has: mpi5, mpich or ompi."""
        if self.standard_abi:
            return "mpi5"
        return "ompi" if self.kind == "openmpi" else "mpich"

    def program(self, name: str) -> Path:
        """An engine program built with this MPI.

        Raises: EnvironmentProblem where it is not built.
        """
        if self.build_dir is not None:
            path = self.build_dir / "bin" / name
            if os.access(path, os.X_OK):
                return path
        raise EnvironmentProblem(
            f"{name} is not built for the MPI {self.id}; build it: ./isobath setup --mpi {self.id}"
        )

    @property
    def description(self) -> str:
        """Kind, version and binary interface, and where it is if it has no build of its own."""
        words = f"{self.kind} {self.version}, ABI {self.abi}"
        return f"{words} in {self.place.folder}, engine of {WHEEL}" if self.place else words

    def facts(self) -> dict[str, str]:
        """Which it is, and how it is reached: by its own build, or by the standard ABI."""
        told = {"id": self.id, "kind": self.kind, "version": self.version, "abi": self.abi}
        return told | ({"folder": str(self.place.folder)} if self.place else {})


def known_libraries(installation: Installation) -> list[MpiLibrary]:
    """The libraries that set-up has looked at."""
    entries = installation.state().get("mpi", {})
    return [_library(name, entry) for name, entry in sorted(entries.items())]


def choose_library(installation: Installation, request: str | None) -> MpiLibrary:
    """The MPI that ``request`` names (an id, wheel, system, openmpi, mpich, intel or a path).

    Without a request: ISOBATH_MPI, else the default that set-up chose.

    Raises: EnvironmentProblem where there is none, or it is not healthy.
    """
    state = installation.state()
    libraries = {library.id: library for library in known_libraries(installation)}
    wanted = request or os.environ.get("ISOBATH_MPI") or ""
    name = state.get("aliases", {}).get(wanted or "default", wanted)
    if name in ("", "default"):
        name = str(state.get("default_mpi", ""))
    if name == "wheel":
        name = WHEEL
    library = libraries.get(name) or _by_word(list(libraries.values()), name)
    if library is None and not (libraries or installation.is_checkout):
        raise EnvironmentProblem(installation.words_without_engine)
    if library is None:
        there = ", ".join(libraries) or "none: set-up has not run"
        what = f"the MPI {wanted}" if wanted else "a default MPI"
        raise EnvironmentProblem(
            f"{what} is not known here (known: {there}); "
            f"set it up: ./isobath setup{f' --mpi {wanted}' if wanted else ''}"
        )
    if library.healthy is False:
        raise EnvironmentProblem(
            f"the MPI {library.id} failed its health test: {library.reason}; "
            "choose another with --mpi, or see ./isobath doctor --libraries"
        )
    return library


def libraries_of(installation: Installation, words: Iterable[str]) -> list[MpiLibrary]:
    """The libraries that words name, each once; an empty word is the default one.

    Raises: EnvironmentProblem where there is none.
    """
    named: dict[str, MpiLibrary] = {}
    for word in words:
        if word != EVERY:
            library = choose_library(installation, word or None)
            named[library.id] = library
            continue
        healthy = [mpi for mpi in known_libraries(installation) if mpi.healthy is not False]
        built = [mpi for mpi in healthy if mpi.build_dir is not None]
        if not built:
            raise EnvironmentProblem(
                "the engine is not built with any MPI yet; build it: ./isobath setup"
            )
        named |= {mpi.id: mpi for mpi in sorted(built, key=lambda lib: (lib.id != WHEEL, lib.id))}
    return list(named.values())


def inventory(installation: Installation) -> list[MpiLibrary]:
    """Every MPI: those that set-up knows, and those only found in PATH and /usr/bin, untested."""
    known = known_libraries(installation)
    seen = {Path(library.mpicxx).resolve() for library in known}
    seen |= {Path(library.mpiexec).resolve() for library in known}
    for name in WRAPPERS:
        for candidate in (shutil.which(name), f"/usr/bin/{name}"):
            path = Path(candidate) if candidate else None
            if path is None or not os.access(path, os.X_OK) or path.resolve() in seen:
                continue
            if path.parent == installation.prefix / ".venv" / "bin":
                continue
            seen.add(path.resolve())
            suffix = path.name.partition(".")[2]
            launcher = path.with_name(f"mpiexec.{suffix}" if suffix else "mpiexec")
            known.append(
                MpiLibrary(
                    id=str(path),
                    kind=suffix or "unknown",
                    version="",
                    mpicxx=str(path),
                    mpiexec=str(launcher),
                    healthy=None,
                    reason=f"not tested: ./isobath setup --mpi {path}",
                )
            )
    return known


def _by_word(libraries: list[MpiLibrary], word: str) -> MpiLibrary | None:
    """The first healthy library of a kind, or the one at a path."""
    for library in sorted(libraries, key=lambda library: library.healthy is False):
        if word == "system" and library.kind != WHEEL and library.place is None:
            return library
        if word == library.kind:
            return library
        if "/" in word and _is_at(library, Path(word).expanduser().absolute()):
            return library
    return None


def _is_at(library: MpiLibrary, path: Path) -> bool:
    if library.place is not None:
        return path.resolve() == library.place.folder.resolve()
    wrapper = Path(library.mpicxx)
    return path in (wrapper, wrapper.parent, wrapper.parent.parent)


def _library(name: str, entry: dict[str, Any]) -> MpiLibrary:
    def folder(key: str) -> Path | None:
        return Path(entry[key]) if entry.get(key) else None

    return MpiLibrary(
        id=name,
        kind=str(entry.get("kind", "unknown")),
        version=str(entry.get("version", "")),
        mpicxx=str(entry.get("mpicxx", "")),
        mpiexec=str(entry.get("mpiexec", "")),
        healthy=bool(entry["healthy"]) if "healthy" in entry else None,
        reason=str(entry.get("reason", "")),
        standard_abi=bool(entry.get("standard_abi", False)),
        large_counts=bool(entry.get("large_counts", False)),
        build_dir=folder("build_dir"),
        test_build_dir=folder("test_build_dir"),
        thread_build_dir=folder("thread_build_dir"),
        place=_place(entry),
    )


def _place(entry: dict[str, Any]) -> Place | None:
    if not entry.get("folder"):
        return None
    return Place(
        folder=Path(str(entry["folder"])),
        library_path=tuple(map(str, entry.get("library_path", ()))),
        provider_path=str(entry.get("provider_path", "")),
    )
