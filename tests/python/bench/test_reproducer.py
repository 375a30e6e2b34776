# SPDX-License-Identifier: Apache-2.0
"""Programs of cells compile without a warning and run under the MPI of this environment."""

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.made_up import measured_of
from isobath.bench.counts import byte_matrices, communicators_of
from isobath.bench.measured import MeasuredCell
from isobath.bench.plan import Cell, ForcedAlgorithm
from isobath.bench.reproducer import reproducer
from isobath.bench.reproducer_text import ARGUMENTS
from isobath.errors import UsageError
from isobath.records.collective import COLLECTIVE_NAMES
from patience import patience

MATRIX = ((0, 100, 3, 0), (7, 0, 0, 0), (0, 0, 50, 1), (9, 9, 9, 9))


def real_mpi(name: str) -> str:
    """A program of the MPI of this environment; without one the test fails."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    assert found, f"no {name} here"
    return found


def cell_of(collective: str, **settings: Any) -> MeasuredCell:
    """A cell with made-up times."""
    (one,) = measured_of({(collective, 64, ""): 4e-6}).cells
    told = {"datatype": settings.get("datatype", "byte"), "operation": settings.get("operation")}
    rows = tuple(row.model_copy(update=told) for row in one.records)
    return replace(one, cell=one.cell.model_copy(update=settings), records=rows)


def time_of(source: str, folder: Path, ranks: int = 2) -> float:
    """What its program prints."""
    path, program = folder / "reproducer.c", folder / "reproducer"
    path.write_text(source, encoding="utf-8")
    compiler = [real_mpi("mpicc"), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1"]
    subprocess.run([*compiler, str(path), "-o", str(program)], check=True)
    done = subprocess.run(
        [real_mpi("mpiexec"), "-n", str(ranks), str(program)],
        capture_output=True, text=True, check=False, timeout=patience(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return float(done.stdout)


def test_every_collective_has_its_arguments() -> None:
    assert set(ARGUMENTS) == set(COLLECTIVE_NAMES)


@pytest.mark.parametrize(
    "settings",
    [
        {"collective": "alltoallv", "counts": "zipf:1"},
        {"collective": "allgatherv", "counts": "zipf:1.5", "form": "nonblocking"},
        {"collective": "gatherv", "counts": "sparse:1", "buffers": "dirty"},
        {"collective": "scatterv", "counts": "block:1", "form": "persistent"},
        {"collective": "alltoallw", "counts": "zipf:1", "form": "persistent"},
        {"collective": "barrier", "form": "nonblocking"},
        {"collective": "bcast", "form": "persistent"},
        {"collective": "neighbor_alltoallw", "shape": "2x1"},
        {"collective": "neighbor_allgatherv", "form": "nonblocking"},
        {"collective": "reduce_scatter", "datatype": "double"},
    ],
    ids=lambda settings: "-".join(settings.values()),
)
def test_counts_forms_and_neighbours_compile_and_run(
    tmp_path: Path, settings: dict[str, str]
) -> None:
    assert time_of(reproducer(cell_of(**settings), "a library"), tmp_path) > 0


@pytest.mark.parametrize("together", [False, True])
def test_recorded_counts_on_rows_compile_and_run(tmp_path: Path, *, together: bool) -> None:
    one = cell_of("alltoallv", shape="2x2", along="row", together=together, counts="recorded:s")

    text = reproducer(one, "a library", {"s": MATRIX})

    assert "static const int BYTES[GROUPS][RANKS][RANKS]" in text
    assert "{0, 3}" in text
    assert ("{9, 9}" in text) == together  # of the second row
    assert time_of(text, tmp_path, ranks=4) > 0


def test_rows_and_columns_are_those_of_the_shape() -> None:
    shape = {"collective": "alltoallv", "shape": "2x3"}

    assert communicators_of(Cell(**shape)) == ((0, 1, 2, 3, 4, 5),)
    assert communicators_of(Cell(**shape, along="col")) == ((0, 1), (2, 3), (4, 5))
    assert communicators_of(Cell(**shape, along="row")) == ((0, 2, 4), (1, 3, 5))
    deep = Cell(collective="alltoallv", shape="2x2x2", along="1")
    assert communicators_of(deep) == ((0, 2), (1, 3), (4, 6), (5, 7))


@pytest.mark.parametrize(
    ("collective", "expected"),
    [
        ("alltoallv", ((0, 3), (0, 50))),
        ("allgatherv", ((3, 3), (50, 50))),  # the largest entry of a row, to everybody
        ("scatterv", ((0, 50), (0, 50))),
    ],
)
def test_recorded_counts_are_cut_to_the_communicator(
    collective: str, expected: tuple[tuple[int, ...], ...]
) -> None:
    cell = Cell(collective=collective, shape="2x2", along="row", counts="recorded:s")

    assert byte_matrices(cell, "byte", {"s": MATRIX}) == (expected,)
    with pytest.raises(UsageError, match="has no matrix"):
        byte_matrices(cell, "byte", {})


def test_totals_of_all_distributions_are_those_of_uniform_counts() -> None:
    for counts in ("uniform", "zipf:1", "zipf:0.3", "sparse:3", "block:2"):
        cell = Cell(collective="alltoallv", size_bytes=1000, shape="5", counts=counts)
        (table,) = byte_matrices(cell, "int64", {})
        assert [sum(row) for row in table] == [5 * 1000] * 5
        assert all(entry % 8 == 0 for row in table for entry in row)


def test_a_forced_algorithm_says_what_to_set_and_large_counts_are_refused() -> None:
    forced = ForcedAlgorithm(
        name="ring", variable="MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM", value="ring", in_process=True
    )

    text = reproducer(cell_of("allgather", algorithm=forced), "ends */ here")

    assert "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring" in text
    assert "MPIR_CVAR_ALLGATHER_DEVICE_COLLECTIVE=0" in text
    assert "ends * / here" in text
    with pytest.raises(UsageError, match="31 bits"):
        reproducer(cell_of("alltoall", size_bytes=1 << 30), "a library")
    with pytest.raises(UsageError, match="entries"):
        reproducer(cell_of("alltoallv", shape="300", counts="zipf:1"), "a library")
