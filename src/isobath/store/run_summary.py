# SPDX-License-Identifier: Apache-2.0
"""run.json: what a run was asked for and how it ended. Measurements stand in records.jsonl only."""

from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from isobath.records.ending import RunState
from isobath.records.run_records import Verdict


class Setting(BaseModel):
    """One setting of a run and where its value came from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: bool | int | float | str | tuple[int, ...] | tuple[str, ...] | None = None
    origin: str
    """default, chosen (by Isobath), a file, a variable or an option"""


class RunSummary(BaseModel):
    """The first file of a run folder that a person opens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_number: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    run_id: str
    isobath_version: str
    started: AwareDatetime
    ended: AwareDatetime
    state: RunState
    verdict: Verdict
    exit_code: int
    message: str | None = None
    """one sentence where the run did not complete"""
    command: tuple[str, ...]
    """what the person typed"""
    launch_line: tuple[str, ...] = ()
    """what started the engine"""
    launch_environment: dict[str, str] = {}
    """variables that the launcher added"""
    notes: tuple[str, ...] = ()
    """what was chosen, and why"""
    settings: dict[str, Setting] = {}
