#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An engine by Clang beside GCC's: both built by one preset, raced in turns, told by factors.

Usage, after ``./isobath setup`` (as root first: apt-get install clang-19 libomp-19-dev):

    .venv/bin/python benchmarks/engine_compilers.py
    .venv/bin/python benchmarks/engine_compilers.py --scale 14 --compilers g++,clang++-16

Prints what ``isobath factors`` says of the factor engine_build. Builds stay in --folder, where a
second call finds them; a race that was cut off goes on with --resume. On two idle cores a build
takes 5 to 10 minutes, the race of 40 launches at scale 18 about 3.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.launch.installation import Installation  # noqa: E402
from isobath.launch.mpi_library import choose_library  # noqa: E402

PLANS = ("hybrid", "simple")


def built(compiler: str, folder: Path) -> Path:
    """The engine by a compiler, against the default MPI."""
    if shutil.which(compiler) is None:
        sys.exit(f"{compiler} is not installed")
    mpi = choose_library(Installation.here(), None)
    place = folder / compiler
    subprocess.run(
        ["cmake", "--preset", "release", "-B", str(place), f"-DCMAKE_CXX_COMPILER={compiler}",
         f"-DMPI_CXX_COMPILER={mpi.mpicxx}", f"-DMPIEXEC_EXECUTABLE={mpi.mpiexec}"],
        cwd=ROOT, check=True,
    )  # fmt: skip
    subprocess.run(["cmake", "--build", str(place)], check=True)
    return place


def design(builds: list[Path], scale: int, repeats: int) -> str:
    """Every build with every plan, the first build as what others are compared with."""
    told = ", ".join(f'"{place}"' for place in builds)
    plans = ", ".join(f'"{plan}"' for plan in PLANS)
    return (
        f"scale = {scale}\nranks = 2\nrepeats = {repeats}\nladder = false\n"
        f"plan = [{plans}]\nengine_build = [{told}]\n"
    )


def main() -> int:
    """The table of factors."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compilers", default="g++,clang++-19", help="the reference first")
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "compilers")
    parser.add_argument("--resume", action="store_true", help="go on with the race of before")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    first = ("resume", "last:race", "--no-report", "-q")
    if not asked.resume:
        builds = [built(compiler, folder) for compiler in asked.compilers.split(",")]
        file = folder / "design.toml"
        file.write_text(design(builds, asked.scale, asked.repeats), encoding="utf-8")
        first = ("race", str(file), "--no-report", "-q")
    store = ("--store", str(folder / "studies"))
    for words in (first, ("factors", "last:race")):
        subprocess.run([ROOT / "isobath", *words, *store], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
