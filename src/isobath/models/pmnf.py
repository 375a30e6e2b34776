# SPDX-License-Identifier: Apache-2.0
"""The performance model normal form: a formula that knows no algorithm, found among many.

    T = c0 + c1 f(x) g(y),   T = f(x) (c1 + c2 g(y))   or   T = c0 + c1 f(x) + c2 g(y)

with f(x) = x^i log2(x)^j.

Source: A. Calotoiu et al., SC'13; exponents about as Extra-P tries them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.optimize import nnls

from isobath.errors import UsageError
from isobath.models.formula import read_formula
from isobath.models.points import Points
from isobath.models.time_formulas import Fitted, WrittenFormula
from isobath.stats.estimates import FloatArray

POWERS = tuple(sorted({Fraction(n, d) for d in (1, 2, 3, 4) for n in range(3 * d + 1)}))
"""0, 1/4, 1/3, 1/2 ... 3"""

LOGARITHMS = (0, 1, 2)
LEAST_LEVELS = 3
"""of a symbol that a term is looked for in; Extra-P wants 5"""

BEST = 6
"""terms of each symbol that are tried with those of others"""


@dataclass(frozen=True)
class Term:
    """x^power log2(x)^logarithm."""

    power: Fraction
    logarithm: int

    def values(self, x: FloatArray) -> FloatArray:
        """Of numbers that are 0 or more; log2 counts from 1 on."""
        values: FloatArray = x ** float(self.power) * np.log2(np.maximum(x, 1.0)) ** self.logarithm
        return values

    def words(self, name: str) -> str:
        """As a formula."""
        parts = []
        if self.power:
            is_whole = self.power.denominator == 1
            exponent = f"{self.power}" if is_whole else f"({self.power})"
            parts.append(name if self.power == 1 else f"{name}**{exponent}")
        if self.logarithm:
            power = f"**{self.logarithm}" if self.logarithm > 1 else ""
            parts.append(f"log2(max({name}, 1)){power}")
        return "*".join(parts)


TERMS = tuple(Term(power, log) for power in POWERS for log in LOGARITHMS if power or log)


@dataclass(frozen=True)
class Pmnf:
    """Args: names are symbols; those with too few levels are left out."""

    names: tuple[str, ...]
    name: str = "pmnf"
    text: str = "sums and products of x**i*log2(x)**j, found by trying"
    size: int = 4

    def fit(self, points: Points, start: Fitted | None = None) -> Fitted:
        """Raises: UsageError where nothing was varied enough."""
        return self.chosen(points).fit(points)

    def chosen(self, points: Points) -> WrittenFormula:
        """That with the smallest errors, written out. Raises: as ``fit``."""
        used = [
            symbol
            for symbol in self.names
            if symbol in points.columns and len(np.unique(points.columns[symbol])) >= LEAST_LEVELS
        ][:2]
        if not used:
            raise UsageError(f"no symbol has {LEAST_LEVELS} levels or more")
        alone = {name: _best_alone(points, points.columns[name]) for name in used}
        text = _formula(points, {name: alone[name] for name in used})
        return WrittenFormula(self.name, read_formula(text, points.columns))


def _best_alone(points: Points, x: FloatArray) -> list[Term]:
    """Terms of one symbol, the best first."""
    rows = np.stack([term.values(x) for term in TERMS])
    costs = _costs_of_two(points, np.ones_like(rows), rows)
    return [TERMS[place] for place in np.argsort(costs, kind="stable")]


def _formula(points: Points, alone: Mapping[str, Sequence[Term]]) -> str:
    if len(alone) == 1:
        ((name, terms),) = alone.items()
        return f"c0 + c1*{terms[0].words(name)}"
    (x, _), (y, ys) = alone.items()
    fs, gs = (np.stack([term.values(points.columns[name]) for term in TERMS]) for name in (x, y))
    best, words = np.inf, ""
    for first, f in zip(TERMS, fs, strict=True):
        constant = _costs_of_two(points, np.ones_like(gs), f * gs)
        factor = _costs_of_two(points, np.broadcast_to(f, gs.shape), f * gs)
        for costs, shape in ((constant, "c0 + c1*{}*{}"), (factor, "{}*(c1 + c2*{})")):
            place = int(np.argmin(costs))
            if costs[place] < best:
                best = float(costs[place])
                words = shape.format(first.words(x), TERMS[place].words(y))
        for second in ys[:BEST]:
            g = second.values(points.columns[y])
            cost = _cost_of_three(points, np.stack([np.ones(len(points)), f, g], axis=1))
            if cost < best:
                best, words = cost, f"c0 + c1*{first.words(x)} + c2*{second.words(y)}"
    return words


def _costs_of_two(points: Points, first: FloatArray, second: FloatArray) -> FloatArray:
    """Costs of many pairs of columns at once, none below zero. Args: of shape (pairs, n)."""
    w = points.weights
    a, b = first / points.seconds, second / points.seconds
    s0, s1, s2 = (w * a * a).sum(axis=1), (w * a * b).sum(axis=1), (w * b * b).sum(axis=1)
    y0, y1 = (w * a).sum(axis=1), (w * b).sum(axis=1)
    with np.errstate(all="ignore"):
        determinant = s0 * s2 - s1 * s1
        c0, c1 = (s2 * y0 - s1 * y1) / determinant, (s0 * y1 - s1 * y0) / determinant
        is_both = (determinant > 1e-12 * s0 * s2) & (c0 >= 0) & (c1 >= 0)
        takes_first = y0**2 / np.maximum(s0, 1e-300) >= y1**2 / np.maximum(s2, 1e-300)
        alone0, alone1 = y0 / np.maximum(s0, 1e-300), y1 / np.maximum(s2, 1e-300)
    c0 = np.where(is_both, c0, np.where(takes_first, alone0, 0.0))
    c1 = np.where(is_both, c1, np.where(takes_first, 0.0, alone1))
    said = c0[:, None] * a + c1[:, None] * b
    return _criterion(points, (w * np.log(np.maximum(said, 1e-6)) ** 2).sum(axis=1), 0)


def _cost_of_three(points: Points, rows: FloatArray) -> float:
    roots = np.sqrt(points.weights)
    scaled = rows / points.seconds[:, None]
    unit = np.maximum(np.max(np.abs(scaled), axis=0), 1e-300)
    solved = nnls(scaled * roots[:, None] / unit, roots, maxiter=500)[0] / unit
    errors = np.log(np.maximum(scaled @ solved, 1e-6))
    squares = np.array([np.sum(points.weights * errors**2)])
    return float(_criterion(points, squares, 1)[0])


def _criterion(points: Points, squares: FloatArray, more: int) -> FloatArray:
    """Bayesian: a parameter more has to pay."""
    n = len(points)
    criterion: FloatArray = n * np.log(squares / n + 1e-6) + more * np.log(n)
    return criterion
