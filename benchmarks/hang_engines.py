# SPDX-License-Identifier: Apache-2.0
"""What benchmarks/hangs.py runs with: this engine, one of another commit, and the delays."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary

ROOT = Path(__file__).resolve().parent.parent
HANGS = ROOT / "benchmarks" / "hangs"
EXIT_ONLY = HANGS / "exit_only.patch"
"""The old loops, mended in nothing but who may stop waiting for room."""

PROGRAM = "isobath-graph500"
SAME = (
    "CMAKE_BUILD_TYPE",
    "CMAKE_CXX_COMPILER",
    "CMAKE_CXX_COMPILER_LAUNCHER",
    "CMAKE_CXX_FLAGS",
    "CMAKE_CXX_FLAGS_RELEASE",
    "CMAKE_MAKE_PROGRAM",
    "CMAKE_PREFIX_PATH",
    "CMAKE_TOOLCHAIN_FILE",
    "MPI_CXX_COMPILER",
    "MPIEXEC_EXECUTABLE",
)
"""What both engines are configured with."""


def cache_of(build: Path) -> dict[str, str]:
    """Variables of a configured build."""
    found = {}
    for line in (build / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        name, colon, rest = line.partition(":")
        if colon and not line.startswith(("#", "//")):
            found[name] = rest.partition("=")[2]
    return found


def built_folder(mpi: MpiLibrary) -> Path:
    """Where this engine is built. Raises: SystemExit where it is not."""
    if mpi.build_dir is None:
        raise SystemExit(f"no engine is built for {mpi.id}; build it: ./isobath setup")
    return mpi.build_dir


def old_engine(mpi: MpiLibrary, commit: str, patch: Path | None = None) -> Path:
    """The program of another commit, built like ours; kept, and only looked at the next time.

    Raises: SystemExit where the commit is unknown or does not build.
    """
    whole = answer("git", "rev-parse", "--verify", f"{commit}^{{commit}}")
    name = whole[:12] + (f"-{patch.stem}" if patch else "")
    source = Installation.here().prefix / "build" / "hangs" / name
    build = source / "build" / mpi.id  # as ours lies, so that a compiler cache knows it again
    program = build / "bin" / PROGRAM
    if program.exists():
        return program
    say(f"building {PROGRAM} of {name}")
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "archive", "--format=tar", whole], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "-x", "-C", str(source)], input=archive.stdout, check=True)
    if patch:
        subprocess.run(["patch", "-s", "-p1", "-i", str(patch)], cwd=source, check=True)
    ours = cache_of(built_folder(mpi))
    settings = [f"-D{one}={ours[one]}" for one in SAME if ours.get(one)]
    cmake = ours["CMAKE_COMMAND"]
    words = [cmake, "-S", str(source), "-B", str(build), "-G", ours["CMAKE_GENERATOR"]]
    work = str(len(os.sched_getaffinity(0)))
    for command in (
        [*words, "-DISOBATH_BUILD_TESTS=OFF", *settings],
        [cmake, "--build", str(build), "--target", PROGRAM, "--parallel", work],
    ):
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{done.stdout.decode()[-3000:]}")
    return program


def built_delays(mpi: MpiLibrary) -> Path:
    """The library that is preloaded, of this MPI. Raises: SystemExit where it does not build."""
    folder = Installation.here().prefix / "build" / "hangs"
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / f"delays-{mpi.id}.so"
    source = HANGS / "delays.cpp"
    if library.exists() and library.stat().st_mtime > source.stat().st_mtime:
        return library
    words = ["-std=c++20", "-O2", "-shared", "-fPIC", str(source), "-o", str(library), "-ldl"]
    done = subprocess.run([mpi.mpicxx, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{mpi.mpicxx} {' '.join(words)} failed:\n{done.stderr}")
    return library


def facts(mpi: MpiLibrary, old: str) -> dict[str, object]:
    """What a reader of the log wants to know about a session."""
    compiler = cache_of(built_folder(mpi)).get("CMAKE_CXX_COMPILER", "c++")
    changed = answer("git", "status", "--porcelain", "--", "engine")
    return {
        "command": " ".join(["benchmarks/hangs.py", *sys.argv[1:]]),
        "commit": answer("git", "rev-parse", "HEAD") + ("-changed" if changed else ""),
        "old": answer("git", "rev-parse", "--verify", f"{old}^{{commit}}"),
        "compiler": answer(compiler, "--version").splitlines()[0],
        "mpi": f"{mpi.kind} {mpi.version}",
        "processors": len(os.sched_getaffinity(0)),
        "kernel": platform.release(),
        "load_average": round(os.getloadavg()[0], 1),
    }


def answer(*command: str) -> str:
    """What a command prints. Raises: SystemExit where it fails."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout.strip()


def say(words: str) -> None:
    """Progress."""
    print(words, file=sys.stderr, flush=True)
