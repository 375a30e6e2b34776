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
from bootstrap_toolchain import Toolchain
from bootstrap_workspace import Workspace, fingerprint, identity, write_atomically

WHEEL = "mpich-wheel"
RANKS = 2
TIMEOUT_SECONDS = 30.0
LAUNCHER_WORDS = {"openmpi": ("Open MPI", "OpenRTE", "PRRTE"), "intel": ("Intel",), "mpich": ("HYDRA", "MPICH")}
FACTS = ("library", "standard", "standard_abi", "large_counts")
SYSTEM_WRAPPERS = ("mpicxx", "mpic++", "mpicxx.openmpi", "mpicxx.mpich")
PACKAGES = {"openmpi": ["libopenmpi-dev", "openmpi-bin"], "mpich": ["libmpich-dev", "mpich"]}

# Open MPI refuses root and more ranks than cores unless told otherwise; versions 4 and 5 read different names.
LAUNCH_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


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
        self._toolchain = toolchain
        self._health_source = workspace.root / "tools" / "mpi_health" / "health.cpp"
        self.libraries: dict[str, Library] = {}

    def wheel(self) -> Library:
        """The MPICH of the private environment, through its standard-ABI wrapper."""
        return self._library(WHEEL, str(self._workspace.venv / "bin" / "mpicxx_abi"))

    def all(self) -> list[Library]:
        """Every MPI this machine offers, healthy or not."""
        return [self.wheel(), *self._system()]

    def choose(self, request: str) -> Library:
        """The library for ``--mpi REQUEST``, installed by apt where root may do that; healthy, or an error says why.

        The choice is remembered for as long as PATH leads to the same MPI and that MPI is the one that was tested.
        """
        request = request or "default"
        place = fingerprint(os.environ.get("MPICXX", ""), *(str(shutil.which(name)) for name in SYSTEM_WRAPPERS))
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
            raise SetupError(
                f"--mpi {request} is not known here", "use wheel, system, openmpi, mpich or the path of an mpicxx"
            )
        found = self._of_kind(request) or self._install(request)
        healthy = [library for library in found if library.healthy]
        if healthy:
            return healthy[0]
        raise SetupError(
            f"--mpi {request}: " + "; ".join(f"{library.mpicxx}: {library.reason}" for library in found),
            "use the default without --mpi, or name another: --mpi /path/to/mpicxx",
        )

    def save(self, default: str | None, aliases: dict[str, str]) -> None:
        """Write what was found for the command line (state.json) and for people (mpi.toml)."""
        state = self._workspace.read_state()
        known = state.setdefault("mpi", {})
        for library in self.libraries.values():
            entry = known.setdefault(library.id, {})
            entry.update(
                kind=library.kind, version=library.version, mpicxx=library.mpicxx, mpiexec=library.mpiexec,
                healthy=library.healthy, reason=library.reason, **library.facts,
            )  # fmt: skip
        for gone in [name for name, entry in known.items() if not Path(entry["mpicxx"]).exists()]:
            del known[gone]
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
                self._console.say(f"the mpich wheel does not work here ({wheel.reason}); using {library.mpicxx} instead")
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
            f"--mpi {request}: {library.reason}", "use the default without --mpi, or name another: --mpi /path/to/mpicxx"
        )

    def _of_kind(self, request: str) -> list[Library]:
        system = self._system()
        return system if request == "system" else [library for library in system if library.kind == request]

    def _install(self, request: str) -> list[Library]:
        kind = "openmpi" if request == "system" else request
        facts = debian.os_release()
        if kind == "mpich" and (facts.get("ID"), facts.get("VERSION_ID")) == ("ubuntu", "24.04"):
            raise SetupError(
                "Ubuntu 24.04's mpich starts separate programs instead of ranks, so it is not installed",
                "use the default, which is MPICH too, from its wheel; or --mpi openmpi",
            )
        packages = PACKAGES[kind]
        if not debian.may_install():
            raise SetupError(
                f"--mpi {request}: no such MPI on this machine",
                f"install it, for example: apt-get install {' '.join(packages)}, or: module load {kind}; "
                "or use the default without --mpi",
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
            kind, version = self._kind(path)
            taken = {library.id for library in found}
            library = self._library(kind if kind not in taken else f"{kind}-{fingerprint(command)[:8]}", path, kind, version)
            found.append(library)
        return found

    def _at(self, path: Path) -> Library:
        """The MPI at a path: its compiler wrapper, or the folder it was installed into."""
        for wrapper in (path, path / "bin" / "mpicxx", path / "bin" / "mpic++", path / "mpicxx"):
            if wrapper.is_file() and os.access(wrapper, os.X_OK):
                kind, version = self._kind(str(wrapper))
                return self._library(f"{kind}-{fingerprint(str(wrapper))[:8]}", str(wrapper), kind, version)
        raise SetupError(f"--mpi {path}: there is no mpicxx", "name the C++ compiler wrapper of an MPI, or its folder")

    def _show(self, wrapper: str) -> str:
        try:
            return self._console.run([wrapper, "-show"], quiet=True)
        except CommandFailed:
            return wrapper

    def _kind(self, wrapper: str) -> tuple[str, str]:
        """Family and version as its mpi.h says them."""
        source = self._workspace.state / "mpi-kind.cpp"
        source.write_text("#include <mpi.h>\n", encoding="utf-8")
        try:
            text = self._console.run([wrapper, "-dM", "-E", str(source)], quiet=True, env=self._compiler_names())
        except CommandFailed as failure:
            return "unknown", failure.first_error()
        finally:
            source.unlink(missing_ok=True)
        macros = dict(re.findall(r"^#define (\w+) +(.+?)\s*$", text, re.M))
        if "OMPI_MAJOR_VERSION" in macros:
            parts = (macros.get(f"OMPI_{part}_VERSION", "0") for part in ("MAJOR", "MINOR", "RELEASE"))
            return "openmpi", ".".join(parts)
        if "I_MPI_VERSION" in macros:
            return "intel", macros["I_MPI_VERSION"].strip('"')
        if "MVAPICH_VERSION" in macros or "MVAPICH2_VERSION" in macros:
            return "mvapich", macros.get("MVAPICH_VERSION", macros.get("MVAPICH2_VERSION", "")).strip('"')
        if "MPICH_VERSION" in macros:
            return "mpich", macros["MPICH_VERSION"].strip('"')
        return "unknown", ""

    def _compiler_names(self) -> dict[str, str]:
        """Makes any wrapper call our compiler."""
        return {"OMPI_CXX": self._toolchain.cxx, "MPICH_CXX": self._toolchain.cxx, "I_MPI_CXX": self._toolchain.cxx}

    def _library(self, name: str, wrapper: str, kind: str = WHEEL, version: str = "") -> Library:
        if name in self.libraries:
            return self.libraries[name]
        library = self._kept(name, wrapper, self._workspace.read_state().get("mpi", {}).get(name, {}))
        if library is None:
            launcher, problem = self._launcher(wrapper, kind)
            facts = {} if problem else self._health(name, wrapper, launcher)
            reason = problem or str(facts.pop("reason", ""))
            if kind == WHEEL:
                found = re.search(r"\d+(\.\d+)+", str(facts.get("library", "")))
                version = found[0] if found else ""
            library = Library(name, kind, version, wrapper, launcher, not reason, reason, facts)
            verdict = "healthy" if library.healthy else f"not usable: {reason}"
            self._console.say(f"MPI {name} {version} ({wrapper}): {verdict}")
            self._workspace.mark_done(f"health:{name}", self._health_key(wrapper, launcher))
        self.libraries[name] = library
        return library

    def _kept(self, name: str, wrapper: str, kept: dict[str, Any]) -> Library | None:
        """The earlier verdict, as long as wrapper, launcher, compiler and health program are the same."""
        if kept.get("mpicxx") != wrapper:
            return None
        if not self._workspace.is_done(f"health:{name}", self._health_key(wrapper, kept["mpiexec"])):
            return None
        facts = {key: kept[key] for key in FACTS if key in kept}
        return Library(
            name, kept["kind"], kept["version"], wrapper, kept["mpiexec"], kept["healthy"], kept["reason"], facts
        )

    def _health_key(self, wrapper: str, launcher: str) -> str:
        return fingerprint(wrapper, identity(wrapper), launcher, identity(launcher), self._health_source,
                           self._toolchain.identity)  # fmt: skip

    def _launcher(self, wrapper: str, kind: str) -> tuple[str, str]:
        """The launcher that belongs to a wrapper, and a reason where there is none."""
        folder = Path(wrapper).parent
        suffix = Path(wrapper).name.partition(".")[2]
        family = "mpich" if kind in (WHEEL, "mvapich") else kind
        names = [f"mpiexec.{suffix}"] if suffix else []
        names += [f"mpiexec.{family}", "mpiexec", "mpirun", "mpiexec.hydra"]
        rejected: list[str] = []
        for name in names:
            path = folder / name
            if not os.access(path, os.X_OK):
                continue
            try:
                answer = self._console.run([str(path), "--version"], quiet=True, env=LAUNCH_ENVIRONMENT, timeout_seconds=20)
            except CommandFailed as failure:
                answer = failure.output
            if any(word in answer for word in LAUNCHER_WORDS.get(family, ("",))):
                return str(path), ""
            rejected.append(str(path))
        wrong = f" ({', '.join(rejected)} belongs to another MPI)" if rejected else ""
        return str(folder / "mpiexec"), f"no launcher of its own beside {wrapper}{wrong}"

    def _health(self, name: str, wrapper: str, launcher: str) -> dict[str, Any]:
        """Compile and launch the health program. Returns facts, with ``reason`` where it is not healthy."""
        folder = self._workspace.state / "health" / name
        folder.mkdir(parents=True, exist_ok=True)
        program = str(folder / "health")
        try:
            self._console.run(
                self._compile_command(wrapper, self._health_source, program), env=self._compiler_names(), timeout_seconds=120
            )
        except CommandFailed as failure:
            return {"reason": f"cannot compile with it: {failure.first_error()}"}
        try:
            output = self._console.run(
                [launcher, "-n", str(RANKS), program], env=LAUNCH_ENVIRONMENT, timeout_seconds=TIMEOUT_SECONDS
            )
        except CommandFailed as failure:
            if failure.status == 124:
                return {"reason": f"{RANKS} ranks did not end within {TIMEOUT_SECONDS:g} s"}
            return judge(failure.output) or {"reason": f"{RANKS} ranks failed: {failure.first_error()}"}
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return judge(output) or {"reason": f"{RANKS} ranks said nothing"}

    def _compile_command(self, wrapper: str, source: Path, program: str) -> list[str]:
        """The wheel's wrapper is a script that breaks on spaces in its path, so the compiler is called directly."""
        flags = ["-std=c++20", "-O1", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-o", program, str(source)]
        folder = Path(wrapper).parent.parent
        if wrapper.endswith("_abi") and (folder / "lib" / "libmpi_abi.so").exists():
            return [self._toolchain.cxx, "-DMPI_ABI", f"-I{folder}/include", *flags, f"-L{folder}/lib",
                    "-Wl,-rpath", f"-Wl,{folder}/lib", "-lmpi_abi"]  # fmt: skip
        return [wrapper, *flags]


def judge(output: str) -> dict[str, Any]:
    """What the health program's output means: facts, and ``reason`` where something is wrong; empty if it is silent."""
    ranks = sorted((int(rank), int(size)) for rank, size in re.findall(r"^rank (\d+) of (\d+)$", output, re.M))
    if not ranks:
        return {}
    if ranks == [(0, 1)] * RANKS:
        known = debian.os_release()
        trap = " (known Ubuntu 24.04 mpich bug)" if (known.get("ID"), known.get("VERSION_ID")) == ("ubuntu", "24.04") else ""
        return {"reason": f"it starts {RANKS} separate programs instead of {RANKS} ranks{trap}"}
    if ranks != [(rank, RANKS) for rank in range(RANKS)]:
        return {"reason": f"{RANKS} ranks were asked for, but these answered: {ranks}"}
    found = re.search(r"^\{.*\}$", output, re.M)
    if found is None:
        return {"reason": "its ranks started but did not finish the exchange"}
    said = json.loads(found[0])
    facts = {
        "library": said["library"],
        "standard": said["standard"],
        "standard_abi": said["standard_abi"],
        "large_counts": said["alltoallv_c"] != "absent",
    }
    wrong = [call for call in ("alltoallv", "alltoallv_c") if said[call] == "wrong"]
    if wrong:
        facts["reason"] = " and ".join(f"MPI_{call.capitalize()}" for call in wrong) + " delivered wrong bytes"
    return facts


def _as_toml(known: dict[str, Any]) -> str:
    lines = ["# SPDX-License-Identifier: Apache-2.0", "# The MPI libraries looked at on this machine. Written by the set-up."]
    for name in sorted(known):
        lines += ["", f"[{json.dumps(name)}]"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in sorted(known[name].items())]
    return "\n".join(lines) + "\n"
