# SPDX-License-Identifier: Apache-2.0
"""Engine programs whose processes do not find each other print no result: one sentence, exit 3."""

import subprocess
from pathlib import Path

import pytest

from isobath.cli.suites import is_slow_when_oversubscribed
from isobath.study.kinds import KINDS
from kind_table import TRIED
from system.laboratory import PROGRAM, Done, Laboratory

SRUN = Path(__file__).parent / "fake_slurm" / "srun"

PROGRAMS = {entry.program: TRIED[entry.name].alone for entry in KINDS if entry.program}
"""All programs with ranks, with words that each accepts."""

SEARCH = PROGRAMS[PROGRAM]
OF_A_LAUNCHER = ("PMI_", "PMIX_", "OMPI_", "SLURM_", "HYDI_", "MPI_LOCAL", "ISOBATH_EXPECT_RANKS")
STARTED_AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

ALLOCATION = {"SLURM_JOB_ID": "77", "SLURM_NTASKS": "2", "SLURM_NPROCS": "2"}
STEP = {**ALLOCATION, "SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}


def start(lab: Laboratory, *command: object, **more: str) -> Done:
    """A command as a person types it, in an environment that no launcher has changed."""
    kept = {k: v for k, v in lab.environment().items() if not k.startswith(OF_A_LAUNCHER)}
    threads = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        env={**kept, **STARTED_AS_ROOT, **threads, **more},
        timeout=300,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def refusals(done: Done) -> list[str]:
    return [line for line in done.err.splitlines() if line.startswith("isobath: ")]


@pytest.mark.parametrize("program", PROGRAMS)
def test_srun_without_pmi_is_refused_before_any_output(lab: Laboratory, program: str) -> None:
    done = start(lab, SRUN, "-n", 2, lab.mpi.program(program), *PROGRAMS[program])

    assert done.code == 3, done.err
    assert done.out == ""
    said = refusals(done)
    assert len(said) == 2, done.err
    for line in said:
        assert "srun started 2 ranks without a PMI" in line
        assert (
            "(SLURM_STEP_NUM_TASKS), but MPI counts 1; start the program with srun --mpi=pmi2"
            in line
        )


@pytest.mark.parametrize(
    "more",
    [
        ALLOCATION,
        {**STEP, "SLURM_STEP_NUM_TASKS": "1"},
        {**STEP, "ISOBATH_EXPECT_RANKS": "1"},
    ],
    ids=["in-an-allocation", "in-a-step-of-one", "as-one-of-several-on-purpose"],
)
def test_one_rank_by_hand_runs(lab: Laboratory, more: dict[str, str]) -> None:
    done = start(lab, lab.mpi.program(PROGRAM), *SEARCH, **more)

    assert done.code == 0, done.err
    assert "graph_generation" in done.out


@pytest.mark.parametrize("more", [ALLOCATION, STEP], ids=["salloc", "proxies-of-srun"])
def test_its_own_mpiexec_runs_inside_slurm(every_lab: Laboratory, more: dict[str, str]) -> None:
    """With the variables of a step that are not those of this launch; the launcher forks here."""
    step = {**more, "HYDRA_LAUNCHER": "fork", "HYDRA_RMK": "user", "OMPI_MCA_plm": "isolated"}

    done = start(
        every_lab, *own_launcher(every_lab), every_lab.mpi.program(PROGRAM), *SEARCH, **step
    )

    assert done.code == 0, done.err + done.out
    assert "num_mpi_processes:              2" in done.out


@pytest.mark.parametrize(
    ("variable", "value"),
    [("PMI_SIZE", "abc"), ("OMPI_COMM_WORLD_SIZE", "-1"), ("SLURM_STEP_NUM_TASKS", "1e3")],
)
def test_what_is_no_number_of_ranks_is_refused(lab: Laboratory, variable: str, value: str) -> None:
    done = start(lab, lab.mpi.program(PROGRAM), *SEARCH, **{variable: value})

    assert done.code == 3, done.err
    assert done.out == ""
    cure = "set it to a whole number from 1 to 2147483647, or unset it"
    assert refusals(done) == [f"isobath: {variable} is '{value}'; {cure}"]


def own_launcher(lab: Laboratory) -> tuple[object, ...]:
    more = ("--oversubscribe",) if lab.mpi.kind == "openmpi" else ()
    return (lab.mpi.mpiexec, *more, "-n", 2)


def test_the_mpiexec_of_another_library_is_refused(
    every_lab: Laboratory, laboratories: dict[str, Laboratory]
) -> None:
    foreign = [
        one
        for one in laboratories.values()
        if (one.mpi.kind == "openmpi") != (every_lab.mpi.kind == "openmpi")
    ]
    if not foreign:
        pytest.skip("there is no MPI of another family here")
    for other in foreign:
        done = start(every_lab, *own_launcher(other), every_lab.mpi.program(PROGRAM), *SEARCH)

        forgets = is_slow_when_oversubscribed(other.mpi)  # MPICH 4's launcher: the code, at times
        assert done.code == 3 or (forgets and done.code == 1), done.err
        assert "graph_generation" not in done.out
        said = refusals(done)
        assert said, "a launcher may end the others before they say it too"
        for line in said:
            assert "started 2 ranks" in line
            assert "but MPI counts 1" in line
            assert "start the program with the mpiexec of the MPI library that it runs with" in line
