# SPDX-License-Identifier: Apache-2.0
"""The second figure of an official run: the same keys in the plainest reading of the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.errors import EnvironmentProblem
from isobath.records.codec import read_records
from isobath.records.run_records import NoRunRecord, RunRecords
from isobath.records.search import SearchRecord
from isobath.report.wording import count_of
from isobath.stats.estimates import Estimate, harmonic_mean_teps
from isobath.stats.ratios import Ratio, bounded, ratio_of_means
from isobath.store.folders import PLAINEST, RunFolder
from isobath.store.run_summary import RunSummary
from isobath.units import EdgesPerSecond, Seconds, format_seconds, format_teps

LABEL = "plainest reading"
SWITCHES = "--relabel off --leaves in --likely-parents off --hubs off"


@dataclass(frozen=True)
class PlainestFigure:
    """What came of it."""

    teps: Estimate[EdgesPerSecond]
    ratio: Ratio
    """official rate to this one, of the same keys"""
    searches: int
    construction_seconds: Seconds
    official_construction_seconds: Seconds


@dataclass(frozen=True)
class Plainest:
    """The second launch: its figure, or why there is none."""

    figure: PlainestFigure | None
    problem: str = ""

    @property
    def sentence(self) -> str:
        """The figure beside the official one."""
        if self.figure is None:
            return f"{LABEL}: no figure, because {self.problem}; the official figure stands."
        figure = self.figure
        within = ""
        if figure.ratio.low is not None and figure.ratio.high is not None:
            within = f" (95 % interval over keys {figure.ratio.low:.2f} to {figure.ratio.high:.2f})"
        return (
            f"{LABEL}: {format_teps(figure.teps.value)} harmonic mean over the same "
            f"{count_of(figure.searches, 'key')}, all validated; the official figure is "
            f"{figure.ratio.value:.2f} times as high{within}. It was constructed anew, with "
            f"{SWITCHES}, in {format_seconds(figure.construction_seconds)} instead of "
            f"{format_seconds(figure.official_construction_seconds)}."
        )


def read_plainest(
    folder: RunFolder, official: RunRecords, summary: RunSummary | None
) -> Plainest | None:
    """What there is of it; None where nobody asked."""
    path = folder.path / PLAINEST
    if not path.is_file():
        asked = summary.settings.get("plainest") if summary is not None else None
        if asked is None or asked.value is not True:
            return None
        return Plainest(None, "the official run did not come to its end")
    try:
        records = RunRecords.of(read_records(path, drop_torn_line=True))
    except NoRunRecord as problem:
        reasons = [failure.message for failure in problem.failures]
        return Plainest(None, reasons[0] if reasons else "it ended before its first record")
    except EnvironmentProblem as problem:
        return Plainest(None, str(problem))
    problem_of_it = _problem(records, official)
    return Plainest(None, problem_of_it) if problem_of_it else Plainest(_figure(records, official))


def _problem(plain: RunRecords, official: RunRecords) -> str:
    """Why the two cannot be compared, in words that go on after because; empty where they can."""
    if plain.verdict == "violations":
        return "it broke a rule of validation"
    if plain.state != "complete":
        if plain.failures:
            return plain.failures[0].message
        return f"it was interrupted after {count_of(len(_searches(plain)), 'search', 'searches')}"
    if plain.verdict != "validated":
        return "it was not validated"
    if official.verdict != "validated" or official.state != "complete":
        return "the official run has none to compare with"
    if [search.root for search in _searches(plain)] != [
        search.root for search in _searches(official)
    ]:
        return "it searched other keys"
    if not all(search.traversed_edges for search in (*_searches(plain), *_searches(official))):
        return "a search traversed no edge"
    return ""


def _searches(records: RunRecords) -> Sequence[SearchRecord]:
    return sorted(records.timed_searches_of("bfs"), key=lambda search: search.index)


def _seconds_per_edge(searches: Sequence[SearchRecord]) -> list[float]:
    return [search.seconds / search.traversed_edges for search in searches]


def _figure(plain: RunRecords, official: RunRecords) -> PlainestFigure:
    ours, theirs = _searches(plain), _searches(official)
    built, built_first = plain.construction_of("bfs"), official.construction_of("bfs")
    assert built is not None, "of a complete run"
    assert built_first is not None, "of a complete run"
    ratio = ratio_of_means(_seconds_per_edge(ours), _seconds_per_edge(theirs), paired=True)
    return PlainestFigure(
        teps=harmonic_mean_teps(
            [search.traversed_edges for search in ours], [search.seconds for search in ours]
        ),
        ratio=bounded(ratio),
        searches=len(ours),
        construction_seconds=built.seconds,
        official_construction_seconds=built_first.seconds,
    )
