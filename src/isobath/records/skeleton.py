# SPDX-License-Identifier: Apache-2.0
"""What the skeleton of a search did, step by step, on a machine or under SimGrid."""

from typing import Literal, TypeAlias

from pydantic import Field

from isobath.records.communication import CallName, CommunicatorName
from isobath.records.phases import PhaseName
from isobath.records.record import Record
from isobath.units import Bytes, Seconds

PlayedName: TypeAlias = CallName | Literal["compute"]


class SkeletonRecord(Record):
    """One step: a call of every rank, or a computation. Counts and bytes are sums over ranks, as
    those of `calls`; seconds are simulated where the origin says so.
    """

    kind: Literal["skeleton"] = "skeleton"
    ranks: int = Field(ge=1)
    step: int = Field(ge=0)
    """its place in the schedule"""
    level: int = Field(ge=-1)
    """-1 outside levels"""
    phase: PhaseName
    call: PlayedName
    """the MPI call, or compute"""
    communicator: CommunicatorName
    calls: int = Field(ge=0)
    messages: int = Field(ge=0)
    bytes_sent: Bytes = Field(ge=0)
    seconds_mean: Seconds = Field(ge=0)
    """in the step, over ranks"""
    seconds_max: Seconds = Field(ge=0)
    ended_seconds: Seconds = Field(ge=0)
    """when the last rank ended it, since all began together"""
