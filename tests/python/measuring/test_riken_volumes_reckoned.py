# SPDX-License-Identifier: Apache-2.0
"""Bytes reckoned where no run is, beside RIKEN's: what a row says and when a cell is missed."""

import doctest

import numpy as np
import pytest
import riken_volumes_reckoned as beyond
from riken_volumes_reckoned import Reckoned

from isobath.costmodel.class_walk import walked_levels
from isobath.costmodel.grid import Grid
from isobath.stats.estimates import FloatArray

SMALL = "12:4x4"


def made(low: float, expected: float, high: float, theirs: float) -> Reckoned:
    """A hundred searches that are all alike."""
    return Reckoned(*(np.full(100, end * 1e9) for end in (low, expected, high, theirs)))


def test_the_examples_hold() -> None:
    assert doctest.testmod(beyond).failed == 0


@pytest.mark.parametrize(("high", "verdict"), [(4.5, "met"), (9.0, "MISSED")])
def test_the_upper_end_decides(high: float, verdict: str) -> None:
    found = made(2.0, 4.0, high, 10.0)

    assert found.ratio.middle == pytest.approx(0.4)
    # the end lies three deviations off, and 5 % of draws 1.64 and more
    assert found.ratio.high == pytest.approx(0.4 + (high - 4) / 10 * 1.645 / 3, rel=0.05)
    assert found.ratio.low < 0.4
    assert beyond.row("made up", found).endswith(verdict)


def test_both_are_reckoned_on_the_same_levels() -> None:
    scale, grid = beyond.parsed(SMALL)
    setting = beyond.setting_of(scale, grid)
    levels = walked_levels(setting, 4)
    found = beyond.reckoned(setting, levels)

    assert found.expected.shape == found.theirs.shape == (4,)
    assert (found.low <= found.expected).all()
    assert (found.expected <= found.high).all()
    symbols = beyond.symbols(levels[0], 1000.0)
    assert [one.direction for one in symbols] == [one.direction for one in levels[0]]
    assert symbols[0].frontier_vertices == 1
    assert sum(one.discovered_vertices for one in symbols) == pytest.approx(
        setting.blocks.sizes.sum(), rel=1e-3
    )


@pytest.mark.parametrize(("times", "outside"), [(1.0, 0), (4.0, 1)])
def test_a_walk_outside_of_the_interval_is_told(
    times: float, outside: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def walked(scale: int, grid: str, keys: int) -> FloatArray:
        setting = beyond.setting_of(scale, Grid.typed(grid))
        found = beyond.reckoned(setting, walked_levels(setting, 8, seed=3))
        return times * found.expected[:keys]

    monkeypatch.setattr(beyond, "walked", walked)
    monkeypatch.setattr(beyond, "SEARCHES", 16)

    assert beyond.held_against_walks([SMALL], 8) == outside
    assert ("OUTSIDE" in capsys.readouterr().out) == bool(outside)


def test_it_says_what_it_rests_on() -> None:
    told = beyond.rests_on(beyond.setting_of(36, Grid(64, 128)))

    assert "16 scales below" in told
    assert "2,048 vertices a hub" in told
    assert max(map(len, told.splitlines())) <= 100
