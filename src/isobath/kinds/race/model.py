# SPDX-License-Identifier: Apache-2.0
"""What a race found, for programs."""

from typing import Literal

from isobath.study.findings import Facts, Findings

Value = bool | int | float | str | list[int]


class RaceCell(Facts):
    """One combination of the factors, all its runs together."""

    cell: str | None
    factors: dict[str, Value]
    runs: int
    validated: bool
    oversubscribed: bool
    teps: float | None
    teps_standard_error: float | None
    bytes_per_rank_and_search: float | None
    construction_seconds: float | None
    peak_bytes: int | None
    audited: bool | None
    """every byte is accounted for; null where it was not asked or could not be told"""
    problems: list[str]


class RaceFindings(Findings):
    """All cells of a race."""

    kind: Literal["race"]
    scaling: str | None
    keys: int
    official: bool
    runs_left: int
    cells: list[RaceCell]
    problems: list[str]
