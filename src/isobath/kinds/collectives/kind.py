# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of collectives as a kind of study."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from isobath.bench.bare import measured_of
from isobath.bench.cross_check import cross_checks
from isobath.bench.emit import imb_table, osu_table
from isobath.bench.facts import json_text
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import Measured, read_measured
from isobath.bench.rules import rule_files
from isobath.kinds.collectives import text
from isobath.kinds.collectives.model import CellsFindings, CollectivesFindings
from isobath.records.codec import read_records
from isobath.report.wording import count_of
from isobath.study.bare import NOTICE
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class CollectivesFound:
    """A benchmark with all that was read of it."""

    folder: BenchFolder
    measured: Measured


def rules_text(measured: Measured) -> str:
    """Rule files that mend defaults which lose clearly, one after the other."""
    files = rule_files(measured)
    if not files:
        return "# no default loses clearly against a forced algorithm: there is nothing to rule\n"
    return "\n".join(f"# {one.name}, for {one.mpi}; {one.how}\n{one.text}" for one in files)


TEXTS: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "rules": ("rule files that mend the library's choice", rules_text),
    "imb": ("tables as IMB prints them", imb_table),
    "osu": ("tables as the OSU benchmarks print them", osu_table),
}
"""Views that are files of others, printed as they are."""

TABLES = {
    "summary": "what was found, and a small table",
    "sizes": "every size of every collective",
    "algorithms": "which algorithm ran, and how that is known",
    "regret": "what the library's choice costs against the best",
    "guidelines": "where one collective is slower than others that do its work",
}


def _table_view(name: str) -> View[CollectivesFound]:
    def parts(found: CollectivesFound, width: int) -> "Iterator[RenderableType]":
        yield from text.parts(found.measured, name, found.folder.path)

    return View(TABLES[name], parts)


def _text_view(name: str) -> View[CollectivesFound]:
    words, make = TEXTS[name]
    return View(
        words, lambda found, _: iter([make(found.measured).removesuffix("\n")]), has_places=False
    )


class Collectives(Kind[CollectivesFound]):
    """bench collectives."""

    views: ClassVar[Mapping[str, View[CollectivesFound]]] = {
        **{name: _table_view(name) for name in TABLES},
        **{name: _text_view(name) for name in TEXTS},
    }

    findings: ClassVar[type[CellsFindings]] = CollectivesFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "cells": TableOf("every cell with all settings, times, rates, algorithm", "cells"),
        "regret": TableOf("the library's choice and the best forced algorithm", "regret"),
        "guidelines": TableOf("every check of one collective against others", "guidelines"),
        "cross-check": TableOf("cells beside the Intel MPI Benchmarks", "cross_check"),
    }

    def read(self, path: Path) -> CollectivesFound:
        """All launches that are as they were sealed; of a file of records what it has."""
        folder = BenchFolder(path)
        if path.is_file():
            rows = read_records(path, drop_torn_line=True)
            return CollectivesFound(folder, measured_of(rows, NOTICE))
        return CollectivesFound(folder, read_measured(folder))

    def headline(self, found: CollectivesFound) -> Headline:
        """How many cells, and what is wrong with them."""
        measured = found.measured
        words = count_of(len(measured.results), "cell")
        wrong = sum(bool(one.data_failure) for one in measured.cells)
        if wrong:
            words = f"WRONG DATA in {count_of(wrong, 'cell')}; {words}"
        total = len(measured.spec.arms) * measured.spec.launches
        return Headline(
            words,
            mpi=", ".join(dict.fromkeys(arm.mpi for arm in measured.spec.arms)),
            is_complete=measured.launches_done == total,
        )

    def problems(self, found: CollectivesFound) -> tuple[str, ...]:
        """Changed launches, failures."""
        return found.measured.problems

    def is_altered(self, found: CollectivesFound) -> bool:
        """A launch is not as it was sealed."""
        return found.measured.is_altered

    def facts(self, found: CollectivesFound) -> dict[str, Any]:
        """Every cell: settings, times, rates, algorithm and how it is known."""
        checks = cross_checks(found.measured, found.folder.path)
        told: dict[str, Any] = json.loads(json_text(found.measured, checks))
        return told | text.consequences(found.measured)

    def html(self, found: CollectivesFound, page: Path) -> str:
        """Findings, curves, distributions, rules."""
        from isobath.report.bench_data import BenchData
        from isobath.report.bench_page import bench_page_html

        return bench_page_html(BenchData(found.measured, found.folder.path))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan."""
        from isobath.kinds.collectives.work import CollectivesWork

        return ToDo(CollectivesWork(BenchFolder(path), driver))


KIND = Collectives()
