# SPDX-License-Identifier: Apache-2.0
"""What a replay found, for programs."""

from typing import Literal

from isobath.kinds.collectives.model import CellsFindings
from isobath.study.findings import Facts


class PhaseFacts(Facts):
    """A phase of the search, in the run and by itself."""

    level: int
    phase: str
    bytes: int
    recorded_seconds: float | None
    """in the run; null in replays of before, whose plan does not say it"""
    seconds: float | None
    """by itself; null where it was not measured"""


class ReplayedLibrary(Facts):
    """All phases under one MPI library."""

    mpi: str
    finding: str
    phases: list[PhaseFacts]


class ReplayFindings(CellsFindings):
    """As of collectives, with what is replayed."""

    kind: Literal["bench replay"]
    replayed: str
    """id of the run"""
    replayed_search: int
    """its index there"""
    replay: list[ReplayedLibrary]
