# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients, plain and pipelined: raw times of every solve and of what it consists of."""

from typing import Literal

from pydantic import Field, model_validator

from isobath.records.overlap import ByRank, PartTimes
from isobath.records.record import Part, Record

Method = Literal["cg", "single", "gropp", "pipelined"]
KrylovProgress = Literal[
    "blocking", "library", "tests", "thread", "spare_thread", "library_thread", "offload"
]


class KrylovParts(Part):
    """What all iterations of a solve consist of. Nanoseconds, by rank, by repetition."""

    product: ByRank
    """the matrix times a vector"""
    halo: ByRank
    """rows started to and awaited from the neighbours"""
    preconditioner: ByRank
    """the inverse diagonal times a vector"""
    dots: ByRank
    """this rank's share of inner products"""
    updates: ByRank
    """sums of vectors"""
    reduction: ByRank
    """blocking sums over ranks"""
    reduction_start: ByRank
    """of non-blocking ones: the starting calls"""
    reduction_test: ByRank
    """all tests together"""
    reduction_wait: ByRank
    """the waits"""


class KrylovRecord(Record):
    """One method of conjugate gradients on one mesh, under one way to make progress."""

    kind: Literal["krylov"] = "krylov"
    implementation: Literal["isobath", "petsc", "petsc-ex3"]
    """the last is PETSc's own example: one solve, as the slowest rank saw it, without norms"""
    method: Method
    elements: int = Field(ge=2)
    """of a side of the mesh; unknowns are (elements + 1) squared"""
    iterations: int = Field(ge=1)
    """of each solve"""
    ranks: int = Field(ge=1)
    """that compute and communicate"""
    aggregators: int = Field(ge=0)
    """ranks beside them, asleep unless progress is offload"""
    threads_per_rank: int = Field(ge=1)
    progress: KrylovProgress
    """blocking: reductions are called where their results are needed, the control arm"""
    tests: int = Field(ge=0)
    """calls of MPI_Test in each operation that covers a reduction"""
    alignment: str
    oversubscribed: bool
    """more ranks and threads than processors: times are not measurements of this machine"""
    launch: int = Field(ge=0)
    order: int = Field(ge=0)
    """position in the launch"""
    not_runnable: str | None = None
    """why there is no time; then all that follows is absent"""
    solve: PartTimes | None = None
    """all iterations of a repetition"""
    parts: KrylovParts | None = None
    """of our own methods"""
    events: dict[str, ByRank] | None = None
    """of PETSc's: nanoseconds of its log's events, by rank, by repetition"""
    invalid: tuple[int, ...] | None = None
    """repetitions in which some rank came late to the start"""
    norms: tuple[float, ...] | None = None
    """natural norm of the residual before each iteration, of the last repetition"""
    error: float | None = None
    """greatest distance from the exact solution after the last iteration"""
    data_check: Literal["passed", "failed"] | None = None
    """norms agree with those of plain conjugate gradients"""
    data_check_failure: str | None = None

    @model_validator(mode="after")
    def _times_or_reason(self) -> "KrylovRecord":
        has = [value is not None for value in (self.solve, self.norms, self.invalid)]
        if any(has) != all(has) or all(has) == (self.not_runnable is not None):
            raise ValueError("there are either times or a reason why there are none")
        if (self.data_check == "failed") != (self.data_check_failure is not None):
            raise ValueError("a failure of the data check has a sentence, and nothing else has one")
        return self
