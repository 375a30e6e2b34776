# SPDX-License-Identifier: Apache-2.0
"""The whole engine with the sanitizer of threads: all its tests, and runs of 2 and 3 threads.

What vector instructions gather is not seen by the sanitizer, so two threads run with portable ones.
"""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, known_libraries
from isobath.plan.search_plans import PATH_PLANS, PLANS, SWITCHES, takes_grid, values_of
from system.laboratory import NOT_BUILT, Done, Laboratory, make_laboratory

pytestmark = pytest.mark.timeout(3600)

INSTRUCTIONS = {2: "portable", 3: ""}
"""Threads a rank, and their instructions; none named: the widest that there are."""
THREADS = tuple(INSTRUCTIONS)
ALONE = "1x1"
GRIDS = (ALONE, "1x2", "2x1", "2x2", "1x4", "4x1")
SANITIZER_OPTIONS = "ignore_noninstrumented_modules=1"
SAY_NOTHING_OF_THREADS = (
    # The sanitizer puts functions of the C library into the program, which are then its own.
    "FunctionNames.KnowsExportedFunctionsByNameAndItsOwnProgram",
    "StackSampler.FindsTheFunctionsOfLibrariesThatTheProgramIsInside",
    # A limit on the size of files takes from Clang's OpenMP the file in /dev/shm that it maps.
    "EdgesProgram.LeavesNoHalfFile",
    # Waits for the first arcs of scale 26, which the sanitizer makes a matter of minutes.
    "Graph500Program.ASecondSignalEndsAtOnce",
)
"""Tests of the engine that fail with the sanitizer for a reason of its own; the other builds have
them.
"""
SCALE, SCALE_ALONE = 11, 15
"""One rank deals edges and vertices out in large parts, of which every thread is to have some."""


def built_for_threads() -> MpiLibrary:
    """The library with such a build; without one the tests are left out, and say what they lack."""
    installation = Installation.here()
    for library in known_libraries(installation):
        if library.thread_build_dir is not None:
            return replace(library, build_dir=library.thread_build_dir)
    for entry in installation.state().get("left_out", []):
        if entry["name"].startswith("clang"):
            pytest.skip(f"left out: {entry['name']}; {entry['cure']}")
    pytest.fail(NOT_BUILT)


@pytest.fixture
def watched(tmp_path: Path) -> Laboratory:
    return make_laboratory(built_for_threads(), tmp_path / "lab")


def grids_of(plan: str) -> list[str]:
    return [grid for grid in GRIDS if takes_grid(plan, *map(int, grid.split("x")))]


def run(lab: Laboratory, threads: int, grid: str, *words: object) -> Done:
    rows, cols = map(int, grid.split("x"))
    scale = SCALE_ALONE if grid == ALONE else SCALE
    return lab.engine(
        *("--scale", scale, "--keys", 2, "--grid", grid, *words),
        ranks=rows * cols,
        threads=threads,
        ISOBATH_INSTRUCTION_SET=INSTRUCTIONS[threads],
        TSAN_OPTIONS=SANITIZER_OPTIONS,
    )


def assert_no_race(done: Done, *where: object) -> None:
    """Nor any other end than that of a validated run."""
    assert "ThreadSanitizer" not in done.err, (where, done.err)
    assert done.code == 0, (where, done.err)


def test_all_tests_of_the_engine_pass() -> None:
    """On one rank and on two: more of them, with less threads each, are the other builds' work."""
    folder = built_for_threads().build_dir
    assert folder is not None
    command = ["ctest", "--test-dir", str(folder), "--output-on-failure", "--timeout", "1200"]
    command += ["--no-tests=error", "--exclude-regex", r"\.[346]$"]
    chosen = {
        "TSAN_OPTIONS": SANITIZER_OPTIONS,
        "GTEST_FILTER": f"-{':'.join(SAY_NOTHING_OF_THREADS)}",
    }
    done = subprocess.run(
        command, env=os.environ | chosen, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-20000:]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("plan", PLANS)
def test_no_exchange_of_a_plan_has_a_race(watched: Laboratory, plan: str, threads: int) -> None:
    for grid in grids_of(plan):
        exchanges = values_of("exchange", plan)
        for exchange in exchanges if grid != ALONE else exchanges[:1]:
            done = run(watched, threads, grid, "--plan", plan, "--exchange", exchange)

            assert_no_race(done, grid, exchange)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("plan", PLANS)
def test_no_switch_of_a_plan_makes_a_race(watched: Laboratory, plan: str, threads: int) -> None:
    grid = grids_of(plan)[-1]
    for name in SWITCHES:
        option = f"--{name.replace('_', '-')}"
        for value in values_of(name, plan)[1:] if name != "exchange" else ():
            for where in (ALONE, grid):
                done = run(watched, threads, where, "--plan", plan, option, value)

                assert_no_race(done, where, name, value)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("plan", PATH_PLANS)
def test_no_plan_for_shortest_paths_has_a_race(
    watched: Laboratory, plan: str, threads: int
) -> None:
    for grid in GRIDS:
        done = run(watched, threads, grid, "--kernel", "sssp", "--sssp-plan", plan)

        assert_no_race(done, grid)


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("edges", ["memory", "file", "regenerate"])
@pytest.mark.parametrize("copy", ["on", "off"])
def test_no_validation_has_a_race(
    watched: Laboratory, tmp_path: Path, threads: int, edges: str, copy: str
) -> None:
    words = ("--edges", edges, "--edge-folder", tmp_path, "--validation-copy", copy)
    for grid in (ALONE, "2x1") if copy == "off" else (ALONE,):
        done = run(watched, threads, grid, "--kernel", "both", *words)

        assert_no_race(done, grid)
