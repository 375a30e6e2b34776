# SPDX-License-Identifier: Apache-2.0
"""What was imported, as it is stored (imported.json) and printed by show --json."""

from typing import Literal

from isobath.study.findings import Facts, Findings


class SourceFacts(Facts):
    """A file that was read."""

    file: str
    """its name, without its folder"""
    sha256: str
    programs: list[str]
    values: int


class ImportedLaunch(Facts):
    """What one launch says."""

    launch: str
    """number of the file, and how often the same stood in it before"""
    value: float


class ImportedCell(Facts):
    """One thing that another program measured."""

    cell: str
    what: str
    """without its size"""
    program: str
    """family: two programs do not measure alike"""
    unit: str
    """s, TEPS, or as the program prints it"""
    more_is_better: bool
    ranks: int | None
    size_bytes: int | None
    graph: str
    keys: str
    settings: dict[str, str]
    trouble: str
    """why it is no result; empty where it is"""
    launches: list[ImportedLaunch]


class ImportedResult(Facts):
    """imported.json."""

    measured_here: Literal[False]
    """by nobody's word but that of the files"""
    programs: list[str]
    sources: list[SourceFacts]
    mpi: str
    """as whoever imported it says; empty where nobody said it"""
    where: str
    remarks: list[str]
    """what was left out, and what a reader has to know"""
    cells: list[ImportedCell]


class ImportedFindings(Findings, ImportedResult):
    """An import."""

    kind: Literal["import"]
