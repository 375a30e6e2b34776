# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from isobath.stats.estimates import Estimate
from isobath.stats.ratios import Ratio, bounded, ratio_of_means


@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_covers_the_true_ratio_about_as_often_as_it_says(paired: bool) -> None:
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        keys = random.lognormal(0.0, 0.3, 24)
        others = keys if paired else random.lognormal(0.0, 0.3, 24)
        one = 1.5 * keys * random.lognormal(0.0, 0.05, 24)
        found = ratio_of_means(list(one), list(others), paired=paired)
        ratio = bounded(found)
        assert ratio.low is not None
        assert ratio.high is not None
        true = 1.5 * float(np.exp(0.05**2 / 2))
        covered += ratio.low <= true <= ratio.high
    assert 915 <= covered <= 980


def test_bounds_never_reach_below_zero_and_those_of_the_inverse_are_inverse() -> None:
    wide = bounded(Estimate(0.5, 2, 0.4))
    assert wide.low is not None
    assert wide.high is not None
    assert 0 < wide.low < 0.5 < wide.high
    inverse = bounded(Estimate(2.0, 2, 1.6))
    assert inverse.low == pytest.approx(1 / wide.high)
    assert inverse.high == pytest.approx(1 / wide.low)


def test_a_ratio_without_error_has_no_bounds_and_one_with_them_is_a_gain_or_a_loss() -> None:
    assert bounded(Estimate(2.0, 1)) == Ratio(2.0)
    assert not Ratio(2.0).is_clear
    assert (Ratio(2.0, 1.5, 3.0).is_gain, Ratio(2.0, 0.9, 3.0).is_clear) == (True, False)
    assert Ratio(0.5, 0.4, 0.6).is_loss
    assert Ratio(1.16).change_percent == pytest.approx(16.0)


def test_pairs_tell_more_than_two_heaps() -> None:
    one, other = [2.0, 4.1, 8.0], [1.0, 2.0, 4.0]

    paired = ratio_of_means(one, other, paired=True)
    apart = ratio_of_means(one, other, paired=False)

    assert paired.value == apart.value == pytest.approx(14.1 / 7)
    assert paired.standard_error is not None
    assert apart.standard_error is not None
    assert paired.standard_error < apart.standard_error / 20


def test_what_has_no_ratio_is_refused() -> None:
    for one, other in (([], [1.0]), ([1.0], [0.0]), ([-1.0], [1.0])):
        with pytest.raises(ValueError, match="positive values"):
            ratio_of_means(one, other, paired=False)
    with pytest.raises(ValueError, match="2 and 1 values are no pairs"):
        ratio_of_means([1.0, 2.0], [1.0], paired=True)
    assert ratio_of_means([3.0], [2.0], paired=True).standard_error is None
