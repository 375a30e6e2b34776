# SPDX-License-Identifier: Apache-2.0
"""Which of two sets of times is larger, by what factor, and whether both are as good as the same.

All of it works on ranks of logarithms: no distribution is assumed, and a factor is a shift.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from isobath.stats.estimates import FloatArray
from isobath.stats.intervals import Interval

Verdict = Literal["slower", "faster", "same", "unclear"]

MARGIN = 0.05
"""Two times are as good as the same within this share of one another."""


MOST_EXACT = 60
"""values on both sides up to which the distribution of the rank sum is counted out"""


@dataclass(frozen=True)
class Comparison:
    """Times against others."""

    ratio: float
    """of the first to the second: Hodges-Lehmann, median of all ratios of one to the other"""
    interval: Interval
    p_differs: float
    """Mann-Whitney, two-sided"""
    p_equivalent: float
    """two one-sided tests: small where both are the same within the margin"""
    margin: float

    def verdict(self, alpha: float = 0.05) -> Verdict:
        """In a word. A difference that is sure but within the margin is none."""
        if self.p_equivalent < alpha:
            return "same"
        if self.p_differs < alpha:
            return "slower" if self.ratio > 1 else "faster"
        return "unclear"


def compare(
    first: Sequence[float], second: Sequence[float], *, margin: float = MARGIN, level: float = 0.95
) -> Comparison:
    """Compares independent times, for example medians of launches.

    Args: both of shape (n,), n at least 1, each value > 0. With n = 3 on both sides no two-sided
        test can reach 5 %; four launches of each can.
    Raises: ValueError when empty or not positive, or the margin is not above 0.
    Source: H. B. Mann, D. R. Whitney 1947; J. L. Hodges, E. L. Lehmann 1963; D. J. Schuirmann 1987.
    """
    x, y = _logarithms(first), _logarithms(second)
    if margin <= 0:
        raise ValueError("a margin is above 0")
    ratio, interval = _shift(x, y, level)
    return Comparison(ratio, interval, _p(x, y, "two-sided"), _equivalence(x, y, margin), margin)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The same p-values corrected for their number, in their order (S. Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    n = len(p_values)
    found = [0.0] * n
    largest = 0.0
    for rank, place in enumerate(sorted(range(n), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (n - rank) * p_values[place]))
        found[place] = largest
    return tuple(found)


def _logarithms(seconds: Sequence[float]) -> FloatArray:
    x = np.asarray(seconds, dtype=np.float64)
    if len(x) == 0 or not np.all(x > 0):
        raise ValueError("a comparison needs positive times on both sides")
    found: FloatArray = np.log(x)
    return found


def _p(x: FloatArray, y: FloatArray, alternative: Literal["two-sided", "less", "greater"]) -> float:
    # Times are continuous; equal ones come of the clock, and of a sample compared with itself.
    distinct = len(np.union1d(x, y)) == len(x) + len(y)
    method: Literal["exact", "asymptotic"] = (
        "exact" if distinct and len(x) + len(y) <= MOST_EXACT else "asymptotic"
    )
    if method == "asymptotic" and np.ptp(np.concatenate([x, y])) == 0:
        return 1.0
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(x, y, alternative=alternative, method=method).pvalue)


def _equivalence(x: FloatArray, y: FloatArray, margin: float) -> float:
    """The larger p-value of: not slower by the margin, not faster by it."""
    reach = float(np.log1p(margin))
    return max(_p(x - reach, y, "less"), _p(x + reach, y, "greater"))


def _shift(x: FloatArray, y: FloatArray, level: float) -> tuple[float, Interval]:
    """Median of all differences, and those differences that bound it by the rank-sum statistic."""
    differences = np.sort((x[:, None] - y[None, :]).ravel())
    n, m = len(x), len(y)
    spread = np.sqrt(n * m * (n + m + 1) / 12)
    places = n * m / 2 - float(special.ndtri((1 + level) / 2)) * spread
    k = max(1, int(np.floor(places)))
    low, high = differences[k - 1], differences[n * m - k]
    ratio = float(np.exp(np.median(differences)))
    return ratio, Interval(float(np.exp(low)), float(np.exp(high)), level)
