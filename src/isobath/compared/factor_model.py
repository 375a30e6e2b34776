# SPDX-License-Identifier: Apache-2.0
"""What factors --json prints: a versioned model. Wording may change, this does not."""

import json
from typing import Any, Literal

from pydantic import Field

from isobath.compared.model import SideFacts
from isobath.records.described import Described
from isobath.study.findings import Facts

FACTORS_SCHEMA = 1


class GainFacts(Facts):
    """What a level of a factor brings against its reference level."""

    measure: str
    factor: str
    level: str
    reference: str
    gain_percent: float | None
    """so much faster; null where nothing tells it from something else"""
    gain_interval_percent: tuple[float, float] | None
    """of 95 %"""
    interval_over: Literal["turns", "launches", "settings"] | None
    """what the interval speaks of: other turns, other launches, other combinations of the rest"""
    contrasts: int
    """pairs of cells that differ in this factor alone"""
    least_percent: float | None
    """of all contrasts"""
    most_percent: float | None
    confounded_with: list[str]
    """what always changed with it"""
    other_sitting: bool
    """its levels were not measured in turns: what else changed in between is in the gain"""


class InteractionFacts(Facts):
    """A gain that depends on another factor."""

    measure: str
    factor: str
    level: str
    by: str
    by_first: str
    by_second: str
    first_percent: float
    """gain at the one level of the other factor, and at the other"""
    second_percent: float
    p: float
    """corrected for all interactions of the measure that were tried"""


class FactorsFindings(Facts):
    """Everything that was varied. A field may be added at any time; one is renamed, removed or
    given another meaning only together with the number of the schema.
    """

    schema_number: Literal[1] = Field(alias="schema")
    kind: Literal["factors"]
    of: str
    """the kind of the studies"""
    studies: SideFacts
    cells_left_out: int
    """without a result"""
    interactions_tried: int
    gains: list[GainFacts]
    interactions: list[InteractionFacts]


def schema_text() -> str:
    """schema/factors-1.json, byte for byte."""
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    schema |= FactorsFindings.model_json_schema(by_alias=True, schema_generator=Described)
    return json.dumps(schema, indent=2) + "\n"
