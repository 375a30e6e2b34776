# SPDX-License-Identifier: Apache-2.0
"""The performance model normal form: a formula that knows no algorithm, found among many.

    T = c0 + c1 f(x) g(y),   T = f(x) (c1 + c2 g(y))   or   T = c0 + c1 f(x) + c2 g(y)

with f(x) = x^i log2(x)^j.

Source: A. Calotoiu et al., SC'13; exponents about as Extra-P tries them.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

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

AT_ONCE = 1 << 13
"""numbers in an array of pairs of terms; of larger ones the system clears new memory each time"""


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
        return WrittenFormula(self.name, read_formula(_formula(points, used), points.columns))


def _best_alone(points: Points, rows: FloatArray) -> list[int]:
    """Places of terms of one symbol in TERMS, the best first. Args: their values."""
    costs = _costs_of_two(points, np.ones_like(rows), rows)
    return [int(place) for place in np.argsort(costs, kind="stable")]


def _formula(points: Points, names: Sequence[str]) -> str:
    """That with the smallest cost, of one symbol or of two."""
    values = [np.stack([term.values(points.columns[name]) for term in TERMS]) for name in names]
    best = _best_alone(points, values[-1])
    if len(names) == 1:
        return f"c0 + c1*{TERMS[best[0]].words(names[0])}"
    (x, y), (fs, gs) = names, values
    every = range(len(TERMS))
    shapes = (
        ("c0 + c1*{}*{}", every, _costs_of_products(points, fs, gs, factor=False)),
        ("{}*(c1 + c2*{})", every, _costs_of_products(points, fs, gs, factor=True)),
        ("c0 + c1*{} + c2*{}", best[:BEST], _costs_of_sums(points, fs, gs[best[:BEST]])),
    )
    shape, seconds, costs = min(shapes, key=lambda one: float(one[2].min()))
    first, second = divmod(int(np.argmin(costs)), costs.shape[1])
    return shape.format(TERMS[first].words(x), TERMS[seconds[second]].words(y))


def _costs_of_products(
    points: Points, fs: FloatArray, gs: FloatArray, *, factor: bool
) -> FloatArray:
    """Of every f with every g: of c0 + c1 f g, or of f (c1 + c2 g) where f is a factor.

    Args: fs and gs have shape (terms, n). Returns shape (terms, terms).
    """
    together = max(1, AT_ONCE // max(1, gs.size))
    rows = []
    for begin in range(0, len(fs), together):
        some = fs[begin : begin + together, None]
        products = (some * gs).reshape(-1, len(points))
        first = np.broadcast_to(some, (len(some), *gs.shape)).reshape(-1, len(points))
        costs = _costs_of_two(points, first if factor else np.ones_like(products), products)
        rows.append(costs.reshape(len(some), len(gs)))
    return np.concatenate(rows)


def _costs_of_two(points: Points, first: FloatArray, second: FloatArray) -> FloatArray:
    """Costs of many pairs of columns at once, none below zero. Args: of shape (pairs, n)."""
    w = points.weights
    a, b = first / points.seconds, second / points.seconds
    weighed_a, weighed_b = w * a, w * b
    s0, s1, s2 = (np.einsum("kn,kn->k", u, v) for u, v in
                  ((weighed_a, a), (weighed_a, b), (weighed_b, b)))  # fmt: skip
    y0, y1 = weighed_a.sum(axis=1), weighed_b.sum(axis=1)
    with np.errstate(all="ignore"):
        determinant = s0 * s2 - s1 * s1
        c0, c1 = (s2 * y0 - s1 * y1) / determinant, (s0 * y1 - s1 * y0) / determinant
        is_both = (determinant > 1e-12 * s0 * s2) & (c0 >= 0) & (c1 >= 0)
        takes_first = y0**2 / np.maximum(s0, 1e-300) >= y1**2 / np.maximum(s2, 1e-300)
        alone0, alone1 = y0 / np.maximum(s0, 1e-300), y1 / np.maximum(s2, 1e-300)
    c0 = np.where(is_both, c0, np.where(takes_first, alone0, 0.0))
    c1 = np.where(is_both, c1, np.where(takes_first, 0.0, alone1))
    return _costs(points, c0[:, None] * a + c1[:, None] * b, 0)


def _costs_of_sums(points: Points, fs: FloatArray, gs: FloatArray) -> FloatArray:
    """Of c0 + c1 f + c2 g, every f with every g. Args and shape: as of products."""
    every_f = np.repeat(fs, len(gs), axis=0)
    every_g = np.tile(gs, (len(fs), 1))
    rows = np.stack([np.ones_like(every_f), every_f, every_g], axis=2) / points.seconds[:, None]
    rows = rows / np.maximum(rows.max(axis=1, keepdims=True), 1e-300)
    weighed = rows * points.weights[:, None]
    solved = _least_of_many(np.swapaxes(weighed, 1, 2) @ rows, weighed.sum(axis=1))
    costs = _costs(points, (rows @ solved[:, :, None])[:, :, 0], 1)
    return costs.reshape(len(fs), len(gs))


def _least_of_many(squares: FloatArray, wanted: FloatArray) -> FloatArray:
    """Least squares that are not negative, of many problems with few columns: of all choices of
    columns whose solution is not negative that which leaves least.

    Args: rows' rows, shape (problems, k, k), and rows' wanted, shape (problems, k).
    Returns: shape (problems, k).
    """
    number, columns = wanted.shape
    best, solved = np.zeros(number), np.zeros((number, columns))
    for size in range(1, columns + 1):
        for some in itertools.combinations(range(columns), size):
            own = squares[:, some][:, :, some]
            diagonal = np.prod(np.diagonal(own, axis1=1, axis2=2), axis=1)
            tells = np.linalg.det(own) > 1e-12 * diagonal
            values = np.linalg.solve(
                np.where(tells[:, None, None], own, np.eye(size)), wanted[:, some, None]
            )[:, :, 0]
            explained = np.einsum("ki,ki->k", values, wanted[:, some])
            better = tells & (values >= 0).all(axis=1) & (explained > best)
            best[better] = explained[better]
            solved[better] = 0.0
            solved[np.ix_(better, some)] = values[better]
    return solved


def _costs(points: Points, said: FloatArray, more: int) -> FloatArray:
    """Args: what is said in shares of what was measured, of shape (candidates, n)."""
    errors = np.log(np.maximum(said, 1e-6))
    return _criterion(points, errors**2 @ points.weights, more)


def _criterion(points: Points, squares: FloatArray, more: int) -> FloatArray:
    """Bayesian: a parameter more has to pay."""
    n = len(points)
    criterion: FloatArray = n * np.log(squares / n + 1e-6) + more * np.log(n)
    return criterion
