# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of overlap was asked for, and in which order its launches come."""

import random
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field

from isobath.records.overlap import Progress

ENOUGH_LAUNCHES = 3
"""Launches differ more than the repetitions of one say; with fewer a page says FEW LAUNCHES."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


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
    environment: dict[str, str] = {}
    """what switches the library's progress thread on"""
    is_crowded: bool = False
    """a thread for each rank, and no processors for them: the middle of the sweep has to do"""


class OverlapPlan(_Frozen):
    """Written first, never changed."""

    mpi: str
    """id of the library"""
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

    def runs(self) -> Iterator[tuple[OverlapArm, int]]:
        """First one calibrating launch (number 0) for each number of ranks: it says how long calls
        and units of work take, so that all launches do the same work. Then every arm with the
        number of its launch, from 1: all have had their turn before the first has its next, each
        time in another order.
        """
        for ranks in dict.fromkeys(arm.ranks for arm in self.arms):
            yield self.calibration(ranks), 0
        for launch in range(1, self.launches + 1):
            arms = list(self.arms)
            random.Random(f"{self.seed}-{launch}").shuffle(arms)
            for arm in arms:
                yield arm, launch

    def calibration(self, ranks: int) -> OverlapArm:
        """The library alone, all collectives that are measured on so many ranks."""
        names = dict.fromkeys(
            name for arm in self.arms if arm.ranks == ranks for name in arm.collectives
        )
        return OverlapArm(
            arm=f"c{ranks}", modes=("library",), collectives=tuple(names), ranks=ranks
        )


def run_name(arm: OverlapArm, launch: int) -> str:
    """Name of the run folder: ``o01-1``, of a calibration ``c2-0``."""
    return f"{arm.arm}-{launch}"
