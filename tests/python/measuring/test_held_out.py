# SPDX-License-Identifier: Apache-2.0
"""The held-out test of predictions, on cells whose times are known by construction."""

import csv
import itertools
import json
import os
import re
import time
from dataclasses import replace
from pathlib import Path

import held_out_turns
import pytest
import verdict_shares
from held_out_cells import ALGORITHMS, PARTS, RATES, Cell, cells_of, forced_variables
from held_out_judged import (
    LEAST_CELLS,
    Judged,
    choices_of,
    costs_by_network,
    judged,
    pairs_in_order,
    times_of,
    told,
)
from held_out_limit import Limit
from held_out_table import write_table

from isobath.costmodel.grid import Grid
from isobath.prediction.algorithms import KNOWN
from isobath.prediction.observed import Observed
from isobath.prediction.upcoming import FOLD_CALLS, PHASE_CALLS
from prediction.made_runs import made_run

FITTED = (
    (Cell("net", "two-dim", "2x4", 8, 16), made_run(Grid(2, 4), 1)),
    (Cell("net", "two-dim", "2x2", 4, 16), made_run(Grid(2, 2), 1)),
)
COSTS = costs_by_network(FITTED)


def judged_on(grid: Grid, measured: Observed | None = None) -> Judged:
    cell = Cell("net", "two-dim", str(grid), grid.size, 16)
    return judged(cell, FITTED, COSTS, measured or made_run(grid, 1))


def took(row: Judged, seconds: float, plan: str | None = None, grid: str | None = None) -> Judged:
    """The same cell, measured otherwise, or of another plan or grid."""
    searches = tuple(replace(one, seconds=seconds) for one in row.measured.searches)
    cell = replace(row.cell, plan=plan or row.cell.plan, grid=grid or row.cell.grid)
    return replace(row, cell=cell, measured=replace(row.measured, searches=searches))


def test_what_is_held_out_is_never_fitted() -> None:
    cells = cells_of(list(RATES))

    held = [cell for cell in cells if not cell.is_fitted]
    assert len(held) >= LEAST_CELLS
    assert all(cell.nodes == 16 or cell.scale == 18 for cell in held)
    assert {cell.part for cell in held} == set(PARTS)
    assert not any(
        cell.network == "10mbit" and cell.scale > 16 and cell.plan in ("simple", "two-dim")
        for cell in cells
    )
    assert len({cell.name for cell in cells}) == len(cells)
    assert [cell.is_fitted for cell in cells] == sorted(one.is_fitted for one in cells)[::-1]


def test_a_test_that_is_cut_short_has_cells_of_every_part() -> None:
    held = [cell for cell in cells_of(list(RATES)) if not cell.is_fitted]

    assert {cell.part for cell in held[: len(held) // 3]} == set(PARTS)


def test_every_collective_of_a_search_is_forced_on_both_sides() -> None:
    """To what the predictor has a formula of; MPICH's other layers do not answer instead."""
    called = {name for name, _ in PHASE_CALLS.values()} | {FOLD_CALLS["alltoallv"], "barrier"}
    variables = forced_variables()

    for name in called & set(KNOWN):
        assert ALGORITHMS[name] in KNOWN[name]
        assert variables[f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM"] == ALGORITHMS[name]
        assert variables[f"MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE"] == "0"
    assert {"alltoall", "allgatherv", "bcast", "allreduce", "alltoallv", "barrier"} <= set(
        ALGORITHMS
    )


def test_a_cell_that_costs_what_models_say_is_met() -> None:
    row = judged_on(Grid(4, 4))

    assert abs(row.error) < 0.15
    assert row.budget.error == pytest.approx(row.prediction.seconds - row.measured.seconds)


def test_a_prediction_is_of_the_algorithms_that_were_forced() -> None:
    rounds = replace(made_run(Grid(4, 4), 1), forced={"allgatherv": "ring"})

    row = judged_on(Grid(4, 4), rounds)

    gathers = {one.algorithm for one in row.prediction.calls if one.name == "allgatherv"}
    assert gathers == {"ring"}


def test_a_miss_is_shown_first_and_breaks_a_promise(capsys: pytest.CaptureFixture[str]) -> None:
    slow = made_run(Grid(4, 4), 1, slower=20.0)
    rows = [judged_on(Grid(2, 8)), judged_on(Grid(4, 4), slow)]

    kept = told(rows)

    said = capsys.readouterr().out
    assert not kept
    assert said.index("4x4") < said.index("2x8")
    assert "predicted, not simulated" in said
    assert re.search(r"more nodes: 2 cells, .*NOT KEPT", said)
    assert "both: no cell, nothing is shown" in said


def test_rows_by_cell_are_kept_misses_first_with_their_budgets(tmp_path: Path) -> None:
    """Networks of another sitting stay; the same network is judged anew."""
    path = tmp_path / "held_out.csv"
    right, wrong = judged_on(Grid(2, 8)), judged_on(Grid(4, 4), made_run(Grid(4, 4), 1, slower=20))
    other = replace(wrong, cell=replace(wrong.cell, network="other", grid="8x2"))

    write_table(path, [other, replace(right, cell=replace(right.cell, grid="1x16"))])
    write_table(path, [right, replace(right, cell=wrong.cell)])
    write_table(path, [right, wrong])

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    grids = [(row["network"], row["grid"]) for row in rows]
    assert set(grids[:2]) == {("other", "8x2"), ("net", "4x4")}  # both wrong by as much
    assert grids[2:] == [("net", "2x8")]
    assert [row["is_inside"] for row in rows] == ["no", "no", "yes"]
    for row, one in zip(rows, (wrong, wrong, right), strict=True):
        parts = sum(float(row[name]) for name in ("volume", "cost_model", "application"))
        assert parts == pytest.approx(float(row["error"]), abs=2e-4)
        assert float(row["error"]) == pytest.approx(one.error, abs=1e-4)
        assert float(row["measured_seconds"]) == pytest.approx(one.measured.seconds, rel=1e-4)
    path.write_text("a,b\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="no table of held-out cells"):
        write_table(path, [right])


def test_pairs_of_plans_and_of_grids_are_counted_apart() -> None:
    """Only those that differ by 10 to 50 per cent count."""
    base = took(judged_on(Grid(4, 4)), 1.0)
    near, far = took(base, 1.3, grid="2x8"), took(base, 5.0, grid="8x2")
    other = took(base, 1.2, plan="hybrid")

    assert pairs_in_order(times_of([base, near, far]), of_plans=False)[1] == 1
    assert pairs_in_order(times_of([base, near, far]), of_plans=True)[1] == 0
    assert pairs_in_order(times_of([base, other]), of_plans=True)[1] == 1
    assert pairs_in_order(times_of([base, other]), of_plans=False)[1] == 0


def test_regret_of_three_ways_to_choose() -> None:
    """Predicted alike but for a factor: advice takes 2x8, the rule 16x1 (ADR 0022)."""
    base = judged_on(Grid(4, 4))
    pieces = base.prediction.pieces
    fast = replace(base.prediction, pieces=pieces[: len(pieces) // 2])
    rule = took(base, 2.0, "hybrid", "16x1")
    best = took(base, 1.0, "hybrid", "4x4")
    advised = replace(took(base, 1.05, "hybrid", "2x8"), prediction=fast)

    (choice,) = choices_of([rule, best, advised])

    assert choice.differs
    assert choice.advised == pytest.approx(0.05)
    assert choice.rule == pytest.approx(1.0)
    assert choice.random == pytest.approx((2.0 + 1.0 + 1.05) / 3 - 1)
    assert not list(choices_of([best, advised]))


@pytest.mark.parametrize(
    ("stream", "cold", "is_true"),
    [
        (0.95, (0.93, 0.94), True),
        (0.96, (0.95, 1.04), True),  # two frames of 32 KiB go ahead
        (0.96, (0.95, 1.13), False),
        (1.04, (0.95, 0.96), False),
        (0.95, (4.0, 0.94), False),
        (1.2, (0.9, 0.9), False),
        (0.3, (0.9, 0.9), False),
    ],
)
def test_a_link_that_lets_a_burst_pass_is_none(
    stream: float, cold: tuple[float, ...], is_true: bool
) -> None:
    without = Limit("net", 0.0, "", 0.00005, 0.00007, stream, cold)

    assert without.is_true == is_true


@pytest.mark.parametrize(
    ("least", "median", "stream", "cold", "is_true"),
    [
        (0.0040, 0.0041, 0.9, (0.3, 0.4), True),  # a cold message waits for an answer
        (0.0039, 0.0041, 0.9, (0.3, 0.4), False),  # earlier than the latency says
        (0.0040, 0.0050, 0.9, (0.3, 0.4), False),  # much later
        (0.0040, 0.0041, 0.5, (0.3, 0.4), False),  # the rate is not reached
        (0.0040, 0.0041, 0.9, (0.3, 1.3), False),  # or passed
    ],
)
def test_a_link_of_another_latency_is_none(
    least: float, median: float, stream: float, cold: tuple[float, ...], is_true: bool
) -> None:
    slow = Limit("net", 0.002, "isobath-delay", least, median, stream, cold)

    assert slow.is_true == is_true
    assert "2 ms each way added by isobath-delay" in str(slow)


@pytest.mark.parametrize(
    ("median", "stream", "cold", "is_slow"),
    [
        (0.0009, 0.95, (0.9, 0.9), True),
        (0.00007, 0.59, (0.3, 0.4), True),
        (0.0009, 0.95, (0.9, 1.13), False),
        (0.00007, 1.04, (0.3, 0.4), False),
    ],
)
def test_a_link_that_is_slower_than_it_says_is_told_from_one_that_lets_more_pass(
    median: float, stream: float, cold: tuple[float, ...], is_slow: bool
) -> None:
    limit = Limit("net", 0.0, "", 0.00005, median, stream, cold)

    assert not limit.is_true
    assert limit.is_slow == is_slow


def test_one_processor_is_one_and_is_given_back() -> None:
    import os

    before = os.sched_getaffinity(0)
    with held_out_turns.processors(1):
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_verdicts_of_known_laws_are_counted() -> None:
    right = next(case for case in verdict_shares.CASES if case.name == "the right form")

    assert verdict_shares.verdict_of(right, 7) == "holds"
    assert verdict_shares.verdict_of(verdict_shares.CASES[1], 7) == "wrong form"


def test_cells_side_by_side_share_no_processor(tmp_path: Path) -> None:
    """Each has as many as it has nodes, and those at work at once have none in common."""
    there = sorted(os.sched_getaffinity(0))
    sizes = [1] * (2 * len(there)) + [len(there)]

    def measure(item: tuple[int, int]) -> None:
        number, size = item
        begin = time.monotonic()
        time.sleep(0.05)
        own = sorted(os.sched_getaffinity(0))
        (tmp_path / f"{number}").write_text(f"{begin} {time.monotonic()} {size} {own}")

    held_out_turns.side_by_side(list(enumerate(sizes)), lambda item: item[1], measure, 60)

    runs = []
    for path in tmp_path.iterdir():
        begin, end, size, own = path.read_text().split(maxsplit=3)
        runs.append((float(begin), float(end), int(size), set(json.loads(own))))
    assert sorted(size for _, _, size, _ in runs) == sorted(sizes)
    assert all(len(own) == size and own <= set(there) for _, _, size, own in runs)
    for first, second in itertools.combinations(runs, 2):
        if first[0] < second[1] and second[0] < first[1]:
            assert not first[3] & second[3]
    assert os.sched_getaffinity(0) == set(there)


def test_nothing_is_begun_side_by_side_when_time_is_up_and_failures_are_told() -> None:
    begun: list[int] = []
    held_out_turns.side_by_side([1, 1], lambda nodes: nodes, begun.append, 0)
    assert not begun

    def fails(nodes: int) -> None:
        raise ValueError(nodes)

    with pytest.raises(RuntimeError, match="1 of those"):
        held_out_turns.side_by_side([1], lambda nodes: nodes, fails, 60)
