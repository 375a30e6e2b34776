# SPDX-License-Identifier: Apache-2.0
"""How well a formula says what it was not fitted to: between the points, and beyond them, apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from isobath.errors import UsageError
from isobath.models.points import Points
from isobath.models.time_formulas import TimeFormula
from isobath.stats.estimates import FloatArray, IntArray

FOLDS = 10
LEVEL = 0.9
"""of intervals of predictions"""

LEAST_LEVELS = 3
"""of a symbol, for its largest to be left out"""

CLEARLY = 0.9
"""Errors are smaller where they are so much of the others at most: less is alike."""

LEAST_FOLDED = 4
"""points, for folds"""

BEYOND = {"m": "largest size left out", "p": "largest ranks left out",
          "bytes": "largest bytes left out", "nodes": "largest nodes left out",
          "elements": "largest mesh left out"}  # fmt: skip
"""Symbols whose largest level is predicted from the others."""

APART = {"scale": "one scale left out"}
"""Symbols each of whose levels is predicted from the others."""

BETWEEN = "random folds"


@dataclass(frozen=True)
class Split:
    """Points to fit to, and those that are held out."""

    name: str
    fitted: IntArray
    held_out: IntArray


@dataclass(frozen=True)
class HeldOut:
    """What a formula said of points that it was not fitted to."""

    name: str
    places: IntArray
    """of these points"""
    errors: FloatArray
    """logarithms of predicted by measured"""
    covered: int
    """points whose 90 % interval held the measured time"""

    @property
    def median_error(self) -> float:
        """Share by which half of the predictions were off at most."""
        return float(np.expm1(np.median(np.abs(self.errors))))

    @property
    def largest_errors(self) -> tuple[float, float]:
        """The same of nine in ten, and of all."""
        sizes = np.abs(self.errors)
        return float(np.expm1(np.quantile(sizes, 0.9))), float(np.expm1(sizes.max()))

    @property
    def bias(self) -> float:
        """Of the median, with its sign: positive is too slow."""
        return float(np.expm1(np.median(self.errors)))

    @property
    def mean_size(self) -> float:
        """Of the logarithms: what formulas are chosen by."""
        return float(np.mean(np.abs(self.errors)))


def splits_of(points: Points, seed: int = 1) -> tuple[tuple[str, tuple[Split, ...]], ...]:
    """Ways to hold points out: folds between them, then what lies beyond, each by its name."""
    return tuple(_named_splits(points, seed))


def _named_splits(points: Points, seed: int) -> Iterator[tuple[str, tuple[Split, ...]]]:
    n = len(points)
    if n >= LEAST_FOLDED:
        order = np.random.default_rng(seed).permutation(n)
        parts = np.array_split(order, min(FOLDS, n))
        yield BETWEEN, tuple(_split(BETWEEN, n, part) for part in parts)
    told = points.told_apart
    for symbol, name in BEYOND.items():
        levels = np.unique(points.columns[symbol]) if symbol in told else np.array([])
        if len(levels) >= LEAST_LEVELS:
            held = np.flatnonzero(points.columns[symbol] == levels[-1])
            yield name, (_split(name, n, held),)
    for symbol, name in APART.items():
        levels = np.unique(points.columns[symbol]) if symbol in points.columns else np.array([])
        if len(levels) >= LEAST_LEVELS:
            places = [np.flatnonzero(points.columns[symbol] == level) for level in levels]
            yield name, tuple(_split(name, n, held) for held in places)


def _split(name: str, n: int, held: IntArray) -> Split:
    fitted = np.setdiff1d(np.arange(n), held)
    return Split(name, fitted, np.sort(held))


def held_out(formula: TimeFormula, points: Points, splits: Sequence[Split]) -> HeldOut | None:
    """The formula fitted without each of them; None where it cannot be."""
    places, errors, covered = [], [], 0
    for split in splits:
        training, wanted = points.some(split.fitted), points.some(split.held_out)
        try:
            fitted = formula.fit(training)
        except UsageError:
            return None
        own = fitted.errors(wanted)
        reach = reach_of(fitted.errors(training), formula.size)
        places.append(split.held_out)
        errors.append(own)
        covered += int(np.sum(np.abs(own) <= reach))
    every_place = np.concatenate(places)
    return HeldOut(splits[0].name, every_place, np.concatenate(errors), covered)


def reach_of(errors: FloatArray, parameters: int) -> float:
    """How far the interval of a prediction reaches to each side, on logarithms, by the errors of
    the points that the formula was fitted to.
    """
    freedom = len(errors) - parameters
    if freedom < 1:
        return float("inf")
    scatter = float(np.sqrt(np.sum(errors**2) / freedom))
    student = float(special.stdtrit(freedom, (1 + LEVEL) / 2))
    return student * scatter * float(np.sqrt(1 + parameters / len(errors)))


def surely_better(held_out: HeldOut, other: HeldOut, seed: int = 1) -> bool:
    """Whether the first has smaller errors at the same points, by a tenth at least: 99 % of
    resamples agree that they are smaller.

    A sign that comes by chance is none: the points are drawn again.
    """
    first = np.abs(held_out.errors)[np.argsort(held_out.places, kind="stable")]
    second = np.abs(other.errors)[np.argsort(other.places, kind="stable")]
    gains = second - first
    if len(gains) < LEAST_FOLDED or held_out.mean_size > CLEARLY * other.mean_size:
        return False
    drawn = np.random.default_rng(seed).integers(len(gains), size=(1000, len(gains)))
    return bool(np.quantile(gains[drawn].mean(axis=1), 0.01) > 0)
