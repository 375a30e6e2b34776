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


def subject_facts(modelled: Modelled) -> SubjectFacts:
    """All of one subject."""
    subject = modelled.subject
    return SubjectFacts(
        subject=subject.name,
        of=subject.of,
        place=subject.place,
        crowded_points=subject.crowded,
        is_blended=subject.is_blended,
        chosen=modelled.chosen,
        refused=modelled.refused,
        models=[_model(model, modelled) for model in modelled.models],
        laws=[_formula_of(candidate) for candidate in modelled.candidates],
        exponents=[
            ExponentFacts(
                symbol=exponent.symbol,
                exponent=exponent.value,
                interval=exponent.interval,
                curves=exponent.curves,
            )
            for exponent in modelled.exponents
        ],
        points=_points(modelled),
    )


def _formula_of(candidate: Candidate) -> FormulaFacts:
    family = known_family(candidate.formula.name.removesuffix(", in pieces"))
    return FormulaFacts(
        law=candidate.formula.name,
        formula=candidate.formula.text,
        parameters=candidate.formula.size,
        source=family.source if family else "",
        fails=family.fails if family else "",
        held_out=[_held_out(each) for each in candidate.held.values()],
    )


def _held_out(held_out: HeldOut) -> HeldOutFacts:
    ninth, largest = held_out.largest_errors
    return HeldOutFacts(
        way=held_out.name,
        points=len(held_out.errors),
        median_error=held_out.median_error,
        p90_error=ninth,
        largest_error=largest,
        bias=held_out.bias,
        covered=held_out.covered,
    )


def _model(model: Model, modelled: Modelled) -> JudgedFormulaFacts:
    candidate = model.candidate
    formula, parameters = candidate.formula, candidate.fitted.parameters
    given = formula.given if isinstance(formula, WrittenFormula) else {}
    errors = np.abs(candidate.fitted.errors(modelled.points))
    return JudgedFormulaFacts(
        law=formula.name,
        formula=formula.text,
        outcome=model.judged.verdict.outcome,
        verdict=model.judged.verdict.sentence,
        parameters=[
            ParameterFacts(
                name=name,
                value=value,
                interval=None if name in given else model.drawn.interval(name, value),
                given=name in given,
            )
            for name, value in parameters.items()
        ],
        intervals_over="launches" if model.drawn.over == "launches" else "residuals",
        median_error=float(np.expm1(np.median(errors))),
        reach=model.reach if isfinite(model.reach) else None,
        beaten_by=list(model.judged.beaten_by),
        beyond=[
            BeyondFacts(way=way, winners=list(winners))
            for way, winners in model.beaten_beyond.items()
        ],
        residuals=[_residuals(each) for each in model.judged.structures],
        draws=[[_short(value) for value in row] for row in model.drawn.values.tolist()],
    )


def _residuals(structure: Structure) -> ResidualFacts:
    return ResidualFacts(
        factor=structure.factor,
        p=structure.p,
        size=structure.size,
        is_structure=structure.is_there,
        words=structure.words,
        levels=[
            ResidualLevelFacts(level=each.words, points=each.points, error=each.share)
            for each in structure.levels
        ],
    )


def _points(modelled: Modelled) -> list[PointFacts]:
    said = {
        model.candidate.formula.name: model.candidate.fitted.seconds(modelled.points.columns)
        for model in modelled.models
    }
    return [
        PointFacts(
            point=sample.title,
            numbers=dict(sample.numbers),
            factors=dict(sample.factors),
            launches=len(sample.taken),
            seconds=float(modelled.points.seconds[place]),
            predicted_seconds={name: float(values[place]) for name, values in said.items()},
        )
        for place, sample in enumerate(modelled.points.samples)
    ]


def _short(value: float) -> float:
    return float(f"{value:.{KEPT_DIGITS}g}")
