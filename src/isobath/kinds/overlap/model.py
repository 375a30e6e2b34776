# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of overlap found, for programs."""

from typing import Literal

from isobath.study.findings import Bounded, Facts, Findings


class OverlapSeconds(Facts):
    """Medians over all launches; what each is stands in docs/explanation/overlap.md."""

    blocking: float
    nonblocking: float
    work: float
    no_overlap: float
    overlap: float
    work_inside: float


class OverlapRow(Facts):
    """One way to make progress; of one that is no result, the times alone."""

    progress: str
    tests: int
    work: str
    work_ratio: float
    aggregators: int
    threads_per_rank: int
    launches: int
    oversubscribed: bool
    seconds: OverlapSeconds
    overlap_interval: tuple[float, float] | None = None
    """of the seconds with overlap"""
    hidden: Bounded | None = None
    """share of what could be hidden"""
    core_availability: float | None = None
    osu_percent: float | None = None
    """the mean of what each launch gave, as the next two; their intervals are over launches"""
    osu_percent_interval: tuple[float, float] | None = None
    sharp_paper_percent: float | None = None
    sharp_paper_percent_interval: tuple[float, float] | None = None
    imb_percent: float | None = None
    imb_percent_interval: tuple[float, float] | None = None


class OverlapGroup(Facts):
    """One collective and size on so many ranks."""

    collective: str
    size_bytes: int | None
    ranks: int
    nodes: int
    place: str | None
    """nodes and transport; absent of one machine as it is"""
    mpi: str
    """id of the library"""
    rows: list[OverlapRow]
    finding: str


class OverlapFindings(Findings):
    """All groups."""

    kind: Literal["bench overlap"]
    launches: int
    launches_done: int
    groups: list[OverlapGroup]
    not_measured: list[str]
    problems: list[str]
