# SPDX-License-Identifier: Apache-2.0
import itertools
from typing import Any

import pytest

from isobath.errors import UsageError
from isobath.plan.search_plans import PLANS
from isobath.race.design import RaceFactors, Usual, cells_of
from isobath.race.ladder import OWN_GRID, STEP_NAMES
from isobath.race.plan import RaceCell

USUAL = Usual(ranks=1, threads_of=lambda ranks: max(1, 8 // ranks))


def cells(
    factors: dict[str, tuple[Any, ...]] | None = None, seed: int = 1, **others: Any
) -> tuple[RaceCell, ...]:
    base = {"scale": 16, "keys": 8, **others.pop("base", {})}
    return cells_of(RaceFactors(base, factors or {}, **others), USUAL, seed)


def told(found: tuple[RaceCell, ...], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(cell.settings[name] for name in names) for cell in found]


def test_every_combination_is_a_cell_with_the_grid_of_its_plan() -> None:
    found = cells({"plan": PLANS, "ranks": (1, 4)})

    assert len(found) == 12
    grids = {(c.settings["plan"], c.settings["ranks"]): c.settings["grid"] for c in found}
    assert grids["replicated-csr", 4] == grids["replicated-csc", 4] == "4x1"
    assert grids["simple", 4] == grids["one-sided", 4] == "1x4"
    assert grids["two-dim", 4] == "2x2"
    assert grids["hybrid", 4] == "4x1"
    assert {c.settings["threads"] for c in found if c.settings["ranks"] == 4} == {2}
    assert [cell.cell for cell in found] == [f"c{n:03}" for n in range(1, 13)]


def test_the_order_is_random_and_the_seed_repeats_it() -> None:
    orders = [[c.order for c in cells({"plan": PLANS, "ranks": (1, 2)}, seed=s)] for s in (1, 1, 2)]

    assert sorted(orders[0]) == list(range(12))
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0])


def test_what_a_plan_does_not_have_is_left_out_and_equal_cells_are_one() -> None:
    found = cells(
        {
            "plan": ("replicated-csr", "two-dim", "hybrid"),
            "exchange": ("own", "sparse"),
            "grid": ("1x4", "2x2"),
            "ranks": (4, 16),
        }
    )

    assert told(found, "plan", "ranks", "grid", "exchange") == [
        ("replicated-csr", 4, "4x1", "own"),
        ("replicated-csr", 16, "16x1", "own"),
        ("two-dim", 4, "1x4", "own"),
        ("two-dim", 16, "4x4", "own"),
        ("two-dim", 4, "2x2", "own"),
        ("two-dim", 4, "1x4", "sparse"),
        ("two-dim", 16, "4x4", "sparse"),
        ("two-dim", 4, "2x2", "sparse"),
        ("hybrid", 4, "1x4", "eager"),
        ("hybrid", 16, "16x1", "eager"),
        ("hybrid", 4, "2x2", "eager"),
        ("hybrid", 4, "1x4", "sparse"),
        ("hybrid", 16, "16x1", "sparse"),
        ("hybrid", 4, "2x2", "sparse"),
    ]


def test_no_two_cells_are_the_same_run() -> None:
    found = cells({"plan": PLANS, "ranks": (1, 2, 4), "fold": ("plain", "packed"), "ids": (64, 32)})

    runs = [tuple(sorted((k, str(v)) for k, v in cell.settings.items())) for cell in found]
    assert len(set(runs)) == len(runs)


def test_ranks_follow_from_the_grid_where_none_are_named() -> None:
    found = cells({"plan": ("two-dim", "simple"), "grid": ("2x3", "1x2")})

    assert told(found, "plan", "ranks", "grid") == [
        ("two-dim", 6, "2x3"),
        ("two-dim", 2, "1x2"),
        ("simple", 6, "1x6"),
        ("simple", 2, "1x2"),
    ]


@pytest.mark.parametrize(
    ("factors", "sentence"),
    [
        (
            {"plan": ("two-dim",), "ranks": (4, 16), "grid": ("2x2", "3x5")},
            "grid: 3x5 goes with no",
        ),
        (
            {"plan": ("simple", "hybrid"), "exchange": ("sparse", "emulated")},
            "exchange: emulated go",
        ),
        (
            {"plan": ("replicated-csr",), "fold": ("plain", "packed")},
            "fold: packed goes with none of",
        ),
        ({"plan": PLANS, "ranks": tuple(range(1, 200))}, "more than 1000 cells"),
    ],
)
def test_a_value_that_would_be_lost_is_refused(
    factors: dict[str, tuple[Any, ...]], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        cells(factors)


def test_weak_scaling_adds_the_doublings_of_the_ranks() -> None:
    factors = {"plan": ("two-dim",), "ranks": (1, 4, 16)}

    assert told(cells(factors, scaling="weak"), "scale") == [(16,), (18,), (20,)]
    assert told(cells(factors, scaling="strong"), "scale") == [(16,), (16,), (16,)]
    with pytest.raises(UsageError, match=r"ranks: weak scaling .* 3 is no power of two"):
        cells({"ranks": (1, 3)}, scaling="weak")


def test_listed_cells_are_crossed_with_the_factors_they_leave_open() -> None:
    listed = ({"plan": ("simple",), "exchange": ("sparse", "own")}, {"plan": ("hybrid",)})

    found = cells({"ranks": (2, 4)}, listed=listed)

    assert told(found, "plan", "ranks", "exchange") == [
        ("simple", 2, "sparse"),
        ("simple", 2, "own"),
        ("simple", 4, "sparse"),
        ("simple", 4, "own"),
        ("hybrid", 2, "eager"),
        ("hybrid", 4, "eager"),
    ]
    assert all(set(cell.factors) == {"plan", "ranks", "exchange"} for cell in found)


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        (
            {"plan": ("simple",), "fold": ("packed",)},
            "--fold packed does not go with --plan simple",
        ),
        ({"plan": ("simple",), "grid": ("2x2",)}, "--grid 2x2 does not go with --plan simple"),
        ({"plan": ("two-dim",), "grid": ("2x2",), "ranks": (6,)}, "2x2 does not have 6 ranks"),
    ],
)
def test_a_listed_cell_that_contradicts_itself_is_refused(
    listed: dict[str, tuple[Any, ...]], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        cells(listed=(listed,))


def test_the_ladder_stays_on_one_grid_and_ends_on_that_of_hybrid() -> None:
    found = cells({"plan": ("two-dim", "hybrid"), "ranks": (1, 4)}, ladder=True)

    ladder = [cell for cell in found if cell.group == "ladder"]
    assert [cell.settings["grid"] for cell in ladder] == ["2x2"] * len(STEP_NAMES) + ["4x1"]
    assert ladder[-1].step == OWN_GRID
    assert {k for k, v in ladder[-1].settings.items() if ladder[-2].settings[k] != v} == {"grid"}


def test_the_ladder_changes_one_thing_at_a_time_at_the_largest_rank_count() -> None:
    found = cells({"plan": ("two-dim", "hybrid"), "ranks": (1, 25), "mpi": ("a", "b")}, ladder=True)

    ladder = [cell for cell in found if cell.group == "ladder"]
    assert tuple(cell.step for cell in ladder) == STEP_NAMES
    assert told(tuple(ladder), "ranks", "grid", "mpi") == [(25, "5x5", "a")] * len(STEP_NAMES)
    by_name = {cell.step: cell.settings for cell in ladder}
    matrix = {
        cell.settings["plan"]: cell.settings
        for cell in found
        if cell.settings in (ladder[0].settings, ladder[-1].settings) and cell.group == "matrix"
    }
    assert by_name["as published"] == matrix["two-dim"]
    assert by_name["exchange eager"] == matrix["hybrid"]
    for before, after in itertools.pairwise(ladder):
        changed = {k for k, v in after.settings.items() if before.settings[k] != v}
        expected = {
            "hybrid, all off": {"plan"},
            "likely parents on": {"likely_parents"},
            "frontier and fold packed": {"frontier", "fold"},
        }
        assert changed == expected.get(str(after.step), {str(after.step).split()[0]}), after.step
