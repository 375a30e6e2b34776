# SPDX-License-Identifier: Apache-2.0
"""The guard with the real programs: a library that became wrong in one call of ten thousand."""

import json
import subprocess
from pathlib import Path

import pytest

from system.laboratory import Laboratory

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).resolve().parents[2] / "benchmarks" / "guard" / "spoiled_calls.cpp"
CALL = 10_000
BENCH = ("bench", "collectives", "--collectives", "alltoall", "--sizes", "8,4096", "--forms",
         "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2", "--least", "3000",
         "--most", "3000", "--no-report", "-q")  # fmt: skip


def built(lab: Laboratory, folder: Path) -> Path:
    library = folder / "libspoiled.so"
    words = [lab.mpi.mpicxx, "-std=c++20", "-O2", "-shared", "-fPIC", "-o", str(library)]
    done = subprocess.run([*words, str(SOURCE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return library


def test_one_bit_of_one_call_in_ten_thousand_is_wrong_and_not_slow(
    lab: Laboratory, tmp_path: Path
) -> None:
    store = ("--store", tmp_path / "studies")
    count = tmp_path / "calls"
    spoiled = {"LD_PRELOAD": built(lab, tmp_path), "SPOILED_CALL": "MPI_Alltoall",
               "SPOILED_FLIP": CALL, "SPOILED_COUNT": count}  # fmt: skip
    variables = ",".join(f"{name}={value}" for name, value in spoiled.items())
    for words in (BENCH, ("baseline", "set", "mpi", "last:bench")):
        done = lab.isobath(*words, *store)
        assert done.code == 0, done.err

    said = lab.isobath("regress", "mpi", "--suite", "full", "--turns", "2", "--variables",
                       variables, "--no-report", "-q", "--json", *store)  # fmt: skip

    assert said.code == 1, said.err
    found = json.loads(said.out)
    calls = int.from_bytes(count.read_bytes(), "little")
    assert calls > CALL
    # The call, its size, the rank and the place.
    assert found["verdict"].startswith("WRONG RESULTS: ")
    assert "first alltoall of " in found["verdict"]
    assert "rank 1 after repetition " in found["verdict"]
    assert "element " in found["verdict"]
    assert [cell["outcome"] for cell in found["cells"]].count("wrong") == 1
    assert "Do not give this library to users" in found["advice"]
