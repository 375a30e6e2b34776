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
        return self._library(WHEEL, str(self._workspace.venv / "bin" / "mpicxx_abi"))

    def all(self) -> list[Library]:
        """Every MPI this machine offers, healthy or not."""
        return [self.wheel(), *self._system()]

    def choose(self, request: str) -> Library:
        """The library for ``--mpi REQUEST``, installed by apt where root may do that; healthy, or
        an error says why.

        The choice is remembered for as long as PATH leads to the same MPI and that MPI is the one
        that was tested.
        """
        request = request or "default"
        place = fingerprint(
            os.environ.get("MPICXX", ""), *(str(shutil.which(name)) for name in SYSTEM_WRAPPERS)
        )
        stage = f"choice:{request}"
        state = self._workspace.read_state()
        name = state.get("aliases", {}).get(request, "")
        kept = state.get("mpi", {}).get(name)
        if kept and self._workspace.is_done(stage, place):
            library = self._kept(name, kept["mpicxx"], kept)
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
            for library in self._system():
                if request == library.id:
                    return self._required(library, request)
            program = shutil.which(request)
            if program:
                return self._required(self._at(Path(program)), request)
            raise SetupError(
                f"--mpi {request} is not known here",
                "use wheel, system, openmpi, mpich or the path of an mpicxx",
            )
        found = self._of_kind(request) or self._install(request)
        healthy = [library for library in found if library.healthy]
        if healthy:
            return healthy[0]
        raise SetupError(
            f"--mpi {request}: "
            + "; ".join(f"{library.mpicxx}: {library.reason}" for library in found),
            "use the default without --mpi, or name another: --mpi /path/to/mpicxx",
        )

    def save(self, default: str | None, aliases: dict[str, str]) -> None:
        """Write what was found for the command line (state.json) and for people (mpi.toml)."""
        state = self._workspace.read_state()
        known = state.setdefault("mpi", {})
        for library in self.libraries.values():
            entry = known.setdefault(library.id, {})
            entry.update(library.facts)
            for name in ("kind", "version", "mpicxx", "mpiexec", "healthy", "reason"):
                entry[name] = getattr(library, name)
        for name in [name for name in known if name not in self.libraries]:
            if not Path(known[name]["mpicxx"]).exists():
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
        raise SetupError(
            f"--mpi {request}: {library.reason}",
            "use the default without --mpi, or name another: --mpi /path/to/mpicxx",
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
            path = shutil.which(name) if name else None
            if path is None or Path(path).parent == self._workspace.venv / "bin":
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
        """The MPI at a path: its compiler wrapper, or the folder it was installed into."""
        for wrapper in (path, path / "bin" / "mpicxx", path / "bin" / "mpic++", path / "mpicxx"):
            if wrapper.is_file() and os.access(wrapper, os.X_OK):
                kind, version = self._health.kind(str(wrapper))
                return self._library(
                    f"{kind}-{fingerprint(str(wrapper))[:8]}", str(wrapper), kind, version
                )
        raise SetupError(
            f"--mpi {path}: there is no mpicxx",
            "name the C++ compiler wrapper of an MPI, or its folder",
        )

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
            facts = {} if problem else self._health.run(name, wrapper, launcher)
            reason = problem or str(facts.pop("reason", ""))
            if kind == WHEEL:
                found = re.search(r"\d+(\.\d+)+", str(facts.get("library", "")))
                version = found[0] if found else ""
            library = Library(name, kind, version, wrapper, launcher, not reason, reason, facts)
            verdict = "healthy" if library.healthy else f"not usable: {reason}"
            self._console.say(f"MPI {name} {version} ({wrapper}): {verdict}")
            self._workspace.mark_done(f"health:{name}", self._health.key(wrapper, launcher))
        self.libraries[name] = library
        return library

    def _kept(self, name: str, wrapper: str, kept: dict[str, Any]) -> Library | None:
        """The earlier verdict, as long as wrapper, launcher, compiler and health program are the
        same.
        """
        if kept.get("mpicxx") != wrapper:
            return None
        if not self._workspace.is_done(
            f"health:{name}", self._health.key(wrapper, kept["mpiexec"])
        ):
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
