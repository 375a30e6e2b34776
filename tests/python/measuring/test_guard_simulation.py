# SPDX-License-Identifier: Apache-2.0
"""The simulation of regressions: it resamples launches whole, and can say no."""

import guard_simulation
import numpy as np
import pytest
from guard_simulation import Recorded, bounds, differences, flagged, power

from isobath.guard.needed import needed_pairs


def recorded(deviation: float, turns: int | None = None) -> Recorded:
    rng = np.random.default_rng(1)
    rows = deviation * rng.standard_normal((40, 3))
    rows[:, 1] = rows[:, 0]  # two cells that share what their launch drew
    rows -= rows.mean(axis=0)
    asked = turns or needed_pairs(deviation, 0.08, 3)
    return Recorded(("a", "b", "c"), (rows, rows[:20]), (asked,) * 3)


def test_launches_are_drawn_whole() -> None:
    drawn = differences(recorded(0.02), 30, np.random.default_rng(2))

    assert drawn.shape == (30, 3)
    assert np.allclose(drawn[:, 0], drawn[:, 1])
    assert not np.allclose(drawn[:, 0], drawn[:, 2])


def test_what_is_asked_for_finds_eight_per_cent_and_less_does_not() -> None:
    rng = np.random.default_rng(3)
    hits, of, _ = power(recorded(0.03), 150, rng)
    fewer, _, _ = power(recorded(0.03, turns=10), 150, rng)

    assert hits > 0.9 * of
    assert fewer < hits - 10


def test_no_change_raises_no_alarm_and_a_large_one_does() -> None:
    rng = np.random.default_rng(4)

    assert flagged(recorded(0.03), 20, 0.0, 60, rng)[0] <= 1
    assert flagged(recorded(0.03), 20, 0.30, 10, rng)[0] == 10


def test_bounds_are_those_of_counts() -> None:
    low, high = bounds(0, 5000)
    assert low == 0.0
    assert high == pytest.approx(0.000599, rel=0.01)
    assert bounds(5000, 5000)[1] == 1.0
    assert guard_simulation.REGRESSIONS == 5000
