# SPDX-License-Identifier: Apache-2.0
"""What show --json prints: one versioned model for each kind. Wording may change, this does not.

A field may be added at any time; one is renamed, removed or given another meaning only together
with the number of the schema.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FINDINGS_SCHEMA = 1
"""Number of the schema that is printed."""


class Facts(BaseModel):
    """A part of findings: unknown fields forbidden, neither NaN nor infinity."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        populate_by_name=True,
        defer_build=True,  # a command says those of one kind, and many say none
    )


class Findings(Facts):
    """What every kind says; units stand in the names."""

    schema_number: Literal[1] = Field(alias="schema")
    study: str
    """its id"""
    kind: str
    """as its command: bench cg"""


class Bounded(Facts):
    """A ratio or share with its interval; a bound is null where nothing bounds it."""

    value: float | None
    low: float | None
    high: float | None
