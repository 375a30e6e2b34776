# SPDX-License-Identifier: Apache-2.0
"""Formulas of time that are fitted: what they have in common, one that is written, null models."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from isobath.errors import UsageError
from isobath.models.formula import Columns, Expression
from isobath.models.least_squares import fit_formula
from isobath.models.points import Points
from isobath.stats.estimates import FloatArray

TINY = 1e-12
"""seconds: no prediction is less"""


@dataclass(frozen=True)
class Fitted:
    """A formula with its parameters."""

    parameters: Mapping[str, float]
    predict: Callable[[Columns], FloatArray] = field(repr=False)
    """seconds from columns of symbols"""

    def seconds(self, columns: Columns) -> FloatArray:
        """At every point, positive."""
        seconds: FloatArray = np.maximum(np.nan_to_num(self.predict(columns), nan=TINY), TINY)
        return seconds

    def errors(self, points: Points) -> FloatArray:
        """Logarithms of predicted by measured time: 0.1 is about 10 % too slow."""
        errors: FloatArray = np.log(self.seconds(points.columns) / points.seconds)
        return errors


class TimeFormula(Protocol):
    """Something that can be fitted to points and says their times."""

    @property
    def name(self) -> str:
        """In tables: hockney."""
        ...

    @property
    def text(self) -> str:
        """Its formula, or its form in words."""
        ...

    @property
    def size(self) -> int:
        """How many numbers are fitted: of two that do alike the smaller is chosen."""
        ...

    def fit(self, points: Points, start: Fitted | None = None) -> Fitted:
        """Args: start is what was fitted to points that hardly differ: much quicker.

        Raises: UsageError where it cannot be fitted to these points.
        """
        ...


@dataclass(frozen=True)
class WrittenFormula:
    """A formula with its parameters."""

    name: str
    expression: Expression
    given: Mapping[str, float] = field(default_factory=dict)
    """values of parameters that are not fitted"""

    @property
    def text(self) -> str:
        """As it was typed."""
        return self.expression.text

    @property
    def size(self) -> int:
        """Parameters that are fitted."""
        return len(self.expression.parameters) - len(self.given)

    def fit(self, points: Points, start: Fitted | None = None) -> Fitted:
        """Raises: UsageError where the formula is no number at a point, or points are too few."""
        if len(points) <= self.size:
            raise UsageError(
                f"{len(points)} points are too few for the {self.size} parameters of the formula"
            )
        begin = dict(start.parameters) if start is not None else None
        parameters = fit_formula(self.expression, points, self.given, begin)
        return Fitted(parameters, lambda columns: self.expression.values(columns, parameters))


@dataclass(frozen=True)
class Constant:
    """The null model: every time is the same."""

    name: str = "constant"
    text: str = "the same time everywhere"
    size: int = 1

    def fit(self, points: Points, start: Fitted | None = None) -> Fitted:
        """The weighted median of logarithms."""
        order = np.argsort(points.seconds)
        reached = np.cumsum(points.weights[order])
        middle = int(np.searchsorted(reached, reached[-1] / 2))
        value = float(points.seconds[order][min(middle, len(points) - 1)])
        return Fitted(
            {"seconds": value}, lambda columns: np.full(len(next(iter(columns.values()))), value)
        )
