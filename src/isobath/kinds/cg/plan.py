# SPDX-License-Identifier: Apache-2.0
"""The plan of a benchmark of conjugate gradients: arms, launches, seed. Written first, kept."""

import random
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from isobath.records.krylov import Method
from isobath.records.placement import HERE, Placement
from isobath.study.folder import PlanFile

PETSC = "petsc"
EXAMPLE = "petsc-ex3"


class CgArm(BaseModel):
    """What is launched alike each time."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    arm: int
    mpi: str
    """of the library, petsc, or petsc-ex3"""
    modes: tuple[str, ...]
    """beside blocking reductions"""
    ranks: int = Field(ge=1)
    aggregators: int = 0
    elements: tuple[int, ...]
    placement: Placement = HERE
    environment: dict[str, str] = {}
    crowded: bool = False
    """more ranks and threads than processors: launched once, to see that it works"""
    method: Method | None = None
    """of PETSc's example, which solves once in a launch"""

    @property
    def is_ours(self) -> bool:
        """It is a launch of isobath-krylov, under a library that was asked for."""
        return self.mpi not in (PETSC, EXAMPLE)

    @property
    def where(self) -> str:
        """Library and place: cells of two are never one."""
        return f"{self.mpi}, {place}" if (place := self.placement.words()) else self.mpi

    @property
    def is_base(self) -> bool:
        """Its cells with blocking reductions are those that gains are counted from."""
        slow = any("thread" in mode for mode in self.modes)
        return not (slow or self.aggregators or self.environment)


class CgPlan(BaseModel):
    """The whole plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: str
    iterations: int = Field(ge=1)
    repetitions: int = Field(ge=1)
    tests: tuple[int, ...]
    threads: int = Field(ge=1)
    launches: int = Field(ge=1)
    seed: int
    arms: tuple[CgArm, ...]
    profiled: bool = False
    """whether plain arms have one more launch, under the profiler, whose times do not count"""
    example: str | None = None
    """source of PETSc's ex3, where it is measured too"""
    left_out: tuple[str, ...] = ()
    """what is not measured, a sentence each"""

    def runs(self) -> Iterator[tuple[CgArm, int]]:
        """Every arm has its turn before the first has its next; their order is drawn each time."""
        for launch in range(self.launches):
            arms = [arm for arm in self.arms if launch == 0 or not arm.crowded]
            random.Random(f"{self.seed} {launch}").shuffle(arms)
            for arm in arms:
                yield arm, launch

    def profiled_arms(self) -> tuple[CgArm, ...]:
        """Those that have one more launch."""
        return tuple(
            arm
            for arm in self.arms
            if self.profiled and arm.is_base and not arm.crowded and arm.mpi != EXAMPLE
        )

    def cell_seed(self, arm: CgArm, launch: int) -> int:
        """Of the order of the cells in a launch; not 0, which would be the order of the list."""
        return random.Random(f"{self.seed} {arm.arm} {launch}").randrange(1, 2**31)


PLAN = PlanFile("bench cg", "benchmark of conjugate gradients", CgPlan, older="cg.json")


def profile_name(arm: CgArm) -> str:
    """``a01-profile``."""
    return f"a{arm.arm:02}-profile"


def run_name(arm: CgArm, launch: int) -> str:
    """``a01-2``: arm 1, launch 2."""
    return f"a{arm.arm:02}-{launch}"
