# SPDX-License-Identifier: Apache-2.0
"""Confidence intervals. They speak of the variation inside one run, not of that between runs.

SciPy takes 0.15 s or more to load, scipy.stats, with the same quantiles, half a second more: it is
imported where something is computed by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import Estimate, FloatArray


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
    from scipy import special

    _require_level(level)
    x = np.sort(np.asarray(values, dtype=np.float64))
    n = len(x)
    fewer = special.bdtr(np.arange(n + 1), n, 0.5)  # probability of so many or fewer on one side
    k = int(np.searchsorted(fewer, (1 - level) / 2)) if n else 0
    if k < 1:
        return None
    return Interval(float(x[k - 1]), float(x[n - k]), level)


def student(freedom: int, level: float = 0.95) -> float:
    """How many standard errors an interval reaches to each side. Args: freedom is 1 or more."""
    from scipy import special

    _require_level(level)
    return float(special.stdtrit(freedom, (1 + level) / 2))


def student_p(errors: float, freedom: int) -> float:
    """Probability that chance reaches so many standard errors, to either side."""
    from scipy import special

    return 2 * float(special.stdtr(freedom, -abs(errors)))


def _require_level(level: float) -> None:
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
