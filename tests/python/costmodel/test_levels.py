# SPDX-License-Identifier: Apache-2.0
"""Levels of single roots, beside the mean of all."""

import numpy as np
import pytest

from isobath.costmodel.levels import (
    expected_levels,
    levels_from_profile,
    levels_of_roots,
    measured_profiles,
)


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("scale", sorted(measured_profiles()))
def test_single_searches_are_like_their_mean(scale: int, distinct: bool) -> None:
    """Levels of each add up to all vertices and arcs; of all together they are near the mean."""
    roots = levels_of_roots(scale, 1000.0, distinct=distinct, direction="policy")
    mean = levels_from_profile(scale, 1000.0, distinct=distinct)

    assert len(roots) >= 24
    for levels in roots:
        assert sum(level.vertices.expected for level in levels) == pytest.approx(1000, rel=1e-6)
        assert sum(level.arcs.expected for level in levels) == pytest.approx(1, rel=1e-6)
        assert all(level.vertices.low == level.vertices.high for level in levels)
        before = np.cumsum([0.0, *(level.arcs.expected for level in levels)])[:-1]
        assert [level.arcs_before for level in levels] == pytest.approx(before.tolist(), abs=1e-9)
    second = [levels[1].vertices.expected for levels in roots]
    assert np.median(second) < 0.7 * np.mean(second)  # what a mean search is not
    third = np.mean([levels[2].arcs.expected for levels in roots])
    assert third == pytest.approx(mean[2].arcs.expected, abs=0.12)


def test_directions_are_those_of_the_policy() -> None:
    searches = levels_of_roots(18, 160_000.0, distinct=True, direction="policy")

    for levels in searches:
        assert levels[0].direction == "top_down"
        assert "bottom_up" in {level.direction for level in levels}
    assert {level.direction for level in levels_of_roots(18, 1.0)[0]} == {"top_down"}


def test_between_scales_both_are_taken_and_beyond_them_levels_that_find_nothing() -> None:
    fourteen, fifteen, sixteen = (levels_of_roots(scale, 1.0) for scale in (14, 15, 16))
    assert len(fifteen) == len(fourteen) + len(sixteen)

    largest = max(measured_profiles())
    known, beyond = levels_of_roots(largest, 1.0), levels_of_roots(largest + 12, 1.0)
    more = round(expected_levels(largest + 12).expected - measured_profiles()[largest].mean_levels)
    assert more > 0
    for near, far in zip(known, beyond, strict=True):
        for one, other in zip(near, far, strict=False):
            assert one.direction == other.direction
            assert one.arcs.expected == pytest.approx(other.arcs.expected, rel=1e-12)
            assert one.vertices.expected == pytest.approx(other.vertices.expected, rel=1e-12)
        assert [level.arcs.expected for level in far[len(near) :]] == [0.0] * more
