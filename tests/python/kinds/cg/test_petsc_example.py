# SPDX-License-Identifier: Apache-2.0
"""PETSc's own ex3 beside ours: its options, its stored output, and what is not its output."""

from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.cg.petsc import build_example
from isobath.kinds.cg.petsc_example import EXAMPLE_CELLS, append_example, example_words, read_output
from isobath.kinds.cg.plan import EXAMPLE, CgArm
from isobath.kinds.cg.wanted import CgDesign
from isobath.kinds.nodes import Placed
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.petsc import Petsc
from isobath.records.codec import read_records
from isobath.records.krylov import KrylovRecord
from isobath.records.placement import HERE
from isobath.store.folders import OpenRun

STORED = Path(__file__).resolve().parents[3] / "data" / "petsc" / "ex3-cg.txt"
"""Of PETSc 3.18.5: two ranks, -m 64, 20 iterations, -log_view; without what names the machine."""

PIPELINED = CgArm(arm=4, mpi=EXAMPLE, modes=("library",), ranks=2, elements=(64,),
                  method="pipelined")  # fmt: skip


def test_stored_output_gives_iterations_and_the_seconds_of_the_slowest_rank() -> None:
    found = read_output(STORED.read_text(encoding="utf-8"))

    assert found.iterations == 20
    assert found.seconds == 2.4654e-03


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("Norm of error", "Error norm", "the line 'Norm of error ... Iterations ...' once"),
        ("KSPSolve ", "KSPOther ", "did not print KSPSolve once"),
        ("KSPSolve               1 ", "KSPSolve               2 ", "did not print KSPSolve once"),
        ("2.4654e-03", "2.46x54", "printed '2.46x54' for the seconds"),
        ("Iterations 20", "Iterations 0", "made no iteration"),
    ],
)
def test_other_output_is_one_sentence(before: str, after: str, said: str) -> None:
    text = STORED.read_text(encoding="utf-8")
    assert before in text

    with pytest.raises(EnvironmentProblem, match="output is in stdout") as caught:
        read_output(text.replace(before, after))

    assert said in str(caught.value)
    assert caught.value.exit_code == ExitCode.ENVIRONMENT


def test_a_launch_becomes_a_record(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a04-1")
    run.stdout.write_text(STORED.read_text(encoding="utf-8"), encoding="utf-8")

    append_example(run, PIPELINED, 1)

    (record,) = read_records(run.records)
    assert isinstance(record, KrylovRecord)
    assert (record.implementation, record.method, record.progress) == (
        "petsc-ex3",
        "pipelined",
        "library",
    )
    assert (record.elements, record.iterations, record.launch) == (64, 20, 1)
    assert record.solve is not None
    assert record.solve.together_nanoseconds == (2_465_400,)


def test_it_is_asked_for_our_preconditioner_norm_and_iterations() -> None:
    words = " ".join(example_words(PIPELINED, 100))

    assert words.startswith("-m 64 -ksp_type pipecg -pc_type jacobi -ksp_norm_type natural")
    assert "-ksp_max_it 100" in words
    assert "-splitreduction_async 1" in words
    control = PIPELINED.model_copy(update={"modes": ()})
    assert "-splitreduction_async 0" in " ".join(example_words(control, 100))


def test_every_mesh_and_method_is_a_launch_of_its_own() -> None:
    library = MpiLibrary("fake", "mpich-wheel", "5", "", "", healthy=True)
    wanted = CgDesign(
        elements=(8, 16), modes=(), places=(Placed(2, HERE),), threads=1, aggregators=1, cpus=2
    )

    arms = wanted.arms([library], with_petsc=True, with_example=True)

    assert [arm.mpi for arm in arms[:2]] == ["fake", "petsc"]
    assert [(arm.elements, arm.method, arm.modes) for arm in arms[2:]] == [
        ((elements,), method, modes) for elements in (8, 16) for method, modes in EXAMPLE_CELLS
    ]
    assert not any(arm.is_ours for arm in arms[1:])


def test_a_source_that_does_not_compile_is_one_sentence(tmp_path: Path) -> None:
    compiler = tmp_path / "compiler"
    compiler.write_text("#!/bin/sh\necho 'ex3.c:1:2: error: no petscksp.h' >&2\nexit 1\n")
    compiler.chmod(0o755)
    petsc = Petsc("3.18.5", (), str(compiler), "mpiexec")

    with pytest.raises(
        EnvironmentProblem, match=r"does not compile with PETSc 3\.18\.5: ex3\.c:1:2"
    ):
        build_example(petsc, tmp_path / "ex3.c", tmp_path)
