# SPDX-License-Identifier: Apache-2.0
"""What a benchmark measured: every cell with its launches, statistics made on reading."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from statistics import median

from isobath.bench.design import FORMS
from isobath.bench.folders import BenchFolder
from isobath.bench.plan import Arm, BenchPlan, Cell, run_name
from isobath.records.collective import COLLECTIVE_NAMES, CollectiveRecord, LaunchRecord
from isobath.stats.dependence import effective_count
from isobath.stats.launches import LaunchMedian, median_of_launches
from isobath.stats.outliers import apart
from isobath.stats.quantiles import Quantiles, quantiles
from isobath.store.launch_reader import LaunchReader
from isobath.study.folder import Header
from isobath.study.read_launches import read_launches
from isobath.units import Bytes, Seconds

DEFAULT_CHOICE = "default"


def seconds_of(record: CollectiveRecord) -> tuple[Seconds, ...]:
    """Time of a call, once for each batch that is timed and valid.

    Of a batch of n calls back to back that is (last exit - first entry) / n over all ranks and
    calls; isolated, a batch is one repetition. What single repetitions of a stream took is nobody's
    time: a rank that runs ahead waits in its next call for those that still are in this one. Where
    ranks were delayed on purpose, the last entry takes the place of the first (``timed_from``).
    """
    return tuple(max(1.0, nanoseconds / calls) / 1e9 for calls, nanoseconds in _counting(record))


def _counting(record: CollectiveRecord) -> Iterator[tuple[int, int]]:
    """Calls and nanoseconds of each batch that counts."""
    entries, exits = record.entry_nanoseconds, record.exit_nanoseconds
    if entries is None or exits is None:
        return
    invalid = set(record.invalid or ())
    earliest_or_latest = max if record.timed_from == "last_entry" else min
    starts = record.batches
    for which, (first, end) in enumerate(itertools.pairwise((*starts, len(entries[0])))):
        if first < (record.warm_up_repetitions or 0) or not invalid.isdisjoint(range(first, end)):
            continue
        if record.slowest_nanoseconds is not None:
            yield end - first, record.slowest_nanoseconds[which]
            continue
        begin = earliest_or_latest(times[first] for times in entries)
        yield end - first, max(max(times[first:end]) for times in exits) - begin


def waits_of(record: CollectiveRecord) -> tuple[tuple[Seconds, ...], ...]:
    """By rank, of each batch that counts: how long it was there before the last rank was.

    That is last entry - own entry of the batch's first call: with delays on purpose what the delay
    of others cost it, otherwise how well ranks began together.
    """
    entries = record.entry_nanoseconds
    if entries is None:
        return ()
    invalid = set(record.invalid or ())
    bounds = itertools.pairwise((*record.batches, len(entries[0])))
    kept = [
        first
        for first, end in bounds
        if first >= (record.warm_up_repetitions or 0) and invalid.isdisjoint(range(first, end))
    ]
    last = {first: max(times[first] for times in entries) for first in kept}
    return tuple(tuple((last[first] - times[first]) / 1e9 for first in kept) for times in entries)


@dataclass(frozen=True)
class MeasuredCell:
    """One cell under one library, over all its launches."""

    cell: Cell
    arm: Arm
    records: tuple[CollectiveRecord, ...]
    """one of each launch that reached it"""
    node_of_rank: tuple[int, ...] = ()
    """where the ranks of its launches were; empty where that is not known"""

    @property
    def first(self) -> CollectiveRecord:
        """Its first record, for what is the same in all."""
        return self.records[0]

    @cached_property
    def launches(self) -> tuple[tuple[Seconds, ...], ...]:
        """Valid times of each launch that has some."""
        by_launch = (seconds_of(record) for record in self.records)
        return tuple(times for times in by_launch if times)

    @cached_property
    def estimate(self) -> LaunchMedian | None:
        """The median over launches; None where nothing was measured."""
        return median_of_launches(self.launches) if self.launches else None

    @cached_property
    def spread(self) -> Quantiles | None:
        """Of all times of all launches."""
        return quantiles([t for times in self.launches for t in times]) if self.launches else None

    @property
    def longest_wait(self) -> Seconds:
        """Of the rank that waited most for the last to come, the median over all batches."""
        ranks = zip(*(waits_of(record) for record in self.records), strict=True)
        waits = (list(itertools.chain.from_iterable(launches)) for launches in ranks)
        return max((median(wait) for wait in waits if wait), default=0.0)

    @property
    def oversubscribed(self) -> bool:
        """Its times say how ranks took turns: they are never shown as a result."""
        return self.first.oversubscribed

    @property
    def is_result(self) -> bool:
        """It has times, they are of this machine, and the data were right."""
        return self.estimate is not None and not self.oversubscribed and not self.data_failure

    @property
    def seconds(self) -> Seconds:
        """The median. Raises: ValueError where nothing was measured."""
        if self.estimate is None:
            raise ValueError(f"{self.cell.words()} has no times")
        return self.estimate.value

    @property
    def bounds(self) -> tuple[Seconds, Seconds]:
        """Of its interval; the range of the times where they are too few for one."""
        interval = self.estimate.interval if self.estimate else None
        if interval is not None:
            return interval.low, interval.high
        times = [t for launch in self.launches for t in launch]
        return min(times), max(times)

    @property
    def launches_disagree(self) -> bool:
        """Few launches whose medians are far apart: its interval is their range."""
        return self.estimate is not None and self.estimate.disagree

    @property
    def sure_bounds(self) -> tuple[Seconds, Seconds]:
        """Bounds to conclude from: those of its interval, or none where launches disagree."""
        return (1e-300, inf) if self.launches_disagree else self.bounds

    @property
    def not_runnable(self) -> str:
        """Why it could not be run; empty where it could."""
        return next((record.not_runnable for record in self.records if record.not_runnable), "")

    @property
    def data_failure(self) -> str:
        """What was wrong with the data in some launch; empty where nothing was."""
        return next((row.data_check_failure for row in self.records if row.data_check_failure), "")

    @property
    def algorithm(self) -> str:
        """What was forced, else what the record knows, else nothing."""
        if self.cell.algorithm is not None:
            return self.cell.algorithm.name
        return self.first.algorithm or ""

    @property
    def choice(self) -> str:
        """The forced algorithm, or "default"."""
        return self.cell.algorithm.name if self.cell.algorithm else DEFAULT_CHOICE

    @property
    def effective_share(self) -> float:
        """Effective by counted repetitions of the launch where it is smallest; 1 is independent."""
        return min((effective_count(times) / len(times) for times in self.launches), default=1.0)

    @property
    def share_invalid(self) -> float:
        """Repetitions that a rank began late."""
        counted = sum(row.repetitions for row in self.records)
        return sum(len(row.invalid or ()) for row in self.records) / counted if counted else 0.0

    @property
    def share_apart(self) -> float:
        """Repetitions outside Tukey's fences of their launch; they are kept."""
        counted = sum(map(len, self.launches))
        return sum(len(apart(times)) for times in self.launches) / counted if counted else 0.0

    @property
    def wire_bytes(self) -> Bytes:
        """Lower bound on the bytes into or out of the busiest rank."""
        return self.first.wire_bytes


@dataclass(frozen=True)
class Curve:
    """One collective with all settings but the size, in ascending order of size."""

    cells: tuple[MeasuredCell, ...]

    @property
    def first(self) -> MeasuredCell:
        """Its smallest size, for what is the same in all."""
        return self.cells[0]

    @property
    def title(self) -> str:
        """In words, without size."""
        words = self.first.cell.words().split(", ")
        return ", ".join((words[0], *words[2:]))

    def at(self, size: Bytes) -> MeasuredCell | None:
        """The cell of a size; None where it was not measured."""
        return next((cell for cell in self.cells if cell.cell.size_bytes == size), None)

    def at_least(self, size: Bytes) -> MeasuredCell | None:
        """The smallest measured size that is not below; its time bounds that of ``size``."""
        return next((cell for cell in self.cells if cell.cell.size_bytes >= size), None)


@dataclass(frozen=True)
class Measured:
    """A benchmark with all that was read of it."""

    header: Header
    """its name, when and how it was asked for"""
    plan: BenchPlan
    cells: tuple[MeasuredCell, ...]
    launch_records: tuple[LaunchRecord, ...]
    problems: tuple[str, ...]
    """one sentence each: launches that failed or could not be read"""
    launches_done: int
    is_altered: bool = False
    """a launch is not as it was sealed"""
    launch_of_arm: Mapping[str, LaunchRecord] = field(default_factory=dict)
    """the first of each arm, by its name: where ranks were"""

    @property
    def is_one_node(self) -> bool:
        """Whether every launch was on one node."""
        return all(row.nodes == 1 for row in self.launch_records)

    @cached_property
    def has_several(self) -> bool:
        """Whether several libraries or transports were measured: each line says of which it is."""
        return len({arm.where for arm in self.plan.arms}) > 1

    def name_of(self, measured_cell: MeasuredCell) -> str:
        """A cell in words, with its library where there are several."""
        return self._whose(measured_cell.cell.words(), measured_cell)

    def title_of(self, curve: Curve) -> str:
        """The same of a curve."""
        return self._whose(curve.title, curve.first)

    def _whose(self, words: str, measured_cell: MeasuredCell) -> str:
        return f"{words}, {measured_cell.arm.where}" if self.has_several else words

    @property
    def results(self) -> tuple[MeasuredCell, ...]:
        """Cells whose times count."""
        return tuple(cell for cell in self.cells if cell.is_result)

    @property
    def curves(self) -> tuple[Curve, ...]:
        """Results by all that is set but the size."""
        by_curve: dict[tuple[str, Cell], list[MeasuredCell]] = {}
        for cell in self.results:
            key = (cell.arm.where, cell.cell.model_copy(update={"size_bytes": 0}))
            by_curve.setdefault(key, []).append(cell)
        return tuple(
            Curve(tuple(sorted(cells, key=lambda cell: cell.cell.size_bytes)))
            for cells in by_curve.values()
        )

    @property
    def default_curves(self) -> tuple[Curve, ...]:
        """Curves of what the library chose itself."""
        return tuple(curve for curve in self.curves if curve.first.cell.algorithm is None)


def read_measured(folder: BenchFolder) -> Measured:
    """Everything a benchmark has so far.

    Raises: EnvironmentProblem where the plan cannot be read.
    """
    plan = folder.plan()
    by_cell: dict[tuple[str, Cell], tuple[Arm, list[CollectiveRecord]]] = {}
    launch_of_arm: dict[str, LaunchRecord] = {}
    launches: list[LaunchRecord] = []
    reader, done = LaunchReader(), 0
    for launch in read_launches(folder, plan.runs(), _folder_of, reader):
        done += 1
        launches += launch.own
        arm, order = launch.arm, plan.order(launch.arm, launch.number)
        if launch.own:
            launch_of_arm.setdefault(arm.arm, launch.own[0])
        for row in launch.rows:
            if isinstance(row, CollectiveRecord):
                cell = _cell_of(row, order)
                if cell is None:
                    sentence = f"one cell of {row.collective} that nobody asked for"
                    reader.problems.append(f"{launch.run_id}: {sentence}")
                else:
                    by_cell.setdefault((arm.where, cell), (arm, []))[1].append(row)
    where = {name: launch.node_of_rank for name, launch in launch_of_arm.items()}
    unsorted = (
        MeasuredCell(cell, arm, tuple(rows), where.get(arm.arm, ()))
        for (_, cell), (arm, rows) in by_cell.items()
    )
    return Measured(
        folder.header(),
        plan,
        in_order(unsorted),
        tuple(launches),
        tuple(reader.problems),
        done,
        reader.is_altered,
        launch_of_arm,
    )


def _folder_of(arm: Arm, number: int) -> str:
    return run_name(arm.arm, number)


def in_order(cells: Iterable[MeasuredCell]) -> tuple[MeasuredCell, ...]:
    """As they are shown, whatever the order in which they were measured."""
    return tuple(sorted(cells, key=_place))


def _place(measured: MeasuredCell) -> tuple[int, int, str, str, int]:
    """Collectives in the order of MPI-2.1, blocking ones first, then by all else and size."""
    cell = measured.cell
    rest = str(cell.model_dump(exclude={"collective", "form", "size_bytes"}))
    name = COLLECTIVE_NAMES.index(measured.first.collective)
    return (name, FORMS.index(measured.first.form), measured.arm.where, rest, cell.size_bytes)


def _cell_of(row: CollectiveRecord, order: Sequence[Cell]) -> Cell | None:
    """The cell that a record is of, by its position; None where it is another collective."""
    if row.order >= len(order):
        return None
    cell = order[row.order]
    return cell if (cell.collective, cell.form) == (row.collective, row.form) else None
