# SPDX-License-Identifier: Apache-2.0
"""Conjugate gradients as a kind of study."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from isobath.kinds.cg import text
from isobath.kinds.cg.measured import Measured, measured_of, read_measured
from isobath.kinds.cg.model import CgFindings
from isobath.records.codec import read_records
from isobath.study.bare import NOTICE
from isobath.study.driver import SILENT, Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf


class Cg(Kind[Measured]):
    """bench cg."""

    views: ClassVar[Mapping[str, View[Measured]]] = {
        "summary": View(
            "times of an iteration, and what they mean", lambda found, _: text.parts(found)
        )
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

    def headline(self, found: Measured) -> Headline:
        """What the largest group says first."""
        words = text.headline_words(found)
        mpi = ", ".join(dict.fromkeys(group.mpi for group in found.groups))
        return Headline(words, mpi=mpi, is_complete=found.launches_done == found.launches)

    def problems(self, found: Measured) -> tuple[str, ...]:
        """Changed launches, failures, wrong norms."""
        return found.problems

    def notes(self, found: Measured) -> tuple[str, ...]:
        """What is not measured."""
        return tuple(f"not measured: {one}" for one in found.not_measured)

    def is_altered(self, found: Measured) -> bool:
        """A launch is not as it was sealed."""
        return found.is_damaged

    def facts(self, found: Measured) -> dict[str, Any]:
        """Groups of rows. Seconds."""
        return text.as_json(found)

    def html(self, found: Measured, page: Path) -> str:
        """A section for each library, mesh and number of ranks."""
        from isobath.kinds.cg.page import page_html

        return page_html(found)

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan, and PETSc where it takes part."""
        from isobath.kinds.cg.work import CgWork

        work = CgWork.of(StudyFolder(path), driver.asked)
        return ToDo(work, tuple(work.left_out))


KIND = Cg()
