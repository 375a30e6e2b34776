# SPDX-License-Identifier: Apache-2.0
"""PETSc's own ex3 beside our twin of it: how it is called, and what its output says."""

import re
from dataclasses import dataclass

from isobath.errors import EnvironmentProblem
from isobath.kinds.cg.plan import CgArm
from isobath.records.krylov import KrylovRecord, Method
from isobath.records.overlap import PartTimes
from isobath.store.folders import OpenRun
from isobath.units import Seconds

EXAMPLE_CELLS: tuple[tuple[Method, tuple[str, ...]], ...] = (
    ("cg", ()),
    ("pipelined", ()),
    ("pipelined", ("library",)),
)
"""Method, and way to make progress beside blocking reductions."""

SOLVERS: dict[Method, str] = {"cg": "cg", "pipelined": "pipecg"}

ANSWER = re.compile(r"^Norm of error (\S+) Iterations (\d+)$", re.MULTILINE)
SOLVE = re.compile(r"^KSPSolve +(\d+) +\S+ +(\d\S+) ", re.MULTILINE)
"""Of -log_view: calls, their ratio over ranks, the seconds of the slowest rank."""


@dataclass(frozen=True)
class ExampleOutput:
    """What a run of ex3 said."""

    iterations: int
    """made; of pipelined ones, one more than was asked for"""
    seconds: Seconds
    """of the solve, on the slowest rank"""


def example_words(arm: CgArm, iterations: int) -> list[str]:
    """Options for as many iterations of a method, with our preconditioner and norm."""
    assert arm.method is not None
    return ["-m", str(arm.elements[0]), "-ksp_type", SOLVERS[arm.method], "-pc_type", "jacobi",
            "-ksp_norm_type", "natural", "-ksp_max_it", str(iterations), "-ksp_rtol", "1e-50",
            "-ksp_atol", "1e-50", "-splitreduction_async", "1" if arm.modes else "0",
            "-log_view"]  # fmt: skip


def read_output(text: str) -> ExampleOutput:
    """Raises: EnvironmentProblem where it is not what ex3 of PETSc prints."""
    answers, solves = ANSWER.findall(text), SOLVE.findall(text)
    missing = "the line 'Norm of error ... Iterations ...'" if not answers else "KSPSolve"
    if len(answers) != 1 or len(solves) != 1 or int(solves[0][0]) != 1:
        raise EnvironmentProblem(
            f"PETSc's example did not print {missing} once, as ex3 does with -log_view: its output "
            "is in stdout.txt; give the ex3.c of PETSc's src/ksp/ksp/tutorials"
        )
    try:
        output = ExampleOutput(int(answers[0][1]), float(solves[0][1]))
    except ValueError as error:
        raise EnvironmentProblem(
            f"PETSc's example printed {solves[0][1]!r} for the seconds of KSPSolve: its output is "
            "in stdout.txt"
        ) from error
    if output.iterations < 1:
        raise EnvironmentProblem("PETSc's example made no iteration; its output is in stdout.txt")
    return output


def append_example(run: OpenRun, arm: CgArm, launch: int) -> None:
    """The record of a launch that ended well. Raises: EnvironmentProblem as read_output."""
    output = read_output(run.stdout.read_text(encoding="utf-8", errors="replace"))
    assert arm.method is not None
    nanoseconds = round(output.seconds * 1e9)
    run.append(
        KrylovRecord(
            run_id=run.run_id,
            implementation="petsc-ex3",
            method=arm.method,
            elements=arm.elements[0],
            iterations=output.iterations,
            ranks=arm.ranks,
            aggregators=0,
            threads_per_rank=1,
            progress="library" if arm.modes else "blocking",
            tests=0,
            alignment="none",
            oversubscribed=arm.crowded,
            launch=launch,
            order=0,
            # The log tells the time of the slowest rank alone.
            solve=PartTimes(
                rank_nanoseconds=((nanoseconds,),) * arm.ranks,
                together_nanoseconds=(nanoseconds,),
            ),
            invalid=(),
            norms=(),
        )
    )
