# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of overlap as a kind of study."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.kinds.overlap import text
from isobath.kinds.overlap.model import OverlapFindings
from isobath.overlap.bare import overlap_of
from isobath.overlap.folders import OverlapFolder, OverlapRead, read_overlap
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


class Overlap(Kind[OverlapFound]):
    """bench overlap."""

    views: ClassVar[Mapping[str, View[OverlapFound]]] = {
        "summary": View(
            "times and shares by way to make progress", lambda found, _: text.parts(found.read)
        )
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

    def headline(self, found: OverlapFound) -> Headline:
        """What the first group says."""
        planned = sum(1 for _ in found.read.plan.runs())
        return Headline(
            text.headline_words(found.read),
            mpi=found.read.plan.mpi,
            is_complete=found.read.launches_done == planned,
        )

    def problems(self, found: OverlapFound) -> tuple[str, ...]:
        """Changed launches, failures."""
        return found.read.problems

    def notes(self, found: OverlapFound) -> tuple[str, ...]:
        """What was not measured."""
        return tuple(f"not measured: {one}" for one in text.not_measured_of(found.read))

    def is_altered(self, found: OverlapFound) -> bool:
        """A launch is not as it was sealed."""
        return found.read.is_altered

    def facts(self, found: OverlapFound) -> dict[str, Any]:
        """Every row. Seconds and shares."""
        return text.as_json(found.read)

    def html(self, found: OverlapFound, page: Path) -> str:
        """A section for each collective, size and number of ranks."""
        from isobath.report.overlap_page import overlap_page_html

        read = found.read
        return overlap_page_html(
            read.records, read.name, launches=read.plan.launches, problems=read.problems
        )

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI library of the plan."""
        from isobath.kinds.overlap.work import OverlapWork

        return ToDo(OverlapWork.of(OverlapFolder(path), driver))


KIND = Overlap()
