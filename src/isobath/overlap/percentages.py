# SPDX-License-Identifier: Apache-2.0
"""OSU's, the SHARP paper's and IMB's percentage of a setting: each launch gives one."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from isobath.overlap import definitions
from isobath.records.overlap import OverlapRecord
from isobath.stats.estimates import Estimate
from isobath.stats.intervals import Interval, estimate_interval

ByRank = Sequence[Sequence[int]]
"""Nanoseconds of every repetition, by rank."""


@dataclass(frozen=True)
class Percentage:
    """The mean over launches with Student's interval at 95 %; of one launch there is none."""

    of_launches: tuple[float, ...]

    @property
    def value(self) -> float:
        """The mean."""
        return fmean(self.of_launches)

    @property
    def interval(self) -> Interval | None:
        """Over launches, which are independent; repetitions of one launch are not."""
        number = len(self.of_launches)
        error = stdev(self.of_launches) / number**0.5 if number > 1 else None
        return estimate_interval(Estimate(self.value, number, error))


@dataclass(frozen=True)
class Percentages:
    """One setting by three definitions."""

    osu: Percentage
    sharp_paper: Percentage
    imb: Percentage


def percentages_of(records: Sequence[OverlapRecord]) -> Percentages:
    """Args: records of one setting, one of each launch, at least one; repetitions that some rank
    began late are left out.

    Raises: ValueError where a record has no times.
    """
    launches = [_of_launch(record) for record in records]
    osu, sharp_paper, imb = zip(*launches, strict=True)
    return Percentages(Percentage(osu), Percentage(sharp_paper), Percentage(imb))


def _of_launch(record: OverlapRecord) -> tuple[float, float, float]:
    parts, inside = record.parts, record.inside
    if parts is None or inside is None:
        raise ValueError("a record without times has no percentages")
    late = set(record.invalid or ())

    def kept(by_rank: ByRank) -> ByRank:
        return [[t for i, t in enumerate(times) if i not in late] for times in by_rank]

    overall, pure = kept(parts.osu.rank_nanoseconds), kept(parts.nonblocking.rank_nanoseconds)
    compute = kept(inside.osu_compute)
    return (
        definitions.osu_of(overall, compute, kept(inside.osu_test), pure),
        definitions.sharp_paper_of(overall, compute, pure),
        definitions.imb_of(pure, kept(inside.imb_work), kept(parts.imb.rank_nanoseconds)),
    )
