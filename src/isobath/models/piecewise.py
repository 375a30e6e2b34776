# SPDX-License-Identifier: Apache-2.0
"""A formula with other parameters in every segment of sizes: eager, rendezvous, pipelined."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from isobath.errors import UsageError
from isobath.models.formula import Columns, Expression
from isobath.models.points import Points
from isobath.models.time_formulas import Fitted, WrittenFormula
from isobath.stats.estimates import FloatArray

LEAST_SIZES = 4
"""in a segment"""

MOST_SEGMENTS = 3
NOISE = 0.01
"""relative error that no segment is made for"""


@dataclass(frozen=True)
class Piecewise:
    """Segments by dynamic programming and the Bayesian criterion on relative errors.

    Args: expression is linear in its parameters and names ``along``.
    """

    name: str
    expression: Expression
    along: str = "m"

    @property
    def text(self) -> str:
        """The formula, and that it has pieces."""
        return f"{self.expression.text}, in pieces of {self.along}"

    @property
    def size(self) -> int:
        """Of two segments, which most curves have."""
        return 2 * len(self.expression.parameters) + 1

    def fit(self, points: Points, start: Fitted | None = None) -> Fitted:
        """Raises: UsageError where there are too few sizes for two segments."""
        sizes = np.unique(points.columns[self.along])
        if len(sizes) < 2 * LEAST_SIZES:
            raise UsageError(
                f"{len(sizes)} sizes are too few for two segments of {LEAST_SIZES} each"
            )
        bounds = self._bounds(points, sizes)
        formula = WrittenFormula(self.name, self.expression)
        fits = [
            formula.fit(points.some(_between(points.columns[self.along], low, high)))
            for low, high in bounds
        ]
        named = {
            f"{name}[{self.along} from {low:g}]": value
            for (low, _), fitted in zip(bounds, fits, strict=True)
            for name, value in fitted.parameters.items()
        }
        return Fitted(named, lambda columns: self._seconds(columns, bounds, fits))

    def _seconds(
        self, columns: Columns, bounds: Sequence[tuple[float, float]], fits: Sequence[Fitted]
    ) -> FloatArray:
        """Beyond both ends the nearest segment goes on; between two the one that began."""
        x = columns[self.along]
        starts = np.array([low for low, _ in bounds])
        which = np.clip(np.searchsorted(starts, x, side="right") - 1, 0, len(fits) - 1)
        values = np.stack([fit.predict(columns) for fit in fits])
        seconds: FloatArray = values[which, np.arange(len(x))]
        return seconds

    def _bounds(self, points: Points, sizes: FloatArray) -> list[tuple[float, float]]:
        """First and last size of each segment."""
        costs = self._costs(points, sizes)
        n, best = len(sizes), (np.inf, [(0, len(sizes) - 1)])
        for number in range(1, min(MOST_SEGMENTS, n // LEAST_SIZES) + 1):
            for cuts in itertools.combinations(range(1, n), number - 1):
                edges = (0, *cuts, n)
                parts = [(low, high - 1) for low, high in itertools.pairwise(edges)]
                if any(high - low + 1 < LEAST_SIZES for low, high in parts):
                    continue
                squares = sum(costs[part] for part in parts)
                asked = len(self.expression.parameters) * number + number - 1
                criterion = len(points) * np.log(squares / len(points) + NOISE**2)
                criterion += asked * np.log(len(points))
                best = min(best, (float(criterion), parts), key=lambda option: option[0])
        return [(float(sizes[low]), float(sizes[high])) for low, high in best[1]]

    def _costs(self, points: Points, sizes: FloatArray) -> dict[tuple[int, int], float]:
        """Squares of the logarithmic errors of every segment that is long enough."""
        names = self.expression.parameters
        zero = dict.fromkeys(names, 0.0)
        slopes = self.expression.slopes(points.columns, zero, names) / points.seconds[:, None]
        roots = np.sqrt(points.weights)
        place = np.searchsorted(sizes, points.columns[self.along])
        costs = {}
        for low in range(len(sizes)):
            for high in range(low + LEAST_SIZES - 1, len(sizes)):
                inside = (place >= low) & (place <= high)
                rows = slopes[inside] * roots[inside][:, None]
                unit = np.maximum(np.max(np.abs(rows), axis=0), 1e-300)
                solved, _ = nnls(rows / unit, roots[inside], maxiter=500)
                predicted = np.maximum(slopes[inside] @ (solved / unit), 1e-6)
                costs[low, high] = float(np.sum(points.weights[inside] * np.log(predicted) ** 2))
        return costs


def _between(values: FloatArray, low: float, high: float) -> np.ndarray:
    return np.asarray((values >= low) & (values <= high))
