# SPDX-License-Identifier: Apache-2.0
"""The times of a setting as others print them: the OSU benchmarks, and the Overlap Test of Nanri,
Ohshima and Ono (IPSJ HPC-165 No. 12, 2018) in their symbols.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from isobath.overlap.percentages import ByRank
from isobath.overlap.reading import Row, seconds_of_launch
from isobath.records.overlap import OverlapRecord
from isobath.stats.intervals import Interval
from isobath.stats.launches import median_of_launches
from isobath.units import Seconds

ELEMENT_BYTES = 8
"""Vectors and blocks are of double precision."""

RUNS_OF_THE_PAPER = 20
"""consecutive ones, of which its Overlap Test has the mean"""


@dataclass(frozen=True)
class OsuTimes:
    """Means over ranks and repetitions of each launch, then over launches."""

    overall: Seconds
    """start, computing until a time has passed, wait"""
    compute: Seconds
    """without the tests, as OSU prints it"""
    init: Seconds | None
    """the starting call; older records do not have it"""
    test: Seconds
    """all tests together"""
    wait: Seconds | None
    """older records do not have it"""
    pure: Seconds
    """start and wait, nothing between"""


def osu_times(row: Row) -> OsuTimes:
    """The times behind OSU's percentage, of the same repetitions."""
    launches = [_osu_of_launch(record) for record in row.records]
    return OsuTimes(
        overall=fmean(launch.overall for launch in launches),
        compute=fmean(launch.compute for launch in launches),
        init=_mean_of_all([launch.init for launch in launches]),
        test=fmean(launch.test for launch in launches),
        wait=_mean_of_all([launch.wait for launch in launches]),
        pure=fmean(launch.pure for launch in launches),
    )


def _osu_of_launch(record: OverlapRecord) -> OsuTimes:
    parts, inside, late = record.parts, record.inside, set(record.invalid or ())
    if parts is None or inside is None:
        raise ValueError("a record without times has none of OSU")

    def mean(by_rank: ByRank) -> Seconds:
        kept = ((t for i, t in enumerate(times) if i not in late) for times in by_rank)
        return fmean(fmean(times) for times in kept) * 1e-9

    test = mean(inside.osu_test)
    return OsuTimes(
        overall=mean(parts.osu.rank_nanoseconds),
        compute=mean(inside.osu_compute) - test,
        init=None if inside.osu_start is None else mean(inside.osu_start),
        test=test,
        wait=None if inside.osu_wait is None else mean(inside.osu_wait),
        pure=mean(parts.nonblocking.rank_nanoseconds),
    )


def _mean_of_all(launches: Sequence[Seconds | None]) -> Seconds | None:
    """None where some launch does not have it."""
    known = [seconds for seconds in launches if seconds is not None]
    return fmean(known) if len(known) == len(launches) else None


SYMBOLS = ("Tcomm", "Tnbcomm", "Tcomp", "Tblock", "Tovlp")
"""blocking call, start and wait, work, blocking call and work, start and work and wait"""


@dataclass(frozen=True)
class SymbolTime:
    """One symbol of one setting."""

    mean: Seconds
    """of the first runs of each launch, then over launches"""
    median: Seconds
    """of the medians of launches"""
    interval: Interval | None
    """of the median, over launches"""


@dataclass(frozen=True)
class OverlapTest:
    """One line of the paper's Overlap Test."""

    elements: int
    """M, of the vector or of the block of one rank"""
    order: int
    """N, of the matrices"""
    rows: int
    """of the product of order N, that each rank works out"""
    runs: int
    """of each launch in the mean, as many of all: 20 as in the paper, or as many as there are"""
    times: tuple[SymbolTime, ...]
    """in the order of SYMBOLS"""


def overlap_test(row: Row) -> OverlapTest | None:
    """None of other work than a product of matrices: it has no N."""
    first = row.record
    if first.work != "product" or first.work_order is None:
        return None
    launches = [seconds_of_launch(record) for record in row.records]
    by_part = list(zip(*launches, strict=True))[: len(SYMBOLS)]
    runs = min(RUNS_OF_THE_PAPER, *map(len, by_part[0]))
    return OverlapTest(
        elements=first.size_bytes // ELEMENT_BYTES,
        order=first.work_order,
        rows=first.work_units,
        runs=runs,
        times=tuple(_symbol_time(of_launches, runs) for of_launches in by_part),
    )


def _symbol_time(launches: Sequence[Sequence[Seconds]], runs: int) -> SymbolTime:
    middle = median_of_launches(launches)
    mean = fmean(fmean(seconds[:runs]) for seconds in launches)
    return SymbolTime(mean, middle.value, middle.interval)
