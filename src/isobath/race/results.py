# SPDX-License-Identifier: Apache-2.0
"""What the runs of a race come to: one result per cell, read from its records."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from isobath.race.audit_file import AuditRead
from isobath.race.folders import RaceFolder
from isobath.race.plan import RaceCell, RacePlan, run_name
from isobath.records.run_records import RunRecords
from isobath.records.search import SearchRecord
from isobath.stats.estimates import Estimate, harmonic_mean_teps
from isobath.stats.intervals import Interval, estimate_interval
from isobath.store.folders import RunFolder
from isobath.store.launch_reader import doubts_of
from isobath.units import Bytes, EdgesPerSecond, Seconds


@dataclass(frozen=True)
class CellResult:
    """All runs of a cell together; estimates are None where there is nothing to estimate.

    Bytes and messages are per search. Their interval is over the keys: they do not differ between
    repeats.
    """

    runs: tuple[RunRecords, ...] = ()
    folders: tuple[RunFolder, ...] = ()
    """where each of them lies; absent where runs were not read of a race"""
    cell: RaceCell | None = None
    problems: tuple[str, ...] = ()
    """why runs failed, one sentence each"""
    audited: bool | None = None
    """every byte was accounted for; absent without an audit"""

    @classmethod
    def of_runs(cls, runs: Sequence[RunRecords], **others: Any) -> "CellResult":
        """Of runs with the same settings."""
        return cls(runs=tuple(runs), **others)

    @cached_property
    def searches(self) -> tuple[SearchRecord, ...]:
        """The timed searches of all runs, in their order."""
        return tuple(search for run in self.runs for search in run.timed_searches)

    @property
    def done(self) -> bool:
        """At least one search was timed."""
        return bool(self.searches)

    @property
    def ranks(self) -> int:
        """Of each run."""
        return self.runs[0].run.ranks

    @property
    def nodes(self) -> int:
        """Of each run, pretended ones included."""
        run = self.runs[0].run
        return run.nodes or len(run.hosts)

    @property
    def oversubscribed(self) -> bool:
        """Its times describe no machine: they are no result. Its bytes are facts."""
        return any(run.run.oversubscribed for run in self.runs)

    @property
    def validated(self) -> bool:
        """Every search passed all rules."""
        return self.done and all(run.verdict == "validated" for run in self.runs)

    @property
    def violated(self) -> bool:
        """A search broke a rule."""
        return any(run.verdict == "violations" for run in self.runs)

    @cached_property
    def seconds_per_edge(self) -> Mapping[int, float]:
        """By root, mean over runs; empty where a search traversed no edge."""
        if any(search.traversed_edges == 0 for search in self.searches):
            return {}
        return self.by_root(lambda search: search.seconds / search.traversed_edges)

    @cached_property
    def teps(self) -> Estimate[EdgesPerSecond] | None:
        """Harmonic mean over the searches.

        Of several runs each counts once, with its own harmonic mean: launches differ more than
        searches do.
        """
        if not self.seconds_per_edge:
            return None
        runs = [run.timed_searches for run in self.runs if run.timed_searches]
        each = [
            harmonic_mean_teps([s.traversed_edges for s in searches], [s.seconds for s in searches])
            for searches in runs
        ]
        if len(each) == 1:
            return each[0]
        # Rates of as many seconds for one edge: their harmonic mean is that of all searches.
        return harmonic_mean_teps([1] * len(each), [1 / estimate.value for estimate in each])

    @property
    def teps_interval(self) -> Interval | None:
        """95 % interval of ``teps``; None for a single search."""
        return None if self.teps is None else estimate_interval(self.teps)

    @property
    def bytes_per_rank(self) -> Estimate[float] | None:
        """Sent by a rank in a search, mean over ranks."""
        return self.mean_of(lambda search: search.bytes_sent / self.ranks)

    @property
    def received_per_rank(self) -> Estimate[float] | None:
        """Received by a rank in a search, mean over ranks; None where it was not counted."""
        return self.mean_of(lambda search: _per(search.bytes_received, self.ranks))

    @property
    def bytes_per_node(self) -> Estimate[float] | None:
        """Sent by a node in a search, mean over nodes; what stays on the node included."""
        return self.mean_of(lambda search: search.bytes_sent / self.nodes)

    @property
    def received_per_node(self) -> Estimate[float] | None:
        """Received by a node in a search, mean over nodes; None where it was not counted."""
        return self.mean_of(lambda search: _per(search.bytes_received, self.nodes))

    @property
    def off_node_per_node(self) -> Estimate[float] | None:
        """What leaves a node in a search, mean over nodes; None where it was not counted."""
        return self.mean_of(lambda search: _per(search.off_node_bytes, self.nodes))

    @property
    def messages(self) -> Estimate[float] | None:
        """Of all ranks in a search."""
        return self.mean_of(lambda search: float(search.messages))

    @property
    def mpi_share(self) -> float | None:
        """Part of the search that a rank spends in MPI, mean over ranks and searches."""
        inside = whole = 0.0
        for search in self.searches:
            if not search.mpi_seconds_per_rank or not search.seconds_per_rank:
                return None
            inside += sum(search.mpi_seconds_per_rank)
            whole += sum(search.seconds_per_rank)
        return inside / whole if whole else None

    @property
    def construction_seconds(self) -> Seconds | None:
        """Of kernel 1, mean over runs."""
        seconds = [run.construction.seconds for run in self.runs if run.construction]
        return sum(seconds) / len(seconds) if seconds else None

    @property
    def peak_bytes(self) -> Bytes | None:
        """Memory of all ranks at the peak, the largest of the runs."""
        return max((run.finish.peak_bytes for run in self.runs if run.finish), default=None)

    def by_root(self, value: Callable[[SearchRecord], float]) -> Mapping[int, float]:
        """A value of the searches by root, mean over runs."""
        values_by_root: dict[int, list[float]] = defaultdict(list)
        for search in self.searches:
            values_by_root[search.root].append(value(search))
        return {root: sum(several) / len(several) for root, several in values_by_root.items()}

    def mean_of(self, value: Callable[[SearchRecord], float | None]) -> Estimate[float] | None:
        """Mean over the keys with its standard error; None where a search lacks the value."""
        if not self.searches or any(value(search) is None for search in self.searches):
            return None
        values = np.array(list(self.by_root(lambda s: float(value(s) or 0.0)).values()))
        error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else None
        return Estimate(float(values.mean()), len(values), error)


def _per(count: int | None, parts: int) -> float | None:
    """A part of a count that not every run has."""
    return None if count is None else count / parts


@dataclass(frozen=True)
class RaceResults:
    """A race as far as it has come."""

    name: str
    """of the race, as it was given when it began"""
    plan: RacePlan
    cells: tuple[CellResult, ...]
    """in the order of the design"""
    to_do: int = 0
    """runs that are left"""
    altered: tuple[str, ...] = ()
    """runs that are not as they were sealed, a sentence each; the numbers of changed records are
    left out"""
    audit: AuditRead = field(default_factory=AuditRead)
    """what became of every byte"""

    @property
    def matrix(self) -> tuple[CellResult, ...]:
        """The cells of the design proper."""
        return tuple(cell for cell in self.cells if cell.cell and cell.cell.group != "ladder")

    @property
    def ladder(self) -> tuple[CellResult, ...]:
        """The cells of the ladder, in the order of its steps."""
        return tuple(cell for cell in self.cells if cell.cell and cell.cell.group == "ladder")


def read_results(folder: RaceFolder) -> RaceResults:
    """All that the runs of a race have brought so far.

    Raises: EnvironmentProblem where the plan or a record cannot be read.
    """
    plan = folder.plan()
    audit = folder.audit_file.read()
    audited = audit.equal_by_run()
    cells = []
    left, altered = 0, list[str]()
    for cell in plan.cells:
        runs, folders, problems, equal = [], [], [], []
        for repeat in range(1, plan.repeats + 1):
            sealed = folder.sealed_run(cell, repeat)
            if sealed is None:
                left += 1
                continue
            doubts, is_spoiled = doubts_of(sealed)
            altered += doubts
            if is_spoiled:
                continue
            summary = sealed.summary()
            if summary.message:
                problems.append(summary.message)
            if summary.state == "complete" or summary.verdict == "violations":
                runs.append(sealed.records())
                folders.append(sealed)
            is_equal = audited.get(run_name(cell.cell, repeat))
            if is_equal is not None:
                equal.append(is_equal)
        cells.append(
            CellResult.of_runs(
                runs,
                folders=tuple(folders),
                cell=cell,
                problems=tuple(problems),
                audited=all(equal) if equal else None,
            )
        )
    name = folder.header().study_id
    return RaceResults(name, plan, tuple(cells), left, tuple(altered), audit)
