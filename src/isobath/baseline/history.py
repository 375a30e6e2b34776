# SPDX-License-Identifier: Apache-2.0
"""The trend over all regressions of a baseline: what crept up without one of them flagging it.

A regression in turns says how a library stands to the one before it, so its ratios are chained
along the libraries back to the baseline's. One against the archive says it at once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import exp, hypot, inf, log, log1p
from statistics import median

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import CellOutcome, Regression

DRIFT = 0.05
"""Slow drift is at least so much in all: two times 3 %."""

STEPS = 3
"""in so many regressions at least"""

LARGEST_STEP = 0.6
"""of the whole; one that made more of it is a jump, and was to be seen in its own regression"""

SURE = 4.0
"""deviations by which the whole lies above nothing: of 60 cells and many regressions none by
chance"""

OF_INTERVAL = 1.96
"""deviations of a bound of an interval of 95 %"""


@dataclass(frozen=True)
class Point:
    """A cell in one regression."""

    at: datetime
    study: str
    ratio: float
    """to the baseline"""
    deviation: float
    """of its logarithm; infinite where no interval is known"""
    outcome: str
    measured: float
    """to what it was held against"""

    @property
    def low(self) -> float | None:
        """Of the interval; None where none is known."""
        return None if self.deviation == inf else self.ratio * exp(-OF_INTERVAL * self.deviation)

    @property
    def high(self) -> float | None:
        """The same."""
        return None if self.deviation == inf else self.ratio * exp(OF_INTERVAL * self.deviation)


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
        """By how much it crept up to where it is now; None where it did not.

        From some regression, or from the baseline itself, it rose over at least ``STEPS`` others
        by ``DRIFT`` in all and beyond chance, and no single step is most of that. Steps between may
        be down: what noise does is no end of a drift.
        """
        rises = [log(point.ratio) for point in self.points]
        deviations = [point.deviation for point in self.points]
        levels, scatters = [0.0, *rises], [0.0, *deviations]
        found = [
            levels[-1] - levels[begin]
            for begin in range(len(levels) - STEPS)
            if _is_drift(levels[begin:], hypot(scatters[begin], scatters[-1]))
        ]
        return exp(max(found)) - 1 if found else None

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


def _is_drift(levels: Sequence[float], deviation: float) -> bool:
    """Args: levels are logarithms, the first that from which it rose."""
    whole = levels[-1] - levels[0]
    if whole < log1p(DRIFT) or whole <= SURE * deviation:
        return False
    steps = [after - before for before, after in pairwise(levels)]
    return max(steps) <= LARGEST_STEP * whole


@dataclass(frozen=True)
class LeftOut:
    """A regression that is no part of the trend."""

    regression: Regression
    why: str


@dataclass(frozen=True)
class History:
    """All regressions of a baseline, and what they come to."""

    trends: tuple[Trend, ...]
    """of all cells that one in the trend measured, in the order of the baseline"""
    left_out: tuple[LeftOut, ...]


Level = tuple[float, float]
"""Logarithm of times under a library by those of the baseline, and its deviation"""


def history_of(baseline: Baseline) -> History:
    """Oldest regression first; each says where its library stands from then on."""
    points: dict[str, list[Point]] = {cell.name: [] for cell in baseline.archive.cells}
    own = {cell.key.mpi for cell in baseline.archive.cells}
    known: dict[tuple[str, str], Level] = {}
    """by cell and library"""
    left_out = []
    for regression in baseline.regressions:
        why = _why_left_out(regression, own, {library for _, library in known})
        if why:
            left_out.append(LeftOut(regression, why))
            continue
        for name, outcome in regression.cells.items():
            start = _start(regression, name, own, known)
            if outcome.ratio is None or name not in points or start is None:
                continue
            level, deviation = start[0] + log(outcome.ratio), hypot(start[1], _deviation(outcome))
            known[name, regression.mpi] = (level, deviation)
            points[name].append(Point(regression.at, regression.study, exp(level), deviation,
                                      outcome.outcome, outcome.ratio))  # fmt: skip
    trends = tuple(Trend(name, tuple(told)) for name, told in points.items() if told)
    return History(trends, tuple(left_out))


def _why_left_out(regression: Regression, own: set[str], known: set[str]) -> str:
    if regression.variables:
        return f"a question of what {' '.join(regression.variables)} would do"
    if regression.across_machines:
        return "measured on another machine"
    against = regression.held_against
    if against and against not in own | known:
        return f"held against {against}, which nothing connects with the baseline"
    return ""


def _start(
    regression: Regression, name: str, own: set[str], known: dict[tuple[str, str], Level]
) -> Level | None:
    """Where that stands which the cell was held against. Regressions of before do not say it: then
    it is the baseline.
    """
    against = regression.held_against
    if not against or against in own:
        return 0.0, 0.0
    return known.get((name, against))


def _deviation(outcome: CellOutcome) -> float:
    if outcome.low is None or outcome.high is None:
        return inf
    return (log(outcome.high) - log(outcome.low)) / (2 * OF_INTERVAL)


def drifting(trends: Sequence[Trend]) -> Iterator[tuple[Trend, float]]:
    """Those that crept up, with how much."""
    for trend in trends:
        drift = trend.drift
        if drift is not None:
            yield trend, drift
