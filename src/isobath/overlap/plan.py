# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of overlap was asked for, and in which order its launches come."""

import random
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from isobath.records.overlap import Progress
from isobath.records.placement import HERE, Placement


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OverlapArm(_Frozen):
    """Launches that differ in their number alone: some ways to make progress on so many ranks."""

    arm: str
    """for example o01"""
    modes: tuple[Progress, ...]
    collectives: tuple[str, ...]
    ranks: int = Field(ge=1)
    """that compute and communicate"""
    aggregators: int = Field(default=0, ge=0)
    """ranks beside them"""
    mpi: str = ""
    """id of its library; empty: that of the plan, as in plans of before"""
    placement: Placement = HERE
    environment: dict[str, str] = {}
    """what switches the library's progress thread on"""
    is_crowded: bool = False
    """a thread for each rank, and no processors for them: the middle of the sweep has to do"""


class OverlapPlan(_Frozen):
    """Written first, never changed."""

    mpi: str
    """id of the library; of several the first, whose calls say how much work there is"""
    threads: int = Field(ge=1)
    """of a rank"""
    seed: int
    """of the order of launches"""
    launches: int = Field(ge=1)
    """of each arm"""
    method: tuple[str, ...]
    """options of all launches"""
    work: str
    ratios: str
    """swept, but where an arm is crowded"""
    arms: tuple[OverlapArm, ...]

    def library_of(self, arm: OverlapArm) -> str:
        """Id of the library of an arm."""
        return arm.mpi or self.mpi

    @property
    def libraries(self) -> tuple[str, ...]:
        """Ids of all that are compared, the first one first."""
        return tuple(dict.fromkeys((self.mpi, *map(self.library_of, self.arms))))

    def runs(self) -> Iterator[tuple[OverlapArm, int]]:
        """First one calibrating launch (number 0) for each number of ranks in each place: it says
        how long calls and units of work take under the first library, so that all launches do the
        same work, whatever their library. Then every arm
        with the number of its launch, from 1: all have had their turn before the first has its
        next, each time in another order.
        """
        for ranks, placement in dict.fromkeys((arm.ranks, arm.placement) for arm in self.arms):
            yield self.calibration(ranks, placement), 0
        for launch in range(1, self.launches + 1):
            arms = list(self.arms)
            random.Random(f"{self.seed}-{launch}").shuffle(arms)
            for arm in arms:
                yield arm, launch

    def calibration(self, ranks: int, placement: Placement = HERE) -> OverlapArm:
        """The library alone, all collectives that are measured on so many ranks in a place."""
        alike = [arm for arm in self.arms if (arm.ranks, arm.placement) == (ranks, placement)]
        names = dict.fromkeys(name for arm in alike for name in arm.collectives)
        places = list(dict.fromkeys(arm.placement for arm in self.arms))
        number = places.index(placement)
        return OverlapArm(
            arm=f"c{ranks}p{number}" if number else f"c{ranks}",
            modes=("library",),
            collectives=tuple(names),
            ranks=ranks,
            placement=placement,
        )


def is_alike(arm: OverlapArm, other: OverlapArm) -> bool:
    """Whether calls take as long in both: as many ranks in the same place."""
    return (arm.ranks, arm.placement) == (other.ranks, other.placement)


def run_name(arm: OverlapArm, launch: int) -> str:
    """Name of the run folder: ``o01-1``, of a calibration ``c2-0``."""
    return f"{arm.arm}-{launch}"
