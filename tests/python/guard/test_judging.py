# SPDX-License-Identifier: Apache-2.0
"""Verdicts: what is slower is found, what is not is not; what nobody knows is never the same."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from isobath.guard.design import SAME, Design, Look
from isobath.guard.hours import LEAST_LAUNCHES
from isobath.guard.judging import (
    Reference,
    judge_archive,
    judge_pairs,
    logarithm,
    reference_of,
    standard_error,
)
from isobath.guard.needed import needed_pairs, power_of_pairs, reached_by_archive, reached_by_pairs
from isobath.guard.noise import (
    Noise,
    Scatter,
    noise_of,
    scatter_of,
    sittings_by_time,
)

WHOLE = Look(0, 1.0)
REGRESSIONS = 2000


def pairs(rng: np.random.Generator, ratio: float, deviation: float, turns: int) -> list[float]:
    """Heavy tails: some launches are late by much, on either side."""
    late = 1 + 3 * (rng.random(turns) < 0.05)
    drawn = math.log(ratio) + math.sqrt(2) * deviation * late * rng.standard_normal(turns)
    return [float(x) for x in drawn]


def learned(*scatters: Scatter) -> Noise:
    """By sittings of which nothing else is known."""
    return Noise(None, 0.0, 1, 0.0, 0, 1.0, scatters)


def sittings(*deviations: float) -> Noise:
    """Of normal noise, of which no launches are kept."""
    return learned(*(Scatter(one**2, 23) for one in deviations))


def at_most(number: int, probability: float, tries: int) -> bool:
    """Not more than chance explains at one in ten thousand."""
    return bool(stats.binom.sf(number - 1, tries, probability) > 1e-4)


def test_a_cell_at_the_edge_of_the_tolerance_is_called_slower_as_rarely_as_was_planned() -> None:
    rng = np.random.default_rng(1)
    design = Design(1, 20)  # one cell has the whole error, so that it can be seen

    called = 0
    for _ in range(REGRESSIONS):
        drawn = pairs(rng, 1.01, 0.05, 20)
        called += any(judge_pairs(drawn[: look.turns], design, look).outcome == "slower"
                      for look in design.looks)  # fmt: skip

    assert at_most(called, 0.003, REGRESSIONS)


def test_a_cell_that_is_slower_by_the_margin_is_rarely_called_not_slower() -> None:
    rng = np.random.default_rng(2)
    design = Design(1, 20)

    called = 0
    for _ in range(REGRESSIONS):
        drawn = pairs(rng, 1.08, 0.08, 20)
        outcomes = {judge_pairs(drawn[: look.turns], design, look).outcome for look in design.looks}
        called += bool(outcomes & {"not slower", "the same"})

    assert called > 0  # it happens, or nothing was tried
    assert at_most(called, SAME, REGRESSIONS)


@pytest.mark.parametrize("deviation", [0.01, 0.03, 0.05])
def test_the_number_that_is_asked_for_finds_eight_per_cent(deviation: float) -> None:
    rng = np.random.default_rng(3)
    turns = needed_pairs(sittings(deviation), 0.08, 60)
    assert turns is not None
    look = Look(turns, 0.7)
    tries = 400

    hits = sum(
        judge_pairs(list(math.log(1.08) + math.sqrt(2) * deviation * rng.standard_normal(turns)),
                    Design(60, turns), look).outcome == "slower"
        for _ in range(tries)
    )  # fmt: skip

    assert stats.binom.cdf(hits, tries, 0.95) > 1e-3


def found_in_sittings(deviations: Sequence[float], turns: int, tries: int) -> float:
    """Share of regressions that find 8 %, each in one of the sittings."""
    rng = np.random.default_rng(9)
    design, look = Design(60, turns), Look(turns, 0.7)
    hits = 0
    for number in range(tries):
        deviation = deviations[number % len(deviations)]
        drawn = math.log(1.08) + math.sqrt(2) * deviation * rng.standard_normal(turns)
        hits += judge_pairs([float(x) for x in drawn], design, look).outcome == "slower"
    return hits / tries


def test_what_a_quiet_sitting_gains_does_not_pay_for_a_noisy_one() -> None:
    """5, 5, 5 % and 3, 5, 6.4 % have the same root mean square, and not the same power."""
    even, uneven = (0.05, 0.05, 0.05), (0.03, 0.05, 0.064)
    assert sum(x**2 for x in even) == pytest.approx(sum(x**2 for x in uneven), rel=0.01)

    of_even, of_uneven = (needed_pairs(sittings(*one), 0.08, 60) for one in (even, uneven))

    assert of_even is not None
    assert of_uneven is not None
    assert found_in_sittings(uneven, of_even, 900) < 0.93  # so many were asked for before
    assert of_uneven > of_even
    assert found_in_sittings(uneven, of_uneven, 900) > 0.945


def test_launches_that_scatter_otherwise_than_normally_are_drawn_again() -> None:
    """Every sixth is late: as many pairs as their deviation asks for find less than promised."""
    heaps = [math.exp(0.15 * (number % 6 == 0)) for number in range(2 * LEAST_LAUNCHES)]
    (recorded,) = noise_of([heaps]).scatters
    normal = Scatter(recorded.square, recorded.freedom)

    drawn, counted = (needed_pairs(learned(one), 0.08, 60) for one in (recorded, normal))

    assert drawn is not None
    assert counted is not None
    assert drawn > 1.5 * counted


def test_each_word_has_its_numbers() -> None:
    design = Design(1, 20)
    noise = [0.001 * (-1) ** k * (k + 1) for k in range(20)]

    def outcome(ratio: float, factor: float = 1.0) -> str:
        return judge_pairs([math.log(ratio) + factor * x for x in noise], design, WHOLE).outcome

    assert outcome(1.10) == "slower"
    assert outcome(0.90) == "faster"
    assert outcome(1.00) == "the same"
    assert outcome(1.00, 30.0) == "cannot tell"
    lone = judge_pairs([0.5], design, WHOLE)
    assert (lone.outcome, lone.low, lone.high) == ("cannot tell", None, None)
    assert logarithm(1.2, 1.0, 1.2) == pytest.approx(0)


def test_what_varies_is_taken_apart() -> None:
    rng = np.random.default_rng(4)
    sittings = [
        [float(np.exp(shift + 0.02 * rng.standard_normal())) for _ in range(40)]
        for shift in 0.05 * rng.standard_normal(200)
    ]

    noise = noise_of(sittings, [0.1, 0.3, 0.2])

    assert noise.launch == pytest.approx(0.02, rel=0.1)
    assert noise.sitting == pytest.approx(0.05, rel=0.2)
    assert (noise.within, noise.sitting_freedom, noise.per_sitting) == (0.2, 199, 40)
    with pytest.raises(ValueError, match="two launches"):
        noise_of([[1.0], [2.0]])
    assert noise_of([[1.0, 1.1]]).sitting_freedom == 0


def test_a_machine_that_drifts_between_sittings_is_no_regression() -> None:
    """The ranks of single launches would call it one in nearly every regression."""
    rng = np.random.default_rng(5)
    design, look, tries = Design(1, 20), Look(20, 1.0), 1000

    called = naive = 0
    for _ in range(tries):
        drift = 0.03 * rng.standard_normal(5)
        taken = [list(np.exp(shift + 0.01 * rng.standard_normal(20))) for shift in drift]
        before, now = taken[:4], taken[4]
        verdict = judge_archive(now, reference_of(before), noise_of(before), design, look)
        called += verdict.outcome == "slower"
        naive += bool(stats.mannwhitneyu(now, before[0], alternative="greater").pvalue < 0.003)

    assert at_most(called, 0.003, tries)
    assert naive > 0.2 * tries


def test_a_large_change_is_found_without_the_old_library() -> None:
    rng = np.random.default_rng(6)
    before = [list(np.exp(0.01 * rng.standard_normal() + 0.02 * rng.standard_normal(10)))
              for _ in range(5)]  # fmt: skip
    now = list(1.5 * np.exp(0.02 * rng.standard_normal(10)))
    noise, reference = noise_of(before), reference_of(before)

    verdict = judge_archive(now, reference, noise, Design(1, 10), Look(10, 1.0))

    assert verdict.outcome == "slower"
    assert verdict.low is not None
    assert verdict.high is not None
    assert verdict.low < 1.5 < verdict.high
    reached = reached_by_archive(10, reference, noise, 60)
    assert reached is not None
    assert reached < 1.0
    with pytest.raises(ValueError, match="one sitting"):
        standard_error(10, reference, noise_of(before[:1]))


def test_what_is_said_to_be_within_reach_of_the_archive_is_found() -> None:
    """Five sittings guess what varies between them, and a large guess hides a change."""
    rng = np.random.default_rng(12)
    launch, between, number, tries = 0.01, 0.03, 10, 500
    truth = Noise(None, launch**2, 45, launch**2 + number * between**2, 4, number)
    reach = reached_by_archive(number, Reference(0.0, 50, 5), truth, 1)
    assert reach is not None
    found = 0
    for _ in range(tries):
        shifts = between * rng.standard_normal(6)
        taken = [list(np.exp(one + launch * rng.standard_normal(number))) for one in shifts]
        before, now = taken[:5], [(1 + reach) * time for time in taken[5]]
        verdict = judge_archive(now, reference_of(before), noise_of(before), Design(1, number),
                                Look(number, 0.7))  # fmt: skip
        found += verdict.outcome == "slower"

    assert 0.92 * tries < found < 0.99 * tries


def test_more_pairs_reach_smaller_changes_and_noise_costs_pairs() -> None:
    reached = [reached_by_pairs(sittings(0.02), n, 60) for n in (15, 30, 60, 120)]
    assert None not in reached
    assert reached == sorted(reached, reverse=True)  # type: ignore[type-var]
    assert reached_by_pairs(sittings(0.02), 14, 60) is None
    # Such noise hides what is 21 times as long.
    assert reached_by_pairs(sittings(8.0), 15, 60) is None
    needs = [needed_pairs(sittings(deviation), 0.08, 60) for deviation in (0.0, 0.02, 0.05, 0.1)]
    assert needs == sorted(needs)  # type: ignore[type-var]
    assert needs[0] == 15
    assert needed_pairs(sittings(3.0), 0.05, 60) is None
    assert needed_pairs(sittings(0.02), 0.01, 60) is None
    assert power_of_pairs(60, 0.6, 1e-5) == pytest.approx(power_of_pairs(61, 0.6, 1e-5), abs=0.06)
    assert power_of_pairs(9, 9.0, 1e-5) == 0.0


def test_launches_are_grouped_by_the_hour_and_scatter_by_quartiles() -> None:
    assert sittings_by_time([0, 60, 7200, 120, 7260]) == [[0, 1, 3], [2, 4]]
    assert scatter_of([1.0, 2.0]) is None
    rng = np.random.default_rng(7)
    drawn = list(np.exp(0.1 * rng.standard_normal(5000)))
    assert scatter_of([*drawn, 1e9]) == pytest.approx(0.1, rel=0.1)


def test_sittings_that_scatter_without_bounds_find_no_change() -> None:
    rng = np.random.default_rng(8)
    before = [list(np.exp(3.0 * rng.standard_normal() + 2.0 * rng.standard_normal(10)))
              for _ in range(3)]  # fmt: skip

    assert reached_by_archive(10, reference_of(before), noise_of(before), 60) is None
