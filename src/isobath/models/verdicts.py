# SPDX-License-Identifier: Apache-2.0
"""What is to be said of a formula: it holds, form or parameters are wrong, it has no skill."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from isobath.errors import UsageError
from isobath.models.points import Points
from isobath.models.structure import MATTERS, Structure, error_words, structures_of
from isobath.models.time_formulas import Fitted, TimeFormula, WrittenFormula
from isobath.models.validation import HeldOut, surely_better
from isobath.stats.estimates import FloatArray

Outcome = Literal["holds", "wrong form", "wrong parameters", "no skill", "cannot tell"]

LEAST_POINTS = 6
STANDARD_ERRORS = 3.0
FAR, FAR_NOISE = 0.1, 3.0
"""Typical error above which, and above so many times the scatter of launches, nothing holds."""


@dataclass(frozen=True)
class Verdict:
    """A word, and the sentence that says why."""

    outcome: Outcome
    sentence: str


@dataclass(frozen=True)
class Judged:
    """All that a verdict rests on."""

    verdict: Verdict
    structures: tuple[Structure, ...]
    beaten_by: tuple[str, ...]
    """null models that say held-out times better, or as well as it where it is to beat them"""


def judge(
    formula: TimeFormula,
    fitted: Fitted,
    points: Points,
    between: HeldOut | None,
    nulls: Mapping[str, HeldOut],
    best: tuple[str, HeldOut] | None = None,
) -> Judged:
    """Args: between is what it said of points held out at random, nulls what null models said;
    best is the formula that said it best.
    """
    errors = fitted.errors(points)
    if len(points) < max(LEAST_POINTS, formula.size + 2) or between is None:
        words = (
            f"cannot tell: {len(points)} points are too few to judge {formula.size} parameters by"
        )
        return Judged(Verdict("cannot tell", words), (), ())
    structures = structures_of(points, errors, freedom=formula.size)
    beaten = winners(between, nulls)
    typical = f"typically {100 * np.expm1(np.median(np.abs(errors))):.0f} % off"
    if isinstance(formula, WrittenFormula) and formula.given:
        refused = _given_are_wrong(formula, fitted, points, structures)
        if refused is not None:
            return Judged(refused, structures, beaten)
    there = [structure for structure in structures if structure.is_there]
    if there:
        apart = _apart(formula, points, errors, there)
        if apart is not None:
            return Judged(apart, structures, beaten)
        words = f"wrong form: {there[0].words}"
        words += f"; {there[1].words}" if len(there) > 1 else ""
        words += f". It has no skill either: {_told(beaten)}" if beaten else ""
        return Judged(Verdict("wrong form", words), structures, beaten)
    if beaten:
        return Judged(Verdict("no skill", f"no skill: {_told(beaten)}"), structures, beaten)
    if best is not None and _leaves_much(between, *best, name=formula.name):
        words = f"wrong form: {typical} where {best[0]} is surely nearer to what was held out "
        words += f"({_off(best[1])} instead of {_off(between)})"
        return Judged(Verdict("wrong form", words), structures, beaten)
    scatter = float(np.median(points.noise))
    if points.most_launches > 1 and np.median(np.abs(errors)) > max(FAR, FAR_NOISE * scatter):
        words = f"cannot tell: {typical}, where launches scatter by {100 * scatter:.1f} %, but the "
        words += f"{len(points)} points are too few to say what it is that it misses"
        return Judged(Verdict("cannot tell", words), structures, beaten)
    words = f"holds: {typical}, and nothing that was varied tells where{_untested(formula, points)}"
    return Judged(Verdict("holds", words), structures, beaten)


def winners(between: HeldOut, nulls: Mapping[str, HeldOut]) -> tuple[str, ...]:
    """Null models that win. The constant has to be beaten surely; others win where they are surely
    better: a formula that is right may be met by one that can be anything.
    """
    return tuple(
        name
        for name, null in nulls.items()
        if (
            not surely_better(between, null) if name == "constant" else surely_better(null, between)
        )
    )


def _told(beaten: Sequence[str]) -> str:
    if beaten == ("constant",) or "constant" in beaten:
        return "the same time everywhere is as good a guess at what was held out"
    return f"{' and '.join(beaten)} says better what was held out, and knows no algorithm"


def _leaves_much(between: HeldOut, best: str, other: HeldOut, *, name: str) -> bool:
    """Whether another formula shows that the errors of this one are no noise."""
    is_small = between.mean_size < np.log1p(MATTERS)
    return best != name and not is_small and surely_better(other, between)


def _off(held: HeldOut) -> str:
    return f"{100 * held.median_error:.0f} %"


def _untested(formula: TimeFormula, points: Points) -> str:
    """What stands in a formula and was not varied: any dependence on it does."""
    if not isinstance(formula, WrittenFormula):
        return ""
    alike = [name for name in formula.expression.symbols if name not in points.varied]
    if not alike:
        return ""
    were = "was" if len(alike) == 1 else "were"
    return (
        f"; {' and '.join(alike)} {were} not varied, so nothing is said of what it does with that"
    )


def _given_are_wrong(
    formula: WrittenFormula, fitted: Fitted, points: Points, structures: Sequence[Structure]
) -> Verdict | None:
    """Where parameters were given and others would do: the form is not to blame."""
    errors = fitted.errors(points)
    if not (any(structure.is_there for structure in structures) or _is_biased(errors)):
        return None
    free = WrittenFormula(formula.name, formula.expression)
    try:
        again = free.fit(points)
    except UsageError:
        return None
    others = structures_of(points, again.errors(points), freedom=free.size)
    if any(other.is_there for other in others):
        return None
    told = ", ".join(
        f"{name} {again.parameters[name]:.3g} instead of {value:.3g}"
        for name, value in formula.given.items()
    )
    off = error_words(float(np.median(errors)))
    return Verdict(
        "wrong parameters",
        f"wrong parameters: with those given it is typically {off}; the form holds with {told}",
    )


def _is_biased(errors: FloatArray) -> bool:
    """Too slow or too fast altogether, more than chance makes it."""
    mean = float(errors.mean())
    error = float(errors.std(ddof=1)) / np.sqrt(len(errors))
    return bool(abs(mean) > max(STANDARD_ERRORS * error, float(np.log1p(MATTERS))))


def _apart(
    formula: TimeFormula, points: Points, errors: FloatArray, there: Sequence[Structure]
) -> Verdict | None:
    """Where the form holds with other parameters in each level of one factor: they were blended."""
    for structure in there:
        if structure.is_number:
            continue
        levels = np.array(points.levels(structure.factor))
        names = list(dict.fromkeys(levels.tolist()))
        groups = [np.flatnonzero(levels == level) for level in names]
        if any(len(group) < formula.size + 2 for group in groups):
            continue
        try:
            fits = [formula.fit(points.some(group)) for group in groups]
        except UsageError:
            continue
        own = np.array(errors)
        for places, fitted in zip(groups, fits, strict=True):
            own[places] = fitted.errors(points.some(places))
        left = structures_of(points, own, freedom=formula.size * len(names))
        if any(structure.is_there for structure in left):
            continue
        told = "; ".join(
            f"{name}: " + ", ".join(f"{key} {value:.3g}" for key, value in fit.parameters.items())
            for name, fit in zip(names, fits, strict=True)
        )
        return Verdict(
            "wrong parameters",
            f"wrong parameters: one set was blended of several; the form holds with its own in "
            f"each {structure.factor} ({told})",
        )
    return None
