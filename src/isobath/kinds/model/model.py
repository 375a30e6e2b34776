# SPDX-License-Identifier: Apache-2.0
"""What a fit found, as it is stored (model.json) and printed by show --json."""

from typing import Literal

from isobath.study.findings import Facts, Findings


class ParameterFacts(Facts):
    """A parameter with its interval."""

    name: str
    value: float
    """seconds by what it is multiplied with"""
    interval: tuple[float, float] | None
    """95 %; null where too few draws could be fitted"""
    given: bool
    """by whoever asked, not fitted"""


class ResidualLevelFacts(Facts):
    """Residuals of one level of a factor."""

    level: str
    points: int
    error: float
    """share by which the formula is too slow there; below 0 too fast"""


class ResidualFacts(Facts):
    """Residuals over one factor."""

    factor: str
    p: float
    """that chance alone does so, corrected for all factors"""
    size: float
    """typical systematic error along it, as a share"""
    is_structure: bool
    words: str
    levels: list[ResidualLevelFacts]


class HeldOutFacts(Facts):
    """What a formula said of points that it was not fitted to."""

    way: str
    """random folds; largest size left out; ..."""
    points: int
    median_error: float
    """shares"""
    p90_error: float
    largest_error: float
    bias: float
    covered: int
    """points inside the 90 % interval"""


class FormulaFacts(Facts):
    """A formula that was tried."""

    law: str
    """the name of the formula"""
    formula: str
    parameters: int
    source: str
    fails: str
    """where it is known to"""
    held_out: list[HeldOutFacts]


class BeyondFacts(Facts):
    """Null models that win beyond the points."""

    way: str
    winners: list[str]


class JudgedFormulaFacts(Facts):
    """A formula that was looked at closely."""

    law: str
    """the name of the formula"""
    formula: str
    outcome: Literal["holds", "wrong form", "wrong parameters", "no skill", "cannot tell"]
    verdict: str
    """the same in a sentence"""
    parameters: list[ParameterFacts]
    intervals_over: Literal["launches", "residuals"]
    median_error: float
    reach: float | None
    """of the 90 % interval of a prediction to each side, on logarithms"""
    beaten_by: list[str]
    """null models"""
    beyond: list[BeyondFacts]
    residuals: list[ResidualFacts]
    draws: list[list[float]]
    """parameters of each draw, in the order of their names"""


class ExponentFacts(Facts):
    """How time grows with a number."""

    symbol: str
    exponent: float
    interval: tuple[float, float]
    curves: int


class PointFacts(Facts):
    """A point with what was measured and said."""

    point: str
    numbers: dict[str, float]
    factors: dict[str, str]
    launches: int
    seconds: float
    predicted_seconds: dict[str, float]
    """by formula"""


class SubjectFacts(Facts):
    """What was modelled by itself."""

    subject: str
    of: str
    place: str
    crowded_points: int
    """with more ranks than processors: no times of this machine"""
    is_blended: bool
    """of several places, which have nothing in common but the formula"""
    chosen: str
    """the formula that is recommended"""
    refused: str
    """why the formula that was asked for could not be fitted; empty where it was"""
    models: list[JudgedFormulaFacts]
    laws: list[FormulaFacts]
    exponents: list[ExponentFacts]
    points: list[PointFacts]


class FitResult(Facts):
    """model.json."""

    studies: list[str]
    of: str
    """their kind"""
    formula: str | None
    cells_left_out: int
    """without a result"""
    too_few: list[str]
    """subjects with fewer points than any formula needs"""
    problems: list[str]
    """of the studies: what was left out; of the formula: parameters spelt almost as a symbol"""
    sources_altered: bool
    """something of them was not as it was sealed"""
    subjects: list[SubjectFacts]


class ModelFindings(Findings, FitResult):
    """A fit."""

    kind: Literal["model fit"]
