# SPDX-License-Identifier: Apache-2.0
"""Our times beside those of IMB under the same library: by IMB's own definition, launch by launch.

IMB takes the mean over repetitions of each rank's own time and prints the largest, smallest and
mean of these over ranks. Our records have every repetition of every rank: the same is made of them.
"""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from isobath.bench.emit import IMB_NAMES, mean_times, theirs
from isobath.bench.measured import Measured, MeasuredCell
from isobath.interchange.imb import ImbRow, read_imb
from isobath.stats.launches import LaunchMedian, median_of_launches

FOLDER = "imb"
"""in a benchmark's folder; one text for each launch of IMB"""

PULLED = 1.2
"""A mean so many times the median is made by few late repetitions."""

DEFINITION = (
    "IMB's t_max is the mean over repetitions of each rank's own time in the call, the largest "
    "over ranks; ours is made of raw times in the same way. Our own tables have the median of last "
    "exit minus first entry, which holds the wait for late ranks and is not pulled by outliers.",
    "IMB sends the same bytes every time and never looks at them; ours have another first element "
    "in every block and are checked outside the timed part.",
    "IMB calls MPI_Barrier before each call; so do these cells of ours (alignment "
    "barrier:library), unless --alignment says otherwise.",
    "IMB stops after 1,000 repetitions, 40 MB by size or a time; so do ours, without the bytes, "
    "unless --least, --most or --budget say otherwise.",
)  # fmt: skip
"""How the two differ, apart from chance."""


@dataclass(frozen=True)
class CrossCheck:
    """One collective and size under both."""

    ours: MeasuredCell
    own_means: tuple[float, ...]
    """of each of our launches, microseconds: largest over ranks of the mean over repetitions"""
    imb: tuple[ImbRow, ...]
    """of each launch of IMB"""

    @property
    def estimate(self) -> LaunchMedian:
        """Of our launches by IMB's definition."""
        return median_of_launches([[mean] for mean in self.own_means])

    @property
    def bounds(self) -> tuple[float, float]:
        """Of our interval over launches; the only value where there is one launch."""
        interval = self.estimate.interval
        return (interval.low, interval.high) if interval else (min(self.own_means),) * 2

    @property
    def their_largest(self) -> float:
        """t_max, median over launches."""
        return median(row.largest for row in self.imb)

    @property
    def their_mean(self) -> float:
        """t_avg, median over launches."""
        return median(row.mean for row in self.imb)

    @property
    def ratio(self) -> float:
        """IMB's t_max by ours."""
        return self.their_largest / self.estimate.value

    @property
    def outcome(self) -> str:
        """Whether IMB's value lies in our interval, as far as launches allow to say so."""
        low, high = self.bounds
        if len(self.own_means) < 2 or len(self.imb) < 2:
            return "one launch: no interval"
        # IMB prints two digits after the point.
        inside = low - 0.005 <= self.their_largest <= high + 0.005
        if inside and self.estimate.disagree:
            return "within, FEW LAUNCHES"
        return "within" if inside else "outside"

    def words(self) -> str:
        """Why they differ, as far as the figures tell; empty where they agree."""
        if not self.outcome.startswith("outside"):
            return ""
        if self.estimate.value > PULLED * 1e6 * self.ours.seconds:
            return "our mean is pulled above our median by few late repetitions"
        low = min(row.largest for row in self.imb)
        high = max(row.largest for row in self.imb)
        if low <= self.bounds[1] and self.bounds[0] <= high:
            return "launches of IMB spread over our interval: launch both more often"
        if self.ratio < 1:
            return "IMB is faster: unchanged contents that stay in caches, or a closer start"
        return "IMB is slower: its means hold late repetitions that have no limit"


def cross_checks(measured: Measured, bench: Path) -> tuple[CrossCheck, ...]:
    """Every plain cell that IMB measured too.

    Args: bench is the benchmark's folder.
    """
    there: dict[tuple[str, str, int, int], list[ImbRow]] = defaultdict(list)
    for arm in measured.plan.arms:
        for path in sorted((bench / FOLDER).glob(f"{arm.arm}-*.txt")):
            for row in read_imb(path.read_text(encoding="utf-8", errors="replace")):
                there[arm.where, row.name, row.ranks, row.size_bytes].append(row)
    checks = []
    for ours in measured.results:
        if not ours.cell.is_plain or ours.cell.collective not in IMB_NAMES or ours.cell.algorithm:
            continue
        key = (ours.arm.where, IMB_NAMES[ours.cell.collective], ours.first.ranks, theirs(ours))
        if key in there:
            means = tuple(mean_times(ours, (row,)).largest for row in ours.records)
            checks.append(CrossCheck(ours, means, tuple(there[key])))
    return tuple(checks)


def summary(checks: tuple[CrossCheck, ...]) -> str:
    """How many agree, in a sentence."""
    if not checks:
        return "No cell was measured by both."
    within = sum(check.outcome.startswith("within") for check in checks)
    middle = median(check.ratio for check in checks)
    return (
        f"{within} of {len(checks)} values of IMB lie in our interval over launches; the median of "
        f"IMB's t_max by ours is {middle:.2f}."
    )
