# SPDX-License-Identifier: Apache-2.0
"""Parameters of a formula: relative errors, a loss that bears outliers, none below zero."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import least_squares, nnls

from isobath.errors import UsageError
from isobath.models.formula import Expression
from isobath.models.points import Points
from isobath.stats.estimates import FloatArray

HUBER = 1.345
"""So many typical errors away a point begins to count less: 95 % efficient where errors are normal.
Source: P. J. Huber, Robust Statistics (1981), section 4.5."""

LEAST_TYPICAL = 0.01
"""relative error that is never taken for an outlier"""

STARTS = (1e-9, 1e-6, 1e-3, 0.1, 0.5, 1.0, 1.5, 2.0, 1e3, 1e6)
"""Values that a parameter which bends a formula is tried from: time of a byte to bytes."""

MOST_STARTS, POLISHED = 400, 3
MOST_STEPS = 40

FLOOR = 1e-6
"""share of the measured time that a prediction is taken for at least while it is fitted"""


def fit_formula(
    expression: Expression,
    points: Points,
    given: Mapping[str, float],
    begin: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """All parameters by name, those given among them.

    Raises: UsageError where the formula is no number at a point.
    """
    free = [name for name in expression.parameters if name not in given]
    starts = [] if begin is not None else _starts(expression, points, given, free)
    if not free:
        return dict(given)
    problem = _Problem(expression, points, given, free)
    if begin is not None:  # near enough to know what an outlier is
        best = np.array([begin[name] for name in free])
    else:
        best = min((problem.solved(start, HUBER * 0.3) for start in starts), key=problem.cost)
    typical = float(np.median(np.abs(problem.errors(best)))) * 1.4826
    solved = problem.solved(best, HUBER * max(typical, LEAST_TYPICAL))
    return dict(zip(free, map(float, solved), strict=True)) | dict(given)


class _Problem:
    """Errors and their derivatives, by parameters in units in which they are about 1."""

    def __init__(
        self,
        expression: Expression,
        points: Points,
        given: Mapping[str, float],
        free: Sequence[str],
    ) -> None:
        self.expression, self.points, self.given, self.free = expression, points, dict(given), free
        self.roots = np.sqrt(points.weights)

    def named(self, values: Sequence[float] | FloatArray) -> dict[str, float]:
        return self.given | dict(zip(self.free, map(float, values), strict=True))

    def predicted(self, values: FloatArray) -> FloatArray:
        return self.above_floor(self.expression.values(self.points.columns, self.named(values)))

    def above_floor(self, predicted: FloatArray) -> FloatArray:
        floor = FLOOR * self.points.seconds
        kept: FloatArray = np.where(np.isfinite(predicted), np.maximum(predicted, floor), floor)
        return kept

    def errors(self, values: FloatArray) -> FloatArray:
        errors: FloatArray = np.log(self.predicted(values) / self.points.seconds)
        return errors

    def cost(self, values: FloatArray) -> float:
        return float(np.sum(self.points.weights * np.abs(self.errors(values))))

    def solved(self, begin: Mapping[str, float] | FloatArray, scale: float) -> FloatArray:
        """The parameters, by the quicker of two ways where the formula is linear in all."""
        is_linear = set(self.free) <= set(self.expression.linear)
        first = (
            np.array([begin[name] for name in self.free]) if isinstance(begin, Mapping) else begin
        )
        return self.stepped(first, scale) if is_linear else self.polished(first, scale)

    def stepped(self, first: FloatArray, scale: float) -> FloatArray:
        """Newton's steps on logarithms, each a least squares that is not negative: a parameter
        reaches its bound, and leaves it. A step that does not help is halved.
        """
        values = np.array(first, dtype=np.float64)
        slopes = self.expression.slopes(self.points.columns, self.named(values), self.free)
        given = self.expression.values(self.points.columns, self.named(np.zeros(len(values))))
        predicted = self.above_floor(given + slopes @ values)
        errors = np.log(predicted / self.points.seconds)
        cost = self.huber(errors, scale)
        for _ in range(MOST_STEPS):
            near = np.minimum(1.0, scale / np.maximum(np.abs(self.roots * errors), 1e-300))
            roots = self.roots * np.sqrt(near)
            rows = roots[:, None] * slopes / predicted[:, None]
            wanted = roots * (slopes @ values / predicted - errors)
            unit = np.maximum(np.max(np.abs(rows), axis=0), 1e-300)
            aim = nnls(rows / unit, wanted, maxiter=500)[0] / unit
            step, before = 1.0, cost
            while step > 1e-3:
                tried = values + step * (aim - values)
                reached = self.above_floor(given + slopes @ tried)
                left = np.log(reached / self.points.seconds)
                cost = self.huber(left, scale)
                if cost <= before:
                    values, predicted, errors = tried, reached, left
                    break
                step /= 2
            if before - cost < 1e-9 * max(before, 1e-12):
                break
        return values

    def huber(self, errors: FloatArray, scale: float) -> float:
        """The loss: squares near by, sizes far off."""
        sizes = np.abs(self.roots * errors)
        near = np.minimum(sizes, scale)
        return float(np.sum(near * (2 * sizes - near)))

    def polished(self, first: FloatArray, scale: float) -> FloatArray:
        """Of formulas that parameters bend."""
        unit = np.where(first > 0, first, self._units(first))

        def residuals(x: FloatArray) -> FloatArray:
            residuals: FloatArray = self.roots * self.errors(x * unit)
            return residuals

        def jacobian(x: FloatArray) -> FloatArray:
            values = x * unit
            slopes = self.expression.slopes(self.points.columns, self.named(values), self.free)
            scaled = self.roots[:, None] * slopes * unit / self.predicted(values)[:, None]
            clean: FloatArray = np.nan_to_num(scaled, nan=0.0, posinf=1e6, neginf=-1e6)
            return clean

        # A parameter that begins on its bound has no way to leave it.
        start = np.maximum(first / unit, 1e-3)
        done: Any = least_squares(
            residuals, start, jac=jacobian, bounds=(0.0, np.inf), loss="huber", f_scale=scale,
            x_scale=1.0, max_nfev=100, xtol=1e-9, ftol=1e-9, gtol=1e-9,
        )  # fmt: skip
        x = np.where(done.x < 1e-6, 0.0, done.x)
        reached = np.asarray(x * unit, dtype=np.float64)
        as_it_was = np.asarray(done.x * unit, dtype=np.float64)
        return reached if self.cost(reached) <= self.cost(as_it_was) * (1 + 1e-6) else as_it_was

    def _units(self, first: FloatArray) -> FloatArray:
        """Of what begins at zero: what would explain a tenth of the typical time alone."""
        near = np.where(first > 0, first, 1e-9)
        slopes = (
            np.abs(self.expression.slopes(self.points.columns, self.named(near), self.free))
            / self.points.seconds[:, None]
        )
        typical = np.median(np.nan_to_num(slopes, nan=0.0, posinf=0.0), axis=0)
        largest = np.max(np.nan_to_num(slopes, nan=0.0, posinf=0.0), axis=0)
        units = 0.1 / np.where(typical > 0, typical, np.where(largest > 0, largest, 0.1))
        return np.asarray(units, dtype=np.float64)


def _starts(
    expression: Expression, points: Points, given: Mapping[str, float], free: Sequence[str]
) -> list[dict[str, float]]:
    """Where to begin: parameters that bend the formula from several values, the others then follow
    by least squares that are not negative.
    """
    curved = [name for name in expression.curved if name in free]
    linear = [name for name in expression.linear if name in free]
    tries: list[tuple[float, ...]] = list(itertools.product(STARTS, repeat=min(len(curved), 2)))
    if len(curved) > 2:
        rng = np.random.default_rng(1)
        drawn = rng.choice(STARTS, size=(MOST_STARTS, len(curved)))
        tries = [tuple(map(float, row)) for row in drawn]
    starts = []
    for values in tries:
        known = dict(given) | dict(zip(curved, values, strict=True))
        least = _least_of_linear(expression, points, known, linear)
        if least is not None:
            starts.append(least)
    if not starts:
        raise UsageError(_no_number(expression, points))
    starts.sort(key=lambda start: start[0])
    return [values for _, values in starts[:POLISHED]]


def _least_of_linear(
    expression: Expression, points: Points, known: dict[str, float], linear: Sequence[str]
) -> tuple[float, dict[str, float]] | None:
    """The sum of squares and all free parameters; None where the formula is no number."""
    at = known | dict.fromkeys(linear, 0.0)
    slopes = expression.slopes(points.columns, at, linear)
    rest = expression.values(points.columns, at)
    if not (np.all(np.isfinite(slopes)) and np.all(np.isfinite(rest))):
        return None
    roots = np.sqrt(points.weights) / points.seconds
    wanted = (points.seconds - rest) * roots
    if linear:
        rows = slopes * roots[:, None]
        size = np.maximum(np.max(np.abs(rows), axis=0), 1e-300)
        solved, _ = nnls(rows / size, wanted, maxiter=50 * max(1, len(linear)))
        at |= dict(zip(linear, map(float, solved / size), strict=True))
    predicted = expression.values(points.columns, at)
    floor = FLOOR * points.seconds
    errors = np.log(np.maximum(predicted, floor) / points.seconds)
    return float(np.sum(points.weights * np.abs(errors))), at


def _no_number(expression: Expression, points: Points) -> str:
    """Which point the formula is no number at."""
    at = dict.fromkeys(expression.parameters, 1.0)
    bad = ~np.isfinite(expression.values(points.columns, at))
    if not bad.any():
        return "the formula is no number at some point, whatever its parameters"
    where = int(np.argmax(bad))
    told = ", ".join(f"{name} = {points.columns[name][where]:g}" for name in expression.symbols)
    return f"the formula is no number where {told}: it divides by zero there, or is too large"
