# SPDX-License-Identifier: Apache-2.0
"""One MPI library: what it is, which launcher is its own, and whether it works."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import bootstrap_debian as debian
from bootstrap_abi import Place
from bootstrap_console import CommandFailed, Console
from bootstrap_toolchain import Toolchain
from bootstrap_workspace import Workspace, fingerprint, identity

WHEEL = "mpich-wheel"
RANKS = 2
TIMEOUT_SECONDS = 30.0
LAUNCHER_WORDS = {
    "openmpi": ("Open MPI", "OpenRTE", "PRRTE"),
    "intel": ("Intel",),
    "mpich": ("HYDRA", "MPICH"),
}

# A relative of MPICH defines MPICH_VERSION too, so it is asked for first.
FAMILIES = {
    "I_MPI_VERSION": "intel",
    "MVAPICH_VERSION": "mvapich",
    "MVAPICH2_VERSION": "mvapich",
    "MPICH_VERSION": "mpich",
}

# Open MPI refuses root and more ranks than cores unless told otherwise; versions 4 and 5 read
# different names.
LAUNCH_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}


class HealthTest:
    """Looks at MPI libraries with the compiler that the engine is built with."""

    def __init__(self, workspace: Workspace, console: Console, toolchain: Toolchain) -> None:
        self._folder = workspace.state
        self._console = console
        self._toolchain = toolchain
        self._source = workspace.root / "tools" / "mpi_health" / "health.cpp"

    def kind(self, wrapper: str) -> tuple[str, str]:
        """Family and version as its mpi.h says them."""
        source = self._folder / "mpi-kind.cpp"
        source.write_text("#include <mpi.h>\n", encoding="utf-8")
        try:
            text = self._console.run(
                [wrapper, "-dM", "-E", str(source)], quiet=True, env=self._compiler_names()
            )
        except CommandFailed as failure:
            return "unknown", failure.first_error()
        finally:
            source.unlink(missing_ok=True)
        macros: dict[str, str] = dict(re.findall(r"^#define (\w+) +(.+?)\s*$", text, re.M))
        if "OMPI_MAJOR_VERSION" in macros:
            parts = (
                macros.get(f"OMPI_{part}_VERSION", "0") for part in ("MAJOR", "MINOR", "RELEASE")
            )
            return "openmpi", ".".join(parts)
        for macro, kind in FAMILIES.items():
            if macro in macros:
                return kind, macros[macro].strip('"')
        return "unknown", ""

    def key(self, wrapper: str, launcher: str, place: Place | None = None) -> str:
        """Changes when the wrapper, the launcher, the compiler or the health program does, or the
        library of a place.
        """
        programs = [wrapper, identity(wrapper), launcher, identity(launcher)]
        programs.append(place.identity if place else "")
        return fingerprint(*programs, self._source, self._toolchain.identity)

    def kind_of_launcher(self, place: Place) -> str:
        """Family of an MPI without compiler, as its launcher says it."""
        answer = self._version_of(place.mpiexec, place.environment("intel"))
        for kind, words in LAUNCHER_WORDS.items():
            if any(word in answer for word in words):
                return kind
        return "unknown"

    def launcher(self, wrapper: str, kind: str) -> tuple[str, str]:
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
            answer = self._version_of(str(path), {})
            if any(word in answer for word in LAUNCHER_WORDS.get(family, ("",))):
                return str(path), ""
            rejected.append(str(path))
        wrong = f" ({', '.join(rejected)} belongs to another MPI)" if rejected else ""
        return str(folder / "mpiexec"), f"no launcher of its own beside {wrapper}{wrong}"

    def _version_of(self, launcher: str, environment: dict[str, str]) -> str:
        try:
            return self._console.run(
                [launcher, "--version"],
                quiet=True,
                env={**LAUNCH_ENVIRONMENT, **environment},
                timeout_seconds=20,
            )
        except CommandFailed as failure:
            return failure.output

    def run(
        self, name: str, wrapper: str, launcher: str, place: Place | None = None, kind: str = ""
    ) -> dict[str, Any]:
        """Compile and launch the health program; with the libraries of a place, if there is one.

        Returns facts, with ``reason`` where the library is not healthy.
        """
        folder = self._folder / "health" / name
        folder.mkdir(parents=True, exist_ok=True)
        program = str(folder / "health")
        try:
            self._console.run(
                self._compile_command(wrapper, self._source, program),
                env=self._compiler_names(),
                timeout_seconds=120,
            )
        except CommandFailed as failure:
            return {"reason": f"cannot compile with it: {failure.first_error()}"}
        try:
            output = self._console.run(
                [launcher, "-n", str(RANKS), program],
                env={**LAUNCH_ENVIRONMENT, **(place.environment(kind) if place else {})},
                timeout_seconds=TIMEOUT_SECONDS,
            )
        except CommandFailed as failure:
            if failure.status == 124:
                return {"reason": f"{RANKS} ranks did not end within {TIMEOUT_SECONDS:g} s"}
            return judge(failure.output) or {
                "reason": f"{RANKS} ranks failed: {failure.first_error()}"
            }
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        found = judge(output) or {"reason": f"{RANKS} ranks said nothing"}
        if place and "reason" not in found:
            found |= wrong_library(output, place.abi_library)
        return found

    def _compile_command(self, wrapper: str, source: Path, program: str) -> list[str]:
        """The compiler itself for the wheel, whose wrapper breaks on spaces in its path."""
        flags = ["-std=c++20", "-O1", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX"]
        flags += ["-o", program, str(source)]
        folder = Path(wrapper).parent.parent
        if wrapper.endswith("_abi") and (folder / "lib" / "libmpi_abi.so").exists():
            before = [self._toolchain.cxx, "-DMPI_ABI", f"-I{folder}/include"]
            path = [f"-L{folder}/lib", f"-Wl,--enable-new-dtags,-rpath,{folder}/lib"]
            return [*before, *flags, *path, "-lmpi_abi"]
        return [wrapper, *flags]

    def _compiler_names(self) -> dict[str, str]:
        """Makes any wrapper call our compiler."""
        return {
            "OMPI_CXX": self._toolchain.cxx,
            "MPICH_CXX": self._toolchain.cxx,
            "I_MPI_CXX": self._toolchain.cxx,
        }


def wrong_library(output: str, expected: str) -> dict[str, str]:
    """A ``reason`` where the ranks ran with another library than the one that was put first."""
    found = re.search(r'"loaded": "([^"]*)"', output)
    loaded = found[1] if found else ""
    if loaded and os.path.exists(loaded) and os.path.samefile(loaded, expected):
        return {}
    return {"reason": f"its ranks ran with {loaded or 'another library'} instead of {expected}"}


def judge(output: str) -> dict[str, Any]:
    """What the health program's output means: facts, and ``reason`` where something is wrong.

    Empty if it is silent.
    """
    ranks = sorted(
        (int(rank), int(size)) for rank, size in re.findall(r"rank (\d+) of (\d+)", output)
    )
    if not ranks:
        return {}
    if ranks == [(0, 1)] * RANKS:
        known = debian.os_release()
        trap = (
            " (known Ubuntu 24.04 mpich bug)"
            if (known.get("ID"), known.get("VERSION_ID")) == ("ubuntu", "24.04")
            else ""
        )
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
        facts["reason"] = (
            " and ".join(f"MPI_{call.capitalize()}" for call in wrong) + " delivered wrong bytes"
        )
    return facts
