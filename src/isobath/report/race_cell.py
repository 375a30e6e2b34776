# SPDX-License-Identifier: Apache-2.0
"""One cell of a race as the report reads it: its settings, its runs, and what they come to.

Rates and ratios are those of race/results.py and race/comparisons.py: page and terminal agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from isobath.race.comparisons import rate_ratio, ratio_by_root
from isobath.race.results import CellResult
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord
from isobath.report.run_data import RunData
from isobath.stats.estimates import Estimate, summary
from isobath.stats.intervals import Interval
from isobath.stats.ratios import Ratio
from isobath.units import EdgesPerSecond


@dataclass(frozen=True)
class CellRun:
    """One run of a cell: its records, and what its ledger says."""

    data: RunData
    link: str = ""
    """where its records lie, relative to the page; empty where the page cannot know"""

    @property
    def records(self) -> RunRecords:
        """All records."""
        return self.data.records


@dataclass(frozen=True)
class RacedCell:
    """Settings that were run once or several times; a cell without runs is still to do."""

    name: str
    factors: Mapping[str, str]
    """the settings that the race varies, by name, as text"""
    settings: Mapping[str, object] = field(default_factory=dict)
    """all settings of its runs that were set"""
    group: str = "matrix"
    step: str = ""
    """step of the ladder, where it belongs to that"""
    step_place: int = 0
    """place of that step"""
    runs: tuple[CellRun, ...] = ()
    audited: bool | None = None
    """every byte is as expected; None where nothing was audited"""

    @cached_property
    def result(self) -> CellResult:
        """All runs together."""
        return CellResult.of_runs([run.records for run in self.runs])

    @property
    def done(self) -> bool:
        """At least one search was completed."""
        return self.result.done

    @property
    def first(self) -> CellRun:
        """The first run; all runs of a cell have the same settings. Only of a cell that is done."""
        return self.runs[0]

    @property
    def plan(self) -> str:
        """The search plan."""
        return self.first.records.run.plan if self.runs else self.factors.get("plan", "")

    @property
    def ranks(self) -> int:
        """Number of MPI processes."""
        return self.result.ranks

    @property
    def nodes(self) -> int:
        """Number of nodes, pretended ones included."""
        return self.result.nodes

    @property
    def node_of_rank(self) -> tuple[int, ...]:
        """The node of every rank; empty where no record says."""
        return self.first.records.run.node_of_rank or ()

    @property
    def grid(self) -> str:
        """Rows by columns."""
        run = self.first.records.run
        return f"{run.grid_rows} \N{MULTIPLICATION SIGN} {run.grid_cols}"

    @property
    def scale(self) -> int:
        """log2 of the number of vertices."""
        return self.first.records.run.scale

    @property
    def oversubscribed(self) -> bool:
        """Its times describe no machine."""
        return self.result.oversubscribed

    @property
    def validated(self) -> bool:
        """Every run passed all rules."""
        return self.result.validated

    @property
    def searches(self) -> tuple[SearchRecord, ...]:
        """The timed searches of all runs."""
        return self.result.searches

    @cached_property
    def levels(self) -> tuple[LevelRecord, ...]:
        """The levels of all timed searches."""
        return tuple(
            level
            for run in self.runs
            for search in run.data.searches
            for level in run.data.levels.get(search.index, ())
        )

    @property
    def teps(self) -> Estimate[EdgesPerSecond] | None:
        """Harmonic mean over all searches; None where one traversed no edge."""
        return self.result.teps

    @property
    def interval(self) -> Interval | None:
        """95 % interval of ``teps``; None for one search."""
        return self.result.teps_interval

    @property
    def mean_seconds(self) -> float:
        """Seconds of a search, mean."""
        return sum(search.seconds for search in self.searches) / len(self.searches)

    @property
    def mean_bytes(self) -> float:
        """Bytes that all ranks send in a search, mean."""
        return sum(search.bytes_sent for search in self.searches) / len(self.searches)

    @property
    def mean_messages(self) -> float:
        """Messages of all ranks in a search, mean."""
        return sum(search.messages for search in self.searches) / len(self.searches)

    @property
    def num_levels(self) -> float:
        """Levels of a search, median; 0 where nothing counted them."""
        counts = [
            len(run.data.levels[search.index])
            for run in self.runs
            for search in run.data.searches
            if search.index in run.data.levels
        ]
        counts = counts or [search.levels for search in self.searches if search.levels]
        return summary(counts).median if counts else 0.0

    @property
    def peak_bytes(self) -> int | None:
        """Peak memory of all ranks, the largest of the runs."""
        return self.result.peak_bytes


def speed_ratio(cell: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times as fast ``cell`` is; None where one of them has no rate."""
    return rate_ratio(cell.result, other.result)


def seconds_ratio(cell: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times the seconds of ``other``; root by root where roots are the same."""
    return _by_root(cell, other, "seconds")


def bytes_ratio(cell: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times the bytes of ``other`` a cell sends; None where one of them sends none."""
    return _by_root(cell, other, "bytes_sent")


def _by_root(cell: RacedCell, other: RacedCell, field_name: str) -> Ratio | None:
    def value(search: SearchRecord) -> float:
        return float(getattr(search, field_name))

    return ratio_by_root(cell.result.by_root(value), other.result.by_root(value))
