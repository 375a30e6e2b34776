# SPDX-License-Identifier: Apache-2.0
"""The guard with the real programs: a library that became wrong in one call of ten thousand."""

import json
from pathlib import Path

import pytest
from guard_spoiled import Spoiling, build_spoiled

from system.laboratory import Laboratory

pytestmark = pytest.mark.slow

CALL = 10_000
BENCH = ("bench", "collectives", "--collectives", "alltoall", "--sizes", "8,4096", "--forms",
         "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2", "--least", "3000",
         "--most", "3000", "--no-report", "-q")  # fmt: skip


def test_one_bit_of_one_call_in_ten_thousand_is_wrong_and_not_slow(
    lab: Laboratory, tmp_path: Path
) -> None:
    store = ("--store", tmp_path / "studies")
    spoiling = Spoiling(build_spoiled(lab.mpi.mpicxx, tmp_path), CALL, tmp_path)
    variables = ",".join(f"{name}={value}" for name, value in spoiling.variables.items())
    for words in (BENCH, ("baseline", "set", "mpi", "last:bench")):
        done = lab.isobath(*words, *store)
        assert done.code == 0, done.err

    said = lab.isobath("regress", "mpi", "--suite", "full", "--turns", "2", "--variables",
                       variables, "--no-report", "-q", "--json", *store)  # fmt: skip

    assert said.code == 1, said.err
    found = json.loads(said.out)
    flipped = spoiling.flipped()
    assert spoiling.calls > CALL == flipped.call
    assert flipped.rank == 1
    # Exactly that launch, size, rank, repetition and element, and what is in it.
    assert flipped.is_told_by(found["verdict"]), (flipped, found["verdict"])
    wrong = [cell["cell"] for cell in found["cells"] if cell["outcome"] == "wrong"]
    assert wrong == [f"alltoall, {flipped.size}, 2 ranks"]
    assert "Do not give this library to users" in found["advice"]
