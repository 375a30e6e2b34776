# SPDX-License-Identifier: Apache-2.0
"""Gains of factors with their intervals, and where the gain of one depends on another.

All of it is on logarithms of times, so a gain is a factor and its interval never reaches below
zero. Where launches were taken in turns, each turn gives the mean of all contrasts, and Student's
interval is over turns: what a turn did to all cells alike is in none of them, and that cells of one
turn are not independent does no harm. Otherwise it is over launches with one variance for all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, variance
from typing import Literal

from isobath.comparison.factors import Contrast, Factor, Table
from isobath.comparison.measured import Taken
from isobath.stats.comparisons import ALPHA, holm
from isobath.stats.intervals import student, student_p

Over = Literal["turns", "launches", "settings"]
"""What an interval speaks of: other turns, other launches, or other combinations of the rest."""

LEAST_SETTINGS = 3
"""contrasts from which their own scatter is taken, where each has one launch alone"""


@dataclass(frozen=True)
class Effect:
    """A mean logarithm, and what is known of it."""

    mean: float
    error: float | None
    """standard error"""
    freedom: int
    over: Over | None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Of 95 %, on the logarithm."""
        if self.error is None:
            return None
        reach = student(self.freedom) * self.error
        return self.mean - reach, self.mean + reach

    @property
    def p(self) -> float | None:
        """Two-sided, that it is none."""
        if self.error is None:
            return None
        if self.error == 0:
            return 0.0 if self.mean else 1.0
        return student_p(abs(self.mean) / self.error, self.freedom)


@dataclass(frozen=True)
class Gain:
    """What a level of a factor brings against its reference level."""

    factor: Factor
    level: tuple[str, ...]
    contrasts: tuple[Contrast, ...]
    effect: Effect | None
    """None where nothing tells it from something else"""
    confounded: tuple[str, ...] = ()
    other_sitting: bool = False
    """the levels were not measured in turns: what else changed in between is in the gain"""
    least: float | None = None
    """of all contrasts, times as fast; as the next"""
    most: float | None = None

    @property
    def speed(self) -> float | None:
        """How many times as fast as the reference level."""
        return None if self.effect is None else math.exp(self.effect.mean)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Of the speed."""
        logs = self.effect.bounds if self.effect else None
        return None if logs is None else (math.exp(logs[0]), math.exp(logs[1]))


@dataclass(frozen=True)
class Interaction:
    """The gain of a factor's level at two levels of another."""

    factor: Factor
    level: tuple[str, ...]
    by: Factor
    by_first: tuple[str, ...]
    by_second: tuple[str, ...]
    first: float
    """times as fast at the one, and at the other"""
    second: float
    p: float
    """corrected for the number of interactions that were tried"""


def gains_of(table: Table) -> tuple[Gain, ...]:
    """Of every factor each level against the first."""
    return tuple(
        _gain(table, factor, level) for factor in table.factors for level in factor.levels[1:]
    )


def _gain(table: Table, factor: Factor, level: tuple[str, ...]) -> Gain:
    contrasts = table.contrasts(factor, level)
    if not contrasts:
        return Gain(factor, level, (), None, table.confounded_with(factor, level))
    each = [math.exp(_mean(contrast)) for contrast in contrasts]
    return Gain(
        factor,
        level,
        contrasts,
        effect_of(contrasts),
        factor.names[1:],
        any(contrast.pairs is None
            and _studies(contrast.first.taken) != _studies(contrast.second.taken)
            for contrast in contrasts),
        min(each),
        max(each),
    )  # fmt: skip


def _studies(taken: Sequence[Taken]) -> set[str]:
    return {sample.launch.split("/")[0] for sample in taken}


def interactions_of(table: Table, alpha: float = ALPHA) -> tuple[tuple[Interaction, ...], int]:
    """Those that are surely there, and how many were tried. Levels against the first of each."""
    tried: list[Interaction] = []
    for factor, other in combinations(table.factors, 2):
        for level in factor.levels[1:]:
            contrasts = table.contrasts(factor, level)
            for by in other.levels[1:]:
                interaction = _interaction(contrasts, factor, level, other, by)
                tried += [interaction] if interaction is not None else []
    corrected = holm([interaction.p for interaction in tried])
    sure = [
        Interaction(*(vars(interaction) | {"p": p}).values())
        for interaction, p in zip(tried, corrected, strict=True)
        if p < alpha
    ]
    return tuple(sorted(sure, key=lambda interaction: interaction.p)), len(tried)


def _interaction(
    contrasts: Sequence[Contrast],
    factor: Factor,
    level: tuple[str, ...],
    other: Factor,
    by: tuple[str, ...],
) -> Interaction | None:
    """None where the gain is known at one of the two levels alone, or has no error."""
    rows: dict[object, dict[tuple[str, ...], Contrast]] = {}
    for contrast in contrasts:
        values = contrast.first.values
        rest = tuple(sorted((k, v) for k, v in values.items()
                            if k not in other.names and k not in factor.names))  # fmt: skip
        at = tuple(values.get(name, "") for name in other.names)
        rows.setdefault((contrast.first.work, rest), {})[at] = contrast
    twins = [(row[other.levels[0]], row[by]) for row in rows.values()
             if other.levels[0] in row and by in row]  # fmt: skip
    if not twins:
        return None
    effect = _effect([[(-1.0, first), (1.0, second)] for first, second in twins])
    if effect.p is None:
        return None
    at_first, at_second = (
        math.exp(fmean(_mean(pair[place]) for pair in twins)) for place in (0, 1)
    )
    return Interaction(factor, level, other, other.levels[0], by, at_first, at_second, effect.p)


def effect_of(contrasts: Sequence[Contrast]) -> Effect:
    """The mean over contrasts of the logarithm of the speed."""
    return _effect([[(1.0, contrast)] for contrast in contrasts])


Sum = list[tuple[float, Contrast]]
"""Contrasts that are added up with these weights."""


def _effect(sums: Sequence[Sum]) -> Effect:
    """The mean of several sums of contrasts."""
    means = [sum(weight * _mean(contrast) for weight, contrast in each) for each in sums]
    mean = fmean(means)
    by_turn = _by_turn(sums)
    if by_turn is not None and len(by_turn) > 1:
        error = math.sqrt(variance(by_turn) / len(by_turn))
        return Effect(fmean(by_turn), error, len(by_turn) - 1, "turns")
    points = [p for each in sums for _, contrast in each for p in (contrast.first, contrast.second)]
    distinct = {id(point): point for point in points}
    freedom = sum(len(point.taken) - 1 for point in distinct.values())
    if freedom > 0:
        squares = sum(_squares(point.taken) for point in distinct.values())
        weights = sum(1 / len(point.taken) for point in points)
        error = math.sqrt(squares / freedom * weights) / len(sums)
        return Effect(mean, error, freedom, "launches")
    if len(means) >= LEAST_SETTINGS:
        error = math.sqrt(variance(means) / len(means))
        return Effect(mean, error, len(means) - 1, "settings")
    return Effect(mean, None, 0, None)


def _by_turn(sums: Sequence[Sum]) -> list[float] | None:
    """The mean of all sums in each turn that every contrast has; None where one has no turns."""
    rows: list[dict[object, float]] = []
    for each in sums:
        row: dict[object, float] = {}
        for number, (weight, contrast) in enumerate(each):
            if contrast.pairs is None:
                return None
            logs = {
                _turn(first, second, place): math.log(first.value / second.value)
                for place, (first, second) in enumerate(contrast.pairs)
            }
            row = {
                turn: (row[turn] if number else 0.0) + weight * value
                for turn, value in logs.items()
                if not number or turn in row
            }
        rows.append(row)
    shared = set(rows[0]).intersection(*rows[1:])
    return [fmean(row[turn] for row in rows) for turn in sorted(shared, key=str)] or None


def _turn(first: Taken, second: Taken, place: int) -> object:
    is_shared = first.turn is not None and first.turn == second.turn
    return first.turn if is_shared else place


def _mean(contrast: Contrast) -> float:
    """The logarithm of how many times as fast the second is."""
    return fmean(math.log(each.value) for each in contrast.first.taken) - fmean(
        math.log(each.value) for each in contrast.second.taken
    )


def _squares(taken: Sequence[Taken]) -> float:
    logs = [math.log(sample.value) for sample in taken]
    centre = fmean(logs)
    return sum((log - centre) ** 2 for log in logs)
