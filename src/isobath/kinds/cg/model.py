# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of conjugate gradients found, for programs."""

from typing import Literal

from isobath.study.findings import Bounded, Facts, Findings


class CgRow(Facts):
    """One method under one way to make progress; of one that is no result, its settings alone."""

    method: str
    progress: str
    tests: int
    iterations: int
    threads_per_rank: int
    launches: int
    oversubscribed: bool
    remark: str | None
    """why it is no result, or what is to be known of it"""
    seconds_per_iteration: float | None = None
    interval: tuple[float, float] | None = None
    """of the seconds of an iteration"""
    speedup: Bounded | None = None
    """against plain conjugate gradients: algorithm times overlap"""
    algorithm: Bounded | None = None
    overlap: Bounded | None = None
    reduction_seconds: float | None = None
    work_seconds: float | None = None
    mpi_share: dict[str, float] | None = None
    """share of the time in each call, from a profile"""


class CgBreakEven(Facts):
    """Latency saved against extra work on vectors; seconds of an iteration."""

    method: str
    reduction_seconds: float
    extra_work_seconds: float
    can_pay: bool


class CgGroup(Facts):
    """One library, mesh and number of ranks."""

    mpi: str
    ranks: int
    elements: int
    rows: list[CgRow]
    break_even: CgBreakEven | None
    findings: list[str]


class CgLaunches(Facts):
    """How far the study is."""

    done: int
    planned: int


class CgFindings(Findings):
    """All groups."""

    kind: Literal["bench cg"]
    groups: list[CgGroup]
    not_measured: list[str]
    problems: list[str]
    launches: CgLaunches
