# SPDX-License-Identifier: Apache-2.0
"""The engine: its C++ libraries, CMake configuration and build."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import bootstrap_debian as debian
from bootstrap_console import CommandFailed, Console, SetupError
from bootstrap_mpi import Library
from bootstrap_toolchain import Toolchain
from bootstrap_workspace import Workspace, fingerprint, identity, tree_of

# CMake package -> Debian package
LIBRARIES = {
    "fmt": "libfmt-dev",
    "CLI11": "libcli11-dev",
    "nlohmann_json": "nlohmann-json3-dev",
    "GTest": "libgtest-dev",
    "benchmark": "libbenchmark-dev",
    "ZLIB": "zlib1g-dev",
    "zstd": "libzstd-dev",
}
# The engine is built without these where they are missing, and refuses the files that need them.
OPTIONAL_LIBRARIES = ("ZLIB", "zstd")
NOTHING_TO_BUILD = re.compile(r"ninja: |\[\d+/\d+\] git state$")
CMAKE_SOURCES = ("CMakeLists.txt", "*.cmake", "*.cmake.in", "*.hpp.in", "CMakePresets.json")


@dataclass(frozen=True)
class Flavour:
    """One way of building: the preset, the suffix of its folder, its key in state.json."""

    preset: str
    suffix: str
    key: str
    options: tuple[str, ...]
    cxx: str = ""
    """its compiler, where that is not the toolchain's"""
    targets: tuple[str, ...] = ()
    """what is built of it; empty: all"""


RELEASE = Flavour("release", "", "build_dir", ("-DISOBATH_BUILD_TESTS=OFF",))
TEST = Flavour("ci", "-test", "test_build_dir", ())

# What depends on MPI is tested under every MPI; the rest of the engine is the same program text
# and is tested once, under the default, with the sanitizers.
LAYERS_WITH_MPI = "comm;graph;validate;bfs;graph500;apps"


TEST_PROGRAMS = ("engine_tests",)
"""What ninja builds of a test build where the programs that people use are in a release build."""

PROFILER = ("engine/profiler/all",)
"""What a release build has when nothing but a profile is wanted."""

MPI_PROGRAMS = (
    *PROFILER, "isobath-audit", "isobath-collectives", "isobath-edges", "isobath-graph500",
    "isobath-krylov", "isobath-overlap", "isobath-search", "isobath-skeleton",
)  # fmt: skip
"""What it builds of another MPI beside its tests: what knows MPI, and what tests/system starts of
that MPI's build. Programs that know no MPI are tested in the default's build.
"""


def test_flavour(
    library: Library, default: Library, *, all_tests: bool, has_release: bool
) -> Flavour:
    """The test build of an MPI. The default's has all layers and the sanitizers, under which 3
    and 6 ranks take minutes: they are for isobath test --slow; where ``has_release``, programs
    that its tests do not start are left to the release build. Others repeat its tests with another
    library and without sanitizers, at every number of ranks: communication and search, what else
    by --slow; whole programs are run under every library by tests/system.
    MPICH before version 5, whose calls take milliseconds when oversubscribed, is tested at 2 ranks
    in the layers that talk most, by --slow too: without ``all_tests`` it has programs alone, for
    tests/system and tests/profiler.
    """
    if library.id == default.id:
        targets: tuple[str, ...] = TEST_PROGRAMS if has_release else ()
        return dataclasses.replace(
            TEST, preset="asan", options=("-DISOBATH_SLOW_TEST_RANKS=3;6",), targets=targets
        )
    old_mpich = library.kind == "mpich" and library.version.partition(".")[0] < "5"
    layers = "comm;bfs;graph500" if old_mpich else LAYERS_WITH_MPI if all_tests else "comm;bfs"
    options: tuple[str, ...] = (f"-DISOBATH_TEST_LAYERS={layers}",)
    if old_mpich:
        options += ("-DISOBATH_TEST_RANKS=2",)
    targets = MPI_PROGRAMS if old_mpich else (*TEST_PROGRAMS, *MPI_PROGRAMS)
    if all_tests:
        targets = ()
    return dataclasses.replace(TEST, options=options, targets=targets)


class Builder:
    """Configures and builds; knows where the libraries are."""

    def __init__(self, workspace: Workspace, console: Console, toolchain: Toolchain) -> None:
        self._workspace = workspace
        self._console = console
        self._toolchain = toolchain

    def ensure_libraries(self) -> None:
        """Libraries that CMake does not find are installed (root), unpacked (Debian, no root) or
        left to FetchContent.
        """
        key = fingerprint(
            "1",
            self._toolchain.identity,
            os.environ.get("CMAKE_PREFIX_PATH", ""),
            *LIBRARIES.values(),
        )
        if self._workspace.is_done("libraries", key) and not self._sysroot_is_damaged():
            return
        missing = self._missing()
        if missing and debian.is_debian():
            packages = [LIBRARIES[name] for name in missing]
            try:
                if debian.may_install():
                    debian.install(self._console, packages)
                else:
                    debian.unpack(self._workspace, self._console, packages)
                    self._workspace.mark_done("sysroot", "1")
                missing = self._missing()
            except CommandFailed as failure:
                self._console.say(str(debian.cannot_install(packages, failure)))
        pinned = [name for name in missing if name not in OPTIONAL_LIBRARIES]
        if pinned:
            self._console.say(
                f"not on this machine: {', '.join(pinned)}; CMake fetches their pinned archives"
            )
        without = [LIBRARIES[name] for name in missing if name in OPTIONAL_LIBRARIES]
        if without:
            self._console.say(
                f"not on this machine: {', '.join(without)}; the engine will refuse the compressed "
                "graphs that need it"
            )
        self._workspace.mark_done("libraries", key)

    def build(self, library: Library, flavour: Flavour) -> Path:
        """A finished build with this MPI; nothing happens when it is up to date. Returns its
        folder.
        """
        folder = self._workspace.build / (library.id + flavour.suffix)
        command = self._configure_command(library, flavour, folder)
        root = self._workspace.root
        sources = [root / "CMakeLists.txt", root / "CMakePresets.json"]
        for name in ("engine", "tests", "cmake", "benchmarks"):
            sources += tree_of(root / name, CMAKE_SOURCES)
        if self._came_along(folder, library, flavour):
            return self._remember(folder, library, flavour)
        stage = f"configure:{folder.name}"
        parts = {
            "the options of CMake": fingerprint(*command),
            "files of CMake": fingerprint(*map(str, sources), *sources),
            f"the MPI library {library.id}": fingerprint(library.identity),
            "the compiler, CMake or Ninja": fingerprint(
                self._toolchain.identity, identity(flavour.cxx) if flavour.cxx else ""
            ),
        }
        wrapper = shutil.which("smpicxx")
        if wrapper:  # CMake looks for it once: what came later is built, too
            parts["SimGrid"] = fingerprint(wrapper)
        key = json.dumps(parts, sort_keys=True)
        fresh = not (self._workspace.is_done(stage, key) and (folder / "build.ninja").exists())
        if fresh:
            why = why_again(self._workspace.stamp(stage), parts)
            self._configure(command, folder, stage, why)
            self._workspace.mark_done(stage, key)
        has_work = self._compile(folder, library, flavour)
        stage = _built(folder, flavour)
        if has_work or not self._workspace.has_done(stage):
            self._workspace.mark_done(stage, self._contents(library, flavour))
        return self._remember(folder, library, flavour)

    def _remember(self, folder: Path, library: Library, flavour: Flavour) -> Path:
        state = self._workspace.read_state()
        state["mpi"][library.id][flavour.key] = str(folder)
        self._workspace.write_state(state)
        return folder

    def _came_along(self, folder: Path, library: Library, flavour: Flavour) -> bool:
        """Whether a finished build of these very sources was moved or copied with the checkout. It
        finds its MPI by its own place (CMAKE_BUILD_RPATH), so nothing is compiled until a source
        changes.
        """
        known = re.search(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", _text(folder / "CMakeCache.txt"),
                          re.M)  # fmt: skip
        if known is None or known[1] == str(self._workspace.root):
            return False
        if not self._workspace.is_done(_built(folder, flavour), self._contents(library, flavour)):
            return False
        if not self._workspace.is_done(f"moved:{folder.name}", str(folder)):
            self._console.say(
                f"this checkout was in {known[1]}: its build {folder} is used as it is"
            )
            self._workspace.mark_done(f"moved:{folder.name}", str(folder))
        return True

    def _contents(self, library: Library, flavour: Flavour) -> str:
        """All that a build comes from but its place."""
        root = self._workspace.root
        files = [root / "CMakeLists.txt", root / "CMakePresets.json"]
        for name in ("engine", "tests/engine", "tests/CMakeLists.txt", "cmake", "benchmarks"):
            place = root / name
            files += tree_of(place, ("*",)) if place.is_dir() else [place]
        named = [path for path in files if path.is_file()]
        is_ours = Path(library.mpicxx).parent == self._workspace.venv / "bin"
        return fingerprint(
            "1", flavour.preset, *flavour.options, *flavour.targets, self._toolchain.cxx_name,
            identity(self._toolchain.cxx), f"{library.id} {library.version}",
            "" if is_ours else library.identity,
            *(str(path.relative_to(root)) for path in named), *named,
        )  # fmt: skip

    def forget(self, library: Library, flavour: Flavour) -> None:
        """A build that cannot be made here any more is nobody's."""
        state = self._workspace.read_state()
        if state["mpi"][library.id].pop(flavour.key, None):
            self._workspace.write_state(state)

    def share(self, folder: Path, library: Library) -> None:
        """A library of the standard ABI runs the release build of another."""
        state = self._workspace.read_state()
        state["mpi"][library.id][RELEASE.key] = str(folder)
        self._workspace.write_state(state)

    def _configure_command(self, library: Library, flavour: Flavour, folder: Path) -> list[str]:
        command = [
            self._toolchain.cmake, "--preset", flavour.preset, "-B", str(folder),
            f"-DCMAKE_MAKE_PROGRAM={self._toolchain.ninja}",
            f"-DCMAKE_CXX_COMPILER={flavour.cxx or self._toolchain.cxx}",
            f"-DMPI_CXX_COMPILER={library.mpicxx}", f"-DMPIEXEC_EXECUTABLE={library.mpiexec}",
            *flavour.options,
        ]  # fmt: skip
        if Path(library.mpicxx).parent == self._workspace.venv / "bin":
            # Found from where a program lies, for checkouts are moved and copied.
            inner = os.path.relpath(self._workspace.venv / "lib", folder / "bin")
            command.append(f"-DCMAKE_BUILD_RPATH=$ORIGIN/{inner}")
        if self._workspace.sysroot.exists():
            command.append(f"-DCMAKE_PREFIX_PATH={self._workspace.sysroot / 'usr'}")
        archives = os.environ.get("ISOBATH_ARCHIVES") or os.environ.get("ISOBATH_OFFLINE")
        if archives:
            command.append(f"-DISOBATH_ARCHIVES={Path(archives).absolute()}")
        return command

    def _configure(self, command: list[str], folder: Path, stage: str, why: str) -> None:
        self._workspace.mark_done(stage, None)
        for remains in (folder / "CMakeCache.txt", folder / "CMakeFiles"):
            if remains.is_dir():
                shutil.rmtree(remains)
            else:
                remains.unlink(missing_ok=True)
        self._console.say(f"configuring {folder}{why}")
        try:
            self._console.run(command, cwd=self._workspace.root)
        except CommandFailed as failure:
            raise SetupError(
                f"CMake could not configure {folder}: {_cmake_error(failure.output)}",
                "see the log and start again; ./isobath setup --clean removes damaged builds",
            ) from failure

    def _compile(self, folder: Path, library: Library, flavour: Flavour) -> bool:
        """Let ninja find out what is to do; nothing is said where that is nothing. Whether there
        was anything.
        """
        command = [self._toolchain.ninja, "-C", str(folder), f"-j{parallel_jobs()}"]
        command += flavour.targets
        headline = f"building {folder} ({flavour.preset}, {library.kind} {library.version})"
        try:
            said = self._console.run(
                command, trivial=NOTHING_TO_BUILD, headline=headline, counts=True
            )
        except CommandFailed as failure:
            raise SetupError(
                f"the engine does not compile in {folder}: {failure.first_error()}",
                "see the log; a changed source file may be at fault: git status, git diff",
            ) from failure
        return not all(NOTHING_TO_BUILD.match(line) for line in said.splitlines())

    def _missing(self) -> list[str]:
        """Packages that find_package does not find, asked from a tiny project so that every way of
        finding counts.
        """
        folder = self._workspace.state / "probe-libraries"
        shutil.rmtree(folder, ignore_errors=True)
        command = [
            self._toolchain.cmake, "-S", str(self._workspace.root / "tools" / "probe_libraries"),
            "-B", str(folder), "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={self._toolchain.ninja}",
            f"-DCMAKE_CXX_COMPILER={self._toolchain.cxx}", f"-DPACKAGES={';'.join(LIBRARIES)}",
        ]  # fmt: skip
        if self._workspace.sysroot.exists():
            command.append(f"-DCMAKE_PREFIX_PATH={self._workspace.sysroot / 'usr'}")
        try:
            output = self._console.run(command, quiet=True)
        except CommandFailed as failure:
            raise SetupError(
                f"CMake does not work with {self._toolchain.cxx}: {_cmake_error(failure.output)}",
                "see the log; name another compiler: CXX=/path/to/g++ ./isobath run",
            ) from failure
        shutil.rmtree(folder, ignore_errors=True)
        found = set(re.findall(r"found (\w+)", output))
        return [name for name in LIBRARIES if name not in found]

    def _sysroot_is_damaged(self) -> bool:
        return self._workspace.is_done("sysroot", "1") and not self._workspace.sysroot.exists()


def why_again(before: str, parts: dict[str, str]) -> str:
    """Behind ``configuring FOLDER``: what changed since it was done. Empty where it never was.

    Args: before is the stamp of then, parts are the fingerprints of now by their names.
    """
    if not before:
        return ""
    try:
        known = json.loads(before)
    except ValueError:  # of a time when only a sum of all was kept
        known = {}
    changed = [name for name, value in parts.items() if known.get(name) != value]
    if known and changed:
        return f" anew, and all of it is built again: {', '.join(changed)} changed"
    return " anew" if known else " anew: it was configured by an older Isobath"


def _built(folder: Path, flavour: Flavour) -> str:
    """The stamp of what a build was made from."""
    return ":".join(("built", folder.name, *flavour.targets))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _cmake_error(output: str) -> str:
    """CMake's first error message on one line, without its place."""
    found = re.search(r"^CMake Error[^\n]*\n+((?:[ \t]+[^\n]*\n)+)", output, re.M)
    text = found[1] if found else output.strip().splitlines()[-1] if output.strip() else "no output"
    return " ".join(text.split())[:300]


def parallel_jobs() -> int:
    """Compilers at once: one per core, and about 1.5 GB of memory each."""
    cores = len(os.sched_getaffinity(0))
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        available = int(re.search(r"MemAvailable:\s+(\d+)", text)[1]) * 1024  # type: ignore[index]
    except (OSError, TypeError):
        return cores
    for limit, usage in (("memory.max", "memory.current"),):
        try:
            free = int(Path(f"/sys/fs/cgroup/{limit}").read_text()) - int(
                Path(f"/sys/fs/cgroup/{usage}").read_text()
            )
            available = min(available, free)
        except (OSError, ValueError):
            continue
    return max(1, min(cores, int(available / 1.5e9)))
