# SPDX-License-Identifier: Apache-2.0
"""Runs of the benchmark and searches of a file as kinds of study; their records are alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from isobath.comparison.measured import Cell
from isobath.errors import EnvironmentProblem
from isobath.kinds.run.cells import cells_of
from isobath.kinds.run.facts import facts_of
from isobath.kinds.run.model import RunFindings
from isobath.kinds.run.parts import parts_of
from isobath.kinds.run.sections import summary, whole_page
from isobath.kinds.section_views import section_view
from isobath.records.codec import read_records
from isobath.records.run_records import NoRunRecord, RunRecords
from isobath.report.run_data import RunData, doubt_of, read_run
from isobath.report.sections import headline
from isobath.report.wording import printable
from isobath.store.folders import RunFolder
from isobath.store.launch_reader import doubts_of
from isobath.study.bare import NOTICE
from isobath.study.kind import Headline, Kind, View
from isobath.study.tables import TableOf
from isobath.view.content import Section

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class RunFound:
    """A run with all that was read of it."""

    folder: RunFolder
    data: RunData | None
    """None where it ended before its first record"""
    reasons: tuple[str, ...] = ()
    """why it has none"""
    doubt: str = ""
    """why the folder is not as it was sealed"""
    problem: str = ""
    """the same as reasons, as whoever wants the records is told"""


def _bare(path: Path) -> RunData:
    """Records that an engine program wrote by itself."""
    rows = read_records(path, drop_torn_line=True)
    return RunData(RunRecords.of(rows), {}, {}, None, NOTICE)


def _log_of(reading: RunFound) -> tuple[str, ...]:
    """Where the log lies; nowhere where there is none."""
    log = reading.folder.path / "stderr.txt"
    return (f"the log is {log}",) if log.is_file() else ()


def _parts_without_record(reading: RunFound) -> "Iterator[RenderableType]":
    """Why there is none, and where the log lies; paths and reasons are not broken."""
    from rich.text import Text

    for sentence in ((reading.doubt,) if reading.doubt else ()) + reading.reasons:
        yield Text(printable(sentence), no_wrap=True, overflow="ignore")
    yield "It ended before its first record, so there is nothing to report.\n"
    for words in _log_of(reading):
        yield Text(words.replace("the log is", "log    "), no_wrap=True, overflow="ignore")


def _view(words: str, form: Callable[[RunData], Iterator[Section]]) -> View[RunFound]:
    of_data = section_view(words, form, notices=headline.doubts, labels=_labels, whole=True)

    def parts(reading: RunFound, width: int) -> "Iterable[RenderableType]":
        if reading.data is None:
            return _parts_without_record(reading)
        return of_data.parts(reading.data, width)

    return View(words, parts)


def _labels(data: RunData) -> tuple[str, ...]:
    return data.labels


class Run(Kind[RunFound]):
    """run, search."""

    lays_files_beside = True
    says_problems = True

    views: ClassVar[Mapping[str, View[RunFound]]] = {
        "summary": _view("the headline, levels, phases and validation", summary),
        "all": _view("every section of the page, with all numbers", whole_page),
    }

    findings = RunFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "searches": TableOf("every search: root, time, rate", "searches"),
        "levels": TableOf("the levels of the typical search", "levels"),
        "phases": TableOf(
            "mean time of each phase of a search", "phase_seconds", pair=("phase", "seconds")
        ),
        "construction": TableOf(
            "time of each phase of construction",
            "construction_phase_seconds",
            pair=("phase", "seconds"),
        ),
    }

    def read(self, path: Path) -> RunFound:
        """Raises: EnvironmentProblem where the records are not those that were sealed."""
        folder = RunFolder(path)
        is_bare = path.is_file()
        try:
            data = _bare(path) if is_bare else read_run(path)
        except NoRunRecord as problem:
            reasons = tuple(map(headline.failure_sentence, problem.failures))
            if folder.has_no_record:
                reasons = (folder.words_of_no_record,)
            if not reasons:
                raise
            doubt = NOTICE if is_bare else doubt_of(folder)
            return RunFound(folder, None, reasons, doubt, str(problem))
        return RunFound(folder, data, doubt=data.doubt)

    def headline(self, reading: RunFound) -> Headline:
        """The mean rate and whether it may be believed."""
        if reading.data is None:
            return Headline(reading.reasons[0], is_complete=False)
        first = headline.headline(reading.data)
        run = reading.data.records.run
        error = f" ± {first.error}" if first.error else ""
        words = f"{first.value}{error} {first.unit}".strip()
        return Headline(
            " ".join((*reading.data.labels, words)),
            graph=f"scale {run.scale}",
            mpi=run.mpi.library_version.splitlines()[0],
            is_complete=reading.data.records.state == "complete",
        )

    def problems(self, reading: RunFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (reading.doubt,) if reading.doubt else ()

    def is_altered(self, reading: RunFound) -> bool:
        """A file was changed after sealing, or the run was never sealed. Records that an engine
        program wrote by itself never were to be sealed.
        """
        return bool(reading.doubt) and reading.doubt != NOTICE

    def facts(self, reading: RunFound) -> dict[str, Any]:
        """The finish record's statistics, and how the run ended."""
        if reading.data is None:
            return {"state": "failed", "reasons": list(reading.reasons)}
        return facts_of(reading.data)

    def cells(self, reading: RunFound) -> tuple[Cell, ...]:
        """Its searches and its construction; none of a run that was never sealed."""
        if reading.data is None or not reading.folder.is_sealed or doubts_of(reading.folder)[1]:
            return ()
        return tuple(cells_of(reading.data.records, reading.folder))

    def parts(self, reading: RunFound) -> tuple[Cell, ...]:
        """Calls by level and phase of its searches; where it has cells."""
        if reading.data is None or not self.cells(reading):
            return ()
        return parts_of(reading.data.records, reading.folder)

    def has_page(self, reading: RunFound) -> bool:
        """A run that ended before its first record has none."""
        return reading.data is not None

    def html(self, reading: RunFound, page: Path) -> str:
        """Sections from the headline to the glossary."""
        from isobath.report.page import page_html

        if reading.data is None:
            raise EnvironmentProblem("; ".join((reading.problem, *_log_of(reading))))
        return page_html(reading.data)


KIND = Run()
