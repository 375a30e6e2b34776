# SPDX-License-Identifier: Apache-2.0
"""The trend: what crept up is flagged in both ways to measure; a jump and noise are not."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from baseline.made_baselines import archive, made, read, regression
from isobath.baseline.chain import Baseline, BaselineShelf
from isobath.baseline.entries import CellOutcome, Regression, line_of
from isobath.baseline.history import history_of
from isobath.baseline.history_model import history_facts
from isobath.baseline.history_sections import sections_of
from isobath.view.terminal import printed

CELL = "bcast, 8 B"
OWN = "MPICH 5.0.2"
"""the library of the made baseline"""


def outcome(ratio: float, half: float = 0.004) -> CellOutcome:
    return CellOutcome(outcome="not slower", ratio=ratio, low=ratio * math.exp(-half),
                       high=ratio * math.exp(half))  # fmt: skip


def in_turns(ratios: Sequence[float], half: float = 0.004) -> list[Regression]:
    """Each release held against the one before it."""
    names = [OWN, *(f"MPICH 5.{number}" for number in range(1, len(ratios) + 1))]
    return [
        regression({CELL: outcome(ratio, half)}, days=place, study=f"r{place}").model_copy(
            update={"mpi": names[place + 1], "held_against": names[place]}
        )
        for place, ratio in enumerate(ratios)
    ]


def against_archive(ratios: Sequence[float], half: float = 0.004) -> list[Regression]:
    return [
        regression({CELL: outcome(ratio, half)}, days=place, study=f"r{place}").model_copy(
            update={"against": "archive"}
        )
        for place, ratio in enumerate(ratios)
    ]


def drift_of(regressions: Sequence[Regression]) -> float | None:
    (trend,) = history_of(Baseline("mpi", (), (archive(), *regressions))).trends
    return trend.drift


def test_three_times_three_per_cent_is_flagged_in_both_ways_to_measure() -> None:
    assert drift_of(in_turns([1.03, 1.03, 1.03])) == pytest.approx(1.03**3 - 1)
    assert drift_of(against_archive([1.03, 1.03**2, 1.03**3])) == pytest.approx(1.03**3 - 1)
    assert drift_of(in_turns([1.03, 1.03])) is None
    assert drift_of(against_archive([1.01, 1.02, 1.03])) is None  # less than what is drift


def test_noise_between_two_steps_hides_no_drift() -> None:
    levels = [1.03, 1.0295, 1.06, 1.0594, 1.09]

    assert drift_of(against_archive(levels)) == pytest.approx(0.09)
    steps = [now / before for before, now in zip([1.0, *levels], levels, strict=False)]
    assert drift_of(in_turns(steps)) == pytest.approx(0.09)


@pytest.mark.parametrize("after", [[1.09, 1.09], [1.09, 1.091, 1.089, 1.092], [1.088, 1.1]])
def test_one_jump_is_no_drift(after: Sequence[float]) -> None:
    assert drift_of(against_archive([1.0, 1.0, 1.09, *after])) is None
    assert drift_of(in_turns([1.0, 1.09, 1.001, 0.999, 1.001])) is None


def test_what_no_interval_holds_is_not_flagged() -> None:
    assert drift_of(against_archive([1.03, 1.06, 1.09], half=0.2)) is None
    unknown = CellOutcome(outcome="cannot tell", ratio=1.1)
    regressions = [one.model_copy(update={"cells": {CELL: unknown}})
                   for one in against_archive([1.0] * 4)]  # fmt: skip
    assert drift_of(regressions) is None


@pytest.mark.parametrize("deviation", [0.01, 0.03, 0.1])
def test_noise_alone_is_not_flagged(deviation: float) -> None:
    """2,000 cells of ten regressions each, in both ways to measure."""
    rng = np.random.default_rng(11)
    flagged = 0
    for _ in range(1000):
        drawn = [float(x) for x in np.exp(deviation * rng.standard_normal(10))]
        flagged += drift_of(against_archive(drawn, half=1.96 * deviation)) is not None
        flagged += drift_of(in_turns(drawn, half=1.96 * deviation)) is not None

    assert flagged <= 1


def test_libraries_are_chained_to_that_of_the_baseline() -> None:
    """A release is held against the one before it, later again against the oldest."""
    first, second, third = in_turns([1.03, 1.03, 1.03])
    direct = third.model_copy(update={"held_against": OWN, "cells": {CELL: outcome(1.08)}})

    (trend,) = history_of(Baseline("mpi", (), (archive(), first, second, third, direct))).trends

    assert [point.ratio for point in trend.points] == pytest.approx([1.03, 1.03**2, 1.03**3, 1.08])
    assert [point.measured for point in trend.points] == pytest.approx([1.03, 1.03, 1.03, 1.08])
    low, high = trend.points[2].low, trend.points[2].high
    assert low is not None
    assert high is not None
    assert math.log(high / low) == pytest.approx(2 * 0.004 * math.sqrt(3))  # each adds its own


@pytest.mark.parametrize(
    ("update", "why"),
    [
        ({"variables": ("MPIR_X=ring",)}, "a question of what MPIR_X=ring would do"),
        ({"across_machines": True}, "measured on another machine"),
        ({"held_against": "Open MPI 4"}, "held against Open MPI 4, which nothing connects"),
    ],
)
def test_what_is_no_update_of_this_machine_is_no_part_of_the_trend(
    update: dict[str, Any], why: str, tmp_path: Path
) -> None:
    folder = BaselineShelf(tmp_path).place("mpi")
    folder.begin(archive())
    for one in in_turns([1.03, 1.5]):
        folder.append(lambda _, one=one: one if one.study == "r0" else one.model_copy(
            update=update))  # type: ignore[misc]  # fmt: skip

    baseline = read(tmp_path)
    (trend,) = history_of(baseline).trends

    assert [point.study for point in trend.points] == ["r0"]
    rows = history_facts(baseline)["regressions"]
    assert rows[0]["left_out"] is None
    assert rows[1]["left_out"].startswith(why)
    text = "".join(
        str(part) for part in printed(list(sections_of(baseline)), 200, whole=True, notices=())
    )
    assert text


def test_a_history_without_a_trend_is_shown(tmp_path: Path) -> None:
    question = in_turns([1.03])[0].model_copy(update={"variables": ("A=1",)})
    baseline = Baseline("mpi", (), (archive(), question))

    sections = list(sections_of(baseline))

    assert sections[-1].lead == "No regression is part of a trend yet."
    assert history_facts(baseline)["cells"] == []


def test_entries_of_before_are_spelled_as_they_were(tmp_path: Path) -> None:
    """Their digests are in the chain: a field that came later must not change one."""
    made(tmp_path)
    line = line_of(read(tmp_path).regressions[0])

    assert not {"held_against", "variables", "across_machines", "other_algorithm"} & set(
        line.replace('"', " ").split()
    )
    baseline = read(tmp_path)
    (trend, _) = history_of(baseline).trends
    assert trend.last == pytest.approx(1.2)  # held against the baseline, as far as anyone knows


def share_flagged(deviation: float, steps: Sequence[float], *, chained: bool) -> float:
    """Of histories whose regressions scatter so much (a deviation of the logarithm of a ratio), as
    their intervals say.
    """
    rng = np.random.default_rng(20261126)
    half = 1.96 * deviation
    number = 400
    flagged = 0
    for _ in range(number):
        drawn = np.exp(deviation * rng.standard_normal(len(steps)))
        if chained:
            told = in_turns([float(x) for x in np.array(steps) * drawn], half)
        else:
            told = against_archive([float(x) for x in np.cumprod(steps) * drawn], half)
        flagged += drift_of(told) is not None
    return flagged / number


@pytest.mark.parametrize(
    ("chained", "found_at", "missed_at"), [(True, 0.0075, 0.02), (False, 0.0075, 0.03)]
)
def test_three_times_three_per_cent_needs_narrow_intervals(
    chained: bool, found_at: float, missed_at: float
) -> None:
    """What docs/explanation/guarding.md says of it."""
    steps = [1.03] * 3

    assert share_flagged(found_at, steps, chained=chained) > 0.95
    assert share_flagged(missed_at, steps, chained=chained) < 0.25
    assert share_flagged(missed_at, [1.0] * 3, chained=chained) < 0.01
