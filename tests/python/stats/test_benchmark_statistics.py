# SPDX-License-Identifier: Apache-2.0
"""Acceptance test A5: what the statistics of benchmarks promise, by simulation with known truth."""

import math
from itertools import pairwise

import numpy as np
import pytest

from isobath.stats.comparisons import compare, holm
from isobath.stats.dependence import effective_count
from isobath.stats.intervals import median_interval
from isobath.stats.launches import draw_medians, median_of_launches
from isobath.stats.outliers import apart, tukey_fences
from isobath.stats.switch_points import pieces, sizes_to_measure, switch_points

SETS = 1000


def test_the_interval_of_a_median_covers_it_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    for count in (20, 57):
        covered = 0
        for _ in range(SETS):
            found = median_interval(rng.lognormal(0.0, 0.5, count))  # the true median is 1
            assert found is not None
            covered += found.low <= 1 <= found.high
        assert 0.945 <= covered / SETS <= 0.99


@pytest.mark.parametrize("launches", [3, 5, 10])
def test_the_interval_over_launches_covers_where_launches_differ_more_than_repetitions(
    launches: int,
) -> None:
    rng = np.random.default_rng(7)
    covered = 0
    narrow = 0
    for number in range(SETS):
        drawn = [
            math.exp(rng.normal(0, 0.05)) * rng.lognormal(0.0, 0.02, 30) for _ in range(launches)
        ]
        found = median_of_launches(drawn, resamples=300, seed=number).interval
        inside = median_interval(drawn[0])
        assert found is not None
        assert inside is not None
        covered += found.low <= 1 <= found.high
        narrow += inside.low <= 1 <= inside.high
    assert 0.92 <= covered / SETS <= 0.99
    assert narrow / SETS < 0.5  # what one launch says of itself does not hold for others


@pytest.mark.parametrize("count", [1, 4, 5])
def test_medians_drawn_at_once_are_distributed_as_those_of_resampled_repetitions(
    count: int,
) -> None:
    rng = np.random.default_rng(5)
    sample = np.sort(rng.lognormal(0.0, 1.0, count))

    at_once = draw_medians([sample], 20_000, rng)[:, 0]
    one_by_one = np.median(sample[rng.integers(count, size=(20_000, count))], axis=1)

    shares = [0.1, 0.25, 0.5, 0.75, 0.9]
    values = np.unique(np.concatenate([at_once, one_by_one]))
    steps = [abs((at_once <= v).mean() - (one_by_one <= v).mean()) for v in values]
    assert max(steps) < 0.02
    assert np.quantile(at_once, shares).shape == np.quantile(one_by_one, shares).shape


def test_one_launch_alone_has_the_interval_of_its_repetitions() -> None:
    values = [float(number) for number in range(1, 31)]

    found = median_of_launches([values, []])

    assert (found.value, found.launches, found.repetitions) == (15.5, 1, 30)
    assert found.interval == median_interval(values)


def test_few_launches_that_disagree_have_the_range_of_their_medians() -> None:
    rng = np.random.default_rng(3)
    launches = [factor * rng.lognormal(0.0, 0.02, 30) for factor in (1.0, 1.1, 3.0)]

    found = median_of_launches(launches)

    medians = [float(np.median(one)) for one in launches]
    assert found.disagree
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (min(medians), max(medians))
    assert found.interval.level == 0.75
    assert not median_of_launches([*launches, *launches[:2]]).disagree  # five tell more
    assert not median_of_launches(launches[:2]).disagree


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.8])
def test_the_effective_number_is_that_of_an_autoregressive_series(correlation: float) -> None:
    rng = np.random.default_rng(2)
    found, means = [], []
    for _ in range(300):
        noise = rng.normal(size=400)
        series = np.empty(400)
        series[0] = noise[0] / math.sqrt(1 - correlation**2)
        for place in range(1, 400):
            series[place] = correlation * series[place - 1] + noise[place]
        found.append(effective_count(series))
        means.append(series.mean())
    truth = 400 * (1 - correlation) / (1 + correlation)
    variance_of_one = 1 / (1 - correlation**2)

    assert np.median(found) == pytest.approx(truth, rel=0.08)
    assert variance_of_one / np.var(means) == pytest.approx(truth, rel=0.25)


def test_equivalence_is_not_claimed_at_the_margin_and_is_found_where_it_holds() -> None:
    rng = np.random.default_rng(3)

    def claimed(ratio: float, count: int) -> float:
        found = 0
        for _ in range(SETS):
            x = ratio * rng.lognormal(0.0, 0.02, count)
            y = rng.lognormal(0.0, 0.02, count)
            found += compare(list(x), list(y)).verdict() == "same"
        return found / SETS

    assert claimed(1.05, 10) <= 0.065  # 5 % and the error of 1000 sets
    assert claimed(1.0, 10) > 0.95
    assert claimed(1.2, 10) == 0.0


def test_a_difference_that_is_none_is_seldom_claimed_and_a_real_one_often() -> None:
    rng = np.random.default_rng(4)

    def differs(ratio: float) -> float:
        found = 0
        for _ in range(SETS):
            x, y = ratio * rng.lognormal(0.0, 0.05, 5), rng.lognormal(0.0, 0.05, 5)
            found += compare(list(x), list(y)).p_differs < 0.05
        return found / SETS

    assert differs(1.0) <= 0.065
    assert differs(1.2) > 0.9


def test_the_shift_is_the_median_of_all_ratios_and_its_interval_covers() -> None:
    assert compare([2.0, 4.0, 8.0], [1.0, 2.0, 4.0]).ratio == pytest.approx(2.0)
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(SETS):
        found = compare(list(1.3 * rng.lognormal(0, 0.1, 10)), list(rng.lognormal(0, 0.1, 10)))
        assert found.interval is not None
        covered += found.interval.low <= 1.3 <= found.interval.high
    assert covered / SETS > 0.93


def test_equal_times_are_no_difference() -> None:
    found = compare([1.0] * 5, [1.0] * 5)

    assert (found.ratio, found.p_differs, found.verdict()) == (1.0, 1.0, "same")


def test_holm_rejects_nothing_among_many_chances() -> None:
    rng = np.random.default_rng(8)
    wrong = sum(min(holm(list(rng.uniform(size=40)))) < 0.05 for _ in range(SETS))

    assert wrong / SETS <= 0.065
    assert holm([0.001, 0.9]) == (0.002, 0.9)
    assert holm([]) == ()


def test_fences_stand_on_logarithms() -> None:
    rng = np.random.default_rng(9)
    times = rng.lognormal(0.0, 1.0, 400)
    low, _ = tukey_fences(times)

    assert 0 < low < float(times.min()) * 2
    assert len(apart(times)) < 0.03 * len(times)  # a lognormal tail is not odd
    assert apart([*([1.0, 1.02, 0.98] * 5), 40.0]) == (15,)
    with pytest.raises(ValueError, match="positive"):
        tukey_fences([1.0, 0.0])


def measured(size: int, rng: np.random.Generator) -> list[list[float]]:
    """Three launches of a collective that takes another algorithm above 256 bytes."""
    seconds = 1e-6 + 1e-9 * size if size <= 256 else 3e-6 + 0.5e-9 * size
    return [
        list(seconds * math.exp(rng.normal(0, 0.01)) * rng.lognormal(0, 0.02, 30)) for _ in range(3)
    ]


def test_a_switch_at_256_bytes_is_found_within_5_per_cent() -> None:
    found = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sizes = [1 << power for power in range(21)]
        times = {size: measured(size, rng) for size in sizes}
        while True:
            sizes = sorted(times)
            switches = switch_points(sizes, [times[s] for s in sizes], resamples=20, seed=seed)
            more = [size for one in switches for size in sizes_to_measure(one)]
            if not more:
                break
            times |= {size: measured(size, rng) for size in more}
        good = [s for s in switches if s.is_sharp and 0.95 * 256 <= s.low <= 256 < s.high]
        found += len(switches) == 1 and len(good) == 1
        assert all(s.probability > 0.8 for s in good)
        assert all(s.jump == pytest.approx(2.49, rel=0.1) for s in good)
    assert found >= 9


def test_a_straight_line_has_no_switch() -> None:
    wrong = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        sizes = [1 << power for power in range(21)]
        times = [[list((2e-6 + 1e-9 * s) * rng.lognormal(0, 0.02, 20)) for _ in range(3)]
                 for s in sizes]  # fmt: skip
        wrong += bool(switch_points(sizes, times, resamples=5))
    assert wrong <= 2


def test_pieces_are_the_best_of_all_ways_to_cut() -> None:
    rng = np.random.default_rng(12)
    sizes = [float(1 << power) for power in range(10)]
    seconds = [
        (1e-6 if s <= 16 else 4e-6) * float(rng.lognormal(0, 0.01)) + 1e-9 * s for s in sizes
    ]

    found = pieces(sizes, seconds)

    assert [(one.first, one.last) for one in found] == [(1.0, 16.0), (32.0, 512.0)]
    assert all(one.seconds_per_byte >= 0 and one.latency_seconds >= 0 for one in found)
    assert all(before.last < after.first for before, after in pairwise(found))


def test_curves_that_are_none_are_refused() -> None:
    for sizes, seconds in (([1.0, 1.0], [1.0, 1.0]), ([1.0], [0.0]), ([1.0, 2.0], [1.0])):
        with pytest.raises(ValueError, match=r"ascend|no curve"):
            pieces(sizes, seconds)
    assert len(pieces([1.0, 2.0], [1.0, 2.0])) == 1  # too few points to cut
