# SPDX-License-Identifier: Apache-2.0
"""The exponent of time against a number: is it 1.0 or 1.5?

    T = a + b x^g

with a and b of every curve (all else equal) its own, and g the same for all: what does not grow,
latency, is not taken for a small exponent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize_scalar

from isobath.models.points import Points
from isobath.models.resampling import drawn_points
from isobath.models.structure import curves_along
from isobath.stats.estimates import FloatArray
from isobath.stats.launches import widening

LEAST_LEVELS = 4
LARGEST = 4.0
RESAMPLES = 60
GRID = tuple(np.linspace(0.0, LARGEST, 17))


@dataclass(frozen=True)
class Exponent:
    """How time grows with one number."""

    symbol: str
    value: float
    interval: tuple[float, float]
    """95 %, over launches, or over residuals where each point has one launch"""
    curves: int

    @property
    def tells_from_linear(self) -> bool:
        """Whether 1 is outside the interval."""
        return not self.interval[0] <= 1.0 <= self.interval[1]


def exponent_of(points: Points, symbol: str, *, seed: int = 1) -> Exponent | None:
    """None where no curve has enough levels, or time does not depend on it at all."""
    if symbol not in points.columns:
        return None
    curves = [curve for curve in curves_along(points, symbol) if len(curve) >= LEAST_LEVELS]
    if not curves:
        return None
    x = points.columns[symbol]
    value, predicted = _fitted(points, x, curves)
    rng = np.random.default_rng(seed)
    inside = np.concatenate(curves)
    errors = np.zeros(len(points))
    errors[inside] = np.log(predicted[inside] / points.seconds[inside])
    rows = []
    for _ in range(RESAMPLES):
        drawn = drawn_points(
            points, np.where(predicted > 0, predicted, points.seconds), errors, rng
        )
        rows.append(_fitted(drawn, x, curves, near=value)[0])
    low, high = np.quantile(rows, [0.025, 0.975])
    wider = widening(points.most_launches) if points.most_launches > 1 else 1.0
    bounds = (
        max(0.0, value + wider * min(low - value, 0.0)),
        value + wider * max(high - value, 0.0),
    )
    return Exponent(symbol, value, bounds, len(curves))


def _fitted(
    points: Points, x: FloatArray, curves: Sequence[Sequence[int]], near: float | None = None
) -> tuple[float, FloatArray]:
    """The exponent, and what it says at the points of the curves."""

    def cost(exponent: float) -> float:
        predicted = _predicted(points, x, curves, exponent)
        inside = predicted > 0
        errors = np.log(predicted[inside] / points.seconds[inside])
        weighed: FloatArray = points.weights[inside] * np.abs(errors)
        return float(weighed.sum())

    begin = near if near is not None else min(GRID, key=cost)
    done = minimize_scalar(
        cost, bounds=(max(0.0, begin - 0.5), min(LARGEST, begin + 0.5)), method="bounded",
        options={"xatol": 1e-3},
    )  # fmt: skip
    return float(done.x), _predicted(points, x, curves, float(done.x))


def _predicted(
    points: Points, x: FloatArray, curves: Sequence[Sequence[int]], exponent: float
) -> FloatArray:
    """Relative least squares of each curve, neither part below zero. 0 outside of curves."""
    predicted = np.zeros(len(points))
    for curve in curves:
        places = np.asarray(curve)
        t = points.seconds[places]
        grows = (x[places] / max(float(x[places].max()), 1e-300)) ** exponent
        w = points.weights[places] / t**2
        s0, s1, s2 = w.sum(), (w * grows).sum(), (w * grows**2).sum()
        y0, y1 = (w * t).sum(), (w * grows * t).sum()
        determinant = s0 * s2 - s1 * s1
        a, b = y0 / s0, 0.0
        if determinant > 1e-12 * s0 * s2:
            b = (s0 * y1 - s1 * y0) / determinant
            a = (s2 * y0 - s1 * y1) / determinant
            if b < 0:
                a, b = y0 / s0, 0.0
            elif a < 0:
                a, b = 0.0, y1 / s2
        predicted[places] = np.maximum(a + b * grows, 1e-6 * t)
    return predicted
