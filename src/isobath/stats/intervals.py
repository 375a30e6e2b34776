# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals. They speak of the variation inside one run, not of that between runs.

SciPy takes 0.2 s to load, longer than what most commands compute with it: quantiles of as many
values as a run has are computed here, those of more by SciPy, which is imported for them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from isobath.stats.estimates import Estimate, FloatArray

MOST_COUNTED = 1000
"""Quantiles of so many values or degrees of freedom are sums of as many terms here."""


@dataclass(frozen=True)
class Interval:
    """Bounds that cover the true value with probability ``level``."""

    low: float
    high: float
    level: float


def estimate_interval(estimate: Estimate[float], level: float = 0.95) -> Interval | None:
    """Student's interval around an estimate; None without a standard error.

    Raises: ValueError unless 0 < level < 1.
    """
    _require_level(level)
    if estimate.standard_error is None:
        return None
    reach = student(estimate.count - 1, level) * estimate.standard_error
    return Interval(estimate.value - reach, estimate.value + reach, level)


def median_interval(values: Sequence[float] | FloatArray, level: float = 0.95) -> Interval | None:
    """Interval of the median from order statistics, without any assumption on the distribution.

    The true median lies between the k-th smallest and k-th largest value unless fewer than k
    values fall on one side, which is binomial with probability one half.

    Args: values of shape (n,). Returns: None when n is too small for the level (5 or less at 95 %).
    Raises: ValueError unless 0 < level < 1.
    """
    _require_level(level)
    x = np.sort(np.asarray(values, dtype=np.float64))
    n = len(x)
    k = _left_out(n, (1 - level) / 2)
    if k < 1:
        return None
    return Interval(float(x[k - 1]), float(x[n - k]), level)


def student(freedom: int, level: float = 0.95) -> float:
    """How many standard errors an interval reaches to each side. Args: freedom is 1 or more."""
    _require_level(level)
    if freedom <= MOST_COUNTED:
        return _student(freedom, level)
    from scipy import special

    return float(special.stdtrit(freedom, (1 + level) / 2))


def student_p(errors: float, freedom: int) -> float:
    """Probability that chance reaches so many standard errors, to either side."""
    from scipy import special

    return 2 * float(special.stdtr(freedom, -abs(errors)))


def _left_out(n: int, tail: float) -> int:
    """The first number of values that so many or fewer of n have on one side of the median with
    this probability at least.
    """
    if n > MOST_COUNTED:
        from scipy import special

        return int(np.searchsorted(special.bdtr(np.arange(n + 1), n, 0.5), tail))
    ways = 0
    for k in range(n):
        ways += math.comb(n, k)
        if ways / 2**n >= tail:
            return k
    return n


@lru_cache(maxsize=1024)
def _student(freedom: int, level: float) -> float:
    """Where Student's distribution has this probability between itself and its negative.

    Newton's steps come from below and meet it: up to it, that probability is concave.
    """
    root = math.sqrt(freedom)
    densest = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2))
    densest /= root * math.sqrt(math.pi)
    t = 0.0
    while True:
        density = densest * math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))
        nearer = t + (level - _between(t / root, freedom)) / (2 * density)
        if nearer <= t * (1 + 4e-16):
            return t
        t = nearer


def _between(tangent: float, freedom: int) -> float:
    """Probability between minus and plus tangent sqrt(freedom): a sum of as many terms as half of
    the degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    square = 1 / (1 + tangent * tangent)  # of the cosine of the angle with that tangent
    is_odd = freedom % 2
    term = total = 0.0 if freedom == 1 else tangent * (square if is_odd else math.sqrt(square))
    for k in range(2 + is_odd, freedom - 1, 2):
        term *= square * (k - 1) / k
        total += term
    return 2 / math.pi * (math.atan(tangent) + total) if is_odd else total


def _require_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
