# SPDX-License-Identifier: Apache-2.0
"""What every record and every part of a record has in common."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = 1
"""Number of the schema that this package writes."""

Origin = Literal["measured", "simulated", "predicted"]


class Part(BaseModel):
    """A part of a record: frozen, unknown fields forbidden, NaN refused, nothing converted."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        strict=True,
        populate_by_name=True,
        defer_build=True,  # a command needs few of the kinds of records
    )


class Record(Part):
    """One line of records.jsonl."""

    schema_number: Literal[1] = Field(default=1, alias="schema")
    """number of the schema this line follows"""
    run_id: str = Field(min_length=1)
    """the run this line belongs to"""
    origin: Origin = "measured"
    """on a machine, by SimGrid, or by a fitted cost model"""
