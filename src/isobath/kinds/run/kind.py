# SPDX-License-Identifier: Apache-2.0
"""Runs of the benchmark and searches of a file as kinds of study; their records are alike."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from isobath.errors import EnvironmentProblem
from isobath.kinds.run import text
from isobath.kinds.run.model import RunFindings
from isobath.records.codec import read_records
from isobath.records.run_records import NoRunRecord, RunRecords
from isobath.report.run_data import RunData, doubt_of, read_run
from isobath.report.sections import headline
from isobath.report.wording import printable
from isobath.store.folders import RunFolder
from isobath.study.bare import NOTICE
from isobath.study.kind import Headline, Kind, View, spaced
from isobath.study.tables import TableOf

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


def _log_of(found: RunFound) -> tuple[str, ...]:
    """Where the log lies; nowhere where there is none."""
    log = found.folder.path / "stderr.txt"
    return (f"the log is {log}",) if log.is_file() else ()


class Run(Kind[RunFound]):
    """run, search."""

    lays_files_beside = True
    says_problems = True

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
            reasons = tuple(headline.failure_sentence(one) for one in problem.failures)
            if folder.has_no_record:
                reasons = (folder.words_of_no_record,)
            if not reasons:
                raise
            doubt = NOTICE if is_bare else doubt_of(folder)
            return RunFound(folder, None, reasons, doubt, str(problem))
        return RunFound(folder, data, doubt=data.doubt)

    def headline(self, found: RunFound) -> Headline:
        """The mean rate and whether it may be believed."""
        if found.data is None:
            return Headline(found.reasons[0], is_complete=False)
        first = headline.headline(found.data)
        run = found.data.records.run
        error = f" ± {first.error}" if first.error else ""
        words = f"{first.value}{error} {first.unit}".strip()
        return Headline(
            " ".join((*found.data.labels, words)),
            graph=f"scale {run.scale}",
            mpi=run.mpi.library_version.splitlines()[0],
            is_complete=found.data.records.state == "complete",
        )

    def problems(self, found: RunFound) -> tuple[str, ...]:
        """Why the folder is not as it was sealed."""
        return (found.doubt,) if found.doubt else ()

    def is_altered(self, found: RunFound) -> bool:
        """A file was changed after sealing, or the run was never sealed. Records that an engine
        program wrote by itself never were to be sealed.
        """
        return bool(found.doubt) and found.doubt != NOTICE

    def facts(self, found: RunFound) -> dict[str, Any]:
        """The finish record's statistics, and how the run ended."""
        if found.data is None:
            return {"state": "failed", "reasons": list(found.reasons)}
        return text.facts(found.data)

    def has_page(self, found: RunFound) -> bool:
        """A run that ended before its first record has none."""
        return found.data is not None

    def html(self, found: RunFound, page: Path) -> str:
        """Sections from the headline to the glossary."""
        from isobath.report.page import page_html

        if found.data is None:
            raise EnvironmentProblem("; ".join((found.problem, *_log_of(found))))
        return page_html(found.data)

    def _summary(self, found: RunFound, width: int) -> "Iterator[RenderableType]":
        from rich.text import Text

        if found.data is None:
            for sentence in (*self.problems(found), *found.reasons):
                yield Text(printable(sentence), no_wrap=True, overflow="ignore")
            yield "It ended before its first record, so there is nothing to report.\n"
            for words in _log_of(found):
                yield Text(words.replace("the log is", "log    "), no_wrap=True, overflow="ignore")
            return
        yield from spaced(text.parts(found.data))

    views: ClassVar[Mapping[str, View[RunFound]]] = {}


KIND = Run()
Run.views = {"summary": View("the headline, levels, phases and validation", KIND._summary)}
