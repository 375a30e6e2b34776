# SPDX-License-Identifier: Apache-2.0
"""Where time against size changes its formula: pieces T = a + b m, found by dynamic programming.

The number of pieces is that of the smallest Bayesian information criterion on logarithmic errors. A
switch is known as an interval, between the last size of one piece and the first of the next; a
bootstrap over launches says how often it is found again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import FloatArray
from isobath.stats.launches import draw_medians

LEAST_POINTS = 3
"""sizes of a piece: two would fit any line"""

MOST_PIECES = 6

PARAMETERS = 3
"""of a piece: latency, time per byte, and where it begins"""

NOISE = 0.01
"""Errors below this are not worth a piece: no clock and no median of launches is better."""


@dataclass(frozen=True)
class Piece:
    """One formula: seconds = latency + seconds_per_byte * size, from ``first`` to ``last`` size."""

    first: float
    last: float
    latency_seconds: float
    seconds_per_byte: float

    def seconds(self, size: float) -> float:
        """What the formula says of a size."""
        return self.latency_seconds + self.seconds_per_byte * size


@dataclass(frozen=True)
class SwitchPoint:
    """A change of formula between two measured sizes."""

    low: float
    """last size of the formula before"""
    high: float
    """first size of the formula after"""
    jump: float
    """what the formula after says of ``high``, by what the formula before says of it"""
    probability: float
    """share of bootstrap samples that change there, or one measured size beside it"""

    @property
    def is_sharp(self) -> bool:
        """Whether it is known within 5 %."""
        return self.high <= 1.05 * self.low


@dataclass(frozen=True)
class _Fits:
    """Every possible piece, from point i to point j, both included; shape (n, n) each."""

    latency: FloatArray
    slope: FloatArray
    cost: FloatArray
    """sum of squared logarithmic errors; infinite for j - i + 1 < LEAST_POINTS"""


def pieces(sizes: Sequence[float], seconds: Sequence[float]) -> tuple[Piece, ...]:
    """The formulas of a curve, in ascending order of size; one where there are too few points.

    Args: sizes ascending, of shape (n,); seconds > 0, of the same shape.
    Raises: ValueError where shapes differ, sizes do not ascend, or a time is not positive.
    """
    x, t = np.asarray(sizes, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    if x.shape != t.shape or x.ndim != 1 or len(x) == 0:
        raise ValueError(f"{x.shape} sizes and {t.shape} times are no curve")
    if np.any(np.diff(x) <= 0) or np.any(t <= 0):
        raise ValueError("sizes ascend and times are positive")
    fits = _fits(x, t)
    return tuple(
        Piece(float(x[i]), float(x[j]), float(fits.latency[i, j]), float(fits.slope[i, j]))
        for i, j in _best_cuts(fits)
    )


def switch_points(
    sizes: Sequence[float],
    launches: Sequence[Sequence[Sequence[float] | FloatArray]],
    *,
    resamples: int = 100,
    seed: int = 1,
) -> tuple[SwitchPoint, ...]:
    """The changes of formula of a curve that was measured in launches.

    Args: sizes ascending, of shape (n,); launches[i] are the repetitions of size i, one sequence
        for each launch, none empty.
    Raises: ValueError as ``pieces``.
    """
    samples = [
        [np.sort(np.asarray(launch, dtype=np.float64)) for launch in size] for size in launches
    ]
    medians = [float(np.median([np.median(launch) for launch in size])) for size in samples]
    formulas = pieces(sizes, medians)
    if len(formulas) < 2:
        return ()
    rng = np.random.default_rng(seed)
    drawn = np.stack(
        [np.median(draw_medians(size, resamples, rng), axis=1) for size in samples], axis=1
    )
    x = np.asarray(sizes, dtype=np.float64)
    hits = np.zeros(len(formulas) - 1)
    places = [int(np.searchsorted(x, before.last)) for before in formulas[:-1]]
    for times in drawn:
        cuts = {j for _, j in _best_cuts(_fits(x, times))[:-1]}
        hits += [bool({place - 1, place, place + 1} & cuts) for place in places]
    return tuple(
        SwitchPoint(
            before.last,
            after.first,
            after.seconds(after.first) / max(before.seconds(after.first), 1e-12),
            float(share),
        )
        for before, after, share in zip(formulas, formulas[1:], hits / resamples, strict=False)
    )


def sizes_to_measure(switch: SwitchPoint, number: int = 3) -> tuple[int, ...]:
    """Sizes inside the interval of a switch that narrow it, in equal steps of their logarithm.

    Empty where it is sharp already, or no whole number lies between.
    """
    if switch.is_sharp:
        return ()
    steps = np.geomspace(switch.low, switch.high, number + 2)[1:-1]
    inside = {round(float(step)) for step in steps}
    return tuple(sorted(size for size in inside if switch.low < size < switch.high))


def _fits(x: FloatArray, t: FloatArray) -> _Fits:
    """Least squares of relative errors for all pieces at once, latency and slope not negative."""
    n = len(x)
    w = 1 / t**2
    sums = [np.concatenate([[0.0], np.cumsum(v)]) for v in (w, w * x, w * x * x, w * t, w * x * t)]
    i, j = np.indices((n, n))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        s0, s1, s2, y0, y1 = (np.where(j >= i, s[j + 1] - s[i], 1.0) for s in sums)
        determinant = s0 * s2 - s1 * s1
        slope = (s0 * y1 - s1 * y0) / determinant
        latency = (s2 * y0 - s1 * y1) / determinant
        flat = ~(slope > 0) | ~np.isfinite(slope)
        latency = np.where(flat, y0 / s0, latency)
        slope = np.where(flat, 0.0, slope)
        steep = ~(latency >= 0)
        slope = np.where(steep, y1 / s2, slope)
        latency = np.where(steep, 0.0, latency)
        said = latency[:, :, None] + slope[:, :, None] * x[None, None, :]
        errors = np.log(t[None, None, :] / said)
    k = np.arange(n)[None, None, :]
    inside = (k >= i[:, :, None]) & (k <= j[:, :, None])
    count = np.maximum(inside.sum(axis=2), 1)
    errors = np.where(inside, errors, 0.0)
    shift = errors.sum(axis=2) / count  # the mean logarithmic error of a fit is 0
    cost = (errors**2).sum(axis=2) - count * shift**2
    cost = np.where(j - i + 1 >= LEAST_POINTS, np.maximum(cost, 0.0), np.inf)
    return _Fits(latency * np.exp(shift), slope * np.exp(shift), cost)


def _best_cuts(fits: _Fits) -> list[tuple[int, int]]:
    """First and last point of every piece, for the number of pieces of the smallest criterion."""
    n = len(fits.cost)
    if n < 2 * LEAST_POINTS:
        return [(0, n - 1)]
    most = min(MOST_PIECES, n // LEAST_POINTS)
    best = [fits.cost[0]]
    start = [np.zeros(n, dtype=np.int64)]
    for _ in range(1, most):
        # The last piece begins at i, the pieces before end at i - 1.
        reached = np.concatenate([[np.inf], best[-1][:-1]])[:, None] + fits.cost
        start.append(np.argmin(reached, axis=0))
        best.append(np.min(reached, axis=0))
    criteria = [
        n * np.log(cost[n - 1] / n + NOISE**2) + PARAMETERS * (number + 1) * np.log(n)
        for number, cost in enumerate(best)
    ]
    cuts: list[tuple[int, int]] = []
    end = n - 1
    for number in range(int(np.argmin(criteria)), -1, -1):
        begin = int(start[number][end])
        cuts.append((begin, end))
        end = begin - 1
    return cuts[::-1]
