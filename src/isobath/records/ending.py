# SPDX-License-Identifier: Apache-2.0
"""How a run ended: its last line, or why there is none."""

from typing import Literal

from pydantic import Field

from isobath.records.phases import PhaseName
from isobath.records.record import Record
from isobath.units import Bytes, Seconds

RunState = Literal["complete", "unfinished", "failed"]


class FinishRecord(Record):
    """Last line of a run that ended by itself."""

    kind: Literal["finish"] = "finish"
    state: RunState
    searches_completed: int = Field(ge=0)
    violations: int = Field(ge=0)
    peak_bytes_per_rank: tuple[Bytes, ...]
    peak_bytes: Bytes = Field(ge=0)
    """sum over ranks"""
    huge_pages_requested_bytes: Bytes = Field(ge=0)
    huge_pages_obtained_bytes: Bytes = Field(ge=0)
    seconds: Seconds = Field(ge=0)
    """whole run"""
    graph_generation_seconds: Seconds | None = Field(default=None, ge=0)
    """absent where the run ended before it was done, like the next"""
    construction_seconds: Seconds | None = Field(default=None, ge=0)
    validation_copy_seconds: Seconds | None = Field(default=None, ge=0)
    """the validator's own copy of the edge list; absent where none was made"""
    disclosures: tuple[str, ...] = ()
    """what the run did beyond the reference program, one sentence each; none in older records"""


class FailureRecord(Record):
    """Why a run ended before its time."""

    kind: Literal["failure"] = "failure"
    phase: PhaseName
    """what was going on"""
    rank: int | None = Field(default=None, ge=0)
    """the rank to blame; absent where none can be named"""
    signal: int | None = Field(default=None, ge=1)
    """number of the signal that killed or stopped it"""
    last_call: str | None = None
    """last MPI call entered"""
    elapsed_seconds: Seconds = Field(ge=0)
    message: str
    """one sentence"""
    exit_code: int = Field(ge=0, le=255)
