# SPDX-License-Identifier: Apache-2.0
"""Bytes accounted for: what was to be sent, and what was counted."""

from typing import Literal

from pydantic import Field, model_validator

from isobath.records.phases import PhaseName
from isobath.records.record import Record
from isobath.units import Bytes

AuditClass = Literal["a", "b", "c"]


class AuditRecord(Record):
    """One phase of one level of one timed search; steps in which no byte is due or counted are
    left out.
    """

    kind: Literal["audit"] = "audit"
    search: int = Field(ge=0)
    """index of the search"""
    level: int = Field(ge=-1)
    """-1 outside levels"""
    phase: PhaseName
    audit_class: AuditClass
    """a: closed integer form, given the levels; b: integer counted by a serial walk of the same
    graph; c: an estimate"""
    expected_bytes: Bytes = Field(ge=0)
    """to be sent by all ranks; of class c the middle of the estimate"""
    counted_bytes: Bytes = Field(ge=0)
    """sent by all ranks, as the run counted"""
    low_bytes: Bytes | None = Field(default=None, ge=0)
    """ends of the estimate; absent where the expectation is an integer that must be met"""
    high_bytes: Bytes | None = Field(default=None, ge=0)
    equal: bool
    """every byte is accounted for; of class c, that it lies within the estimate"""

    @model_validator(mode="after")
    def _is_consistent(self) -> "AuditRecord":
        if self.low_bytes is None or self.high_bytes is None:
            if self.audit_class == "c":
                raise ValueError("an estimate has two ends")
            right = self.counted_bytes == self.expected_bytes
        else:
            right = self.low_bytes <= self.counted_bytes <= self.high_bytes
        if self.equal != right:
            raise ValueError("equal contradicts the bytes")
        return self
