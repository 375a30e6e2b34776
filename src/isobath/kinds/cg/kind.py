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
from isobath.kinds.of_launches import KindOfLaunches, labels_of
from isobath.kinds.section_views import section_view
from isobath.records.codec import AnyRecord
from isobath.study.driver import SILENT, Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import Headline, ToDo, View
from isobath.study.tables import TableOf
from isobath.view.content import Page


class Cg(KindOfLaunches[Measured]):
    """bench cg."""

    views: ClassVar[Mapping[str, View[Measured]]] = {
        "summary": section_view(
            "times of an iteration, and what they mean", sections_of, notices=labels_of
        ),
        "all": section_view(
            "the same with what an iteration consists of",
            sections_of,
            notices=labels_of,
            whole=True,
        ),
    }

    findings = CgFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "rows": TableOf("every method under every way to make progress", "groups.rows")
    }

    def of_folder(self, folder: StudyFolder) -> Measured:
        """All launches, their profiles too."""
        return read_measured(folder)

    def of_records(self, rows: list[AnyRecord], notice: str) -> Measured:
        """All cells of the file."""
        return measured_of(rows, notice)

    def page(self, reading: Measured) -> Page:
        """A section for each library, mesh and number of ranks."""
        return page_of(reading)

    def headline(self, reading: Measured) -> Headline:
        """What the largest group says first."""
        words = headline_words(reading)
        mpi = ", ".join(dict.fromkeys(group.mpi for group in reading.groups))
        return Headline(words, mpi=mpi, is_complete=reading.launches_done == reading.launches)

    def facts(self, reading: Measured) -> dict[str, Any]:
        """Groups of rows. Seconds."""
        return facts_of(reading)

    def cells(self, reading: Measured) -> tuple[Cell, ...]:
        """An iteration of every method."""
        return cg_cells(reading)

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan, and PETSc where it takes part."""
        from isobath.kinds.cg.work import CgWork

        work = CgWork.of(StudyFolder(path), driver.asked)
        return ToDo(work, tuple(work.left_out))


KIND = Cg()
