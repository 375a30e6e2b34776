# SPDX-License-Identifier: Apache-2.0
"""The trend over all regressions of a baseline: what crept up without one of them flagging it."""

from dataclasses import dataclass
from datetime import datetime
from math import exp, log
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import CellOutcome, Regression

DRIFT = 0.05
"""Slow drift is at least so much in all: two times 3 %."""

STEPS = 3
"""in so many regressions one after the other, each above the one before"""


@dataclass(frozen=True)
class Point:
    """A cell in one regression."""

    at: datetime
    study: str
    ratio: float
    """to the baseline"""
    low: float | None
    high: float | None
    outcome: str


@dataclass(frozen=True)
class Trend:
    """A cell over all regressions against the baseline."""

    cell: str
    points: tuple[Point, ...]

    @property
    def last(self) -> float:
        """Where it is now."""
        return self.points[-1].ratio

    @property
    def drift(self) -> float | None:
        """By how much it rose over its last regressions, where it rose from each to the next, and
        is surely above where it began; None where it did not.
        """
        if len(self.points) < STEPS:
            return None
        rise = [point.ratio for point in self.points]
        begin = len(rise) - 1
        while begin > 0 and rise[begin] > rise[begin - 1]:
            begin -= 1
        # Where the first step was one from the baseline itself, it counts too.
        steps = len(rise) - 1 - begin
        start = rise[begin]
        if begin == 0 and start > 1.0:
            steps, start = steps + 1, 1.0
        total = rise[-1] / start - 1
        low = self.points[-1].low
        is_sure = low is not None and low > start
        return total if steps >= STEPS and total >= DRIFT and is_sure else None

    @property
    def slope(self) -> float | None:
        """Change in per cent a year, of the median of all pairs (Theil and Sen); None of one."""
        slopes = [
            (log(late.ratio) - log(early.ratio)) / (late.at - early.at).total_seconds()
            for place, early in enumerate(self.points)
            for late in self.points[place + 1 :]
            if late.at > early.at
        ]
        return exp(min(50.0, median(slopes) * 365.25 * 86_400)) - 1 if slopes else None


def trends_of(baseline: Baseline) -> tuple[Trend, ...]:
    """Of all cells that a regression measured, in the order of the baseline."""
    points: dict[str, list[Point]] = {cell.name: [] for cell in baseline.archive.cells}
    for regression in baseline.regressions:
        for name, outcome in regression.cells.items():
            point = _point(regression, outcome)
            if point is not None and name in points:
                points[name].append(point)
    return tuple(Trend(name, tuple(told)) for name, told in points.items() if told)


def _point(regression: Regression, outcome: CellOutcome) -> Point | None:
    if outcome.ratio is None:
        return None
    return Point(regression.at, regression.study, outcome.ratio, outcome.low, outcome.high,
                 outcome.outcome)  # fmt: skip
