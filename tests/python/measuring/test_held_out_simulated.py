# SPDX-License-Identifier: Apache-2.0
"""Held-out cells, simulated: what is taken from cells that models see, how misses are told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from held_out_cells import Cell
from held_out_judged import costs_by_network, predicted
from held_out_simulated import Simulated, latency_of, platform_of, schedule_of, told

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.calls import Call, Group
from isobath.prediction.costs import Timed
from isobath.prediction.observed import Observed
from isobath.prediction.pieces import COMPUTING
from prediction.made_runs import made_run


def one(grid: str, measured: float, seconds: float, plan: str = "two-dim") -> Simulated:
    return Simulated(Cell("100mbit", plan, grid, 16, 16), measured, seconds)


def test_links_are_those_that_were_measured(tmp_path: Path) -> None:
    """A message crosses two links."""
    with pytest.raises(UsageError, match="does not say how 100mbit was measured"):
        platform_of(tmp_path, "100mbit", 2e-5)

    (tmp_path / "limits.json").write_text(json.dumps({"100mbit": {"stream": 0.96}}))
    platform = platform_of(tmp_path, "100mbit", 2e-5)

    assert platform.bandwidth == pytest.approx(12e6)
    assert platform.latency == pytest.approx(1e-5)
    assert platform.source == "measured"


def summed(level: int, calls: float, seconds: float, name: str = "allreduce") -> Timed:
    return Timed(Call(level, "reduce", name, Group(2, 2), calls, calls, 16.0 * calls), seconds)


def of_calls(run: Observed, *calls: Timed) -> Observed:
    return replace(run, searches=(replace(run.searches[0], calls=calls),))


def test_the_latency_is_that_of_sums_of_two_ranks_that_models_see() -> None:
    run = made_run(Grid(2, 1), 1)
    sums = (summed(1, 2, 4e-5), summed(2, 1, 1e-5), summed(3, 1, 3e-5))
    two = Cell("100mbit", "hybrid", "2x1", 2, 16)
    other = of_calls(run, summed(1, 1, 1.0))
    fitted = [
        (two, of_calls(run, *sums, summed(4, 1, 1.0, "bcast"))),
        (replace(two, nodes=4), other),
        (replace(two, network="10mbit"), other),
    ]

    assert latency_of(fitted, "100mbit") == pytest.approx(2e-5)
    with pytest.raises(UsageError, match="no cell of two nodes on 1gbit"):
        latency_of(fitted, "1gbit")


def test_what_is_simulated_are_the_calls_of_the_prediction_with_its_computation_between_them() -> (
    None
):
    """At its own scale and on its own ranks a run is predicted by what it did."""
    cell = Cell("100mbit", "two-dim", "4x2", 8, 16)
    run = made_run(Grid(4, 2), 1)
    fitted = [(cell, run)]

    prediction = predicted(cell, fitted, costs_by_network(fitted), run)
    schedule = schedule_of(prediction)

    computed = sum(step.seconds for step in schedule.steps if step.call == "compute")
    told = sum(piece.seconds for piece in prediction.pieces if piece.phase == COMPUTING)
    assert computed == pytest.approx(told)
    assert computed > 0
    assert {call.name for call in prediction.calls} <= {step.call for step in schedule.steps}
    levels = [step.level for step in schedule.steps if step.call == "compute" and step.level >= 0]
    assert levels == [work.level for work in prediction.works]


def test_at_another_scale_no_computation_is_lost() -> None:
    """Pieces are means of several searches, calls and levels are of one, which may have fewer."""
    run = made_run(Grid(4, 2), 1)
    fitted = [(Cell("100mbit", "two-dim", "4x2", 8, 16), run)]
    cell = replace(fitted[0][0], scale=18)
    asked = replace(run, setting=replace(run.setting, scale=18))

    prediction = predicted(cell, fitted, costs_by_network(fitted), asked)
    short = replace(prediction, works=prediction.works[:-1])

    told = sum(piece.seconds for piece in prediction.pieces if piece.phase == COMPUTING)
    for one in (prediction, short):
        steps = schedule_of(one).steps
        computed = sum(step.seconds for step in steps if step.call == "compute")
        assert computed == pytest.approx(told)


def test_misses_are_told_first_and_break_promises(capsys: pytest.CaptureFixture[str]) -> None:
    good = [one("4x4", 1.0, 1.02), one("2x8", 1.2, 1.25)]
    kept = told(good)
    said = capsys.readouterr().out
    assert not kept  # nothing was shown of the other parts
    assert "more nodes: 2 cells, median error 3.1 %: kept" in said
    assert "order of grids within a plan: 1 of 1" in said

    told([*good, one("8x2", 1.4, 1.0)])
    said = capsys.readouterr().out
    assert said.index("8x2") < said.index("4x4")
    assert "order of grids within a plan: 1 of 3 pairs that differ by 10 to 50 %: NOT KEPT" in said
