# SPDX-License-Identifier: Apache-2.0
"""What a regression found, for programs."""

from typing import Literal

from isobath.compared.model import TableSwitchFacts
from isobath.study.findings import Facts, Findings


class RegressCell(Facts):
    """One cell of the baseline, measured again."""

    cell: str
    """its name in the baseline"""
    outcome: Literal[
        "slower", "faster", "the same", "not slower", "cannot tell", "wrong", "accepted"
    ]
    reason: str | None
    """why nothing can be told, what was wrong, or why an acceptance is no excuse"""
    ratio: float | None
    """times now by times of the reference; of an accepted cell by what was accepted"""
    ratio_low: float | None
    """of the 95 % interval of this cell alone"""
    ratio_high: float | None
    p_slower: float | None
    """that it is not slower than tolerated; not corrected"""
    turns: int
    """that it was decided after, or that were measured"""
    accepted: str | None
    """the reason, where it was accepted as slower"""
    algorithm_before: str | None
    algorithm_now: str | None


class NewGuideline(Facts):
    """A guideline of MPI that is newly broken."""

    guideline: str
    factor: float
    factor_before: float


class NewDecision(Facts):
    """A cell that surely runs by another algorithm than in the baseline."""

    cell: str
    algorithm_before: str
    algorithm_now: str


class NotMeasuredCells(Facts):
    """Cells of the suite that nothing measured again."""

    cells: list[str]
    reason: str


class SittingsApart(Facts):
    """Sittings of noise that launches are held against."""

    recorded: int
    separate: int
    """that are further apart than a quarter of an hour; what is closer counts as one"""
    nearest_seconds: float | None
    """between two of them that follow one another"""
    farthest_seconds: float | None
    left_out: list[str]
    """those of another build of the library, kernel or nodes, with the reason"""


class RegressFindings(Findings):
    """Of a regression, a sitting of noise, or what is to become a baseline."""

    kind: Literal["regress"]
    purpose: Literal["regression", "noise", "reference"]
    baseline: str
    verdict: str
    advice: str
    exit_code: int
    mpi: str
    against: str
    """the old library, measured in turns; or the archive"""
    turns: int
    turns_at_most: int
    margin: float
    measured_seconds: float
    cells: list[RegressCell]
    not_measured: list[NotMeasuredCells]
    """with any of these the code is 6 at best"""
    guidelines: list[NewGuideline]
    decisions: list[NewDecision]
    tables: list[str]
    """collectives whose selection table in the library's file is another than the baseline's"""
    switches: list[TableSwitchFacts]
    """switch points that moved in those tables"""
    sittings: SittingsApart | None
    """null where launches were taken in turns"""
    wrong: list[str]
    wrong_sides: list[Literal["old", "new"]]
    """whose results are wrong"""
    failed: list[str]
    unaudited: list[str]
    """launches whose bytes were to be accounted for, and were not: their function is not known"""
    beyond_audit: list[str]
    """launches that no audit is possible of, and why: their function is what validation says"""
    could_not_measure: list[str]
    """all for which the code may be 3: launches that failed, were not audited or are not as they
    were sealed, and that no turn was completed"""
