# SPDX-License-Identifier: Apache-2.0
"""From what was fitted to what is stored of it."""

from math import isfinite

import numpy as np

from isobath.kinds.model.model import (
    BeyondFacts,
    ExponentFacts,
    FormulaFacts,
    HeldOutFacts,
    JudgedFormulaFacts,
    ParameterFacts,
    PointFacts,
    ResidualFacts,
    ResidualLevelFacts,
    SubjectFacts,
)
from isobath.models.families import known_family
from isobath.models.fitting import Candidate, Model, Modelled
from isobath.models.structure import Structure
from isobath.models.time_formulas import WrittenFormula
from isobath.models.validation import HeldOut

KEPT_DIGITS = 7


def subject_facts(found: Modelled) -> SubjectFacts:
    """All of one subject."""
    subject = found.subject
    return SubjectFacts(
        subject=subject.name,
        of=subject.of,
        place=subject.place,
        crowded_points=subject.crowded,
        is_blended=subject.is_blended,
        chosen=found.chosen,
        refused=found.refused,
        models=[_model(one, found) for one in found.models],
        laws=[_formula_of(one) for one in found.candidates],
        exponents=[
            ExponentFacts(
                symbol=one.symbol, exponent=one.value, interval=one.interval, curves=one.curves
            )
            for one in found.exponents
        ],
        points=_points(found),
    )


def _formula_of(one: Candidate) -> FormulaFacts:
    family = known_family(one.formula.name.removesuffix(", in pieces"))
    return FormulaFacts(
        law=one.formula.name,
        formula=one.formula.text,
        parameters=one.formula.size,
        source=family.source if family else "",
        fails=family.fails if family else "",
        held_out=[_held_out(each) for each in one.held.values()],
    )


def _held_out(one: HeldOut) -> HeldOutFacts:
    ninth, largest = one.largest_errors
    return HeldOutFacts(
        way=one.name,
        points=len(one.errors),
        median_error=one.median_error,
        p90_error=ninth,
        largest_error=largest,
        bias=one.bias,
        covered=one.covered,
    )


def _model(one: Model, found: Modelled) -> JudgedFormulaFacts:
    candidate = one.candidate
    formula, parameters = candidate.formula, candidate.fitted.parameters
    given = formula.given if isinstance(formula, WrittenFormula) else {}
    errors = np.abs(candidate.fitted.errors(found.points))
    return JudgedFormulaFacts(
        law=formula.name,
        formula=formula.text,
        outcome=one.judged.verdict.outcome,
        verdict=one.judged.verdict.sentence,
        parameters=[
            ParameterFacts(
                name=name,
                value=value,
                interval=None if name in given else one.drawn.interval(name, value),
                given=name in given,
            )
            for name, value in parameters.items()
        ],
        intervals_over="launches" if one.drawn.over == "launches" else "residuals",
        median_error=float(np.expm1(np.median(errors))),
        reach=one.reach if isfinite(one.reach) else None,
        beaten_by=list(one.judged.beaten_by),
        beyond=[
            BeyondFacts(way=way, winners=list(winners))
            for way, winners in one.beaten_beyond.items()
        ],
        residuals=[_residuals(each) for each in one.judged.structures],
        draws=[[_short(value) for value in row] for row in one.drawn.values.tolist()],
    )


def _residuals(one: Structure) -> ResidualFacts:
    return ResidualFacts(
        factor=one.factor,
        p=one.p,
        size=one.size,
        is_structure=one.is_there,
        words=one.words,
        levels=[
            ResidualLevelFacts(level=each.words, points=each.points, error=each.share)
            for each in one.levels
        ],
    )


def _points(found: Modelled) -> list[PointFacts]:
    said = {
        one.candidate.formula.name: one.candidate.fitted.seconds(found.points.columns)
        for one in found.models
    }
    return [
        PointFacts(
            point=sample.title,
            numbers=dict(sample.numbers),
            factors=dict(sample.factors),
            launches=len(sample.taken),
            seconds=float(found.points.seconds[place]),
            predicted_seconds={name: float(values[place]) for name, values in said.items()},
        )
        for place, sample in enumerate(found.points.samples)
    ]


def _short(value: float) -> float:
    return float(f"{value:.{KEPT_DIGITS}g}")
