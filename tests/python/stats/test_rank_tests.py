# SPDX-License-Identifier: Apache-2.0
"""Exact tests on ranks against slow twins that try every choice, scipy, and published examples."""

import itertools
from math import comb
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from isobath.stats.comparisons import How, compare, compare_pairs, least_launches, least_p
from isobath.stats.estimates import FloatArray
from isobath.stats.rank_tests import (
    MOST_EXACT,
    MOST_PAIRS,
    rank_sum,
    rank_sum_place,
    signed_rank,
    signed_rank_place,
)

Values = list[float]
FEW = st.lists(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 3.0]), min_size=1, max_size=6)
SETS = 2000


def every_choice(x: Values, y: Values) -> tuple[float, float]:
    """The twin: mean ranks by counting, and every choice of so many of them."""
    both = x + y
    ranks = [sum(other < one for other in both) + (1 + both.count(one)) / 2 for one in both]
    seen = sum(ranks[: len(x)])
    sums = [sum(some) for some in itertools.combinations(ranks, len(x))]
    return (
        sum(one <= seen for one in sums) / len(sums),
        sum(one >= seen for one in sums) / len(sums),
    )


def every_sign(differences: Values) -> tuple[float, float]:
    sizes = [abs(one) for one in differences]
    ranks = [
        sum(other < one for other in sizes) + (1 + sizes.count(one)) / 2
        for one, difference in zip(sizes, differences, strict=True)
        if difference
    ]
    signed = [one for one in differences if one]
    seen = sum(rank for rank, one in zip(ranks, signed, strict=True) if one > 0)
    sums = [
        sum(itertools.compress(ranks, signs))
        for signs in itertools.product((0, 1), repeat=len(ranks))
    ]
    return (
        sum(one <= seen for one in sums) / len(sums),
        sum(one >= seen for one in sums) / len(sums),
    )


@given(FEW, FEW)
def test_sums_of_ranks_are_those_of_every_choice(x: Values, y: Values) -> None:
    assert rank_sum(np.array(x), np.array(y)) == pytest.approx(every_choice(x, y))


@given(FEW)
def test_signed_ranks_are_those_of_every_sign(differences: Values) -> None:
    assert signed_rank(np.array(differences)) == pytest.approx(every_sign(differences))


def test_published_examples() -> None:
    # M. Hollander, D. A. Wolfe, Nonparametric Statistical Methods 1973, pages 69 and 29: constants
    # of permeability at two ages (Mann-Whitney 35), values of a depression scale (ranks 40).
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    weeks = [1.15, 0.88, 0.90, 0.74, 1.21]
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

    assert rank_sum(np.array(term), np.array(weeks))[1] == pytest.approx(0.1272, abs=5e-5)
    assert signed_rank(np.array(first) - np.array(second))[1] == pytest.approx(0.01953, abs=5e-6)


@pytest.mark.parametrize(("n", "m"), [(8, 5), (20, 30), (50, 45)])
def test_other_implementations_agree(n: int, m: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=n), rng.normal(0.2, size=m)
    method: Literal["exact", "asymptotic"] = "exact" if n + m <= MOST_EXACT else "asymptotic"
    below, above = rank_sum(x, y)

    assert below == pytest.approx(
        stats.mannwhitneyu(x, y, alternative="less", method=method).pvalue
    )
    assert above == pytest.approx(
        stats.mannwhitneyu(x, y, alternative="greater", method=method).pvalue
    )
    tied_x, tied_y = np.repeat(x, 3).round(1), np.repeat(y, 3).round(1)
    theirs = stats.mannwhitneyu(tied_x, tied_y, alternative="less", method="asymptotic").pvalue
    if len(tied_x) + len(tied_y) > MOST_EXACT:
        assert rank_sum(tied_x, tied_y)[0] == pytest.approx(theirs)


def test_many_pairs_are_nearly_normal() -> None:
    rng = np.random.default_rng(3)
    d = rng.normal(0.1, size=MOST_PAIRS + 50)

    theirs = stats.wilcoxon(d, alternative="greater", correction=True, method="approx").pvalue
    assert signed_rank(d)[1] == pytest.approx(theirs)
    few = d[:40]
    theirs = stats.wilcoxon(few, alternative="less", method="exact").pvalue
    assert signed_rank(few)[0] == pytest.approx(theirs)


def test_intervals_leave_out_no_more_than_tables_say() -> None:
    # Critical values at 5 %, two-sided: of Mann-Whitney's U and Wilcoxon's T in every textbook;
    # an interval leaves out one difference more than that statistic.
    assert [rank_sum_place(n, n, 0.025) for n in range(3, 11)] == [0, 1, 3, 6, 9, 14, 18, 24]
    assert [signed_rank_place(n, 0.025) for n in range(5, 13)] == [0, 1, 3, 4, 6, 9, 11, 14]
    assert rank_sum_place(20, 20, 0.025) == 128
    # Beyond what is counted out the sum is nearly normal: a step from 30 to 31 is no jump.
    counted, nearly = (rank_sum_place(30, m, 0.025) / (30 * m) for m in (30, 31))
    assert nearly == pytest.approx(counted, abs=0.003)
    counted, nearly = (signed_rank_place(n, 0.025) / n**2 for n in (MOST_PAIRS, MOST_PAIRS + 1))
    assert nearly == pytest.approx(counted, abs=0.001)


def test_so_few_values_bear_no_more_than_their_level() -> None:
    three = compare([1.0, 1.1, 1.2], [1.0, 1.05, 1.3])
    assert three.interval is not None
    assert three.interval.level == pytest.approx(1 - 2 / comb(6, 3))
    assert compare([2.0], [1.0]).interval is None
    assert compare([2.0], [1.0]).p_differs == 1.0
    five = compare_pairs([1.0, 1.1, 1.2, 1.3, 1.4], [1.0] * 5)
    assert five.interval is not None
    assert five.interval.level == 1 - 2 / 2**5
    needed: dict[How, int] = {"two samples": 4, "pairs": 6}
    for how, n in needed.items():
        assert least_launches(1, how) == n
        assert least_p(n, n, how) < 0.05 <= least_p(n - 1, n - 1, how)
    with pytest.raises(ValueError, match="2 and 1 values are no pairs"):
        compare_pairs([1.0, 2.0], [1.0])


@pytest.mark.parametrize("count", [4, 6, 10])
def test_intervals_of_pairs_and_of_heaps_cover_as_often_as_they_say(count: int) -> None:
    rng = np.random.default_rng(count)
    covered: dict[How, int] = {"pairs": 0, "two samples": 0}
    levels: dict[How, float] = {}
    for _ in range(SETS):
        hour = rng.lognormal(0.0, 0.5, count)  # what both of a pair share
        first, second = (hour * rng.lognormal(0.0, 0.05, count) for _ in range(2))
        x, y = (rng.lognormal(0.0, 0.05, count) for _ in range(2))
        for found in (
            compare_pairs(list(1.3 * first), list(second)),
            compare(list(1.3 * x), list(y)),
        ):
            assert found.interval is not None
            covered[found.how] += found.interval.low <= 1.3 <= found.interval.high
            levels[found.how] = found.interval.level
    for how, number in covered.items():
        assert levels[how] - 0.015 <= number / SETS <= 0.985, how


def test_pairs_tell_what_heaps_cannot() -> None:
    rng = np.random.default_rng(5)
    hour = rng.lognormal(0.0, 0.5, 8)
    slower: FloatArray = 1.1 * hour * rng.lognormal(0.0, 0.01, 8)

    assert compare_pairs(list(slower), list(hour)).verdict() == "slower"
    assert compare(list(slower), list(hour)).verdict() == "unclear"


@pytest.mark.parametrize(("ratio", "most"), [(1.0, 0.06), (1.05, 0.06)])
def test_no_claim_is_wrong_more_often_than_it_may(ratio: float, most: float) -> None:
    """At 1 nothing differs; at the margin nothing is the same."""
    rng = np.random.default_rng(9)
    wrong = 0
    for _ in range(SETS):
        hour = rng.lognormal(0.0, 0.5, 8)
        x, y = (hour * rng.lognormal(0.0, 0.02, 8) for _ in range(2))
        found = compare_pairs(list(ratio * x), list(y), margin=0.05)
        wrong += (found.p_differs if ratio == 1.0 else found.p_equivalent) < 0.05
    assert wrong / SETS <= most


def test_beyond_the_counted_pairs_a_tail_is_taken_for_larger_than_it_is() -> None:
    """What docs/explanation/guarding.md says of more than 200 pairs: up to 1.5 times as probable,
    and never less probable, so that nothing is claimed oftener than was planned.
    """
    pairs = MOST_PAIRS + 1
    share = np.zeros(pairs * (pairs + 1) // 2 + 1)
    share[0] = 1.0
    for rank in range(1, pairs + 1):
        share[rank:] += share[:-rank].copy()
        share /= 2
    exact = np.cumsum(share)
    place = int(np.searchsorted(exact, 1e-6))
    checked = []
    while exact[place] < 0.01:
        positive = first_with_sum(pairs, place)
        differences = np.array(
            [rank if rank in positive else -rank for rank in range(1, pairs + 1)]
        )
        checked.append(signed_rank(differences.astype(np.float64))[0] / exact[place])
        place += 40

    assert len(checked) > 30
    assert min(checked) > 1.0
    assert 1.3 < max(checked) < 1.5
    for tail in (1e-5, 1e-3, 0.025):
        assert 0 < signed_rank_place(pairs, tail) <= int(np.searchsorted(exact, tail, "right"))


def first_with_sum(pairs: int, total: int) -> set[int]:
    """Ranks that add up to it."""
    ranks: set[int] = set()
    for rank in range(pairs, 0, -1):
        if rank <= total:
            ranks.add(rank)
            total -= rank
    return ranks
