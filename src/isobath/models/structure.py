# SPDX-License-Identifier: Apache-2.0
"""Is there structure in the residuals? Over every factor, by permutation; and its name.

A residual is what a formula says against what was measured, as a logarithm. Of a right formula they
are noise: they do not know at which size, on how many ranks or under which setting they were met.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.models.formula import SYMBOLS
from isobath.models.points import Points
from isobath.stats.estimates import FloatArray, IntArray

PERMUTATIONS = 999
MOST_LEVELS = 12
"""of a number: more are taken together, equally many points in each"""

LEAST_IN_LEVEL = 3
LEAST_POINTS = 6
MATTERS = 0.05
"""relative error of a level from which it is called structure"""

SURE = 0.05


@dataclass(frozen=True)
class Level:
    """Points of one level of a factor, or of a stretch of a number."""

    words: str
    points: int
    mean: float
    """of the residuals, on logarithms; positive: the formula is too slow"""

    @property
    def share(self) -> float:
        """The same as a share: 0.1 is 10 % too slow."""
        return float(np.expm1(self.mean))


@dataclass(frozen=True)
class Structure:
    """What residuals do along one factor."""

    factor: str
    is_number: bool
    levels: tuple[Level, ...]
    p: float
    """that chance alone does so; corrected for all factors (Holm)"""
    size: float
    """typical systematic error along it, as a share"""

    @property
    def is_there(self) -> bool:
        """Surely more than chance, and large enough to matter."""
        return self.p < SURE and self.size >= MATTERS

    @property
    def words(self) -> str:
        """Its name: ``bends with m: 31 % too slow at 16, 24 % too fast at 4096``."""
        means = [level.mean for level in self.levels]
        if all(abs(mean) < np.log1p(MATTERS) for mean in means):
            told = f"typically {100 * self.size:.0f} %, but not alike at all else"
            return f"bends along {self.factor}, {told}"
        worst = sorted(self.levels, key=lambda level: -abs(level.mean))[:2]
        told = ", ".join(
            f"{error_words(level.mean)} at {self.factor} {level.words}" for level in worst
        )
        if not self.is_number:
            return f"differs by {self.factor}: {told}"
        return f"{_shape(means)} {self.factor}: {told}"


def error_words(mean: float) -> str:
    """``error_words(0.1) == "11 % too slow"``."""
    share = 100 * np.expm1(abs(mean))
    return f"{share:.0f} % too {'slow' if mean > 0 else 'fast'}"


def structures_of(
    points: Points, errors: FloatArray, *, freedom: int = 0, seed: int = 1
) -> tuple[Structure, ...]:
    """Of every number and factor that differs among the points, the surest first.

    Args: errors are logarithms, of shape (n,); freedom is how many parameters were fitted, which
        make errors smaller than noise.
    """
    n = len(points)
    names = [*points.told_apart, *points.factor_names]
    if n < max(LEAST_POINTS, freedom + 2) or not names:
        return ()
    roots = np.sqrt(points.weights)
    weighted = errors * roots
    rng = np.random.default_rng(seed)
    drawn = np.stack([rng.permutation(n) for _ in range(PERMUTATIONS)])
    tested = []
    for name in names:
        groups = _groups(points, name)
        if len(np.unique(groups)) < 2 or (
            name not in points.columns and len(np.unique(groups)) > n // 2
        ):
            continue
        # The permutation keeps the overall error, which is no structure along anything.
        p_levels = _p(_between(weighted, groups), _between_all(weighted[drawn], groups))
        curves = [curve for curve in curves_along(points, name) if len(curve) > 2]
        p_curves = 1.0
        if curves:
            p_curves = _p(_together(weighted, curves), _together_all(weighted[drawn], curves))
        levels = _levels(points, name, errors, groups)
        size = _size(errors, groups, curves)
        tested.append((name, levels, min(1.0, 2 * min(p_levels, p_curves)), size))
    return _corrected(points, tested)


def _corrected(
    points: Points, tested: Sequence[tuple[str, tuple[Level, ...], float, float]]
) -> tuple[Structure, ...]:
    """Holm's correction over all factors."""
    ordered = sorted(tested, key=lambda row: row[2])
    rows, largest = [], 0.0
    for place, (name, levels, p, size) in enumerate(ordered):
        largest = max(largest, min(1.0, p * (len(ordered) - place)))
        rows.append(Structure(name, name in points.columns, levels, largest, size))
    return tuple(rows)


def _p(seen: float, drawn: FloatArray) -> float:
    return (1 + int(np.sum(drawn >= seen * (1 - 1e-9)))) / (1 + len(drawn))


def _groups(points: Points, name: str) -> IntArray:
    """The level of every point, by number."""
    if name not in points.columns:
        return np.unique(np.array(points.levels(name)), return_inverse=True)[1]
    values = points.columns[name]
    levels, places = np.unique(values, return_inverse=True)
    most = max(2, min(MOST_LEVELS, len(points) // LEAST_IN_LEVEL))
    if len(levels) <= most:
        return np.asarray(places)
    return np.asarray(places * most // len(levels))


def _between(errors: FloatArray, groups: IntArray) -> float:
    return float(_between_all(errors[None, :], groups)[0])


def _between_all(errors: FloatArray, groups: IntArray) -> FloatArray:
    """Squares that means of levels explain."""
    total = np.zeros(len(errors))
    for level in range(int(groups.max()) + 1):
        inside = groups == level
        if inside.any():
            total += inside.sum() * errors[:, inside].mean(axis=1) ** 2
    return total


def curves_along(points: Points, name: str) -> list[list[int]]:
    """Points in ascending order of a number, by all that is else; none along what follows from
    other numbers.
    """
    bases = _bases(points)
    if name not in bases:
        return []
    others = [base for base in bases if base != name]
    curves: defaultdict[object, list[int]] = defaultdict(list)
    for place in np.argsort(points.columns[name], kind="stable").tolist():
        key = tuple(float(points.columns[other][place]) for other in others)
        curves[key, *sorted(points.samples[place].factors.items())].append(place)
    return list(curves.values())


def _bases(points: Points) -> tuple[str, ...]:
    """Numbers that say all others: bytes of all ranks follow from ranks and size."""
    bases: list[str] = []
    for name in sorted(points.varied, key=list(SYMBOLS).index):
        known = {tuple(row) for row in _rows(points, bases)}
        if len({tuple(row) for row in _rows(points, [*bases, name])}) > len(known):
            bases.append(name)
    return tuple(bases)


def _rows(points: Points, names: Sequence[str]) -> list[list[float]]:
    return [[float(points.columns[name][place]) for name in names] for place in range(len(points))]


def _together(errors: FloatArray, curves: Sequence[Sequence[int]]) -> float:
    return float(_together_all(errors[None, :], curves)[0])


def _together_all(errors: FloatArray, curves: Sequence[Sequence[int]]) -> FloatArray:
    """How much neighbours in a curve have in common beside the mean of the curve, which is a
    matter of what tells curves apart.
    """
    total = np.zeros(len(errors))
    for curve in curves:
        own = errors[:, curve]
        own = own - own.mean(axis=1, keepdims=True)
        total += (own[:, 1:] * own[:, :-1]).sum(axis=1)
    return total


def _levels(points: Points, name: str, errors: FloatArray, groups: IntArray) -> tuple[Level, ...]:
    levels = []
    for level in range(int(groups.max()) + 1):
        inside = np.flatnonzero(groups == level)
        if len(inside) == 0:
            continue
        levels.append(
            Level(_words(points, name, inside), len(inside), float(errors[inside].mean()))
        )
    return tuple(levels)


def _words(points: Points, name: str, inside: IntArray) -> str:
    if name not in points.columns:
        return points.levels(name)[int(inside[0])]
    values = points.columns[name][inside]
    low, high = values.min(), values.max()
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _size(errors: FloatArray, groups: IntArray, curves: Sequence[Sequence[int]]) -> float:
    """The larger of what levels and what neighbours have in common, freed of noise."""
    levels = np.unique(groups)
    means = np.array([errors[groups == level].mean() for level in levels])
    counts = np.array([np.sum(groups == level) for level in levels])
    inside = float(np.mean([errors[groups == level].var() for level in levels]))
    by_levels = float(np.average(means**2, weights=counts)) - inside / float(counts.mean())
    pairs = sum(len(curve) - 1 for curve in curves)
    by_curves = _together(errors, curves) / pairs if pairs else 0.0
    return float(np.expm1(np.sqrt(max(by_levels, by_curves, 0.0))))


def _shape(means: Sequence[float]) -> str:
    """How residuals go along a number."""
    y = np.asarray(means)
    x = np.arange(len(y), dtype=np.float64)
    if len(y) < 3:
        return "changes with"
    spread = float(np.sum((y - y.mean()) ** 2)) or 1.0
    line = np.polyval(np.polyfit(x, y, 1), x)
    straight = 1 - float(np.sum((y - line) ** 2)) / spread
    steps = [
        1
        - (float(np.sum((y[:k] - y[:k].mean()) ** 2)) + float(np.sum((y[k:] - y[k:].mean()) ** 2)))
        / spread
        for k in range(1, len(y))
    ]
    if straight > 0.75:
        return "grows with" if y[-1] > y[0] else "falls with"
    if max(steps) > 0.85:
        return "jumps along"
    return "bends with"


def _squares(values: FloatArray) -> float:
    return float(np.sum((values - values.mean()) ** 2))
