# SPDX-License-Identifier: Apache-2.0
"""What is said of cells, and how often it is wrong."""

import numpy as np
import pytest

from comparison.sides import cell, side
from isobath.comparison.measured import Cell, Launched
from isobath.comparison.turns import pairs_of
from isobath.comparison.verdicts import CellVerdict, lay_side_by_side

RNG = np.random.default_rng(1)
SETS = 300


def noisy(
    count: int, factor: float = 1.0, spread: float = 0.01, rng: np.random.Generator = RNG
) -> list[float]:
    return [float(one) for one in factor * rng.lognormal(0.0, spread, count)]


def verdicts_of(before: list[Cell], after: list[Cell]) -> tuple[CellVerdict, ...]:
    return lay_side_by_side(side("A", *before), [side("B", *after)]).others[0].cells


@pytest.mark.parametrize(
    ("factor", "spread", "outcome"),
    [
        (1.2, 0.01, "slower"),
        (0.8, 0.01, "faster"),
        (1.01, 0.005, "same"),
        (1.04, 0.2, "cannot tell"),
    ],
)
def test_each_outcome(factor: float, spread: float, outcome: str) -> None:
    (found,) = verdicts_of([cell(noisy(8, 1.0, spread))], [cell(noisy(8, factor, spread))])

    assert found.outcome == outcome
    assert found.speed == pytest.approx(1 / factor, rel=0.25)
    assert found.bounds is not None
    assert found.speed is not None
    assert 0 < found.bounds[0] < found.speed < found.bounds[1]
    assert bool(found.reason) == (outcome == "cannot tell")


def test_one_launch_a_side_says_nothing_whatever_the_difference() -> None:
    (found,) = verdicts_of([cell([1.0])], [cell([100.0])])

    assert (found.outcome, found.bounds) == ("cannot tell", None)
    assert found.reason == "one launch a side says nothing of others"
    assert found.speed == pytest.approx(0.01)


def test_too_few_launches_for_so_many_cells_are_told_how_many_would_do() -> None:
    names = [f"bcast, {n} B" for n in range(60)]
    before = [cell(noisy(4), title=name) for name in names]
    after = [cell(noisy(4, 3.0), title=name) for name in names]

    found = verdicts_of(before, after)

    assert {one.outcome for one in found} == {"cannot tell"}
    assert found[0].reason == "too few launches: 7 a side could tell a difference among 60 cells"
    more = verdicts_of(
        [cell(noisy(7), title=name) for name in names],
        [cell(noisy(7, 3.0), title=name) for name in names],
    )
    assert {one.outcome for one in more} == {"slower"}


def test_cells_that_could_never_tell_cost_the_others_nothing() -> None:
    one = [cell(noisy(4), title="bcast, 8 B")]
    other = [cell(noisy(4, 2.0), title="bcast, 8 B")]
    single = [cell([1.0], title=f"reduce, {n} B") for n in range(100)]

    assert verdicts_of(one + single, other + single)[0].outcome == "slower"


def test_wrong_data_are_no_time() -> None:
    (found,) = verdicts_of([cell(noisy(8))], [cell(noisy(8, 0.1), trouble="WRONG DATA: 3, not 7")])

    assert (found.outcome, found.reason) == ("no result", "B: WRONG DATA: 3, not 7")
    assert found.comparison is None
    (gone,) = verdicts_of([cell(noisy(8))], [cell([])])
    assert (gone.outcome, gone.reason) == ("no result", "B: no time")


def test_of_many_cells_without_a_difference_one_is_called_so_seldom() -> None:
    rng = np.random.default_rng(8)
    wrong = same = 0
    for _ in range(SETS):
        before = [cell(noisy(8, 1, 0.03, rng), title=f"bcast, {n} B") for n in range(20)]
        after = [cell(noisy(8, 1, 0.03, rng), title=f"bcast, {n} B") for n in range(20)]
        outcomes = [one.outcome for one in verdicts_of(before, after)]
        wrong += bool({"slower", "faster"} & set(outcomes))
        same += outcomes.count("same")
    assert wrong / SETS <= 0.08  # 5 % and three errors of 300 sets
    assert same > 0


def test_of_many_cells_at_the_margin_one_is_called_the_same_seldom() -> None:
    rng = np.random.default_rng(18)
    wrong = 0
    for _ in range(SETS):
        before = [cell(noisy(8, 1, 0.03, rng), title=f"bcast, {n} B") for n in range(20)]
        after = [cell(noisy(8, 1.05, 0.03, rng), title=f"bcast, {n} B") for n in range(20)]
        wrong += any(one.outcome == "same" for one in verdicts_of(before, after))
    assert wrong / SETS <= 0.08


def test_eight_per_cent_are_found_and_one_per_cent_is_not_told() -> None:
    rng = np.random.default_rng(28)
    found = told = 0
    for _ in range(SETS):
        worse = verdicts_of([cell(noisy(10, 1, 0.02, rng))], [cell(noisy(10, 1.08, 0.02, rng))])
        found += worse[0].outcome == "slower"
        little = verdicts_of([cell(noisy(10, 1, 0.02, rng))], [cell(noisy(10, 1.01, 0.02, rng))])
        told += little[0].outcome in ("slower", "faster")
    assert found / SETS > 0.95
    assert told / SETS < 0.05


def test_launches_in_turns_are_pairs_and_share_their_hour() -> None:
    hours = [1.0, 3.0, 1.5, 2.0, 8.0, 5.0, 1.2, 2.2]
    before = cell([hour * one for hour, one in zip(hours, noisy(8), strict=True)])
    after = cell([hour * one for hour, one in zip(hours, noisy(8, 1.1), strict=True)])
    sides = (
        side("A", before, began=[10.0 * n for n in range(8)]),
        side("B", after, began=[10.0 * n + (4 if n % 2 else -4) for n in range(8)]),
    )

    (found,) = lay_side_by_side(sides[0], [sides[1]]).others[0].cells

    assert found.comparison is not None
    assert (found.comparison.how, found.outcome) == ("pairs", "slower")
    later = side("B", after, began=[100.0 + n for n in range(8)])
    (apart,) = lay_side_by_side(sides[0], [later]).others[0].cells
    assert apart.comparison is not None
    assert (apart.comparison.how, apart.outcome) == ("two samples", "cannot tell")


def test_what_is_no_pair() -> None:
    first, second = cell([1.0, 2.0]).taken, cell([3.0, 4.0]).taken

    def at(*times: float) -> dict[str, Launched]:
        return {f"l{n}": Launched(one) for n, one in enumerate(times)}

    assert pairs_of(first, second, at(1, 3), at(2, 4)) == list(zip(first, second, strict=True))
    assert pairs_of(first, second, at(1, 4), at(2, 3)) == list(zip(first, second, strict=True))
    assert pairs_of(first, second, at(1, 2), at(3, 4)) is None  # one side after the other
    assert pairs_of(first, second, at(1, 1), at(1, 2)) is None  # at one time
    assert pairs_of(first, second[:1], at(1, 3), at(2)) is None
    assert pairs_of(first, second, {}, at(1, 2)) is None  # nobody knows when
    turned = cell([1.0, 2.0, 3.0], turns=True).taken
    assert pairs_of(turned, turned[1:], {}, {}) == [(one, one) for one in turned[1:]]


def test_all_sides_are_judged_together() -> None:
    reference = side("A", cell(noisy(4)))
    others = [side(name, cell(noisy(4, 2.0))) for name in "BC"]

    alone = lay_side_by_side(reference, others[:1])
    both = lay_side_by_side(reference, others)

    assert (alone.tests, both.tests) == (1, 2)
    assert alone.others[0].cells[0].outcome == "slower"
    assert {one.cells[0].outcome for one in both.others} == {"cannot tell"}
