# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of collectives as a kind of study."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.bench.bare import measured_of
from isobath.bench.cross_check import cross_checks
from isobath.bench.emit import imb_table, osu_table
from isobath.bench.facts import json_text
from isobath.bench.folders import BenchFolder
from isobath.bench.measured import Measured, read_measured
from isobath.bench.rules import rule_files
from isobath.comparison.measured import Cell
from isobath.kinds.collectives.cells import collective_cells
from isobath.kinds.collectives.facts import consequences
from isobath.kinds.collectives.model import CellsFindings, CollectivesFindings
from isobath.kinds.section_views import section_view
from isobath.records.codec import read_records
from isobath.report.bench_data import BenchData, notices_of
from isobath.report.bench_sections import (
    algorithms,
    cross_check,
    curves,
    distributions,
    findings,
    headline,
    method,
    nodes,
    placement,
    ranks,
    regret,
    throughput,
    transports,
)
from isobath.report.wording import count_of
from isobath.study.bare import NOTICE
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, Kind, ToDo, View
from isobath.study.tables import TableOf
from isobath.view.content import Section


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
    return "\n".join(f"# {file.name}, for {file.mpi}; {file.how}\n{file.text}" for file in files)


TEXTS: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "rules": ("rule files that mend the library's choice", rules_text),
    "imb": ("tables as IMB prints them", imb_table),
    "osu": ("tables as the OSU benchmarks print them", osu_table),
}
"""Views that are files of others, printed as they are."""


def bench_of(reading: Any) -> BenchData:
    """What sections read."""
    return BenchData(reading.measured, reading.folder.path)


def said_first(reading: Any) -> tuple[str, ...]:
    """What must be known before any number is read."""
    return notices_of(reading.measured)


def _summary(reading: Any) -> Iterator[Section]:
    bench = bench_of(reading)
    yield from (headline.render(bench), curves.overview(bench), findings.render(bench))
    if bench.cross_checks:
        yield cross_check.render(bench)


def _view(words: str, *forms: Callable[[BenchData], Section]) -> View[Any]:
    def sections(reading: Any) -> Iterator[Section]:
        bench = bench_of(reading)
        yield from (form(bench) for form in forms)

    return section_view(words, sections, notices=said_first, whole=True)


SECTIONS = {
    "summary": section_view("what was found, and a small table", _summary, notices=said_first),
    "sizes": _view("every size of every collective", curves.render, curves.forced),
    "nodes": _view(
        "rates of nodes against their number; times within and between nodes", nodes.render
    ),
    "transports": _view("one collective on every transport", transports.render),
    "throughput": _view("size times nodes by time, as the K computer report", throughput.render),
    "placement": _view("where ranks were asked to be, and where they were", placement.render),
    "ranks": _view("what becomes of an all-to-all's rate with more ranks", ranks.render),
    "algorithms": _view("which algorithm ran, and how that is known", algorithms.render),
    "regret": _view("what the library's choice costs against the best", regret.render),
    "guidelines": _view(
        "where one collective is slower than others that do its work", findings.guidelines
    ),
    "distributions": _view("how repetitions are distributed", distributions.render),
    "cross-check": _view("our times beside those of IMB", cross_check.render),
    "method": _view("how it was measured, and what words mean", method.render),
}


def _text_view(name: str) -> View[CollectivesFound]:
    words, make = TEXTS[name]
    return View(
        words,
        lambda reading, _: iter([make(reading.measured).removesuffix("\n")]),
        has_places=False,
    )


class Collectives(Kind[CollectivesFound]):
    """bench collectives."""

    views: ClassVar[Mapping[str, View[CollectivesFound]]] = {
        **SECTIONS,
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

    def headline(self, reading: CollectivesFound) -> Headline:
        """How many cells, and what is wrong with them."""
        measured = reading.measured
        words = count_of(len(measured.results), "cell")
        wrong = sum(bool(cell.data_failure) for cell in measured.cells)
        if wrong:
            words = f"WRONG DATA in {count_of(wrong, 'cell')}; {words}"
        total = len(measured.plan.arms) * measured.plan.launches
        return Headline(
            words,
            mpi=", ".join(dict.fromkeys(arm.mpi for arm in measured.plan.arms)),
            is_complete=measured.launches_done == total,
        )

    def problems(self, reading: CollectivesFound) -> tuple[str, ...]:
        """Changed launches, failures."""
        return reading.measured.problems

    def is_altered(self, reading: CollectivesFound) -> bool:
        """A launch is not as it was sealed."""
        return reading.measured.is_altered

    def facts(self, reading: CollectivesFound) -> dict[str, Any]:
        """Every cell: settings, times, rates, algorithm and how it is known."""
        checks = cross_checks(reading.measured, reading.folder.path)
        told: dict[str, Any] = json.loads(json_text(reading.measured, checks))
        return told | consequences(reading.measured)

    def cells(self, reading: CollectivesFound) -> tuple[Cell, ...]:
        """Every collective at every size."""
        return collective_cells(reading.measured)

    def html(self, reading: CollectivesFound, page: Path) -> str:
        """Findings, curves, distributions, rules."""
        from isobath.report.bench_page import bench_page_html

        return bench_page_html(bench_of(reading))

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan."""
        from isobath.kinds.collectives.work import CollectivesWork

        return ToDo(CollectivesWork(BenchFolder(path), driver))


KIND = Collectives()
