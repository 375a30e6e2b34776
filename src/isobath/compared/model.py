# SPDX-License-Identifier: Apache-2.0
"""What compare --json prints: a versioned model. Wording may change, this does not."""

import json
from typing import Any, Literal

from pydantic import Field

from isobath.records.described import Described
from isobath.study.findings import Facts

COMPARISON_SCHEMA = 1


class SideFacts(Facts):
    """One side: studies whose launches count as one measurement."""

    side: str
    """its letter in tables"""
    studies: list[str]
    """ids"""
    launches: int
    began: str | None
    """when the first of its launches did, by ISO 8601"""
    ended: str | None
    """when the last of its launches began"""
    altered: bool
    """something is not as it was sealed, and left out"""
    problems: list[str]


class ChangeFacts(Facts):
    """What is not alike on both sides."""

    name: str
    before: str
    after: str


class PartFacts(Facts):
    """Seconds of one part of a cell on both sides, medians over launches."""

    of: str
    """what parts are told apart by: phase, or phase and level, ..."""
    part: str
    before_seconds: float
    after_seconds: float
    more_seconds: float
    """above 0 where it takes longer now"""


class CellFacts(Facts):
    """One cell on both sides, and what can be said of it."""

    cell: str
    """in words"""
    outcome: Literal["faster", "slower", "same", "cannot tell", "no result"]
    reason: str | None
    """why nothing can be told, or there is no result"""
    speed: float | None
    """how many times as fast as the reference: above 1 is faster"""
    speed_interval: tuple[float, float] | None
    level: float | None
    """with this probability the interval holds the true speed"""
    unit: Literal["seconds", "TEPS", "share", "rate", "number"]
    before: float | None
    """in that unit, the median over launches of the reference"""
    after: float | None
    launches_before: int
    launches_after: int
    taken_as: Literal["pairs", "two samples"] | None
    """launches were taken in turns, or each side by itself"""
    p_differs: float | None
    """corrected for the number of cells; null where so few launches cannot differ at all"""
    p_same: float | None
    """of two one-sided tests, corrected as the one before"""
    graph: str | None = None
    keys: str | None = None
    ranks: str | None = None
    plan: str | None = None
    program: str | None = None
    parts: list[PartFacts] = Field(default_factory=list)


class AlgorithmFacts(Facts):
    """Sizes at which another algorithm runs."""

    curve: str
    first_bytes: int
    last_bytes: int
    before: str
    after: str


class SwitchFacts(Facts):
    """A switch point that is not where it was."""

    curve: str
    fate: Literal["moved", "gone", "new"]
    algorithms: str | None
    before_interval: tuple[int, int] | None
    """bytes: it lies above the first and at the second at most"""
    after_interval: tuple[int, int] | None
    known_by: Literal["names", "times", "tables"]


class TableSwitchFacts(SwitchFacts):
    """A switch point that moved in the tables of the library's own file."""

    cells: list[str]
    """whose sizes lie between where it was and is: another algorithm may run there"""


class DecisionFacts(Facts):
    """What a library decided otherwise."""

    algorithms: list[AlgorithmFacts]
    switches: list[SwitchFacts]
    tables: list[TableSwitchFacts]
    cells: int
    cells_known: int
    """of which the algorithm is known on both sides"""


class AgainstFacts(Facts):
    """One side against the reference."""

    side: str
    changes: list[ChangeFacts]
    across: dict[str, tuple[str, str]]
    """what says what was measured and is not alike, because that was asked for"""
    cells: list[CellFacts]
    only_before: list[str]
    """cells that the reference alone has"""
    only_after: list[str]
    decisions: DecisionFacts | None


class ComparisonFindings(Facts):
    """Sides against a reference. A field may be added at any time; one is renamed, removed or given
    another meaning only together with the number of the schema.
    """

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["compare"]
    of: str
    """the kind of the studies"""
    margin: float
    """two times are the same within this share of one another"""
    alpha: float
    """probability of one wrong claim among all, of each sort, at most"""
    cells_tested: int
    """whose verdicts were corrected together"""
    cells_shown: int
    sides: list[SideFacts]
    """the reference first"""
    against: list[AgainstFacts]


def schema_text() -> str:
    """schema/comparison-1.json, byte for byte."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= ComparisonFindings.model_json_schema(by_alias=True, schema_generator=Described)
    return json.dumps(schema, indent=2) + "\n"
