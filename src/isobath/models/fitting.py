# SPDX-License-Identifier: Apache-2.0
"""Every formula that applies to a subject, fitted, held against what was held out, and judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from isobath.errors import UsageError
from isobath.models.exponents import Exponent, exponent_of
from isobath.models.families import MESH, NULLS, formulas_for
from isobath.models.points import Points, points_of
from isobath.models.resampling import RESAMPLES, Drawn, draw_parameters
from isobath.models.subjects import Subject
from isobath.models.time_formulas import Fitted, TimeFormula, WrittenFormula
from isobath.models.validation import (
    BETWEEN,
    LEAST_FOLDED,
    HeldOut,
    Split,
    held_out,
    reach_of,
    splits_of,
)
from isobath.models.verdicts import Judged, judge, winners

MESHES = (MESH, "stampede2, edges")
EXPONENTS = ("m", "p", "bytes", "scale", "elements")


@dataclass(frozen=True)
class Candidate:
    """A formula with what it said of what was held out, by the name of the way."""

    formula: TimeFormula
    fitted: Fitted
    held: Mapping[str, HeldOut]

    @property
    def between(self) -> HeldOut | None:
        """Of points held out at random."""
        return self.held.get(BETWEEN)


@dataclass(frozen=True)
class Model:
    """A formula that was looked at closely."""

    candidate: Candidate
    drawn: Drawn
    judged: Judged
    reach: float
    """of the 90 % interval of a prediction to each side, on logarithms"""
    beaten_beyond: Mapping[str, tuple[str, ...]]
    """null models that win beyond the points, by the name of the way"""


@dataclass(frozen=True)
class Modelled:
    """One subject."""

    subject: Subject
    points: Points
    candidates: tuple[Candidate, ...]
    """the best first, by what was held out at random"""
    chosen: str
    """the name of the formula that is recommended"""
    models: tuple[Model, ...]
    """the one that was asked for, the chosen one, and the report's"""
    exponents: tuple[Exponent, ...]
    refused: str = ""
    """why the formula that was asked for could not be fitted to this subject"""


def model_subject(
    subject: Subject,
    wanted: WrittenFormula | None,
    *,
    families: bool,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Modelled:
    """Args: wanted is the formula that was asked for; families tries all that apply besides.

    Raises: UsageError where not one formula can be fitted.
    """
    points = points_of(subject.samples)
    splits = splits_of(points, seed)
    formulas = _formulas_tried(subject, points, families=families)
    refused = ""
    candidates = []
    for formula in (*((wanted,) if wanted is not None else ()), *formulas):
        try:
            candidates.append(_candidate(formula, points, splits))
        except UsageError as problem:
            if formula is wanted:
                refused = str(problem)
    if not candidates:
        raise UsageError(refused or f"no formula can be fitted to {subject.title}")
    ordered = tuple(sorted(candidates, key=_rank))
    chosen = choose(ordered) if families or wanted is None else ordered[0].formula.name
    closely = _looked_at(ordered, chosen, wanted, is_blended=subject.is_blended)
    nulls = {
        candidate.formula.name: candidate
        for candidate in ordered
        if candidate.formula.name in NULLS
    }
    models = tuple(
        _model(candidate, points, nulls, ordered[0], resamples, seed) for candidate in closely
    )
    exponents = tuple(
        exponent
        for name in EXPONENTS
        if (exponent := exponent_of(points, name, seed=seed)) is not None
    )
    return Modelled(subject, points, ordered, chosen, models, exponents, refused)


def choose(candidates: Sequence[Candidate]) -> str:
    """The smallest formula whose errors are within a standard error of the best.

    Args: the best stands first.
    """
    best = candidates[0]
    if best.between is None:
        return best.formula.name
    sizes = np.abs(best.between.errors)
    limit = best.between.mean_size + float(sizes.std(ddof=1)) / np.sqrt(len(sizes))
    near = [
        candidate
        for candidate in candidates
        if candidate.between and candidate.between.mean_size <= limit
    ]
    return min(near, key=lambda candidate: (candidate.formula.size, _rank(candidate))).formula.name


def _formulas_tried(subject: Subject, points: Points, *, families: bool) -> tuple[TimeFormula, ...]:
    """All that apply, or the null models alone; of what is blended the report's formula alone."""
    several = any(sample.numbers.get("nodes", 1) > 1 for sample in subject.samples)
    formulas_tried = formulas_for(points, subject.of, between_nodes=several)
    if families and not subject.is_blended:
        return formulas_tried
    return tuple(formula for formula in formulas_tried if formula.name in NULLS)


def _looked_at(
    ordered: Sequence[Candidate], chosen: str, wanted: WrittenFormula | None, *, is_blended: bool
) -> list[Candidate]:
    names = [wanted.name] if wanted is not None else []
    names += [] if is_blended else [chosen]
    names += [mesh for mesh in MESHES if mesh not in names]
    by_name = {candidate.formula.name: candidate for candidate in ordered}
    return [by_name[name] for name in dict.fromkeys(names) if name in by_name]


def _candidate(
    formula: TimeFormula, points: Points, splits: Sequence[tuple[str, tuple[Split, ...]]]
) -> Candidate:
    fitted = formula.fit(points)
    held = {name: held_out(formula, points, several) for name, several in splits}
    return Candidate(
        formula, fitted, {name: said for name, said in held.items() if said is not None}
    )


def _rank(candidate: Candidate) -> tuple[float, int]:
    return (
        candidate.between.mean_size if candidate.between else float("inf"),
        candidate.formula.size,
    )


def _model(
    candidate: Candidate,
    points: Points,
    nulls: Mapping[str, Candidate],
    best: Candidate,
    resamples: int,
    seed: int,
) -> Model:
    rivals = {
        name: null for name, null in nulls.items() if null.formula.text != candidate.formula.text
    }
    between = {name: null.between for name, null in rivals.items() if null.between is not None}
    said_best = (best.formula.name, best.between) if best.between is not None else None
    judged = judge(
        candidate.formula, candidate.fitted, points, candidate.between, between, said_best
    )
    beyond = {
        name: winners(held, {n: r.held[name] for n, r in rivals.items() if name in r.held})
        for name, held in candidate.held.items()
        if name != BETWEEN and len(held.errors) >= LEAST_FOLDED
    }
    drawn = draw_parameters(
        candidate.formula, points, candidate.fitted, resamples=resamples, seed=seed
    )
    reach = reach_of(candidate.fitted.errors(points), candidate.formula.size)
    return Model(candidate, drawn, judged, reach, beyond)
