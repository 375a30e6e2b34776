# SPDX-License-Identifier: Apache-2.0
"""What predict --json prints: a versioned model. Every time in it is predicted unless its name
says measured. Wording may change, this does not.
"""

import json
from typing import Any, Literal

from pydantic import Field

from isobath.records.described import Described
from isobath.study.findings import Facts

PREDICTION_SCHEMA = 1


class SpreadFacts(Facts):
    """A predicted number with the ends of its 90 % interval."""

    low: float
    middle: float
    high: float


class TargetFacts(Facts):
    """The search that is predicted."""

    scale: int
    plan: str
    exchange: str
    ranks: int
    grid: str
    nodes: int
    ranks_per_node: int


class PieceFacts(Facts):
    """Predicted seconds of one phase of one level."""

    level: int
    """-1 outside of levels"""
    phase: str
    call: str
    """empty of computation and of waiting"""
    predicted_seconds: SpreadFacts


class BottleneckFacts(Facts):
    """A phase or call by its share of the time."""

    name: str
    predicted_seconds: SpreadFacts
    predicted_place: int
    measured_seconds: float | None
    measured_place: int | None
    simulated_seconds: float | None = None
    """of the simulation that stands beside; null where none does, or it has no such part"""


class SimulatedFacts(Facts):
    """A simulation of the same search that stands beside."""

    study: str
    platform: str
    simulated_seconds: float
    """of the search"""


class BudgetFacts(Facts):
    """Why the prediction is off; seconds of a search, above 0 is too slow."""

    measured_run: str
    measured_seconds: float
    predicted_seconds: float
    volume_seconds: float
    cost_model_seconds: float
    application_seconds: float


class WhatIfFacts(Facts):
    """A change, and what it is predicted to bring."""

    change: str
    outcome: Literal["faster", "slower", "cannot tell"]
    predicted_change: SpreadFacts | None
    """share of the time; below 0 is faster"""
    why_not: str


class PredictionFindings(Facts):
    """A prediction. A field may be added at any time; one is renamed, removed or given another
    meaning only together with the number of the schema.
    """

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["predict"]
    run: str
    """what it starts from"""
    target: TargetFacts
    predicted_gteps: SpreadFacts
    predicted_seconds: SpreadFacts
    """of a search"""
    costs_of_calls: list[str]
    """what they rest on"""
    computation_of: str
    """what it rests on, and how wrong it was where something was left out"""
    beyond: list[str]
    """what lies beyond four times what was measured"""
    unknown: list[str]
    """parts of a search that no run tells: they are in no number and in no interval"""
    pieces: list[PieceFacts]
    bottlenecks: list[BottleneckFacts]
    simulated: SimulatedFacts | None = None
    """null where no simulation was named"""
    budget: BudgetFacts | None
    """null where nothing like it was measured"""
    what_ifs: list[WhatIfFacts]
    problems: list[str]


def schema_text() -> str:
    """schema/prediction-1.json, byte for byte."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= PredictionFindings.model_json_schema(by_alias=True, schema_generator=Described)
    return json.dumps(schema, indent=2) + "\n"
