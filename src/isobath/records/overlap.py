# SPDX-License-Identifier: Apache-2.0
"""What non-blocking collectives hide: raw times of every part of every repetition."""

from typing import Literal

from pydantic import Field, model_validator

from isobath.records.record import Part, Record

Progress = Literal["library", "tests", "thread", "spare_thread", "library_thread", "offload"]
Work = Literal["product", "triad", "scan"]

ByRank = tuple[tuple[int, ...], ...]


class PartTimes(Part):
    """One part of every repetition."""

    together_nanoseconds: tuple[int, ...]
    """by repetition, from the first entry of any rank to the last exit"""
    rank_nanoseconds: ByRank
    """by rank, by repetition"""

    @model_validator(mode="after")
    def _lengths_agree(self) -> "PartTimes":
        lengths = {len(times) for times in self.rank_nanoseconds} | {len(self.together_nanoseconds)}
        if len(lengths) != 1:
            raise ValueError("ranks have different numbers of repetitions")
        return self


class OverlapParts(Part):
    """The parts of a repetition; docs/explanation/overlap.md derives what follows from them."""

    blocking: PartTimes
    """the blocking call"""
    nonblocking: PartTimes
    """start and wait, with nothing between"""
    work: PartTimes
    """the work alone, nothing in flight"""
    no_overlap: PartTimes
    """the blocking call, then the work"""
    overlap: PartTimes
    """start, the work with tests in it, wait"""
    osu: PartTimes
    """start, computing until a time has passed, wait"""
    imb: PartTimes
    """start, work that should last as long as the call, wait"""


class OverlapInside(Part):
    """What lies inside some parts. Nanoseconds, by rank, by repetition."""

    start: ByRank
    """of overlap: the starting call"""
    work: ByRank
    """of overlap: the work as it ran, without the tests"""
    test: ByRank
    """of overlap: all tests together"""
    wait: ByRank
    """of overlap: the wait"""
    osu_compute: ByRank
    """of osu: the loop, tests included"""
    osu_test: ByRank
    """of osu: all tests together"""
    osu_start: ByRank | None = None
    """of osu: the starting call; absent in older records"""
    osu_wait: ByRank | None = None
    """of osu: the wait; absent in older records"""
    imb_work: ByRank
    """of imb: the work as it ran"""


class OverlapRecord(Record):
    """One non-blocking collective, size, way to make progress and amount of fixed work."""

    kind: Literal["overlap"] = "overlap"
    collective: str
    """MPI's name in lower case, of the blocking call"""
    size_bytes: int = Field(ge=0)
    """of a vector, or of the block of one rank"""
    ranks: int = Field(ge=1)
    """that compute and communicate"""
    aggregators: int = Field(ge=0)
    """ranks beside them, asleep unless progress is offload"""
    threads_per_rank: int = Field(ge=1)
    progress: Progress
    tests: int = Field(ge=0)
    """calls of MPI_Test, equally spaced in the work"""
    work: Work
    work_order: int | None = Field(default=None, ge=1)
    """of the matrices of product"""
    work_units: int = Field(ge=1)
    work_ratio: float = Field(gt=0)
    """of the work to start and wait, as asked for"""
    reference_call_nanoseconds: float = Field(ge=0)
    """start and wait when the work was chosen, under the first way to make progress"""
    unit_nanoseconds: float = Field(ge=0)
    alignment: str
    clock_error_nanoseconds: int = Field(ge=0)
    """by which times of ranks on different clocks may be wrong, as found after the setting; 0 of
    one clock"""
    oversubscribed: bool
    """more ranks and threads than processors: times are not measurements of this machine"""
    launch: int = Field(ge=0)
    order: int = Field(ge=0)
    """position in the launch"""
    advice: str | None = None
    """what is doubtful about the setting"""
    trees: int | None = Field(default=None, ge=1)
    """aggregation trees of offload"""
    message_bytes: int | None = Field(default=None, ge=1)
    """of a message of the trees, at the most"""
    depth: int | None = Field(default=None, ge=1)
    """aggregators between a rank and the top of its tree"""
    not_runnable: str | None = None
    """why there is no time; then all that follows is absent"""
    parts: OverlapParts | None = None
    inside: OverlapInside | None = None
    invalid: tuple[int, ...] | None = None
    """repetitions in which some rank came late to a start"""
    data_check: Literal["passed", "failed"] | None = None
    data_check_failure: str | None = None

    @model_validator(mode="after")
    def _times_or_reason(self) -> "OverlapRecord":
        has = [value is not None for value in (self.parts, self.inside, self.invalid)]
        if any(has) != all(has) or all(has) == (self.not_runnable is not None):
            raise ValueError("there are either times or a reason why there are none")
        if (self.data_check == "failed") != (self.data_check_failure is not None):
            raise ValueError("a failure of the data check has a sentence, and nothing else has one")
        return self
