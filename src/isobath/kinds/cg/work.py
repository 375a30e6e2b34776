# SPDX-License-Identifier: Apache-2.0
"""The launches of a benchmark of conjugate gradients: what starts each, and what it came to."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from isobath.errors import EnvironmentProblem, IsobathError
from isobath.kinds.cg.petsc import (
    PetscPrograms,
    build_example,
    build_program,
    library_of,
    programs_in,
)
from isobath.kinds.cg.petsc_example import append_example, example_words
from isobath.kinds.cg.plan import EXAMPLE, PETSC, PLAN, CgArm, CgPlan, profile_name, run_name
from isobath.kinds.cg.profiled import profiled, why_not_profiled
from isobath.kinds.judging import judged_by_data
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.mpi_library import choose_library
from isobath.launch.namespaces import Nodes
from isobath.launch.petsc import Petsc, find_petsc
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord
from isobath.records.krylov import KrylovRecord
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun, RunPaths
from isobath.study.engine_launch import Around, EngineLaunch, as_it_is
from isobath.study.folder import StudyFolder, command_of
from isobath.study.launches import Came, Launch, Work
from isobath.study.sealing import Judgement, Origin

OURS = "isobath-krylov"
CELL_SECONDS = 30.0
"""after which no repetition of a cell begins"""
CROWDED_SECONDS = 2.0
CROWDED_REPETITIONS = 2
NOTE = (
    "a launch of a benchmark; validated means that the norms of every cell were right; those of "
    "PETSc are held against ours where the benchmark is read"
)


@dataclass(frozen=True, kw_only=True)
class CgLaunch(Launch):
    """One launch of an arm; ``number`` counts from 0."""

    of: CgArm
    number: int = 0
    is_profiled: bool = False
    """under the profiler: for shares of MPI calls, not for times"""


class CgWork(Work):
    """All launches of a benchmark, those under the profiler last.

    Args: petsc is PETSc where it takes part, with our program for it.
    """

    def __init__(
        self,
        folder: StudyFolder,
        plan: CgPlan,
        petsc: PetscPrograms | None,
        asked: Asked = NOTHING_ASKED,
    ) -> None:
        self._asked = asked
        self._plan = plan
        self._petsc = petsc
        self._command = command_of(folder)

    @classmethod
    def of(cls, folder: StudyFolder, asked: Asked = NOTHING_ASKED) -> "CgWork":
        """Of a benchmark on disk. Raises: EnvironmentProblem where its PETSc is gone."""
        plan = PLAN.read(folder)
        if all(arm.is_ours for arm in plan.arms):
            return cls(folder, plan, None, asked)
        petsc = find_petsc()
        if isinstance(petsc, str):
            raise EnvironmentProblem(f"this benchmark has launches of PETSc, but {petsc}")
        build_program(petsc, folder.path)
        if plan.example is not None:
            build_example(petsc, Path(plan.example), folder.path)
        return cls(folder, plan, programs_in(petsc, folder.path), asked)

    @classmethod
    def planned(cls, plan: CgPlan, store: Path) -> "CgWork":
        """Of a benchmark that is not there yet: its launches are known, none can be done."""
        petsc = find_petsc()
        with_program = programs_in(petsc, store) if isinstance(petsc, Petsc) else None
        return cls(StudyFolder(store), plan, with_program)

    def launches(self) -> Sequence[CgLaunch]:
        """Every arm in turn, then those under the profiler."""
        timed = [_timed(arm, number) for arm, number in self._plan.runs()]
        return timed + [_of_profile(arm) for arm, why in self._profiled if not why]

    @property
    def left_out(self) -> list[str]:
        """Launches under the profiler that cannot be done here, a sentence each."""
        reasons = ((describe(arm), why) for arm, why in self._profiled)
        return [f"profile of {arm}: left out: {why}" for arm, why in reasons if why]

    @cached_property
    def _profiled(self) -> list[tuple[CgArm, str]]:
        """Arms that are to be profiled, and why they cannot be."""
        return [(arm, self._why_not_profiled(arm)) for arm in self._plan.profiled_arms()]

    def _why_not_profiled(self, arm: CgArm) -> str:
        try:
            planned = RunPaths(Path("studies"), "planned")
            return why_not_profiled(line_of(self._plan, arm, 0, planned, self._petsc))
        except IsobathError as error:
            return str(error)

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """Runs our program or PETSc's, then seals."""
        assert isinstance(launch, CgLaunch)
        arm = launch.of
        return EngineLaunch(
            arm.ranks + arm.aggregators,
            arm.placement,
            lambda run, nodes: line_of(self._plan, arm, launch.number, run, self._petsc, nodes),
            judge,
            Origin(arm.mpi, self._command, (NOTE,)),
            around=_around(launch),
            has_heartbeat=arm.is_ours,
        ).perform(run, stop, self._asked)


def _around(launch: CgLaunch) -> Callable[[LaunchLine], Around]:
    """Under the profiler, or with the record that PETSc's own example does not write."""
    if launch.is_profiled:
        return profiled
    if launch.of.mpi != EXAMPLE:
        return as_it_is
    return lambda line: nullcontext(
        (line, lambda run: append_example(run, launch.of, launch.number))
    )


def _timed(arm: CgArm, number: int) -> CgLaunch:
    return CgLaunch(
        name=run_name(arm, number),
        words=f"{describe(arm)}, launch {number}",
        alike=(arm.arm,),
        of=arm,
        number=number,
    )


def _of_profile(arm: CgArm) -> CgLaunch:
    return CgLaunch(
        name=profile_name(arm),
        words=f"profile of {describe(arm)}",
        alike=(("profile", arm.arm),),
        of=arm,
        is_profiled=True,
    )


def describe(arm: CgArm) -> str:
    """``mpich-wheel, 2 ranks, library, tests``."""
    modes = ", ".join(arm.modes) or "blocking"
    place = arm.placement.words()
    where = f" on {place}" if place else ""
    if arm.method is not None:
        modes = f"{arm.method}, {modes}, {arm.elements[0]} elements"
    return f"{arm.mpi}, {count_of(arm.ranks, 'rank')}{where}, {modes}" + (
        " (oversubscribed)" if arm.crowded else ""
    )


def line_of(
    plan: CgPlan,
    arm: CgArm,
    launch: int,
    run: RunPaths,
    petsc: PetscPrograms | None,
    nodes: Nodes | None = None,
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    cpus = read_machine().usable_cpus
    elements = ",".join(map(str, arm.elements))
    if arm.mpi == EXAMPLE and petsc is not None:
        return launch_line(library_of(petsc.petsc), petsc.example,
                           example_words(arm, plan.iterations),
                           ranks=arm.ranks, threads=1, cpus=cpus,
                           placement=arm.placement, nodes=nodes)  # fmt: skip
    if arm.mpi == PETSC and petsc is not None:
        words = ["-elements", elements, "-iterations", str(plan.iterations),
                 "-repetitions", str(CROWDED_REPETITIONS if arm.crowded else plan.repetitions),
                 "-launch", str(launch), "-seed", str(plan.cell_seed(arm, launch)),
                 "-record", str(run.records), "-run_id", run.run_id,
                 "-oversubscribed", "1" if arm.crowded else "0"]  # fmt: skip
        return launch_line(library_of(petsc.petsc), petsc.ours, words,
                           ranks=arm.ranks, threads=1, cpus=cpus,
                           placement=arm.placement, nodes=nodes)  # fmt: skip
    library = choose_library(Installation.here(), arm.mpi)
    methods = "cg,single,gropp,pipelined" if arm.is_base else "gropp,pipelined"
    words = ["--elements", elements, "--iterations", str(plan.iterations), "--methods", methods,
             "--progress", ",".join(arm.modes) or "none",
             "--tests", ",".join(map(str, plan.tests)), "--threads", str(plan.threads),
             "--aggregators", str(arm.aggregators),
             "--repetitions", str(CROWDED_REPETITIONS if arm.crowded else plan.repetitions),
             "--budget", f"{CROWDED_SECONDS if arm.crowded else CELL_SECONDS:g}",
             "--launch", str(launch), "--seed", str(plan.cell_seed(arm, launch)),
             "--record", str(run.records), "--run-id", run.run_id,
             "--heartbeat", str(run.heartbeat.absolute())]  # fmt: skip
    return launch_line(
        library,
        library.program(OURS),
        words,
        ranks=arm.ranks + arm.aggregators,
        threads=plan.threads,
        cpus=cpus,
        placement=arm.placement,
        nodes=nodes,
        variables=arm.environment,
    )


def judge(rows: Sequence[AnyRecord]) -> Judgement:
    """Norms decide: every cell with times was held against plain conjugate gradients."""
    cells = [row for row in rows if isinstance(row, KrylovRecord)]
    measured = [row for row in cells if row.solve is not None]
    is_checked = bool(measured) and all(row.data_check == "passed" for row in measured)
    judged = judged_by_data(cells, "cell", lambda row: row.method, "norms")
    return replace(judged, is_checked=is_checked)
