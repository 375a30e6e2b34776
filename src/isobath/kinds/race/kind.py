# SPDX-License-Identifier: Apache-2.0
"""A race as a kind of study."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.kinds.race import text
from isobath.kinds.race.model import RaceFindings
from isobath.race.folders import RaceFolder
from isobath.race.results import RaceResults, read_results
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View, spaced
from isobath.study.tables import TableOf


@dataclass(frozen=True)
class RaceFound:
    """A race with all that was read of it."""

    folder: RaceFolder
    results: RaceResults


class Race(Kind[RaceFound]):
    """race."""

    views: ClassVar[Mapping[str, View[RaceFound]]] = {
        "summary": View("all cells, and what each factor changes",
                        lambda found, _: spaced(text.parts(found.results))),
    }  # fmt: skip

    findings = RaceFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "cells": TableOf("every cell with its factors", "cells")
    }

    def read(self, path: Path) -> RaceFound:
        """All runs that are as they were sealed."""
        folder = RaceFolder(path)
        return RaceFound(folder, read_results(folder))

    def headline(self, found: RaceFound) -> Headline:
        """The fastest cell."""
        spec = found.results.spec
        scales = sorted({str(cell.settings["scale"]) for cell in spec.cells}, key=int)
        return Headline(
            text.fastest_words(found.results),
            graph=f"scale {', '.join(scales)}",
            mpi=", ".join(map(str, spec.factors.get("mpi", ()))) or str(spec.base.get("mpi", "")),
            is_complete=not found.results.to_do,
        )

    def problems(self, found: RaceFound) -> tuple[str, ...]:
        """Runs that are not as they were sealed."""
        return found.results.altered

    def is_altered(self, found: RaceFound) -> bool:
        """A run is not as it was sealed."""
        return bool(found.results.altered)

    def facts(self, found: RaceFound) -> dict[str, Any]:
        """Rates, bytes and audit of every cell."""
        return text.facts(found.results)

    def html(self, found: RaceFound, page: Path) -> str:
        """Links lead to the files in the race folder."""
        from isobath.report.race_page import race_page_html
        from isobath.report.race_reading import race_data_of

        return race_page_html(race_data_of(found.folder, found.results, page))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of its cells."""
        from isobath.kinds.race.work import RaceWork

        return ToDo(RaceWork.of(RaceFolder(path), driver))


KIND = Race()
