# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of overlap as a kind of study."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.kinds.of_launches import KindOfLaunches, labels_of
from isobath.kinds.overlap.by_library import ONE_LIBRARY, by_library
from isobath.kinds.overlap.by_ranks import NO_RANKS, by_ranks
from isobath.kinds.overlap.cells import overlap_cells
from isobath.kinds.overlap.facts import facts_of
from isobath.kinds.overlap.model import OverlapFindings
from isobath.kinds.overlap.printed_sections import osu_section, overlap_test_section
from isobath.kinds.overlap.sections import headline_words, method, page_of, sections_of
from isobath.kinds.section_views import section_view
from isobath.overlap.bare import overlap_of
from isobath.overlap.folders import OverlapFolder, OverlapRead, read_overlap
from isobath.records.codec import AnyRecord
from isobath.study.driver import SILENT, Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import Headline, ToDo, View
from isobath.study.tables import TableOf
from isobath.view.content import Page


class Overlap(KindOfLaunches[OverlapRead]):
    """bench overlap."""

    views: ClassVar[Mapping[str, View[OverlapRead]]] = {
        "summary": section_view(
            "times and shares by way to make progress",
            lambda reading: (*by_library(reading), *sections_of(reading)),
            notices=labels_of,
        ),
        "all": section_view(
            "the same with all intervals, and how it was measured",
            lambda reading: (
                *by_library(reading),
                *sections_of(reading),
                *by_ranks(reading),
                osu_section(reading),
                overlap_test_section(reading),
                method(reading),
            ),
            notices=labels_of,
            whole=True,
        ),
        "libraries": section_view(
            "MPI libraries beside each other, of several: the same calls and the same work",
            lambda reading: by_library(reading) or [ONE_LIBRARY],
            notices=labels_of,
            whole=True,
        ),
        "ranks": section_view(
            "times and shares against processes per node, for each size and number of nodes",
            lambda reading: by_ranks(reading) or [NO_RANKS],
            notices=labels_of,
            whole=True,
        ),
        "osu": section_view(
            "Overall, Compute, Init, Test, Wait, Pure and Overlap %, as OSU prints them",
            lambda reading: (osu_section(reading),),
            notices=labels_of,
            whole=True,
        ),
        "overlap-test": section_view(
            "M, N, Tcomm, Tnbcomm, Tcomp, Tblock and Tovlp of Nanri, Ohshima and Ono",
            lambda reading: (overlap_test_section(reading),),
            notices=labels_of,
            whole=True,
        ),
    }

    findings = OverlapFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "rows": TableOf(
            "every way to make progress, with all its times", "groups.rows", without=("finding",)
        )
    }

    def of_folder(self, folder: StudyFolder) -> OverlapRead:
        """All settings of all launches but the calibrating ones."""
        return read_overlap(OverlapFolder(folder.path))

    def of_records(self, rows: list[AnyRecord], notice: str) -> OverlapRead:
        """All settings of the file."""
        return overlap_of(rows, notice)

    def page(self, reading: OverlapRead) -> Page:
        """A section for each collective, size and number of ranks."""
        return page_of(reading)

    def headline(self, reading: OverlapRead) -> Headline:
        """What the first group says."""
        is_complete = reading.launches_done == reading.launches
        return Headline(
            headline_words(reading), mpi=", ".join(reading.plan.libraries), is_complete=is_complete
        )

    def facts(self, reading: OverlapRead) -> dict[str, Any]:
        """Every row. Seconds and shares."""
        return facts_of(reading)

    def cells(self, reading: OverlapRead) -> tuple[Cell, ...]:
        """Calls alone, and what is left of them behind work."""
        return overlap_cells(reading)

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan."""
        from isobath.kinds.overlap.work import OverlapWork

        return ToDo(OverlapWork.of(OverlapFolder(path), driver))


KIND = Overlap()
