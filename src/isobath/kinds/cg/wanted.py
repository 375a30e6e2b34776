# SPDX-License-Identifier: Apache-2.0
"""From the options of isobath bench cg to its plan. Makes nothing."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem, UsageError
from isobath.kinds.cg.petsc_example import EXAMPLE_CELLS
from isobath.kinds.cg.plan import EXAMPLE, PETSC, PLAN, CgArm, CgPlan
from isobath.kinds.cg.settings import CG, PRESETS, CgSettings
from isobath.kinds.nodes import Placed, placed
from isobath.kinds.progress import ASYNC_PROGRESS
from isobath.kinds.settings_of import written_settings
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import MpiLibrary, libraries_of
from isobath.launch.petsc import Petsc, find_petsc
from isobath.launch.placement import require
from isobath.machine.facts import read_machine
from isobath.records.krylov import Method
from isobath.study.planned import Planned, Planning


def plan_cg(wanted: CgSettings) -> CgPlan:
    """The whole plan, PETSc in it where it is here. Raises: UsageError, EnvironmentProblem."""
    named = PRESETS[wanted.preset]
    cpus = read_machine().usable_cpus
    usual = min(2, max(1, cpus // wanted.threads))
    places = placed(wanted, wanted.ranks, (usual,))
    for place in places:
        require(place.placement, place.ranks)
    design = CgDesign(
        elements=wanted.elements or named.elements,
        modes=tuple(mode for mode in wanted.progress if mode != "none"),
        places=places,
        threads=wanted.threads,
        aggregators=wanted.aggregators,
        cpus=cpus,
    )
    design.refuse_few_rows()
    libraries = libraries_of(Installation.here(), wanted.mpi or ("",))
    petsc = find_petsc() if wanted.petsc else "PETSc is left out, as asked"
    example = _example(wanted, petsc)
    return CgPlan(
        preset=wanted.preset,
        iterations=wanted.iterations or named.iterations,
        repetitions=wanted.repetitions or named.repetitions,
        tests=wanted.tests,
        threads=wanted.threads,
        launches=wanted.launches or named.launches,
        seed=random.SystemRandom().randrange(2**31) if wanted.seed is None else wanted.seed,
        arms=design.arms(
            libraries, with_petsc=isinstance(petsc, Petsc), with_example=example is not None
        ),
        example=example,
        profiled=wanted.profile,
        left_out=(*design.left_out(libraries), *([petsc] if isinstance(petsc, str) else [])),
    )


def _example(wanted: CgSettings, petsc: Petsc | str) -> str | None:
    """Where the source of PETSc's ex3 is. Raises: UsageError, EnvironmentProblem."""
    if wanted.petsc_example is None:
        return None
    source = Path(wanted.petsc_example).expanduser().resolve()
    if not wanted.petsc:
        raise UsageError("--petsc-example needs PETSc: leave --no-petsc out")
    if not source.is_file():
        raise UsageError(
            f"--petsc-example {wanted.petsc_example}: there is no such file; name "
            "src/ksp/ksp/tutorials/ex3.c of PETSc's sources"
        )
    if isinstance(petsc, str):
        raise EnvironmentProblem(f"--petsc-example cannot be measured: {petsc}")
    return str(source)


def planned_cg(values: Mapping[str, Any], planning: Planning) -> Planned:
    """What settings amount to on this machine. Raises: UsageError, EnvironmentProblem."""
    from isobath.kinds.cg.work import CgWork

    wanted = CgSettings(**values)
    plan = plan_cg(wanted)
    libraries = tuple(dict.fromkeys(arm.mpi for arm in plan.arms if arm.is_ours))
    ranks = tuple(dict.fromkeys(arm.ranks for arm in plan.arms))
    chosen = vars(wanted) | {"seed": plan.seed, "mpi": libraries, "petsc_example": plan.example}
    chosen |= {} if wanted.ranks_per_node else {"ranks": ranks}
    return Planned(
        PLAN,
        plan,
        written_settings(CG, chosen),
        CgWork.planned(plan, planning.store).launches(),
        notes=plan.left_out,
    )


def settings_told(older: Mapping[str, Any]) -> dict[str, Any]:
    """What a plan of before was asked for, which kept no word of it."""
    plan = CgPlan.model_validate(older)
    ours = [arm for arm in plan.arms if arm.is_ours]
    modes = tuple(dict.fromkeys(mode for arm in ours for mode in arm.modes))
    asked = {
        "preset": plan.preset,
        "elements": max((arm.elements for arm in ours), key=len),
        "iterations": plan.iterations,
        "repetitions": plan.repetitions,
        "launches": plan.launches,
        "ranks": tuple(dict.fromkeys(arm.ranks for arm in ours)),
        "threads": plan.threads,
        "progress": modes or ("none",),
        "tests": plan.tests,
        "aggregators": max(*(arm.aggregators for arm in ours), 1),
        "mpi": tuple(dict.fromkeys(arm.mpi for arm in ours)),
        "petsc": any(arm.mpi == PETSC for arm in plan.arms),
        "petsc_example": plan.example,
        "profile": plan.profiled,
        "seed": plan.seed,
    }
    return written_settings(CG, asked)


@dataclass(frozen=True)
class CgDesign:
    """What is wanted of every library."""

    elements: tuple[int, ...]
    modes: tuple[str, ...]
    places: tuple[Placed, ...]
    threads: int
    aggregators: int
    cpus: int

    def refuse_few_rows(self) -> None:
        """Raises: UsageError where ranks would have no row of a mesh."""
        elements, ranks = min(self.elements), max(place.ranks for place in self.places)
        if elements + 1 < ranks:
            raise UsageError(
                f"a mesh of {elements} elements a side has fewer rows than {ranks} ranks; use more "
                "--elements or fewer --ranks"
            )

    def left_out(self, libraries: list[MpiLibrary]) -> list[str]:
        """Modes that a library does not have."""
        return [
            f"library_thread is left out: {library.kind} has no progress thread"
            for library in libraries
            if "library_thread" in self.modes and library.family not in ASYNC_PROGRESS
        ]

    def arms(
        self, libraries: list[MpiLibrary], *, with_petsc: bool, with_example: bool = False
    ) -> tuple[CgArm, ...]:
        """Ways that make every call slower have launches of their own; a plain one is always."""
        arms: list[CgArm] = []

        def add(mpi: str, modes: tuple[str, ...], place: Placed, helpers: int, aggregators: int = 0,
                environment: dict[str, str] | None = None, method: Method | None = None,
                elements: int | None = None) -> None:  # fmt: skip
            count, cpus = place.ranks, self.cpus * place.placement.machines
            crowded = (count * self.threads + helpers) > cpus
            arms.append(CgArm(
                arm=len(arms), mpi=mpi, modes=modes, ranks=count, aggregators=aggregators,
                placement=place.placement,
                elements=(elements,) if elements
                else self.elements[:1] if crowded else self.elements,
                environment=environment or {}, crowded=crowded, method=method,
            ))  # fmt: skip

        for place in self.places:
            count = place.ranks
            for library in libraries:
                add(library.id, self._of("library", "tests"), place, 0)
                if self._of("thread", "spare_thread"):
                    add(library.id, self._of("thread", "spare_thread"), place, count)
                if "library_thread" in self.modes and library.family in ASYNC_PROGRESS:
                    add(library.id, ("library_thread",), place, count,
                        environment=ASYNC_PROGRESS[library.family])  # fmt: skip
                if "offload" in self.modes:
                    add(library.id, ("offload",), place, self.aggregators, self.aggregators)
            if with_petsc:
                add(PETSC, ("library",), place, 0)
            if with_example:
                fits = count <= self.cpus * place.placement.machines
                for elements in self.elements if fits else self.elements[:1]:
                    for method, modes in EXAMPLE_CELLS:
                        add(EXAMPLE, modes, place, 0, method=method, elements=elements)
        return tuple(arms)

    def _of(self, *names: str) -> tuple[str, ...]:
        return tuple(mode for mode in self.modes if mode in names)
