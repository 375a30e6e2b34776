# SPDX-License-Identifier: Apache-2.0
"""The real engine's iterates against PETSc's: by ./isobath test --slow, where petsc-dev is."""

import os
import subprocess
from pathlib import Path

import pytest

from isobath.kinds.cg.petsc import build_example, build_program, library_of
from isobath.kinds.cg.petsc_example import EXAMPLE_CELLS, example_words, read_output
from isobath.kinds.cg.plan import EXAMPLE, CgArm
from isobath.kinds.cg.reading import norms_apart
from isobath.launch.launcher import launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.petsc import Petsc, find_petsc
from isobath.records.codec import read_records
from isobath.records.krylov import KrylovRecord
from needs import left_out, needs
from system.laboratory import Laboratory

pytestmark = [pytest.mark.slow, needs("petsc-dev")]

WORDS = ("elements", "20,48"), ("iterations", "30"), ("repetitions", "2")
RANKS = 2


@pytest.fixture(scope="module")
def petsc() -> Petsc:
    found = find_petsc()
    assert isinstance(found, Petsc), found
    return found


def records_of(file: Path) -> list[KrylovRecord]:
    return [one for one in read_records(file) if isinstance(one, KrylovRecord)]


def test_natural_norms_of_all_methods_are_petscs(
    lab: Laboratory, petsc: Petsc, tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "ours.jsonl", tmp_path / "theirs.jsonl"
    words = [word for name, value in WORDS for word in (f"--{name}", value)]
    start(lab.mpi, lab.mpi.program("isobath-krylov"),
          [*words, "--threads", "1", "--record", str(ours)])  # fmt: skip
    words = [word for name, value in WORDS for word in (f"-{name}", value)]
    start(library_of(petsc), build_program(petsc, tmp_path), [*words, "-record", str(theirs)])

    own, found = records_of(ours), records_of(theirs)

    assert {one.method for one in found} == {"cg", "single", "gropp", "pipelined"}
    assert len(found) == 12
    for one in found:
        assert one.norms is not None
        assert len(one.norms) == 30
        assert one.norms[-1] < one.norms[0]
    assert norms_apart(own + found) == []
    errors = {(one.elements, round(one.error or 0, 9)) for one in own + found}
    assert len(errors) == 2, "the same solution, too"


@pytest.mark.parametrize("ranks", [1, 3])
def test_iterations_on_no_numbers_are_refused_and_not_written(
    petsc: Petsc, tmp_path: Path, ranks: int
) -> None:
    written = tmp_path / "theirs.jsonl"
    words = ["-elements", "2", "-iterations", "500", "-record", str(written)]
    line = launch_line(library_of(petsc), build_program(petsc, tmp_path), words,
                       ranks=ranks, threads=1, cpus=1)  # fmt: skip

    done = subprocess.run(line.command, env={**os.environ, **line.environment}, timeout=300,
                          capture_output=True, text=True, check=False)  # fmt: skip

    assert done.returncode == 2, done.stderr
    (sentence,) = [one for one in done.stderr.splitlines() if one.startswith("isobath: ")]
    assert "on 2 elements cannot go on after" in sentence
    assert records_of(written) == []


def test_petscs_own_example_is_read(petsc: Petsc, tmp_path: Path) -> None:
    """Its output as this version prints it; the source comes with Debian's examples."""
    sources = sorted(Path("/usr/share/petsc").glob("*/share/petsc/examples/src/ksp/ksp/tutorials"))
    if not sources:
        pytest.skip(left_out("petsc-dev", "apt-get install 'libpetsc*-dev-examples'"))
    program = build_example(petsc, sources[-1] / "ex3.c", tmp_path)
    for method, modes in EXAMPLE_CELLS:
        arm = CgArm(arm=0, mpi=EXAMPLE, modes=modes, ranks=RANKS, elements=(32,), method=method)
        line = launch_line(library_of(petsc), program, example_words(arm, 20),
                           ranks=RANKS, threads=1, cpus=1)  # fmt: skip

        done = subprocess.run(line.command, env={**os.environ, **line.environment}, timeout=300,
                              capture_output=True, text=True, check=True)  # fmt: skip

        found = read_output(done.stdout)
        assert found.iterations in (20, 21)
        assert found.seconds > 0


def start(library: MpiLibrary, program: Path, words: list[str]) -> None:
    line = launch_line(library, program, words, ranks=RANKS, threads=1, cpus=1)
    variables = {**os.environ, **line.environment}
    subprocess.run(line.command, env=variables, check=True, timeout=300)
