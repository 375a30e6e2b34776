# SPDX-License-Identifier: Apache-2.0
"""MPI libraries: found, paired with their own launcher, health-tested, chosen."""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bootstrap_debian as debian
from bootstrap_abi import Place, place_in, place_of, what_is_missing
from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_health import WHEEL, HealthTest
from bootstrap_toolchain import Toolchain
from bootstrap_workspace import Workspace, fingerprint, identity, write_atomically

FACTS = ("library", "standard", "standard_abi", "large_counts")
SYSTEM_WRAPPERS = ("mpicxx", "mpic++", "mpicxx.openmpi", "mpicxx.mpich")
PACKAGES = {"openmpi": ["libopenmpi-dev", "openmpi-bin"], "mpich": ["libmpich-dev", "mpich"]}


@dataclass(frozen=True)
class Library:
    """One MPI: its compiler wrapper, its launcher, and what the health test said."""

    id: str
    kind: str
    version: str
    mpicxx: str
    mpiexec: str
    healthy: bool
    reason: str
    facts: dict[str, Any] = field(default_factory=dict)
    place: Place | None = None
    """where it is, if it is reached by the standard ABI: then it runs the wheel's build"""

    @property
    def identity(self) -> str:
        """Changes when the library's programs do."""
        return f"{self.id} {identity(self.mpicxx)} {identity(self.mpiexec)} {self.version}"


class Inventory:
    """The MPI libraries looked at so far; results are kept in state.json and mpi.toml."""

    def __init__(self, workspace: Workspace, console: Console, toolchain: Toolchain) -> None:
        self._workspace = workspace
        self._console = console
        self._health = HealthTest(workspace, console, toolchain)
        self.libraries: dict[str, Library] = {}

    def wheel(self) -> Library:
        """The MPICH of the private environment, through its standard-ABI wrapper."""
        return self._library(WHEEL, self._wheel_wrapper)

    def all(self) -> list[Library]:
        """Every MPI this machine offers, healthy or not."""
        system = self._system()
        wrappers = [Path(library.mpicxx).resolve() for library in system]
        known = [place_in(entry) for entry in self._workspace.read_state().get("mpi", {}).values()]
        folders = [place.folder for place in known if place]
        root = os.environ.get("I_MPI_ROOT", "")
        if root and not any(Path(root).resolve() in wrapper.parents for wrapper in wrappers):
            folders.insert(0, root)
        found = [place_of(Path(folder)) for folder in folders]
        distinct = dict.fromkeys(place for place in found if place)
        return [self.wheel(), *system, *(self._by_abi(place) for place in distinct)]

    def builder_of(self, library: Library) -> Library:
        """The library whose engine build a library runs: its own, or the wheel's."""
        return self.wheel() if library.place else library

    @property
    def _wheel_wrapper(self) -> str:
        return str(self._workspace.venv / "bin" / "mpicxx_abi")

    def choose(self, request: str) -> Library:
        """The library for ``--mpi REQUEST``, installed by apt where root may do that; healthy, or
        an error says why.

        The choice is remembered for as long as PATH leads to the same MPI and that MPI is the one
        that was tested.
        """
        request = request or "default"
        place = fingerprint(
            "2",
            os.environ.get("MPICXX", ""),
            os.environ.get("I_MPI_ROOT", ""),
            *(identity(self._in_path(name) or name) for name in SYSTEM_WRAPPERS),
        )
        stage = f"choice:{request}"
        state = self._workspace.read_state()
        name = state.get("aliases", {}).get(request, "")
        kept = state.get("mpi", {}).get(name)
        if kept and self._workspace.is_done(stage, place):
            library = self._kept(name, kept["mpicxx"], kept, place_in(kept))
            if library is not None and library.healthy:
                self.libraries[name] = library
                return library
        library = self._search(request)
        self._workspace.mark_done(stage, place)
        return library

    def _search(self, request: str) -> Library:
        if request == "default":
            return self._default()
        if request in ("wheel", WHEEL):
            return self._required(self.wheel(), request)
        if "/" in request:
            return self._required(self._at(Path(request).expanduser().absolute()), request)
        if request not in ("system", "openmpi", "mpich"):
            return self._required(self._named(request), request)
        found = self._of_kind(request) or self._install(request)
        healthy = [library for library in found if library.healthy]
        if healthy:
            return healthy[0]
        raise SetupError(
            f"--mpi {request}: "
            + "; ".join(f"{library.mpicxx}: {library.reason}" for library in found),
            "use the default without --mpi, or name another: --mpi /path/to/mpicxx",
        )

    def _named(self, request: str) -> Library:
        """By its id or its kind, or as a program in PATH."""
        libraries = [library for library in self.all() if request in (library.id, library.kind)]
        if libraries:
            return max(libraries, key=lambda library: (library.healthy, library.id == request))
        program = shutil.which(request)
        if program:
            return self._at(Path(program))
        if request == "intel":
            if os.environ.get("I_MPI_ROOT"):
                return self._at(Path(os.environ["I_MPI_ROOT"]).absolute())
            raise SetupError(
                "--mpi intel: I_MPI_ROOT is not set and no Intel MPI was named before",
                "load its environment (module load, or its setvars.sh), or name its folder: "
                "--mpi /path/to/folder",
            )
        raise SetupError(
            f"--mpi {request} is not known here",
            "use wheel, system, openmpi, mpich, intel, the path of an mpicxx or an MPI's folder",
        )

    def save(self, default: str | None, aliases: dict[str, str]) -> None:
        """Write what was found for the command line (state.json) and for people (mpi.toml)."""
        state = self._workspace.read_state()
        known = state.setdefault("mpi", {})
        for library in self.libraries.values():
            entry = known.setdefault(library.id, {})
            entry.update(library.facts | (library.place.entry() if library.place else {}))
            for name in ("kind", "version", "mpicxx", "mpiexec", "healthy", "reason"):
                entry[name] = getattr(library, name)
        for name in [name for name in known if name not in self.libraries]:
            if not Path(known[name].get("abi_library") or known[name]["mpicxx"]).exists():
                del known[name]
        if default is not None:
            state["default_mpi"] = default
        state["aliases"] = {**state.get("aliases", {}), **aliases}
        self._workspace.write_state(state)
        text = _as_toml(known)
        path = self._workspace.state / "mpi.toml"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            write_atomically(path, text)

    def _default(self) -> Library:
        wheel = self.wheel()
        if wheel.healthy:
            return wheel
        for library in self._system():
            if library.healthy:
                self._console.say(
                    f"the mpich wheel does not work here ({wheel.reason}); "
                    f"using {library.mpicxx} instead"
                )
                return library
        raise SetupError(
            f"no MPI works here; the mpich wheel: {wheel.reason}",
            f"install one, for example: apt-get install {' '.join(PACKAGES['openmpi'])}; "
            "or name one: --mpi /path/to/mpicxx; all reasons are in .isobath/mpi.toml",
        )

    def _required(self, library: Library, request: str) -> Library:
        if library.healthy:
            return library
        other = "another" if library.place is None else "its own compiler wrapper if it has one"
        raise SetupError(
            f"--mpi {request}: {library.reason}",
            f"use the default without --mpi, or name {other}: --mpi /path/to/mpicxx",
        )

    def _of_kind(self, request: str) -> list[Library]:
        system = self._system()
        return (
            system
            if request == "system"
            else [library for library in system if library.kind == request]
        )

    def _install(self, request: str) -> list[Library]:
        kind = "openmpi" if request == "system" else request
        facts = debian.os_release()
        if kind == "mpich" and (facts.get("ID"), facts.get("VERSION_ID")) == ("ubuntu", "24.04"):
            raise SetupError(
                "Ubuntu 24.04's mpich starts separate programs instead of ranks: not installed",
                "use the default, which is MPICH too, from its wheel; or --mpi openmpi",
            )
        packages = PACKAGES[kind]
        if not debian.may_install():
            raise SetupError(
                f"--mpi {request}: no such MPI on this machine",
                f"install it, for example: apt-get install {' '.join(packages)}, "
                f"or: module load {kind}; or use the default without --mpi",
            )
        try:
            debian.install(self._console, packages)
        except CommandFailed as failure:
            raise debian.cannot_install(packages, failure) from failure
        return self._of_kind(request)

    def _system(self) -> list[Library]:
        """The machine's own: $MPICXX, the one in PATH (modules), Debian's two; each once."""
        found: list[Library] = []
        seen: set[str] = set()
        for name in (os.environ.get("MPICXX"), *SYSTEM_WRAPPERS):
            path = self._in_path(name) if name else None
            if path is None:
                continue
            command = self._show(path)
            if command in seen:
                continue
            seen.add(command)
            kind, version = self._health.kind(path)
            taken = {library.id for library in found}
            library = self._library(
                kind if kind not in taken else f"{kind}-{fingerprint(command)[:8]}",
                path,
                kind,
                version,
            )
            found.append(library)
        return found

    def _at(self, path: Path) -> Library:
        """The MPI at a path: the folder it was installed into, or its compiler wrapper.

        In a folder the standard ABI is looked for first, because it needs no build of its own.
        """
        if path.resolve() == self._workspace.venv.resolve():
            return self.wheel()
        place = place_of(path)
        if place is not None:
            return self._by_abi(place)
        for wrapper in (path, path / "bin" / "mpicxx", path / "bin" / "mpic++", path / "mpicxx"):
            if wrapper.is_file() and os.access(wrapper, os.X_OK):
                kind, version = self._health.kind(str(wrapper))
                return self._library(
                    f"{kind}-{fingerprint(str(wrapper))[:8]}", str(wrapper), kind, version
                )
        raise SetupError(
            f"--mpi {path}: {what_is_missing(path)}",
            "name the C++ compiler wrapper of an MPI, or its folder",
        )

    def _by_abi(self, place: Place) -> Library:
        """The library at a place, tested with the health program that the wheel compiles."""
        known = self._workspace.read_state().get("mpi", {})
        wrapper = self._wheel_wrapper
        name = next((n for n, kept in known.items() if kept.get("folder") == place.folder), "")
        looked_at = {library.place: library for library in self.libraries.values()}
        library = looked_at.get(place)
        if library is None and name:
            library = self._kept(name, wrapper, known[name], place)
        if library is None:
            kind = self._health.kind_of_launcher(place)
            name = name or self._free_name(f"{kind}-abi", place, known)
            facts = self._health.run(name, wrapper, place.mpiexec, place, kind)
            library = self._judged(name, kind, wrapper, place.mpiexec, facts, place)
        self.libraries[library.id] = library
        return library

    def _free_name(self, name: str, place: Place, known: dict[str, Any]) -> str:
        if name in known or name in self.libraries:
            return f"{name}-{fingerprint(place.folder)[:8]}"
        return name

    def _in_path(self, name: str) -> str | None:
        """A program that PATH leads to, or None; ours is none of the machine's, whoever put its
        folder into PATH.
        """
        ours = (self._workspace.venv / "bin").resolve()
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        others = [one for one in folders if Path(one or ".").resolve() != ours]
        return shutil.which(name, path=os.pathsep.join(others))

    def _show(self, wrapper: str) -> str:
        try:
            return self._console.run([wrapper, "-show"], quiet=True)
        except CommandFailed:
            return wrapper

    def _library(self, name: str, wrapper: str, kind: str = WHEEL, version: str = "") -> Library:
        if name in self.libraries:
            return self.libraries[name]
        library = self._kept(
            name, wrapper, self._workspace.read_state().get("mpi", {}).get(name, {})
        )
        if library is None:
            launcher, problem = self._health.launcher(wrapper, kind)
            place = place_of(self._workspace.venv) if kind == WHEEL else None
            facts = (
                {"reason": problem}
                if problem
                else self._health.run(name, wrapper, launcher, place, kind)
            )
            library = self._judged(name, kind, wrapper, launcher, facts, version=version)
        self.libraries[name] = library
        return library

    def _judged(
        self,
        name: str,
        kind: str,
        wrapper: str,
        launcher: str,
        facts: dict[str, Any],
        place: Place | None = None,
        version: str = "",
    ) -> Library:
        """The verdict on a library, said and remembered."""
        reason = str(facts.pop("reason", ""))
        if not version:
            found = re.search(r"\d+(\.\d+)+", str(facts.get("library", "")))
            version = found[0] if found else ""
        library = Library(name, kind, version, wrapper, launcher, not reason, reason, facts, place)
        verdict = "healthy" if library.healthy else f"not usable: {reason}"
        where = f"{place.folder}, by the standard ABI" if place else wrapper
        self._console.say(f"MPI {name} {version} ({where}): {verdict}")
        self._workspace.mark_done(f"health:{name}", self._health.key(wrapper, launcher, place))
        self.libraries[name] = library
        return library

    def _kept(
        self, name: str, wrapper: str, kept: dict[str, Any], place: Place | None = None
    ) -> Library | None:
        """The earlier verdict, as long as wrapper, launcher, compiler and health program are the
        same.
        """
        if kept.get("mpicxx") != wrapper:
            return None
        key = self._health.key(wrapper, kept["mpiexec"], place)
        if not self._workspace.is_done(f"health:{name}", key):
            return None
        facts = {key: kept[key] for key in FACTS if key in kept}
        return Library(
            name,
            kept["kind"],
            kept["version"],
            wrapper,
            kept["mpiexec"],
            kept["healthy"],
            kept["reason"],
            facts,
            place,
        )


def _as_toml(known: dict[str, Any]) -> str:
    lines = [
        "# SPDX-License-Identifier: Apache-2.0",
        "# The MPI libraries looked at on this machine. Written by the set-up.",
    ]
    for name in sorted(known):
        lines += ["", f"[{json.dumps(name)}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in sorted(known[name].items())]
    return "\n".join(lines) + "\n"
