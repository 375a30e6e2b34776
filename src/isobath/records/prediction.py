# SPDX-License-Identifier: Apache-2.0
"""A search that nobody ran, as lines of the record model: predicted, and said so in every line."""

from typing import Literal

from pydantic import Field, model_validator

from isobath.records.record import Record
from isobath.units import Seconds


class PredictedPieceRecord(Record):
    """Predicted seconds of one phase of one level; its run_id is the run that it starts from."""

    kind: Literal["predicted_piece"] = "predicted_piece"
    origin: Literal["predicted"] = "predicted"
    scale: int = Field(ge=1)
    """logarithm of the vertices of the search that is predicted, like the next five"""
    plan: str
    """its search plan"""
    exchange: str
    """how its tuples travel"""
    grid_rows: int = Field(ge=1)
    """rows of its grid of ranks"""
    grid_cols: int = Field(ge=1)
    """columns of it"""
    nodes: int = Field(ge=1)
    """machines that its ranks are on"""
    level: int = Field(ge=-1)
    """-1 outside levels"""
    phase: str
    """computation and waiting beside phases of calls"""
    call: str
    """the MPI call that moves the bytes; empty of computation and of waiting"""
    seconds: Seconds = Field(ge=0)
    """predicted; over all lines they add up to the search"""
    low_seconds: Seconds = Field(ge=0)
    """end of the 90 % interval, like the next"""
    high_seconds: Seconds = Field(ge=0)
    """the other end"""

    @model_validator(mode="after")
    def _is_an_interval(self) -> "PredictedPieceRecord":
        if not self.low_seconds <= self.seconds <= self.high_seconds:
            raise ValueError("the predicted time lies outside of its own interval")
        return self
