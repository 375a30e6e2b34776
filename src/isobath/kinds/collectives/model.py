# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of collectives found, for programs."""

from typing import Literal

from pydantic import Field

from isobath.bench.plan import Cell
from isobath.study.findings import Facts, Findings

Interval = tuple[float, float]


class CellFacts(Facts):
    """One collective with all its settings; of one that is no result, no times."""

    mpi: str
    ranks: int
    cell: Cell
    forced: str | None
    """the algorithm that was forced"""
    algorithm: str | None
    """that ran, as far as it is known"""
    source: str
    confidence: str
    evidence: str
    not_runnable: str | None
    data_failure: str | None
    oversubscribed: bool
    transport: str
    nodes: int | None
    """that its ranks were on; absent where not known"""
    nodes_are_pretended: bool
    """they are network namespaces of one machine"""
    reach: str | None
    """within a node, between nodes with one rank on each, or both"""
    median_seconds: float | None = None
    interval_seconds: Interval | None = None
    interval_is: str | None = None
    launches: int | None = None
    repetitions: int | None = None
    p99_seconds: float | None = None
    bus_bytes_per_second: float | None = None
    algorithm_bytes_per_second: float | None = None
    k_computer_bytes_per_second: float | None = None
    """size times nodes by seconds; a rank stands for a node where all cells are on one node"""
    node_bytes_per_second: float | None = None
    """of an all-to-all, what leaves the busiest node"""


class RegretFacts(Facts):
    """The library's choice beside the fastest forced algorithm."""

    mpi: str
    ranks: int
    cell: str
    default_seconds: float
    best_seconds: float
    best_algorithm: str
    loss: float
    """seconds of the default by those of the best, minus 1"""
    is_clear: bool
    """the intervals do not touch, and the loss is worth a rule"""


class GuidelineFacts(Facts):
    """A collective held against others that do its work."""

    guideline: str
    mpi: str
    ranks: int
    size_bytes: int
    factor: float
    """seconds of the left side by those of the right"""
    outcome: str


class CrossCheckFacts(Facts):
    """A cell beside what the Intel MPI Benchmarks say of it."""

    mpi: str
    ranks: int
    collective: str
    size_bytes: int
    our_largest_mean_microseconds: float
    our_interval_microseconds: Interval
    our_median_microseconds: float
    imb_t_max_microseconds: float
    imb_t_avg_microseconds: float
    launches: tuple[int, int]
    """ours, and those of IMB"""
    ratio: float
    outcome: str
    why: str | None


class CellsFindings(Findings):
    """All cells, and what follows from them."""

    bench_id: str
    preset: str | None
    launches: int
    launches_done: int
    problems: list[str]
    cells: list[CellFacts]
    regret: list[RegretFacts]
    guidelines: list[GuidelineFacts]
    cross_check: list[CrossCheckFacts] = Field(default_factory=list)


class CollectivesFindings(CellsFindings):
    """A benchmark of collectives."""

    kind: Literal["bench collectives"]
