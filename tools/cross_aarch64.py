#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the engine for 64-bit ARM and holds it against the golden facts under an emulator.

    sudo apt-get install g++-aarch64-linux-gnu qemu-user
    .venv/bin/python tools/cross_aarch64.py          build/aarch64; about five minutes on two cores

MPI is the MPICH wheel for ARM, of the version and hash in requirements.lock; the launcher is that
of .venv. ``--archives DIR`` takes fmt's source archive from a folder instead of the network
(docs/how-to/install.md). What is compared, at scales 8 to 12, with tests/data/graph500.jsonl, which
the reference program itself wrote: edges and weights by hash, search keys, the graph's facts, and
the levels and traversed edges of 64 validated searches, on one rank: several that wait for each
other take minutes in the emulator. Exit status 1 where something differs, 3 without the tools.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "graph500.jsonl"
SCALES = range(8, 13)
RUNS = ((1, "1x1", 64),)
"""Ranks, grid, keys."""
ENVIRONMENT = {
    "MPIR_CVAR_CH4_CMA_ENABLE": "0",  # the emulator has no process_vm_readv
    "MPIR_CVAR_ENABLE_HEAVY_YIELD": "1",  # ranks outnumber the processors (ADR 0022)
    "MPIR_CVAR_POLLS_BEFORE_YIELD": "1",
    "OMP_WAIT_POLICY": "passive",
}
LIBRARIES = "/usr/aarch64-linux-gnu"
NEEDED = {
    "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu",
    "qemu-aarch64": "qemu-user",
    "cmake": "cmake",
    "ninja": "ninja-build",
}


def launcher() -> Path:
    """The launcher beside this Python: that of the wheel."""
    return Path(sys.prefix) / "bin" / "mpiexec"


def missing_tools() -> list[str]:
    """Debian packages of what is not there."""
    return [package for tool, package in NEEDED.items() if shutil.which(tool) is None]


def unpack_mpi(folder: Path) -> Path:
    """The MPICH wheel for ARM, unpacked; returns where its bin, include and lib are."""
    target = folder / "mpich"
    if (target / "lib" / "libmpi_abi.so").exists():
        return target
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    pinned = re.search(r"^mpich==\S+.*?(?=^\S)", lock, re.MULTILINE | re.DOTALL)
    assert pinned is not None, "requirements.lock pins no mpich"
    wheels = folder / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    wanted = wheels / "mpich.txt"
    wanted.write_text(pinned[0], encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--only-binary", ":all:", "--platform", "manylinux_2_28_aarch64"]
    subprocess.run([*command, "--dest", str(wheels), "-r", str(wanted)], check=True)
    (wheel,) = wheels.glob("mpich-*aarch64.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "wheel")
    (data,) = (folder / "wheel").glob("mpich-*.data/data")
    data.rename(target)
    return target


def build(folder: Path, mpi: Path, archives: str | None, jobs: int) -> None:
    """Configures and compiles the programs."""
    libraries = f"{mpi / 'lib'}:{mpi / 'lib' / 'mpich'}"
    configure = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja"]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DISOBATH_BUILD_TESTS=OFF"]
    configure += [
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake' / 'toolchains' / 'aarch64-linux-gnu.cmake'}"
    ]
    configure += [f"-DMPI_CXX_COMPILER={mpi / 'bin' / 'mpicxx_abi'}"]
    configure += [f"-DMPIEXEC_EXECUTABLE={launcher()}"]
    configure += [f"-DCMAKE_EXE_LINKER_FLAGS=-Wl,-rpath-link,{libraries}"]
    configure += [f"-DISOBATH_ARCHIVES={archives}"] if archives else []
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(folder), "-j", str(jobs)], check=True)


class Emulated:
    """The programs of a build, under the emulator."""

    def __init__(self, folder: Path, mpi: Path) -> None:
        self._programs = folder / "bin"
        libraries = f"LD_LIBRARY_PATH={mpi / 'lib'}:{mpi / 'lib' / 'mpich'}"
        self._emulator = ["qemu-aarch64", "-L", LIBRARIES, "-E", libraries]

    def edges(self, scale: int, *words: str) -> bytes:
        """What isobath-edges writes."""
        command = [*self._emulator, str(self._programs / "isobath-edges")]
        return subprocess.run(
            [*command, "--scale", str(scale), *words], check=True, stdout=subprocess.PIPE
        ).stdout

    def run(self, scale: int, keys: int, ranks: int, grid: str) -> list[dict[str, Any]]:
        """Records of a run of isobath-graph500."""
        environment = os.environ | ENVIRONMENT
        threads = 2 if ranks == 1 else 1
        with tempfile.TemporaryDirectory(prefix="isobath-aarch64-") as place:
            records = Path(place) / "records.jsonl"
            command = [str(launcher()), "-n", str(ranks), *self._emulator]
            command += [str(self._programs / "isobath-graph500"), "--scale", str(scale)]
            command += ["--keys", str(keys)]
            command += ["--grid", grid, "--threads", str(threads), "--record", str(records)]
            subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
            return [json.loads(line) for line in records.read_text().splitlines()]


def differences_of_edges(programs: Emulated, golden: dict[str, Any]) -> list[str]:
    """Names of the facts of edges, weights and keys that are not golden."""
    scale = golden["scale"]
    keys = programs.edges(scale, "--keys").split()
    found = {
        "edges_sha256": hashlib.sha256(programs.edges(scale, "--output", "-")).hexdigest(),
        "weights_sha256": hashlib.sha256(programs.edges(scale, "--weights", "-")).hexdigest(),
        "search_keys": [int(key) for key in keys],
    }
    return [name for name, value in found.items() if value != golden[name]]


def differences_of_run(
    records: list[dict[str, Any]], golden: dict[str, Any], keys: int
) -> list[str]:
    """Names of the facts of graph and searches that are not golden."""
    (construction,) = [record for record in records if record["kind"] == "construction"]
    (finish,) = [record for record in records if record["kind"] == "finish"]
    searches = [record for record in records if record["kind"] == "search" and not record["warmup"]]
    facts = ("self_loops", "distinct_edges", "isolated_vertices")
    wrong = [name for name in facts if construction[name] != golden[name]]
    if finish["state"] != "complete" or finish["violations"]:
        wrong.append("violations")
    if [search["root"] for search in searches] != golden["search_keys"][:keys]:
        wrong.append("roots")
    for search, expected in zip(searches, golden["searches"][:keys], strict=True):
        same = search["vertices_per_level"] == expected["vertices_per_level"]
        same &= search["traversed_edges"] == expected["traversed_edges_without_loops"]
        if not same:
            wrong.append(f"search from {expected['key']}")
    return wrong


def check(programs: Emulated) -> int:
    """Prints a line for each scale; returns how many things differ."""
    lines = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    differing = 0
    chosen = sorted(
        (one for one in lines if one["scale"] in SCALES), key=lambda one: int(one["scale"])
    )
    for ranks, grid, keys in RUNS:
        for golden in chosen:
            scale = golden["scale"]
            wrong = differences_of_edges(programs, golden) if ranks == 1 else []
            wrong += differences_of_run(programs.run(scale, keys, ranks, grid), golden, keys)
            differing += len(wrong)
            said = ", ".join(wrong) or f"{keys} searches, the graph and its edges as golden"
            print(f"scale {scale} on {grid}: {said}", flush=True)
    return differing


def main() -> int:
    """Builds and checks."""
    parser = argparse.ArgumentParser(description="Build the engine for 64-bit ARM and check it.")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "aarch64")
    parser.add_argument("--archives", help="folder with source archives, instead of the network")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    wanted = parser.parse_args()
    absent = missing_tools()
    if absent or not launcher().exists():
        needs = f"apt-get install {' '.join(absent)}" if absent else "./isobath setup"
        print(f"cross_aarch64: something is missing here; run {needs}", file=sys.stderr)
        return 3
    folder = wanted.folder.resolve()
    mpi = unpack_mpi(folder)
    build(folder, mpi, wanted.archives, wanted.jobs)
    differing = check(Emulated(folder, mpi))
    if differing:
        print(f"{differing} facts differ on ARM", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
