# SPDX-License-Identifier: Apache-2.0
"""Intervals of parameters: launches are drawn again, and the formula is fitted to each draw."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np

from isobath.errors import UsageError
from isobath.models.points import Points
from isobath.models.time_formulas import Fitted, TimeFormula
from isobath.stats.estimates import FloatArray
from isobath.stats.launches import widening

RESAMPLES = 200
LEAST_DRAWN = 20
"""draws that could be fitted, below which there is no interval"""


@dataclass(frozen=True)
class Drawn:
    """Parameters of every draw."""

    over: str
    """what was drawn again: launches, or residuals where each point has one launch"""
    names: tuple[str, ...]
    values: FloatArray
    """shape (draws, parameters)"""
    wider: float
    """by so much an interval is too narrow, for so few launches"""

    def interval(self, name: str, centre: float, level: float = 0.95) -> tuple[float, float] | None:
        """None of a parameter that not every draw has."""
        if name not in self.names or len(self.values) < LEAST_DRAWN:
            return None
        own = self.values[:, self.names.index(name)]
        low, high = np.quantile(own, [(1 - level) / 2, (1 + level) / 2])
        reach = min(low - centre, 0.0), max(high - centre, 0.0)
        return max(0.0, centre + self.wider * reach[0]), centre + self.wider * reach[1]


def draw_parameters(
    formula: TimeFormula,
    points: Points,
    fitted: Fitted,
    *,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Drawn:
    """Fits the formula to so many draws. Turns are drawn, so that what launches of a turn share
    stays shared; a point without any launch in a draw takes one of its own.
    """
    rng = np.random.default_rng(seed)
    has_launches = points.most_launches > 1
    names = tuple(fitted.parameters)
    predicted, errors = fitted.seconds(points.columns), fitted.errors(points)
    errors *= np.sqrt(len(points) / max(1, len(points) - len(names)))
    rows = []
    for _ in range(resamples):
        drawn = drawn_points(points, predicted, errors, rng)
        try:
            again = formula.fit(drawn, fitted)
        except UsageError:
            continue
        if tuple(again.parameters) == names:
            rows.append([again.parameters[name] for name in names])
    return Drawn(
        "launches" if has_launches else "residuals",
        names,
        np.array(rows).reshape(len(rows), len(names)),
        widening(points.most_launches) if has_launches else 1.0,
    )


def drawn_points(
    points: Points, predicted: FloatArray, errors: FloatArray, rng: np.random.Generator
) -> Points:
    """One draw: of launches, or of the signs of errors where each point has one launch.

    Args: predicted in seconds, errors of them as logarithms, of shape (n,).
    """
    if points.most_launches > 1:
        return _launches(points, rng)
    return points.with_seconds(predicted * np.exp(errors * rng.choice([-1.0, 1.0], len(points))))


def _launches(points: Points, rng: np.random.Generator) -> Points:
    turns = points.turns
    drawn = rng.integers(len(turns), size=len(turns))
    if points.by_turn is not None:
        return points.with_seconds(np.median(points.by_turn[:, drawn], axis=1))
    times: dict[Hashable, int] = {}
    for place in drawn:
        times[turns[place]] = times.get(turns[place], 0) + 1
    seconds = np.array([_drawn_median(sample.taken, times, rng) for sample in points.samples])
    return points.with_seconds(seconds)


def _drawn_median(
    taken: tuple[tuple[Hashable, float], ...],
    times: Mapping[Hashable, int],
    rng: np.random.Generator,
) -> float:
    values = [value for turn, value in taken for _ in range(times.get(turn, 0))]
    if not values:
        values = [taken[int(rng.integers(len(taken)))][1]]
    return float(np.median(values))
