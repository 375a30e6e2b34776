# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of collectives was asked for. Written first, never changed."""

import random
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from isobath.records.placement import HERE, Placement
from isobath.units import size_words

Family = Literal["hydra", "openmpi", "intel"]
"""Whose knobs an MPI library has; hydra is MPICH and its relatives."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ForcedAlgorithm(_Frozen):
    """An algorithm that a cell is made to use: of the library, or one's own."""

    name: str
    """as people call it: binomial"""
    variable: str
    """control variable or variable of the environment"""
    value: str
    in_process: bool = False
    """the program sets it for this cell alone, through MPI_T; else the whole launch has it"""
    is_offload: bool = False
    """no algorithm of the library's own, but other hardware or a library for it, on or off"""
    is_own: bool = False
    """no algorithm of the library, but one's own in its place; then it has no variable"""


class Cell(_Frozen):
    """One collective at one size, with everything else that is set. Words as in the record."""

    collective: str
    form: str = "blocking"
    size_bytes: int = Field(default=0, ge=0)
    shape: str
    along: str = "world"
    together: bool = False
    counts: str = "uniform"
    datatype: str | None = None
    """of the program's choice where it is absent"""
    operation: str | None = None
    root_rank: int | None = None
    buffers: str = "warm"
    cadence: str = "isolated"
    alignment: str = "barrier:dissemination"
    arrival: str = "zero"
    algorithm: ForcedAlgorithm | None = None
    """absent: the library's own choice"""

    @property
    def is_plain(self) -> bool:
        """Whether everything but collective, size and algorithm is as other benchmarks have it."""
        plain = Cell(collective=self.collective, shape=self.shape)
        names = ("form", "along", "counts", "buffers", "cadence", "arrival")
        return all(getattr(self, name) == getattr(plain, name) for name in names)

    def for_program(self) -> dict[str, Any]:
        """As isobath-collectives takes it."""
        fields: dict[str, Any] = self.model_dump(exclude={"algorithm"}, exclude_none=True)
        forced = self.algorithm
        if forced is not None and forced.is_own:
            fields["algorithm"] = forced.name
        if forced is not None and forced.in_process:
            fields["algorithm"] = {"variable": forced.variable, "value": forced.value}
        return fields

    def words(self) -> str:
        """In a few words: ``alltoallv, 64 B, 2x2 row, zipf:1, together``."""
        parts = [self.collective if self.form == "blocking" else f"{self.form} {self.collective}"]
        parts.append(size_words(self.size_bytes))
        ranks = "1 rank" if self.shape == "1" else f"{self.shape} ranks"
        parts.append(ranks if self.along == "world" else f"{self.shape} {self.along}")
        plain = Cell(collective=self.collective, shape=self.shape)
        parts += [
            str(getattr(self, name))
            for name in ("counts", "datatype", "operation", "buffers", "cadence")
            if getattr(self, name) != getattr(plain, name)
        ]
        parts += [f"arrival {self.arrival} (transfer time)"] if self.arrival != "zero" else []
        parts += ["together"] if self.together else []
        parts += [self.algorithm.name] if self.algorithm else []
        return ", ".join(parts)


class Arm(_Frozen):
    """Launches that differ in their number alone: one library, one environment, some cells."""

    arm: str
    """for example a01"""
    mpi: str
    """id of the library"""
    family: Family
    version: str = ""
    ranks: int = Field(ge=1)
    placement: Placement = HERE
    """nodes as they are asked for; of plans of before one machine"""
    environment: dict[str, str] = {}
    """variables that force algorithms of the whole launch"""
    cells: tuple[Cell, ...]

    @property
    def transport(self) -> str:
        """Whatever the number of nodes."""
        return self.placement.transport.replace(f":{self.placement.nodes}nodes", "")

    @property
    def ranks_per_node(self) -> int:
        """Of the fullest."""
        return -(-self.ranks // self.placement.nodes)

    @property
    def link(self) -> str:
        """Library and transport, whatever the number of nodes."""
        way = self.transport
        return self.mpi if way == HERE.transport else f"{self.mpi}, {way}"

    @property
    def where(self) -> str:
        """Library and place: cells of two are never one."""
        return f"{self.mpi}, {place}" if (place := self.placement.words()) else self.mpi


class StopRule(_Frozen):
    """When a cell of a launch has been repeated often enough."""

    half_width: float = Field(default=0.02, gt=0)
    """of the 95 % interval of the median, as a share of it"""
    least: int = Field(default=20, ge=1)
    most: int = Field(default=1000, ge=1)
    budget_seconds: float = Field(default=2.0, gt=0)
    """of a cell"""


class BenchPlan(_Frozen):
    """The plan of a benchmark."""

    preset: str
    matrices: dict[str, tuple[tuple[int, ...], ...]] = {}
    """bytes between ranks by the name that cells with recorded counts give them"""
    offload: dict[str, str] = {}
    """by library what it has of the offloads that were asked for, in a sentence"""
    cross_check: dict[str, str] = {}
    """by library the IMB-MPI1 that is launched in turns with it"""
    seed: int
    """of the order of launches and of cells"""
    launches: int = Field(ge=1)
    """of each arm"""
    stop: StopRule = StopRule()
    stack_seconds: float = Field(default=0.0, ge=0)
    """after the times of a cell in the first launch, how long its stacks are looked at"""
    memory_limit_bytes: int | None = None
    cpus: int = Field(ge=1)
    """processors of the machine that planned it"""
    arms: tuple[Arm, ...]

    def runs(self) -> Iterator[tuple[Arm, int]]:
        """Every arm with the number of its launch, from 1.

        All arms have had their turn before the first has its next, each time in another order.
        """
        for launch in range(1, self.launches + 1):
            arms = list(self.arms)
            random.Random(f"{self.seed}-{launch}").shuffle(arms)
            for arm in arms:
                yield arm, launch

    def order(self, arm: Arm, launch: int) -> tuple[Cell, ...]:
        """The cells of a launch in the order in which they are measured."""
        cells = list(arm.cells)
        random.Random(f"{self.seed}-{arm.arm}-{launch}").shuffle(cells)
        return tuple(cells)


def run_name(arm: str, launch: int) -> str:
    """Name of the run folder: ``a01-1``."""
    return f"{arm}-{launch}"
