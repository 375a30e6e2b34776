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
    """The exponent, and what it says at the points of the curves, 0 elsewhere."""
    told = _Curves(points, x, curves)
    begin = near if near is not None else min(GRID, key=told.cost)
    done = minimize_scalar(
        told.cost, bounds=(max(0.0, begin - 0.5), min(LARGEST, begin + 0.5)), method="bounded",
        options={"xatol": 1e-3},
    )  # fmt: skip
    predicted = np.zeros(len(points))
    predicted[told.places] = told.predicted(float(done.x))
    return float(done.x), predicted


class _Curves:
    """Points of all curves one after the other; arrays have shape (points of curves,)."""

    def __init__(self, points: Points, x: FloatArray, curves: Sequence[Sequence[int]]) -> None:
        self.places = np.concatenate([np.asarray(curve) for curve in curves])
        lengths = np.array([len(curve) for curve in curves])
        self._begins = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        self._curve = np.repeat(np.arange(len(curves)), lengths)
        along = x[self.places]
        self._share = (
            along / np.maximum(np.maximum.reduceat(along, self._begins), 1e-300)[self._curve]
        )
        self._t = points.seconds[self.places]
        self._weights = points.weights[self.places]
        self._w = self._weights / self._t**2
        self._s0, self._y0 = self._sums(self._w), self._sums(self._w * self._t)

    def _sums(self, values: FloatArray) -> FloatArray:
        sums: FloatArray = np.add.reduceat(values, self._begins)
        return sums

    def cost(self, exponent: float) -> float:
        """Sizes of errors, weighed."""
        errors = np.log(self.predicted(exponent) / self._t)
        return float(np.sum(self._weights * np.abs(errors)))

    def predicted(self, exponent: float) -> FloatArray:
        """Relative least squares of each curve, neither part below zero."""
        s0, y0 = self._s0, self._y0
        grows = self._share**exponent
        weighed = self._w * grows
        s1, s2, y1 = self._sums(weighed), self._sums(weighed * grows), self._sums(weighed * self._t)
        determinant = s0 * s2 - s1 * s1
        tells = determinant > 1e-12 * s0 * s2
        one = np.where(tells, determinant, 1.0)
        a, b = (s2 * y0 - s1 * y1) / one, (s0 * y1 - s1 * y0) / one
        flat, steep = ~tells | (b < 0), tells & (b >= 0) & (a < 0)
        a = np.where(flat, y0 / s0, np.where(steep, 0.0, a))
        b = np.where(flat, 0.0, np.where(steep, y1 / np.maximum(s2, 1e-300), b))
        said: FloatArray = np.maximum(a[self._curve] + b[self._curve] * grows, 1e-6 * self._t)
        return said
