# SPDX-License-Identifier: Apache-2.0
"""Which of two sets of times is larger, by what factor, and whether both are as good as the same.

All of it works on ranks of logarithms: no distribution is assumed, and a factor is a shift. Small
samples get exact probabilities, and an interval that says what so few can bear.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Literal

import numpy as np

from isobath.stats.estimates import FloatArray
from isobath.stats.intervals import Interval
from isobath.stats.rank_tests import (
    Tails,
    rank_sum,
    rank_sum_place,
    signed_rank,
    signed_rank_place,
)

Verdict = Literal["slower", "faster", "same", "unclear"]

How = Literal["pairs", "two samples"]
"""Values that belong together one by one, or two heaps that have nothing in common."""

MARGIN = 0.05
"""Two times are as good as the same within this share of one another."""

ALPHA = 0.05
"""How often something is said that is not so, at most."""


@dataclass(frozen=True)
class Comparison:
    """Times against others."""

    ratio: float
    """of the first to the second: Hodges-Lehmann, median of all ratios of one to the other, of
    pairs the median of the means of two logarithms"""
    interval: Interval | None
    """its level is what so few values can bear where that is less than was asked for; None of one
    value a side, which bears nothing"""
    p_differs: float
    """two-sided: Mann-Whitney, of pairs Wilcoxon's signed ranks"""
    p_equivalent: float
    """two one-sided tests: small where both are the same within the margin"""
    margin: float
    how: How = "two samples"
    counts: tuple[int, int] = (0, 0)
    """values of the first and of the second side"""

    def verdict(self, alpha: float = ALPHA) -> Verdict:
        """In a word. A difference that is sure but within the margin is none."""
        return verdict_of(self.ratio, self.p_differs, self.p_equivalent, alpha)


def verdict_of(ratio: float, p_differs: float, p_equivalent: float, alpha: float) -> Verdict:
    """Of p-values that may have been corrected for their number."""
    if p_equivalent < alpha:
        return "same"
    if p_differs < alpha and ratio != 1:
        return "slower" if ratio > 1 else "faster"
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
    shifts = np.sort((x[:, None] - y[None, :]).ravel())
    n, m = len(x), len(y)
    interval = _interval(shifts, rank_sum_place(n, m, (1 - level) / 2), 1 / comb(n + m, n), level)
    return _comparison(
        shifts, interval, lambda by: rank_sum(x - by, y), margin, ("two samples", (n, m))
    )


def compare_pairs(
    first: Sequence[float], second: Sequence[float], *, margin: float = MARGIN, level: float = 0.95
) -> Comparison:
    """Compares times of which each belongs to one of the other side, taken in turns with it.

    What a pair shares (the hour, the temperature, who else was there) cancels.

    Args: both of shape (n,), n at least 1, each value > 0. No two-sided test of five pairs can
        reach 5 %; six can.
    Raises: ValueError when empty, not positive or not of one length, or the margin is not above 0.
    Source: F. Wilcoxon 1945; J. L. Hodges, E. L. Lehmann 1963; D. J. Schuirmann 1987.
    """
    x, y = _logarithms(first), _logarithms(second)
    if len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} values are no pairs")
    d = x - y
    n = len(d)
    means = np.sort(((d[:, None] + d[None, :]) / 2)[np.triu_indices(n)])
    interval = _interval(means, signed_rank_place(n, (1 - level) / 2), 0.5**n, level)
    return _comparison(means, interval, lambda by: signed_rank(d - by), margin, ("pairs", (n, n)))


def least_p(first: int, second: int, how: How, ends: int = 2) -> float:
    """The smallest p-value that so many values can have, however far apart they are.

    Args: ends is 1 of a one-sided test.
    """
    if min(first, second) < 1:
        return 1.0
    fewest = 0.5 ** min(first, second) if how == "pairs" else 1 / comb(first + second, first)
    return min(1.0, ends * fewest)


def least_launches(tests: int, how: How, alpha: float = ALPHA) -> int:
    """Launches of each side below which no difference, however large, can be told among so many.

    >>> least_launches(1, "two samples"), least_launches(1, "pairs"), least_launches(60, "pairs")
    (4, 6, 12)
    """
    n = 1
    while least_p(n, n, how) * tests >= alpha:
        n += 1
    return n


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The same p-values corrected for their number, in their order (S. Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    n = len(p_values)
    corrected = [0.0] * n
    largest = 0.0
    for rank, place in enumerate(sorted(range(n), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (n - rank) * p_values[place]))
        corrected[place] = largest
    return tuple(corrected)


def _comparison(
    shifts: FloatArray,
    interval: Interval | None,
    tails: Callable[[float], Tails],
    margin: float,
    taken: tuple[How, tuple[int, int]],
) -> Comparison:
    """Args: tails are those of the test once the first side was shifted down by so much."""
    if not margin > 0:
        raise ValueError("a margin is above 0")
    reach = float(np.log1p(margin))
    two_sided = min(1.0, 2 * min(tails(0.0)))
    # Not slower by the margin, and not faster by it: the larger p-value of the two.
    equivalent = max(tails(reach)[0], tails(-reach)[1])
    return Comparison(
        float(np.exp(np.median(shifts))), interval, two_sided, equivalent, margin, *taken
    )


def _interval(shifts: FloatArray, left_out: int, one_end: float, level: float) -> Interval | None:
    """Args: one_end is the probability that all true shifts lie beyond one end of what was seen."""
    reached = level if left_out else 1 - 2 * one_end
    if reached <= 0:
        return None
    k = max(1, left_out)
    low, high = float(shifts[k - 1]), float(shifts[len(shifts) - k])
    return Interval(float(np.exp(low)), float(np.exp(high)), reached)


def _logarithms(seconds: Sequence[float]) -> FloatArray:
    x = np.asarray(seconds, dtype=np.float64)
    if len(x) == 0 or not np.all(x > 0) or not np.all(np.isfinite(x)):
        raise ValueError("a comparison needs positive times on both sides")
    logarithms: FloatArray = np.log(x)
    return logarithms
