# SPDX-License-Identifier: Apache-2.0
"""What isobath test runs: one suite per build, per linter, and pytest."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from isobath.cli.suite_results import OVER_TIME, LeftOut
from isobath.errors import EnvironmentProblem
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import WHEEL, MpiLibrary, choose_library, known_libraries
from isobath.launch.namespaces import why_not
from isobath.launch.processes import descendants, send
from isobath.launch.transport import transport_of
from isobath.machine.facts import Machine

CPP_FOLDERS = ("engine", "tests", "benchmarks")
PYTHON_WORKERS = 4
PYTHON_FOLDERS = ("tests/system", "tests/profiler", "tests/python")
"""In the order in which they are run."""

SLOW_FOLDER = "tests/slow"
SLOW_PARTS = (("system", ("tests/system",)), ("python", ("tests/python", "tests/profiler")))
"""Slow tests of the usual folders: each part has the time of a suite; so has each file of
SLOW_FOLDER."""

SLOW_TEST_SECONDS = 3600
"""A slow test may take as long: more than anything that one of them waits for."""

SHOWN_DURATIONS = 40
"""The slowest tests that a log names, so that one sees where the time goes."""

COMPILED_ONCE = {"PYTHONDONTWRITEBYTECODE": ""}
"""Containers often set it. Tests start a thousand programs in Python: each would compile all that
it imports, a third of the time that it takes to begin."""

LAST_WORDS_SECONDS = 60.0
"""A suite that is told to end may take so long to write what it knows."""


@dataclass(frozen=True)
class Suite:
    """A command whose success is one result, or as many as its junit file lists."""

    name: str
    part: str
    """engine, style, python, slow or cross"""
    command: tuple[str, ...]
    cwd: Path
    environment: dict[str, str] = field(default_factory=dict)
    junit: bool = False
    """the command writes junit to the path that replaces {junit}"""


def engine_suites(
    installation: Installation, mpi: str | None, jobs: int, *, slow: bool = False
) -> list[Suite]:
    """ctest in every test build, or in that of the MPI that ``mpi`` names as for run: the tests
    without the label slow, or those with it. MPICH before version 5 has slow ones alone.
    """
    only = choose_library(installation, mpi).id if mpi else None
    suites = []
    for library in known_libraries(installation):
        if library.healthy is False or (only and library.id != only):
            continue
        if library.id == only and library.place is not None:
            raise EnvironmentProblem(
                f"the MPI {only} runs the engine of {WHEEL}, which has no test build for it; test "
                "whole runs under it: ./isobath test tests/system"
            )
        folder = library.test_build_dir
        if folder is None:
            continue
        ctest = [_cached(folder, "CMAKE_CTEST_COMMAND") or "ctest", "--test-dir", str(folder)]
        all_slow = is_slow_when_oversubscribed(library) and not only
        if all_slow and not slow:
            continue  # its test build has programs alone (tools/bootstrap_build.py)
        if not all_slow:
            ctest += ["-L" if slow else "-LE", "^slow$"]
        ctest += [f"--no-tests={'ignore' if slow else 'error'}"]
        ctest += ["--output-on-failure", "-j", str(jobs), "--timeout", "1800"]
        ctest += ["--output-junit", "{junit}"]
        word = ", sanitizers" if is_sanitized(folder) else ""
        name = f"{'slow ' * slow}engine, {library.id} {library.version}{word}"
        suites.append(Suite(name, "engine", tuple(ctest), folder, junit=True))
    return suites


def thread_suites(installation: Installation, jobs: int) -> list[Suite]:
    """ctest in the build with the sanitizer of threads, where there is one: what every run of the
    tests takes of it. The whole engine is for --slow (tests/slow/test_threads.py).
    """
    suites = []
    for library in known_libraries(installation):
        folder = library.thread_build_dir
        if folder is None:
            continue
        ctest = [_cached(folder, "CMAKE_CTEST_COMMAND") or "ctest", "--test-dir", str(folder)]
        ctest += ["--label-regex", "^threads$", "--output-on-failure", "--no-tests=error"]
        ctest += ["-j", str(jobs), "--timeout", "600", "--output-junit", "{junit}"]
        name = f"engine, {library.id} {library.version}, sanitizer of threads"
        suites.append(Suite(name, "engine", tuple(ctest), folder, junit=True))
    return suites


def left_out_engine(installation: Installation) -> list[LeftOut]:
    """What set-up could not provide for the engine's tests: MPI libraries, a sanitizer."""
    return [
        LeftOut(f"engine, {entry['name']}", str(entry["name"]), str(entry["cure"]))
        for entry in installation.state().get("left_out", [])
    ]


def is_slow_when_oversubscribed(library: MpiLibrary) -> bool:
    """MPICH before version 5: its engine tests are slow ones, on 2 ranks only."""
    return library.kind == "mpich" and library.version.partition(".")[0] < "5"


def style_suites(installation: Installation) -> list[Suite]:
    """Formatters, linters, types, layers, schema: those that this checkout has."""
    root = installation.root
    python = sys.executable

    def suite(name: str, *command: str) -> Suite:
        return Suite(name, "style", command, root)

    suites = [
        suite("mypy", python, "-m", "mypy", "--cache-dir", os.devnull),  # the longest comes first
        *collection_suites(installation),
        suite("ruff", python, "-m", "ruff", "check", "--no-cache", "."),
        suite("ruff format", python, "-m", "ruff", "format", "--no-cache", "--check", "."),
        suite("schema", python, "tools/write_schema.py", "--check"),
    ]
    for script in ("check_layers.py", "check_style.py"):
        if (root / "tools" / script).exists():
            suites.append(suite(script, python, f"tools/{script}"))
    tools = Path(python).parent
    if (tools / "codespell").exists():
        folders = [
            name for name in ("src", "engine", "tests", "tools", "docs") if (root / name).is_dir()
        ]
        suites.append(suite("codespell", str(tools / "codespell"), *folders))
    sources = cpp_files(root)
    if (root / ".clang-format").exists() and (tools / "clang-format").exists() and sources:
        command = [str(tools / "clang-format"), "--dry-run", "--Werror", *map(str, sources)]
        suites.append(suite("clang-format", *command))
    return suites


def collection_suites(installation: Installation) -> list[Suite]:
    """Whether pytest can import all files of tests; beside mypy, while a processor has no other
    work. What it compiles is kept for the workers of pytest: each would compile all of it again.
    """
    root = installation.root
    folders = [folder for folder in PYTHON_FOLDERS if (root / folder).is_dir()]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider"]
    suite = Suite("collection", "style", (*command, *folders), root, COMPILED_ONCE)
    return [suite] if folders else []


def python_suites(installation: Installation, words: list[str]) -> list[Suite]:
    """pytest over the laboratory and the whole system."""
    # Whole files are dealt out: fixtures are made once per file. Their ranks share processors. The
    # longest files come first (tests/conftest.py), so that the last ones end together. Many tests
    # wait for a limit or for a process, so that two processors have time for more workers.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    command += ["-n", str(PYTHON_WORKERS), "--dist", "loadfile", "--no-loadscope-reorder"]
    command += ["--durations", str(SHOWN_DURATIONS), "--durations-min", "0.1"]
    command += ["--junitxml", "{junit}", *(words or PYTHON_FOLDERS)]
    return [Suite("python", "python", tuple(command), installation.root, COMPILED_ONCE, junit=True)]


def slow_suites(installation: Installation, words: list[str]) -> list[Suite]:
    """Tests of many minutes, one after the other: their ranks need the whole machine.

    In several suites, so that none waits for the time of all, and what one loses is little.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-s", "-m", "slow"]
    command += ["-o", f"timeout={SLOW_TEST_SECONDS}", "--durations", str(SHOWN_DURATIONS)]
    command += ["--junitxml", "{junit}"]
    files = sorted((installation.root / SLOW_FOLDER).glob("test_*.py"))
    parts = [*SLOW_PARTS, *((file.stem, (f"{SLOW_FOLDER}/{file.name}",)) for file in files)]
    return [
        Suite(f"slow {name}", "slow", (*command, *places), installation.root, junit=True)
        for name, places in ([("tests", tuple(words))] if words else parts)
    ]


def cross_suites(installation: Installation) -> list[Suite]:
    """The engine built for another processor, against the golden facts under an emulator."""
    command = (sys.executable, "tools/cross_aarch64.py")
    return [Suite("aarch64", "cross", command, installation.root)]


def cpp_files(root: Path) -> list[Path]:
    """The C++ sources, relative to the root."""
    sources = [
        path.relative_to(root)
        for folder in CPP_FOLDERS
        for pattern in ("*.hpp", "*.cpp")
        for path in (root / folder).rglob(pattern)
    ]
    return sorted(sources)


def not_covered(installation: Installation, machine: Machine) -> list[str]:
    """What no test on this machine can show, one phrase each."""
    known = known_libraries(installation)
    libraries = {mpi.kind: mpi for mpi in known if mpi.place is None or mpi.kind == "intel"}
    left_out = {omission.package for omission in left_out_engine(installation)}
    gaps = []
    for kind, name in ((WHEEL, "the MPICH wheel"), ("openmpi", "Open MPI"), ("mpich", "MPICH")):
        library = libraries.get(kind)
        if kind in left_out:
            continue  # a line of its own says so
        if library is None:
            gaps.append(f"{name} (not installed)")
        elif library.healthy is False:
            gaps.append(f"{name} ({library.reason})")
        elif is_slow_when_oversubscribed(library):
            gaps.append(
                f"{name} {library.version} in the engine's own tests (too slow oversubscribed: "
                "./isobath test --slow runs them on 2 ranks)"
            )
    if "intel" not in libraries:
        gaps.append("Intel MPI (not installed)")
    builds = [library.test_build_dir for library in libraries.values() if library.test_build_dir]
    if not any(is_sanitized(folder) for folder in builds):
        gaps.append("sanitizers (the compiler here has none)")
    if shutil.which("clang++") is None:
        gaps.append("Clang (not installed)")
    gaps.append("norms of PETSc's conjugate gradients (./isobath test --slow has them)")
    if len(machine.numa_cpus) == 1:
        gaps.append("several NUMA nodes (this machine has one)")
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    if " avx512f" not in flags:
        gaps.append("AVX-512 (this processor lacks it)")
    gaps += nodes_not_covered()
    return gaps


def nodes_not_covered() -> list[str]:
    """What of several nodes namespaces cannot show here."""
    problem = why_not(transport_of("rate-limited:1gbit:2nodes"))
    standing_in = [f"several nodes in network namespaces ({problem})"] if problem else []
    return [*standing_in, "several machines and their network"]


def is_sanitized(folder: Path) -> bool:
    """Whether a build has the sanitizers: asked for, and known to its compiler."""
    return _cached(folder, "ISOBATH_SANITIZED") == "ON"


def _cached(folder: Path, name: str) -> str:
    """A value of a build's CMake cache, empty where there is none."""
    try:
        for line in (folder / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name}:"):
                return line.partition("=")[2]
    except OSError:
        pass
    return ""


def run_suite(suite: Suite, junit: Path, log: Path, timeout_seconds: float) -> int:
    """Runs a suite with its output in ``log``; returns its status, OVER_TIME after a time-out.

    At its limit it is told to end as by Ctrl-C, at which pytest writes what has passed so far.
    """
    command = [word.replace("{junit}", str(junit)) for word in suite.command]
    with log.open("wb") as out:
        try:
            process = subprocess.Popen(
                command,
                cwd=suite.cwd,
                env={**os.environ, **suite.environment},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        except OSError as error:
            out.write(f"cannot start {command[0]}: {error.strerror}\n".encode())
            return 127
        try:
            return process.wait(timeout_seconds)
        except subprocess.TimeoutExpired:
            below = descendants(process.pid)
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(LAST_WORDS_SECONDS)
            send([process.pid, *below, *descendants(process.pid)], signal.SIGKILL)
            return OVER_TIME
        finally:
            process.kill()
            process.wait()
