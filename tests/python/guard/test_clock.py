# SPDX-License-Identifier: Apache-2.0
"""Times that never differ, or come in coarse steps, are not known: they are never the same."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from guard.made_regressions import (
    BCAST,
    BEGAN,
    HOUR,
    archive_of,
    baseline_of,
    found_of,
    in_turns,
    side_of,
    sitting,
)
from isobath.guard.design import Design, Look
from isobath.guard.judging import clock_step, judge_archive, judge_pairs, reference_of
from isobath.guard.needed import reached_by_archive
from isobath.guard.noise import noise_of
from isobath.kinds.regress.outcome import CellResult, outcome_of


def paired(old: Sequence[float], new: Sequence[float]) -> CellResult:
    (cell,) = outcome_of(in_turns({BCAST: old}, {BCAST: new})).cells
    return cell


def archived(before: Sequence[Sequence[float]], now: Sequence[float]) -> CellResult:
    first = archive_of({BCAST: before[0]})
    later = [sitting({BCAST: values}, BEGAN + place * HOUR, 3e4)
             for place, values in enumerate(before[1:], 10)]  # fmt: skip
    side = side_of("new", first.cells, {BCAST: now})
    (cell,) = outcome_of(found_of(baseline_of(first, *later), {"new": side})).cells
    return cell


def ticks(level: float, tick: float, seed: int, number: int = 24) -> list[float]:
    """Of launches that scatter by 1 %, read by a clock of a tick."""
    rng = np.random.default_rng(seed)
    drawn = level * np.exp(0.01 * rng.standard_normal(number))
    return [float(x) for x in np.maximum(1, np.round(drawn / tick)) * tick]


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([1.0, 1.5, 2.0], 0.0),  # no two alike
        ([1.0, 1.0, 1.5, 2.5], math.log(1.5)),
        ([2.0, 2.0, 1.0, 1.0], math.log(2.0)),
        ([3.0, 3.0, 3.0], math.inf),
        ([3.0, 3.0 * (1 + 1e-12), 3.0], math.inf),  # roundings are no differences
        ([3.0, 3.0 * (1 + 1e-12), 3.3], math.log(1.1)),
    ],
)
def test_the_step_of_the_clock_is_seen_where_times_repeat(values: list[float], step: float) -> None:
    assert clock_step(values) == pytest.approx(step)


def test_times_that_never_differ_say_nothing() -> None:
    same = [1e-6] * 24

    for cell in (paired(same, same), archived([same] * 5, same)):
        assert (cell.word, cell.verdict) == ("cannot tell", None)
        assert "the clock is too coarse" in cell.reason


@pytest.mark.parametrize("now", [1e-6, 1.5e-6])
def test_constant_sittings_are_no_certainty(now: float) -> None:
    """A mean square of nothing counted as an error of nothing."""
    before = [[1e-6] * 20] * 4
    noise, reference = noise_of(before), reference_of(before)

    verdict = judge_archive([now] * 20, reference, noise, Design(1, 20), Look(20, 1.0))

    assert (verdict.outcome, verdict.low, verdict.high) == ("cannot tell", None, None)
    assert reached_by_archive(20, reference, noise, 1) is None


def test_a_coarse_clock_hides_what_is_less_than_its_step() -> None:
    """1.24 and 1.74 of its ticks are read as 1 and 2, and 1.51 and 2.49 both as 2."""
    tick = 1e-6
    alike = paired(ticks(1.51e-6, tick, 1), ticks(2.4e-6, tick, 2))
    apart = paired(ticks(1.24e-6, tick, 1), ticks(1.74e-6, tick, 2))

    assert [alike.word, apart.word] == ["cannot tell"] * 2
    assert apart.reason == "times come in steps of 100%: the clock is too coarse"


def test_a_fine_clock_costs_nothing_that_counts() -> None:
    """A nanosecond in a microsecond."""
    tick = 1e-9
    for level, word in ((1.0, "the same"), (1.15, "slower")):
        now = ticks(level * 1e-6, tick, 2)
        assert len(set(now)) < len(now), "some times repeat"
        assert paired(ticks(1e-6, tick, 1), now).word == word
        before = [ticks(1e-6, tick, 10 + place) for place in range(6)]
        assert archived(before, now).word == word


def test_every_claim_holds_for_times_that_are_off_by_a_step() -> None:
    design, look = Design(1, 20), Look(20, 1.0)
    rise = [math.log(1.10) + 0.001 * (-1) ** k * k for k in range(20)]

    assert judge_pairs(rise, design, look).outcome == "slower"
    assert judge_pairs(rise, design, look, math.log(1.05)).outcome == "slower"
    assert judge_pairs(rise, design, look, math.log(1.09)).outcome == "cannot tell"
    wide, close = (judge_pairs(rise, design, look, step) for step in (math.log(1.05), 0.0))
    assert wide.low is not None
    assert close.low is not None
    assert wide.low == pytest.approx(close.low / 1.05)
