# SPDX-License-Identifier: Apache-2.0
"""A race as a kind of study."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.kinds.race.cells import race_cells, race_parts
from isobath.kinds.race.facts import facts_of, fastest_words
from isobath.kinds.race.model import RaceFindings
from isobath.kinds.section_views import section_view
from isobath.race.folders import RaceFolder
from isobath.race.results import RaceResults, read_results
from isobath.report.race_data import RaceData
from isobath.report.race_page import SECTIONS, race_page_html
from isobath.report.race_reading import race_data_of
from isobath.report.race_sections import (
    audit,
    bytes_by_nodes,
    calls,
    environment,
    headline,
    ladder,
    levels,
    method,
    results,
    speed,
    traffic,
)
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf
from isobath.view.content import Section


@dataclass(frozen=True)
class RaceFound:
    """A race with all that was read of it."""

    folder: RaceFolder
    results: RaceResults

    @cached_property
    def data(self) -> RaceData:
        """What sections read; a terminal follows no links."""
        return race_data_of(self.folder, self.results, self.folder.path / "report.html")


def _doubts(reading: RaceFound) -> tuple[str, ...]:
    """Runs that are not as they were sealed are said beside every view."""
    return tuple(
        doubt for doubt in headline.doubts(reading.data) if doubt not in reading.results.altered
    )


def _labels(reading: RaceFound) -> tuple[str, ...]:
    return reading.data.labels


def _view(words: str, *modules: ModuleType, whole: bool = True) -> View[RaceFound]:
    def sections(reading: RaceFound) -> Iterator[Section]:
        yield from (module.render(reading.data) for module in modules)

    return section_view(words, sections, notices=_doubts, labels=_labels, whole=whole)


def _summary(reading: RaceFound) -> Iterator[Section]:
    yield headline.render(reading.data)
    if reading.data.done:
        yield results.render(reading.data)
    if reading.data.ladder:
        yield ladder.render(reading.data)


class Race(Kind[RaceFound]):
    """race."""

    views: ClassVar[Mapping[str, View[RaceFound]]] = {
        "summary": section_view(
            "all cells, and what each factor changes", _summary, notices=_doubts, labels=_labels
        ),
        "speed": _view("rates against the number of ranks", speed),
        "bytes": _view("bytes per node, measured and by formula", bytes_by_nodes),
        "calls": _view("MPI calls and message sizes", calls),
        "levels": _view("levels of a search, and waiting", levels),
        "traffic": _view("who sends to whom", traffic),
        "ladder": _view("from two-dim to hybrid, step by step", ladder),
        "audit": _view("every byte against what was expected", audit),
        "method": _view("how it was raced", method, environment),
        "all": _view("every section of the page, with all numbers", *SECTIONS),
    }

    findings = RaceFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "cells": TableOf("every cell with its factors", "cells")
    }

    def read(self, path: Path) -> RaceFound:
        """All runs that are as they were sealed."""
        folder = RaceFolder(path)
        return RaceFound(folder, read_results(folder))

    def headline(self, reading: RaceFound) -> Headline:
        """The fastest cell."""
        plan = reading.results.plan
        scales = sorted({str(cell.settings["scale"]) for cell in plan.cells}, key=int)
        return Headline(
            fastest_words(reading.results),
            graph=f"scale {', '.join(scales)}",
            mpi=", ".join(map(str, plan.factors.get("mpi", ()))) or str(plan.base.get("mpi", "")),
            is_complete=not reading.results.to_do,
        )

    def problems(self, reading: RaceFound) -> tuple[str, ...]:
        """Runs that are not as they were sealed."""
        return reading.results.altered

    def is_altered(self, reading: RaceFound) -> bool:
        """A run is not as it was sealed."""
        return bool(reading.results.altered)

    def facts(self, reading: RaceFound) -> dict[str, Any]:
        """Rates, bytes and audit of every cell."""
        return facts_of(reading.results)

    def cells(self, reading: RaceFound) -> tuple[Cell, ...]:
        """Searches and construction of every cell."""
        return race_cells(reading.results)

    def parts(self, reading: RaceFound) -> tuple[Cell, ...]:
        """Calls by level and phase."""
        return race_parts(reading.results)

    def html(self, reading: RaceFound, page: Path) -> str:
        """Links lead to the files in the race folder."""
        return race_page_html(race_data_of(reading.folder, reading.results, page))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of its cells."""
        from isobath.kinds.race.work import RaceWork

        return ToDo(RaceWork.of(RaceFolder(path), driver))


KIND = Race()
