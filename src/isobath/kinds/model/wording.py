# SPDX-License-Identifier: Apache-2.0
"""Words of fits, for sections."""

from isobath.kinds.model.model import HeldOutFacts, JudgedFormulaFacts
from isobath.models.formula import ASKED

METHOD = {
    "holds": "no structure of 5 % or more is sure in the residuals, and no null model is better",
    "wrong form": "residuals depend on something that was varied, whatever the parameters",
    "wrong parameters": "the form does, with other parameters than those given, or with its own in "
    "each level of a factor that was blended",
    "no skill": "the same time everywhere says as well what was held out; or plain Hockney, the "
    "Stampede2 report's mesh or the agnostic normal form (pmnf) says it better",
    "point": "the median over launches of one cell, weighted by how they scatter",
    "parameter": "0 or more; fitted to logarithms of times with Huber's loss, so that relative "
    "errors count and outliers do not; its interval draws launches again, with their turns, and is "
    "widened for few of them",
    "random folds": "a tenth of the points at a time is left out and predicted: between points",
    "left out": "the largest size, the most ranks or each scale is predicted from the others",
    "structure": "means of levels and neighbours along curves, by 999 permutations, corrected for "
    "all factors (Holm)",
    "chosen": "the smallest formula within a standard error of the smallest errors of random folds",
    "exponent": "g of a + b x^g, with a and b of every curve its own",
    "predicted": "said by a formula: not measured",
}


def formula_words(model: JudgedFormulaFacts) -> str:
    """The name of a formula; that of a person's own is the formula."""
    return model.formula if model.law == ASKED else model.law


def percent(share: float, *, signed: bool = False) -> str:
    """``percent(0.123) == "12.3 %"``."""
    value = 100 * share
    if abs(value) >= 1000:
        return f"{value:{'+' if signed else ''}.2g} %"
    return f"{value:{'+' if signed else ''}.1f} %"


def held_words(held_out: HeldOutFacts) -> str:
    """``2.1 % (-0.3 %)``."""
    return f"{percent(held_out.median_error)} ({percent(held_out.bias, signed=True)})"
