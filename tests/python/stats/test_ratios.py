# SPDX-License-Identifier: Apache-2.0
import numpy as np
import pytest

from isobath.stats.intervals import estimate_interval
from isobath.stats.ratios import ratio_of_means


@pytest.mark.parametrize("paired", [True, False])
def test_the_interval_covers_the_true_ratio_about_as_often_as_it_says(paired: bool) -> None:
    random = np.random.default_rng(7)
    covered = 0
    for _ in range(1000):
        keys = random.lognormal(0.0, 0.3, 24)
        others = keys if paired else random.lognormal(0.0, 0.3, 24)
        one = 1.5 * keys * random.lognormal(0.0, 0.05, 24)
        found = ratio_of_means(list(one), list(others), paired=paired)
        interval = estimate_interval(found)
        assert interval is not None
        true = 1.5 * float(np.exp(0.05**2 / 2))
        covered += interval.low <= true <= interval.high
    assert 915 <= covered <= 980


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
