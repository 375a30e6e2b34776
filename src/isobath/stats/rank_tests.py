# SPDX-License-Identifier: Apache-2.0
"""Tests on ranks whose probabilities are counted out: exact for few values, also with ties.

Values of two samples are ranked together; equal ones share the mean of their ranks. Under the null
hypothesis every choice of so many ranks for the first sample is as likely as any other, and of
pairs every sign. These choices are counted, so nothing is assumed of a distribution.
"""

from functools import lru_cache

import numpy as np

from isobath.stats.estimates import FloatArray, IntArray

MOST_EXACT = 60
"""values on both sides up to which choices of ranks are counted; above, the sum is nearly normal"""

MOST_PAIRS = 200
"""The same of pairs"""

Tails = tuple[float, float]
"""probability of what was seen or less, and of what was seen or more"""


def double_ranks(values: FloatArray) -> IntArray:
    """Twice the rank of each value, which is whole also where equal ones share a mean.

    >>> double_ranks(np.array([3.0, 1.0, 3.0])).tolist()
    [5, 2, 5]
    """
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    doubled: IntArray = (2 * last - count + 1)[place]
    return doubled


def rank_sum(x: FloatArray, y: FloatArray) -> Tails:
    """Whether x lies below or above y: Wilcoxon's rank sum (Mann-Whitney).

    Args: of shape (n,) and (m,), each at least one.
    """
    doubled = double_ranks(np.concatenate([x, y]))
    seen = int(doubled[: len(x)].sum())
    if len(doubled) > MOST_EXACT:
        return _nearly_normal_sum(doubled, len(x), seen)
    return _tails(_chosen(tuple(sorted(doubled.tolist())), len(x)), seen)


def signed_rank(differences: FloatArray) -> Tails:
    """Whether differences of pairs lie below or above zero: Wilcoxon's signed ranks.

    A difference of zero keeps its rank and has no sign (J. W. Pratt 1959).

    Args: of shape (n,).
    """
    doubled = double_ranks(np.abs(differences))[differences != 0]
    seen = int(doubled[differences[differences != 0] > 0].sum())
    if len(doubled) > MOST_PAIRS:
        spread = float(np.sqrt((doubled.astype(np.float64) ** 2).sum() / 4))
        return _normal_tails(seen, doubled.sum() / 2, spread)
    return _tails(_signed(tuple(sorted(doubled.tolist()))), seen)


def rank_sum_place(n: int, m: int, tail: float) -> int:
    """How many of the n m ordered differences may be left out at each end of an interval, so that
    the true shift lies beyond that end with probability ``tail`` at most; 0 where none may.
    """
    if n + m > MOST_EXACT:
        from scipy import special  # slow to load

        spread = float(np.sqrt(n * m * (n + m + 1) / 12))
        return max(0, int(n * m / 2 + float(special.ndtri(tail)) * spread))
    share = _chosen(tuple(range(2, 2 * (n + m) + 1, 2)), n)[n * (n + 1) :: 2]
    return _place(share, tail)


def signed_rank_place(n: int, tail: float) -> int:
    """The same of the n (n + 1) / 2 means of two differences of pairs."""
    if n > MOST_PAIRS:
        from scipy import special

        spread = float(np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
        return max(0, int(n * (n + 1) / 4 + float(special.ndtri(tail)) * spread))
    return _place(_signed(tuple(range(2, 2 * n + 1, 2)))[::2], tail)


def _place(share: FloatArray, tail: float) -> int:
    return int(np.searchsorted(np.cumsum(share), tail * (1 + 1e-12), side="right"))


@lru_cache(maxsize=512)
def _chosen(doubled: tuple[int, ...], number: int) -> FloatArray:
    """Probability of every sum of ``number`` of these ranks, by sum."""
    if 2 * number > len(doubled):  # the others are fewer, and their sum says this one
        return _chosen(doubled, len(doubled) - number)[: sum(doubled) + 1][::-1]
    ways = np.zeros((number + 1, sum(doubled) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    share: FloatArray = ways[number] / ways[number].sum()
    return share


@lru_cache(maxsize=512)
def _signed(doubled: tuple[int, ...]) -> FloatArray:
    """Probability of every sum of those of these ranks whose sign is positive, by sum."""
    share = np.zeros(sum(doubled) + 1)
    share[0] = 1.0
    for rank in doubled:
        share[rank:] += share[:-rank].copy()
        share /= 2
    return share


def _tails(share: FloatArray, seen: int) -> Tails:
    return min(1.0, float(share[: seen + 1].sum())), min(1.0, float(share[seen:].sum()))


def _nearly_normal_sum(doubled: IntArray, number: int, seen: int) -> Tails:
    total = len(doubled)
    spread = np.sqrt(number * (total - number) * float(np.var(doubled)) / (total - 1))
    return _normal_tails(seen, number * float(doubled.mean()), float(spread))


def _normal_tails(seen: int, centre: float, spread: float) -> Tails:
    """With the half of a step (of doubled ranks, a whole one) that a whole number lies beside."""
    if spread == 0:
        return 1.0, 1.0
    from scipy import special

    below = float(special.ndtr((seen + 1 - centre) / spread))
    above = float(special.ndtr((centre - seen + 1) / spread))
    return below, above
