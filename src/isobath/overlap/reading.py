# SPDX-License-Identifier: Apache-2.0
"""From overlap records to what they say: one row for each setting."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean, median

from isobath.overlap import definitions
from isobath.overlap.attribution import (
    Attribution,
    Interval,
    Samples,
    attribute,
    share_interval,
    verdict,
)
from isobath.overlap.definitions import Times
from isobath.overlap.percentages import Percentages, percentages_of
from isobath.records.overlap import OverlapInside, OverlapParts, OverlapRecord, PartTimes
from isobath.stats.launches import median_of_launches
from isobath.study.labels import few_launches
from isobath.units import Seconds, format_bytes

BASELINE = "library"
"""The way to make progress that gains are counted from."""


@dataclass(frozen=True)
class Place:
    """Where the ranks of a launch were, and under which library where several are compared."""

    link: str = ""
    """transport, whatever the number of nodes; empty: one machine as the MPI likes it"""
    nodes: int = 1
    is_pretended: bool = False
    """nodes are network namespaces of one machine"""
    mpi: str = ""
    """id of the library; empty where there is one"""

    @property
    def titled(self) -> str:
        """Behind what it is of: `` on 2 nodes, tcp under openmpi``; empty where all is usual."""
        where = f" on {self.words}" if self.words else ""
        return where + (f" under {self.mpi}" if self.mpi else "")

    @property
    def words(self) -> str:
        """Without the library; empty for one machine as it is."""
        if self.nodes == 1:
            return self.link
        mark = "pretended nodes" if self.is_pretended else "nodes"
        return f"{self.nodes} {mark}" + (f", {self.link}" if self.link else "")


ONE_MACHINE = Place()


@dataclass(frozen=True)
class Row:
    """One setting over all its launches, and what was found. Seconds."""

    records: tuple[OverlapRecord, ...]
    """one of each launch, usable ones alone"""
    times: Times
    """medians of the medians of launches"""
    mean_times: Times
    """means of all repetitions instead of medians, as the SHARP paper has them"""
    samples: tuple[Samples, ...]
    """of each launch"""
    percentages: Percentages
    place: Place = ONE_MACHINE

    @property
    def record(self) -> OverlapRecord:
        """The first, for what is the same in all."""
        return self.records[0]

    @property
    def launches(self) -> int:
        """How many there are."""
        return len({_launch(record) for record in self.records})

    @property
    def hidden_share(self) -> float:
        """The overlap ratio, not clamped."""
        return definitions.overlap_ratio(self.times)

    @cached_property
    def share_interval(self) -> Interval:
        """Of the same, over launches."""
        return share_interval(self.samples)

    @cached_property
    def overlap_interval(self) -> tuple[Seconds, Seconds] | None:
        """95 % of T_ov over launches; None of too few repetitions of one launch."""
        interval = median_of_launches([launch.overlap for launch in self.samples]).interval
        return (interval.low, interval.high) if interval else None

    @property
    def availability(self) -> float:
        """Of the core, for the work."""
        return definitions.core_availability(self.times)

    @property
    def tests_seconds(self) -> float:
        """Spent in all tests of one repetition, on the slowest rank."""
        insides = [record.inside for record in self.records if record.inside is not None]
        return median(t for inside in insides for t in _slowest(inside.test)) * 1e-9

    @property
    def disagreement(self) -> bool:
        """OSU's percentage is more than ten points off."""
        return definitions.disagree(self.times, self.percentages.osu.value)


def rows_of(
    records: Iterable[OverlapRecord], places: Mapping[str, Place] | None = None
) -> list[Row]:
    """One row for each setting in each place, of the records that are usable.

    A setting that a launch measured twice counts once, the first time: intervals are over launches.

    Args: places are where launches were, by the id of their run; without, on one machine.
    """
    there = places or {}
    settings: dict[tuple[object, ...], dict[tuple[str, int], OverlapRecord]] = {}
    for record in records:
        if is_usable(record):
            key = (there.get(record.run_id, ONE_MACHINE), *_setting(record))
            settings.setdefault(key, {}).setdefault(_launch(record), record)
    return [
        replace(row_of(*same.values()), place=there.get(next(iter(same))[0], ONE_MACHINE))
        for same in settings.values()
    ]


def _launch(record: OverlapRecord) -> tuple[str, int]:
    """Which launch a record is of."""
    return record.run_id, record.launch


def _setting(row: OverlapRecord) -> tuple[object, ...]:
    """Everything but launch, order and times."""
    return (row.collective, row.size_bytes, row.ranks, row.aggregators, row.threads_per_rank,
            row.progress, row.tests, row.work, row.work_ratio, row.work_units, row.trees,
            row.alignment, row.oversubscribed)  # fmt: skip


def is_usable(record: OverlapRecord) -> bool:
    """It has times above zero, a right result, and a repetition that all ranks began in time."""
    is_right = record.parts is not None and record.data_check == "passed"
    return is_right and not all_late(record) and not has_zero_times(record)


def all_late(record: OverlapRecord) -> bool:
    """In every repetition some rank was late for a start: what such times mean nobody knows."""
    if record.parts is None:
        return False
    return len(set(record.invalid or ())) == len(record.parts.overlap.together_nanoseconds)


def has_zero_times(record: OverlapRecord) -> bool:
    """The clock is too coarse for some part: nothing can be said as a share of it."""
    if record.parts is None or record.inside is None:
        return False
    parts = record.parts
    times = [_slowest(record.inside.work), _slowest(parts.work.rank_nanoseconds)]
    for part in (parts.blocking, parts.nonblocking, parts.no_overlap, parts.overlap, parts.osu):
        times.append(list(part.together_nanoseconds))
    return any(min(several, default=1) <= 0 for several in times)


def not_measured(records: Iterable[OverlapRecord]) -> list[str]:
    """Why there is no time of some settings, each reason once."""
    reasons: dict[str, None] = {}
    for row in records:
        name = name_of(row)
        if row.not_runnable:
            reasons[f"{row.progress.replace('_', ' ')} {row.not_runnable}"] = None
        elif all_late(row):
            reasons[
                f"{row.collective} of {format_bytes(row.size_bytes)}, {name}, launch {row.launch}: "
                "some rank was late in every repetition, so its times are not used"
            ] = None
        elif has_zero_times(row):
            reasons[
                f"{row.collective} of {format_bytes(row.size_bytes)}, {name}, launch {row.launch}: "
                "the clock counts 0 for a part of a repetition, so its times are not used"
            ] = None
    return list(reasons)


def row_of(*records: OverlapRecord) -> Row:
    """What the times of one setting say; repetitions with a late start are left out.

    Raises: ValueError where a record is not usable.
    """
    lists = [seconds_of_launch(record) for record in records]
    columns = list(zip(*lists, strict=True))
    return Row(
        records=records,
        times=Times(*(median(median(launch) for launch in column) for column in columns)),
        mean_times=Times(*(fmean(itertools.chain.from_iterable(column)) for column in columns)),
        samples=tuple(Samples(parts[0], parts[1], parts[2], parts[4], parts[5]) for parts in lists),
        percentages=percentages_of(records),
    )


def seconds_of_launch(record: OverlapRecord) -> list[list[float]]:
    """In the order of Times, by repetition; without those with a late start.

    Raises: ValueError where the record is not usable.
    """
    parts, inside = record.parts, record.inside
    if parts is None or inside is None or all_late(record):
        raise ValueError("a record without usable times has no row")
    late = set(record.invalid or ())
    kept = [i for i in range(len(parts.overlap.together_nanoseconds)) if i not in late]
    return _seconds_of(parts, inside, kept)


def _seconds_of(parts: OverlapParts, inside: OverlapInside, kept: list[int]) -> list[list[float]]:

    def seconds(part: PartTimes) -> list[float]:
        return [part.together_nanoseconds[i] * 1e-9 for i in kept]

    slowest = _slowest(inside.work)
    slowest_work = _slowest(parts.work.rank_nanoseconds)
    return [
        seconds(parts.blocking),
        seconds(parts.nonblocking),
        # As the work inside: of the slowest rank, without the ranks' different starts, which are
        # in the time of the call already.
        [slowest_work[i] * 1e-9 for i in kept],
        seconds(parts.no_overlap),
        seconds(parts.overlap),
        [slowest[i] * 1e-9 for i in kept],
    ]


def _slowest(by_rank: Sequence[Sequence[int]]) -> list[int]:
    """The largest of all ranks, by repetition."""
    return [max(times) for times in zip(*by_rank, strict=True)]


@dataclass(frozen=True)
class Group:
    """All rows of one collective, size and number of ranks in one place."""

    collective: str
    size_bytes: int
    ranks: int
    rows: tuple[Row, ...]
    place: Place = ONE_MACHINE

    @property
    def but_library(self) -> tuple[str, int, int, Place]:
        """What it shares with groups under other libraries."""
        return self.collective, self.size_bytes, self.ranks, replace(self.place, mpi="")

    @property
    def ranks_per_node(self) -> int:
        """Ranks that compute, on the fullest node."""
        return -(-self.ranks // self.place.nodes)

    @property
    def middle(self) -> list[Row]:
        """One row for each way to make progress, and for each number of tests: of the first work,
        at the ratio next to 1.
        """
        work = self.rows[0].record.work
        of_work = [row for row in self.rows if row.record.work == work]
        ratio = min(
            (row.record.work_ratio for row in of_work),
            key=lambda work_ratio: max(work_ratio, 1 / work_ratio),
        )
        return [row for row in of_work if row.record.work_ratio == ratio]

    @property
    def baseline(self) -> Row | None:
        """The library alone, on as many processors as there are."""
        return next(
            (
                row
                for row in self.middle
                if row.record.progress == BASELINE and not row.record.oversubscribed
            ),
            None,
        )

    @property
    def best(self) -> Row | None:
        """The row that is done first, of those that say something."""
        sound = [row for row in self.middle if not row.record.oversubscribed]
        return min(sound, key=lambda row: row.times.overlap, default=None)

    def attribution(self, candidate: Row) -> Attribution | None:
        """Its gain over blocking calls of the library alone; None where that was not measured, or
        with another amount of work.
        """
        base = self.baseline
        if base is None or base.record.work_units != candidate.record.work_units:
            return None
        return attribute(base.samples, candidate.samples)

    def sentence(self) -> str:
        """What it means: hidden, or only faster?"""
        best = self.best
        if self.ranks == 1:
            return "one rank has nobody to talk to: this is the cost of progress alone"
        if best is None:
            return "more ranks and threads than processors: no share of these times is a result"
        gain = self.attribution(best)
        name = name_of(best.record)
        if gain is None:
            return f"{name} is done first; there is no blocking call of the library to compare with"
        share = definitions.clamped(best.hidden_share)
        few = few_launches(best.launches)
        few = f"; {few}" if few else ""
        return f"{name} is done first: {verdict(gain)} ({share:.0%} of what can be hidden is){few}"


def groups_of(rows: Iterable[Row]) -> list[Group]:
    """Rows by collective, size, ranks and place, in the order in which they came."""
    grouped: dict[tuple[str, int, int, Place], list[Row]] = {}
    for row in rows:
        record = row.record
        grouped.setdefault(
            (record.collective, record.size_bytes, record.ranks, row.place), []
        ).append(row)
    return [
        Group(name, size, ranks, tuple(rows), place)
        for (name, size, ranks, place), rows in grouped.items()
    ]


def name_of(record: OverlapRecord) -> str:
    """A way to make progress in words that fit a column: ``tests 10``."""
    name = record.progress.replace("_", " ")
    return f"{name} {record.tests}" if record.progress == "tests" else name
