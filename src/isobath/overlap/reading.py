# SPDX-License-Identifier: Apache-2.0
"""From overlap records to what they say: one row for each setting."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from isobath.overlap import definitions
from isobath.overlap.attribution import Attribution, Samples, attribute, verdict
from isobath.overlap.definitions import Times
from isobath.records.overlap import OverlapRecord, PartTimes

BASELINE = "library"
"""The way to make progress that gains are counted from."""


@dataclass(frozen=True)
class Row:
    """One setting and what was found. Seconds."""

    record: OverlapRecord
    times: Times
    mean_times: Times
    """means of the repetitions instead of medians, as the SHARP paper has them"""
    samples: Samples
    osu_percent: float
    sharp_paper_percent: float
    imb_percent: float

    @property
    def hidden_share(self) -> float:
        """The overlap ratio, not clamped."""
        return definitions.overlap_ratio(self.times)

    @property
    def availability(self) -> float:
        """Of the core, for the work."""
        return definitions.core_availability(self.times)

    @property
    def tests_seconds(self) -> float:
        """Spent in all tests of one repetition, on the slowest rank."""
        inside = self.record.inside
        return median(_slowest(inside.test)) * 1e-9 if inside is not None else 0.0

    @property
    def disagreement(self) -> bool:
        """OSU's percentage is more than ten points off."""
        return definitions.disagree(self.times, self.osu_percent)


def rows_of(records: Iterable[OverlapRecord]) -> list[Row]:
    """The rows of records that have times and a right result."""
    return [row_of(one) for one in records if one.parts is not None and one.data_check == "passed"]


def row_of(record: OverlapRecord) -> Row:
    """What the times of a record say; repetitions with a late start are left out."""
    parts, inside = record.parts, record.inside
    if parts is None or inside is None:
        raise ValueError("a record without times has no row")
    late = set(record.invalid or ())
    count = len(parts.overlap.together_nanoseconds)
    kept = [i for i in range(count) if i not in late] or list(range(count))

    def seconds(part: PartTimes) -> list[float]:
        return [part.together_nanoseconds[i] * 1e-9 for i in kept]

    slowest = _slowest(inside.work)
    slowest_work = _slowest(parts.work.rank_nanoseconds)
    work_inside = [slowest[i] * 1e-9 for i in kept]
    lists = [
        seconds(parts.blocking),
        seconds(parts.nonblocking),
        # As the work inside: of the slowest rank, without the ranks' different starts, which are
        # in the time of the call already.
        [slowest_work[i] * 1e-9 for i in kept],
        seconds(parts.no_overlap),
        seconds(parts.overlap),
        work_inside,
    ]
    overall = fmean(fmean(one) for one in parts.osu.rank_nanoseconds)
    compute = fmean(fmean(one) for one in inside.osu_compute)
    return Row(
        record=record,
        times=Times(*(median(one) for one in lists)),
        mean_times=Times(*(fmean(one) for one in lists)),
        samples=Samples(lists[0], lists[1], lists[2], lists[4], lists[5]),
        osu_percent=definitions.osu_of(
            parts.osu.rank_nanoseconds,
            inside.osu_compute,
            inside.osu_test,
            parts.nonblocking.rank_nanoseconds,
        ),
        sharp_paper_percent=definitions.sharp_paper_percent(overall=overall, compute=compute),
        imb_percent=definitions.imb_of(
            parts.nonblocking.rank_nanoseconds, inside.imb_work, parts.imb.rank_nanoseconds
        ),
    )


def _slowest(by_rank: Sequence[Sequence[int]]) -> list[int]:
    """The largest of all ranks, by repetition."""
    return [max(times) for times in zip(*by_rank, strict=True)]


@dataclass(frozen=True)
class Group:
    """All rows of one collective, size and number of ranks."""

    collective: str
    size_bytes: int
    ranks: int
    rows: tuple[Row, ...]

    @property
    def middle(self) -> list[Row]:
        """One row for each way to make progress, and for each number of tests: of the first work,
        at the ratio next to 1.
        """
        work = self.rows[0].record.work
        of_work = [row for row in self.rows if row.record.work == work]
        ratio = min(
            (row.record.work_ratio for row in of_work),
            key=lambda one: max(one, 1 / one),
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
        found = self.attribution(best)
        name = name_of(best.record)
        if found is None:
            return f"{name} is done first; there is no blocking call of the library to compare with"
        share = definitions.clamped(best.hidden_share)
        return f"{name} is done first: {verdict(found)} ({share:.0%} of what can be hidden is)"


def groups_of(rows: Iterable[Row]) -> list[Group]:
    """Rows by collective, size and ranks, in the order in which they came."""
    found: dict[tuple[str, int, int], list[Row]] = {}
    for row in rows:
        one = row.record
        found.setdefault((one.collective, one.size_bytes, one.ranks), []).append(row)
    return [Group(*key, tuple(rows)) for key, rows in found.items()]


def name_of(record: OverlapRecord) -> str:
    """A way to make progress in words that fit a column: ``tests 10``."""
    name = record.progress.replace("_", " ")
    return f"{name} {record.tests}" if record.progress == "tests" else name
