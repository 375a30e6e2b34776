# SPDX-License-Identifier: Apache-2.0
"""One cell of a race as the report reads it: its settings, its runs, and what they come to.

Rates and ratios are those of race/results.py and race/comparisons.py: page and terminal agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from isobath.race.comparisons import rate_ratio
from isobath.race.results import CellResult
from isobath.records.run_records import RunRecords
from isobath.records.search import LevelRecord, SearchRecord
from isobath.report.run_data import RunData
from isobath.stats.estimates import Estimate, summary
from isobath.stats.intervals import Interval, estimate_interval
from isobath.stats.ratios import ratio_of_means
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


@dataclass(frozen=True)
class Ratio:
    """How many times one cell's value another's is, with its 95 % interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def is_clear(self) -> bool:
        """The interval does not hold 1: they differ."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high


def _ratio(value: float, interval: Interval | None) -> Ratio:
    if interval is None:
        return Ratio(value)
    return Ratio(value, max(0.0, interval.low), interval.high)


def speed_ratio(one: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times as fast ``one`` is; None where one of them has no rate."""
    found = rate_ratio(one.result, other.result)
    return None if found is None else _ratio(found.value, found.interval)


def seconds_ratio(one: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times the seconds of ``other`` one needs; root by root where roots are the same."""
    return _by_root(one, other, "seconds")


def bytes_ratio(one: RacedCell, other: RacedCell) -> Ratio | None:
    """How many times the bytes of ``other`` one sends; None where one of them sends none."""
    return _by_root(one, other, "bytes_sent")


def _by_root(one: RacedCell, other: RacedCell, field_name: str) -> Ratio | None:
    own = one.result.by_root(lambda search: float(getattr(search, field_name)))
    base = other.result.by_root(lambda search: float(getattr(search, field_name)))
    if not own or not base or min(*own.values(), *base.values()) <= 0:
        return None
    paired = own.keys() == base.keys()
    roots = sorted(own) if paired else list(base)
    found = ratio_of_means(
        [own[root] for root in sorted(own)], [base[root] for root in roots], paired=paired
    )
    return _ratio(found.value, estimate_interval(found))
