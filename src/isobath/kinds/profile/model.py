# SPDX-License-Identifier: Apache-2.0
"""What a profile found, for programs: its records, world by world."""

from typing import Literal

from isobath.records.profile import (
    ProfileCellRecord,
    ProfileRankRecord,
    ProfileRecord,
    ProfileThreadRecord,
)
from isobath.study.findings import Facts, Findings


class WorldFacts(Facts):
    """One MPI_COMM_WORLD."""

    program: ProfileRecord
    ranks: list[ProfileRankRecord]
    threads: list[ProfileThreadRecord]
    """of ranks in which several threads call MPI"""
    cells: list[ProfileCellRecord]
    """calls by place, communicator and region"""


class ProfileFindings(Findings):
    """Every world; mostly there is one."""

    kind: Literal["profile"]
    worlds: list[WorldFacts]
