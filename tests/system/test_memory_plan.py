# SPDX-License-Identifier: Apache-2.0
"""The plan's memory against what runs take; benchmarks/plan_accuracy.py goes on to scale 22."""

import json
from typing import Any

import pytest

from isobath.plan.memory import estimate_memory
from isobath.plan.rank_arrays import HUGE_PAGE, pages
from isobath.plan.scaling import Place, Values, held_while_searching
from system.laboratory import Laboratory, records_of


def case(scale: int, grid: str, *more: str) -> Any:
    """Slow: large graphs on several ranks, and shortest paths on two."""
    is_slow = (
        scale > 18 or (scale == 18 and grid != "1x1") or (bool(more) and grid in ("2x1", "1x2"))
    )
    return pytest.param(scale, grid, *more, marks=[pytest.mark.slow] * is_slow)


CASES = [case(scale, grid) for scale in (16, 18) for grid in ("1x1", "1x2", "2x2", "2x3")]


@pytest.mark.parametrize(("scale", "grid"), [*CASES, case(20, "1x1")])
def test_the_peak_is_within_ten_percent(lab: Laboratory, scale: int, grid: str) -> None:
    run = lab.run("--scale", scale, "--grid", grid, "--keys", 2)
    planned = lab.isobath("plan", "--scale", scale, "--grid", grid, "--keys", 2, "--json")

    records = records_of(run)
    assert records.finish is not None
    assert planned.code == 0, planned.err
    (row,) = json.loads(planned.out)["scales"]
    assert row["peak_bytes"] == pytest.approx(records.finish.peak_bytes, rel=0.10)


PATH_CASES = [
    case(scale, grid, "sssp", plan)
    for scale in (16, 18)
    for grid in ("1x1", "2x1", "1x2", "2x2")
    for plan in ("landmark", "delta-stepping")
]
PATH_CASES += [case(16, "1x1", "both", "landmark"), case(18, "1x1", "both", "delta-stepping")]


@pytest.mark.parametrize(("scale", "grid", "kernel", "plan"), PATH_CASES)
def test_the_peak_of_shortest_paths_is_within_ten_percent(
    lab: Laboratory, scale: int, grid: str, kernel: str, plan: str
) -> None:
    words = ("--scale", scale, "--grid", grid, "--kernel", kernel, "--sssp-plan", plan)
    run = lab.run(*words, "--keys", 2)
    planned = lab.isobath("plan", *words, "--json")

    records = records_of(run)
    assert records.finish is not None
    assert planned.code == 0, planned.err
    (row,) = json.loads(planned.out)["scales"]
    assert row["peak_bytes"] == pytest.approx(records.finish.peak_bytes, rel=0.10)


SIMPLE_CASES = [case(16, "1x1"), *(case(18, grid) for grid in ("1x1", "1x2", "2x2"))]


@pytest.mark.parametrize(("scale", "grid"), SIMPLE_CASES)
def test_the_peak_of_bellman_ford_is_bounded_closely(
    lab: Laboratory, scale: int, grid: str
) -> None:
    words = ("--scale", scale, "--grid", grid, "--kernel", "sssp", "--sssp-plan", "bellman-ford")
    run = lab.run(*words, "--keys", 2)
    planned = lab.isobath("plan", *words, "--json")

    records = records_of(run)
    assert records.finish is not None
    assert planned.code == 0, planned.err
    (row,) = json.loads(planned.out)["scales"]
    assert records.finish.peak_bytes <= row["peak_bytes"] <= 1.25 * records.finish.peak_bytes


@pytest.mark.parametrize("scale", [16, pytest.param(18, marks=pytest.mark.slow)])
def test_the_peak_of_an_official_run_is_within_ten_percent(lab: Laboratory, scale: int) -> None:
    run = lab.run("--scale", scale, "--official")
    planned = lab.isobath("plan", "--scale", scale, "--official", "--json")

    records = records_of(run)
    assert records.finish is not None
    (row,) = json.loads(planned.out)["scales"]
    assert row["peak_bytes"] == pytest.approx(records.finish.peak_bytes, rel=0.10)


PARTS_OF_ARRAY = {"Graph::plane, all four": 4, "Hubs::kept": 4}
IN_VECTORS = {"Fold::outgoing_, packed_, arrived_"}
TOUCHED_AS_FAR_AS_USED = {"DealtParents::more_", "Parents::lists_", "Frontier::list_"}


@pytest.mark.slow
def test_large_arrays_are_as_large_as_the_engine_says(lab: Laboratory) -> None:
    """It says how much of the memory that it touched was asked for in huge pages: arrays of 2 MiB
    and more, those that are there at the end.
    """
    words = ("--grid", "1x2", "--threads", 1, "--keys", 1, "--no-validation")
    finish = records_of(lab.run("--scale", 22, *words)).finish
    values = Values(Place(scale=22, rows=1, cols=2, threads=1))
    alive = estimate_memory(22, cols=2, validation=False).moments["searching"]

    expected, at_most = 0.0, 0.0
    for array in held_while_searching(alive):
        separate = PARTS_OF_ARRAY.get(array.name, 1)
        size = array.bytes_at(values) / separate
        if size >= HUGE_PAGE and array.name not in IN_VECTORS:
            at_most += 2 * separate * pages(size)
            if array.name not in TOUCHED_AS_FAR_AS_USED:
                expected += 2 * separate * pages(size)
    assert at_most <= 1.03 * expected
    assert finish is not None
    assert 0.99 * expected <= finish.huge_pages_requested_bytes <= 1.01 * at_most
