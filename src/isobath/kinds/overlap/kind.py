# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of overlap as a kind of study."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.kinds.overlap.by_ranks import NO_RANKS, by_ranks
from isobath.kinds.overlap.cells import overlap_cells
from isobath.kinds.overlap.facts import facts_of
from isobath.kinds.overlap.model import OverlapFindings
from isobath.kinds.overlap.printed_sections import osu_section, overlap_test_section
from isobath.kinds.overlap.sections import headline_words, method, page_of, sections_of
from isobath.kinds.section_views import section_view
from isobath.overlap.bare import overlap_of
from isobath.overlap.folders import OverlapFolder, OverlapRead, read_overlap
from isobath.overlap.reading import not_measured
from isobath.records.codec import read_records
from isobath.study.bare import NOTICE
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf


@dataclass(frozen=True)
class OverlapFound:
    """A benchmark with all that was read of it."""

    folder: OverlapFolder
    read: OverlapRead


def _labels(reading: OverlapFound) -> tuple[str, ...]:
    return reading.read.labels


class Overlap(Kind[OverlapFound]):
    """bench overlap."""

    views: ClassVar[Mapping[str, View[OverlapFound]]] = {
        "summary": section_view(
            "times and shares by way to make progress",
            lambda reading: sections_of(reading.read),
            notices=_labels,
        ),
        "all": section_view(
            "the same with all intervals, and how it was measured",
            lambda reading: (
                *sections_of(reading.read),
                *by_ranks(reading.read),
                osu_section(reading.read),
                overlap_test_section(reading.read),
                method(reading.read),
            ),
            notices=_labels,
            whole=True,
        ),
        "ranks": section_view(
            "times and shares against processes per node, for each size and number of nodes",
            lambda reading: by_ranks(reading.read) or [NO_RANKS],
            notices=_labels,
            whole=True,
        ),
        "osu": section_view(
            "Overall, Compute, Init, Test, Wait, Pure and Overlap %, as OSU prints them",
            lambda reading: (osu_section(reading.read),),
            notices=_labels,
            whole=True,
        ),
        "overlap-test": section_view(
            "M, N, Tcomm, Tnbcomm, Tcomp, Tblock and Tovlp of Nanri, Ohshima and Ono",
            lambda reading: (overlap_test_section(reading.read),),
            notices=_labels,
            whole=True,
        ),
    }

    findings = OverlapFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "rows": TableOf(
            "every way to make progress, with all its times", "groups.rows", without=("finding",)
        )
    }

    def read(self, path: Path) -> OverlapFound:
        """All launches that are as they were sealed; of a file of records what it has."""
        folder = OverlapFolder(path)
        if path.is_file():
            rows = read_records(path, drop_torn_line=True)
            return OverlapFound(folder, overlap_of(rows, NOTICE))
        return OverlapFound(folder, read_overlap(folder))

    def headline(self, reading: OverlapFound) -> Headline:
        """What the first group says."""
        read = reading.read
        is_complete = read.launches_done == read.launches
        return Headline(headline_words(read), mpi=read.plan.mpi, is_complete=is_complete)

    def problems(self, reading: OverlapFound) -> tuple[str, ...]:
        """Changed launches, failures."""
        return reading.read.problems

    def notes(self, reading: OverlapFound) -> tuple[str, ...]:
        """What was not measured."""
        return tuple(f"not measured: {refused}" for refused in not_measured(reading.read.cells))

    def is_altered(self, reading: OverlapFound) -> bool:
        """A launch is not as it was sealed."""
        return reading.read.is_altered

    def facts(self, reading: OverlapFound) -> dict[str, Any]:
        """Every row. Seconds and shares."""
        return facts_of(reading.read)

    def cells(self, reading: OverlapFound) -> tuple[Cell, ...]:
        """Calls alone, and what is left of them behind work."""
        return overlap_cells(reading.read)

    def html(self, reading: OverlapFound, page: Path) -> str:
        """A section for each collective, size and number of ranks."""
        from isobath.view.html import page_html

        return page_html(page_of(reading.read))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI library of the plan."""
        from isobath.kinds.overlap.work import OverlapWork

        return ToDo(OverlapWork.of(OverlapFolder(path), driver))


KIND = Overlap()
