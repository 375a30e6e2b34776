# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients as a kind of study."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.kinds.cg.cells import cg_cells
from isobath.kinds.cg.facts import facts_of
from isobath.kinds.cg.measured import Measured, measured_of, read_measured
from isobath.kinds.cg.model import CgFindings
from isobath.kinds.cg.sections import headline_words, page_of, sections_of
from isobath.kinds.section_views import section_view
from isobath.records.codec import read_records
from isobath.study.bare import NOTICE
from isobath.study.driver import SILENT, Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf


def _labels(reading: Measured) -> tuple[str, ...]:
    return reading.labels


class Cg(Kind[Measured]):
    """bench cg."""

    views: ClassVar[Mapping[str, View[Measured]]] = {
        "summary": section_view(
            "times of an iteration, and what they mean", sections_of, notices=_labels
        ),
        "all": section_view(
            "the same with what an iteration consists of", sections_of, notices=_labels, whole=True
        ),
    }

    findings = CgFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "rows": TableOf("every method under every way to make progress", "groups.rows")
    }

    def read(self, path: Path) -> Measured:
        """All launches that are as they were sealed; of a file of records what it has."""
        if path.is_file():
            return measured_of(read_records(path, drop_torn_line=True), NOTICE)
        return read_measured(StudyFolder(path))

    def headline(self, reading: Measured) -> Headline:
        """What the largest group says first."""
        words = headline_words(reading)
        mpi = ", ".join(dict.fromkeys(group.mpi for group in reading.groups))
        return Headline(words, mpi=mpi, is_complete=reading.launches_done == reading.launches)

    def problems(self, reading: Measured) -> tuple[str, ...]:
        """Changed launches, failures, wrong norms."""
        return reading.problems

    def notes(self, reading: Measured) -> tuple[str, ...]:
        """What is not measured."""
        return tuple(f"not measured: {sentence}" for sentence in reading.not_measured)

    def is_altered(self, reading: Measured) -> bool:
        """A launch is not as it was sealed."""
        return reading.is_damaged

    def facts(self, reading: Measured) -> dict[str, Any]:
        """Groups of rows. Seconds."""
        return facts_of(reading)

    def cells(self, reading: Measured) -> tuple[Cell, ...]:
        """An iteration of every method."""
        return cg_cells(reading)

    def html(self, reading: Measured, page: Path) -> str:
        """A section for each library, mesh and number of ranks."""
        from isobath.view.html import page_html

        return page_html(page_of(reading))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan, and PETSc where it takes part."""
        from isobath.kinds.cg.work import CgWork

        work = CgWork.of(StudyFolder(path), driver.asked)
        return ToDo(work, tuple(work.left_out))


KIND = Cg()
