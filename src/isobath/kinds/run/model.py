# SPDX-License-Identifier: Apache-2.0
"""What a run or search found, for programs."""

from typing import Literal

from pydantic import Field

from isobath.study.findings import Facts, Findings


class SearchFacts(Facts):
    """One search."""

    index: int
    root: int
    seconds: float
    teps: float


class LevelFacts(Facts):
    """One level of the typical search; seconds are the maximum over ranks, bytes sums."""

    search: int
    level: int
    direction: str
    frontier_vertices: int
    arcs_scanned: int
    seconds: float
    bytes_sent: int


class PlainestFacts(Facts):
    """The same keys in the plainest reading of the rules: a figure, or the problem alone."""

    problem: str | None = None
    """why there is no figure"""
    harmonic_mean_teps: float | None = None
    harmonic_standard_error_teps: float | None = None
    searches_passed: int | None = None
    construction_seconds: float | None = None
    official_to_plainest: float | None = None
    """ratio of the harmonic mean rates"""
    official_to_plainest_low: float | None = None
    """95 % interval over keys"""
    official_to_plainest_high: float | None = None


class RunFindings(Findings):
    """Of one that ended before its first record, state and reasons alone are there."""

    kind: Literal["run", "search"]
    state: str
    """how it ended: complete, unfinished, failed"""
    reasons: list[str] = Field(default_factory=list)
    """why there is no record"""
    verdict: str | None = None
    labels: list[str] = Field(default_factory=list)
    """what is to be said before every number: UNVALIDATED, ..."""
    doubt: str | None = None
    """why it is not as it was sealed"""
    scale: int | None = None
    ranks: int | None = None
    harmonic_mean_teps: float | None = None
    harmonic_standard_error_teps: float | None = None
    searches: list[SearchFacts] = Field(default_factory=list)
    searches_passed: int | None = None
    """whose validation found nothing wrong"""
    levels: list[LevelFacts] = Field(default_factory=list)
    """of the typical search"""
    disclosures: list[str] = Field(default_factory=list)
    """what the run did beyond the reference program; empty where that was not recorded"""
    plainest: PlainestFacts | None = None
    """the second figure of an official run; absent where nobody asked"""
    construction_seconds: float | None = None
    generation_seconds: float | None = None
    phase_seconds: dict[str, float] = Field(default_factory=dict)
    """of a search, mean over all"""
    construction_phase_seconds: dict[str, float] = Field(default_factory=dict)
