# SPDX-License-Identifier: Apache-2.0
"""From records of conjugate gradients to what they say: a row for each cell, over its launches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, median
from typing import Literal

from isobath.kinds.cg.shares import Share, region_of
from isobath.records.krylov import KrylovParts, KrylovRecord
from isobath.stats.intervals import Interval
from isobath.stats.launches import LaunchMedian, median_of_launches
from isobath.stats.ratios import Ratio
from isobath.study.labels import LEAST_LAUNCHES

METHODS = ("cg", "single", "gropp", "pipelined")
PROGRESS = ("blocking", "library", "tests", "thread", "spare_thread", "library_thread", "offload")

REDUCTIONS = ("reduction", "reduction_start", "reduction_test", "reduction_wait")
WORK = ("product", "preconditioner", "dots", "updates")

"""Two launches give an interval that says nothing: a factor of some thousands."""

LEAST_NORM, TOLERANCE = 1e-7, 1e-6
"""Norms may differ by so much, relatively, as long as they are that share of the first."""


Flaw = Literal["not checked", "wrong norms"]
"""Of PETSc's norms: ours has none to hold them against, or they are others."""


@dataclass(frozen=True)
class Row:
    """One method under one way to make progress: a record of each launch."""

    mpi: str
    records: tuple[KrylovRecord, ...]
    shares: tuple[Share, ...] = ()
    """of MPI calls under the profiler, in a launch of their own; empty where there was none"""
    flaw: Flaw | None = None
    """what is the matter with the norms"""

    @property
    def first(self) -> KrylovRecord:
        """All records agree in what was asked for."""
        return self.records[0]

    @property
    def is_result(self) -> bool:
        """Times count: there were processors for all ranks and threads, and norms were right."""
        return self.remark is None

    @property
    def remark(self) -> Literal["oversubscribed"] | Flaw | None:
        """Why times do not count."""
        return "oversubscribed" if self.first.oversubscribed else self.flaw

    @property
    def progress(self) -> str:
        """In words that fit a column: ``tests 4``."""
        name = self.first.progress.replace("_", " ")
        return f"{name} {self.first.tests}" if self.first.progress == "tests" else name

    @property
    def name(self) -> str:
        """Method and progress."""
        return f"{self.first.method}, {self.progress}"

    @cached_property
    def iteration(self) -> LaunchMedian:
        """Seconds of an iteration, from the first rank's start to the last one's end."""
        return median_of_launches([seconds_of(record) for record in self.records])

    @property
    def interval(self) -> Interval | None:
        """Of the time of an iteration, for launches to come; None where there are too few."""
        iteration = self.iteration
        return iteration.interval if iteration.launches >= LEAST_LAUNCHES else None

    @property
    def reduction_seconds(self) -> float | None:
        """Of an iteration, in sums over ranks, mean of ranks; None where it is not known."""
        return self.part_seconds(REDUCTIONS)

    @property
    def work_seconds(self) -> float | None:
        """The same on vectors: products, preconditioner, inner products, sums."""
        return self.part_seconds(WORK)

    def part_seconds(self, names: Sequence[str]) -> float | None:
        """Median over launches of the medians over repetitions of the means over ranks."""
        medians = [_part_seconds(record, names) for record in self.records]
        known = [seconds for seconds in medians if seconds is not None]
        return median(known) if known else None

    def against(self, base: "Row") -> Ratio:
        """How many times faster than another row; bounds are those of both intervals, so they are
        cautious.
        """
        value = base.iteration.value / self.iteration.value
        mine, theirs = self.interval, base.interval
        if mine is None or theirs is None:
            return Ratio(value, None, None)
        return Ratio(value, theirs.low / mine.high, theirs.high / mine.low)


def kept_repetitions(record: KrylovRecord) -> list[int]:
    """Those that all ranks began in time; all where there is none."""
    if record.solve is None:
        raise ValueError("a record without times has no row")
    count = len(record.solve.together_nanoseconds)
    late = set(record.invalid or ())
    return [i for i in range(count) if i not in late] or list(range(count))


def seconds_of(record: KrylovRecord) -> list[float]:
    """Of an iteration, by repetition."""
    if record.solve is None:
        return []
    times = record.solve.together_nanoseconds
    return [times[i] * 1e-9 / record.iterations for i in kept_repetitions(record)]


def _part_seconds(record: KrylovRecord, names: Sequence[str]) -> float | None:
    parts: KrylovParts | None = record.parts
    if parts is None:
        return None
    sums = []
    for i in kept_repetitions(record):
        ranks = range(record.ranks)
        sums.append(fmean(sum(getattr(parts, name)[rank][i] for name in names) for rank in ranks))
    return median(sums) * 1e-9 / record.iterations


@dataclass(frozen=True)
class Group:
    """All rows of one library, number of ranks and mesh: what may be compared."""

    mpi: str
    ranks: int
    elements: int
    rows: tuple[Row, ...]

    def row(self, method: str, progress: str) -> Row | None:
        """The row of a result, if there is one."""
        return next(
            (
                row
                for row in self.rows
                if (row.first.method, row.first.progress) == (method, progress) and row.is_result
            ),
            None,
        )

    def with_shares(self, by_region: dict[str, tuple[Share, ...]]) -> "Group":
        """The same with what a profile said."""
        rows = (replace(row, shares=by_region.get(region_of(row.first), ())) for row in self.rows)
        return replace(self, rows=tuple(rows))

    def held_against(self, own: Mapping[int, Sequence[float]]) -> "Group":
        """The same with what is the matter with PETSc's norms, beside ours by elements."""
        rows = (replace(row, flaw=_flaw(row.records, own)) for row in self.rows)
        return replace(self, rows=tuple(rows))

    @property
    def plain(self) -> Row | None:
        """Conjugate gradients with blocking reductions."""
        return self.row("cg", "blocking")

    @property
    def overlapped(self) -> list[Row]:
        """Results of methods whose reductions are hidden, or not, under some way to progress."""
        return [row for row in self.rows if row.first.progress != "blocking" and row.is_result]


def groups_of(mpi: str, rows: Iterable[tuple[bool, KrylovRecord]]) -> list[Group]:
    """Rows of one library by ranks and mesh. Of launches that slow down every call, blocking
    reductions are left out: gains are counted from those of plain launches. A launch counts once,
    however often a cell stands in it.
    """
    by_mesh: dict[tuple[int, int], dict[tuple[int, int, int], dict[int, KrylovRecord]]] = {}
    for is_base, record in rows:
        if record.solve is None or record.data_check == "failed" or has_zero_times(record):
            continue
        if record.progress == "blocking" and not is_base:
            continue
        place = (METHODS.index(record.method), PROGRESS.index(record.progress), record.tests)
        by_mesh.setdefault((record.ranks, record.elements), {}).setdefault(place, {}).setdefault(
            record.launch, record
        )
    return [
        Group(mpi, *key, tuple(Row(mpi, tuple(cells[place].values())) for place in sorted(cells)))
        for key, cells in by_mesh.items()
    ]


def has_zero_times(record: KrylovRecord) -> bool:
    """The clock is too coarse: nothing can be divided by such a time."""
    return record.solve is not None and min(record.solve.together_nanoseconds, default=1) <= 0


def own_norms(records: Iterable[KrylovRecord]) -> dict[int, tuple[float, ...]]:
    """Natural norms of our plain conjugate gradients, by elements."""
    own: dict[int, tuple[float, ...]] = {}
    for record in records:
        if record.norms is None or record.data_check == "failed":
            continue
        if (record.implementation, record.method) == ("isobath", "cg"):
            own.setdefault(record.elements, record.norms)
    return own


def _flaw(records: Iterable[KrylovRecord], own: Mapping[int, Sequence[float]]) -> Flaw | None:
    for record in records:
        if record.implementation != "petsc" or record.norms is None:
            continue
        if record.elements not in own:
            return "not checked"
        if first_difference(record.norms, own[record.elements]) is not None:
            return "wrong norms"
    return None


def norms_apart(records: Iterable[KrylovRecord]) -> list[str]:
    """A sentence for each of PETSc's methods whose norms are not those of our plain one."""
    rows = list(records)
    own = own_norms(rows)
    sentences = []
    for row in rows:
        expected = own.get(row.elements)
        if row.implementation != "petsc" or expected is None or row.norms is None:
            continue
        place = first_difference(row.norms, expected)
        if place is not None:
            sentences.append(
                f"PETSc's {row.method}, {row.progress}, on {row.elements} elements: the natural "
                f"norm before iteration {place} is {row.norms[place]:.9g}, "
                f"ours {expected[place]:.9g}"
            )
    return list(dict.fromkeys(sentences))


def first_difference(norms: Sequence[float], expected: Sequence[float]) -> int | None:
    """The first iteration whose norm is another, before rounding parts them; None where none is."""
    for i, (mine, theirs) in enumerate(zip(norms, expected, strict=False)):
        if theirs < LEAST_NORM * expected[0]:
            return None
        if not abs(mine / theirs - 1) <= TOLERANCE:
            return i
    return None
