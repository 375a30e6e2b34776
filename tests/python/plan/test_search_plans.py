# SPDX-License-Identifier: Apache-2.0
"""What plans take, against what the engine says of itself."""

import re
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.plan import search_plans
from isobath.plan.memory import estimate_memory
from isobath.plan.search_plans import (
    PLANS,
    SWITCHES,
    all_switches,
    check_grid,
    check_switches,
    default_grid,
    takes_grid,
    values_of,
)

SWITCHES_HEADER = Path(__file__).resolve().parents[3] / "engine/bfs/switches.hpp"


def plans_in_engine() -> tuple[str, ...]:
    """The lines of the registry, in their order."""
    text = SWITCHES_HEADER.with_name("plans.cpp").read_text(encoding="utf-8")
    return tuple(
        name.replace("_", "-") for name in re.findall(r"^ +registered_(\w+)\(\),", text, re.M)
    )


def names_in_engine(array: str, header: str) -> tuple[str, ...]:
    text = (SWITCHES_HEADER.parents[1] / header).read_text(encoding="utf-8")
    found = re.search(rf"\b{array} = \{{([^}}]*)\}}", text)
    assert found is not None, array
    return tuple(re.findall(r'"([^"]+)"', found[1]))


@pytest.mark.parametrize("plan", PLANS)
def test_every_plan_has_one_value_of_every_switch_by_default(plan: str) -> None:
    usual = all_switches(plan, {})

    assert tuple(usual) == tuple(SWITCHES)
    check_switches(plan, usual)
    for name, switch in SWITCHES.items():
        assert set(values_of(name, plan)) <= set(switch.values)


def test_every_value_is_of_some_plan() -> None:
    for name, switch in SWITCHES.items():
        assert {value for plan in PLANS for value in values_of(name, plan)} == set(switch.values)


@pytest.mark.parametrize(
    ("plan", "given", "sentence"),
    [
        (
            "simple",
            {"fold": "packed"},
            "--fold packed does not go with --plan simple: it has plain",
        ),
        ("hybrid", {"exchange": "own"}, "--exchange own .* hybrid: it takes eager, alltoallv,"),
        ("one-sided", {"ids": 32}, "--ids 32 .* one-sided: it has 64; leave --ids out"),
        ("replicated-csr", {"direction": "top-down"}, "it has bottom-up"),
    ],
)
def test_a_switch_that_a_plan_does_not_take_is_refused(
    plan: str, given: dict[str, str | int | None], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        check_switches(plan, given)
    assert all_switches(plan, given) == all_switches(plan, {})


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 6, 9, 16])
def test_a_plan_runs_on_its_default_grid(plan: str, ranks: int) -> None:
    rows, cols = default_grid(plan, ranks)

    assert rows * cols == ranks
    assert takes_grid(plan, rows, cols)
    check_grid(plan, f"{rows}x{cols}")


def test_a_grid_of_another_plan_is_refused() -> None:
    for plan, grid in (("replicated-csc", "1x4"), ("simple", "4x1"), ("one-sided", "2x2")):
        with pytest.raises(UsageError, match=f"--grid {grid} does not go with --plan {plan}"):
            check_grid(plan, grid)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("ranks", [1, 4, 16])
def test_memory_grows_with_the_scale_under_every_plan(plan: str, ranks: int) -> None:
    rows, cols = default_grid(plan, ranks)

    peaks = [estimate_memory(s, rows=rows, cols=cols, plan=plan).peak_bytes for s in range(8, 30)]

    assert peaks == sorted(set(peaks))


def test_plans_as_published_are_granted_more_than_hybrid() -> None:
    for plan in PLANS[:-1]:
        rows, cols = default_grid(plan, 4)
        published = estimate_memory(24, rows=rows, cols=cols, plan=plan).peak_bytes
        assert published > estimate_memory(24, rows=rows, cols=cols).peak_bytes


@pytest.mark.skipif(not SWITCHES_HEADER.exists(), reason="the engine has no switches")
def test_names_are_those_of_the_engine() -> None:
    assert plans_in_engine() == PLANS
    assert names_in_engine("frontier_names", "bfs/switches.hpp") == search_plans.FRONTIERS
    assert names_in_engine("direction_names", "bfs/switches.hpp") == search_plans.DIRECTIONS
