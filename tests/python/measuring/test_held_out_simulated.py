# SPDX-License-Identifier: Apache-2.0
"""Held-out cells, simulated: what is taken from cells that models see, how misses are told."""

import json
from pathlib import Path

import pytest
from held_out_cells import Cell
from held_out_simulated import (
    Simulated,
    arcs_per_second,
    platform_of,
    schedule_of,
    told,
)

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from prediction.made_runs import made_run


def one(grid: str, measured: float, seconds: float, plan: str = "two-dim") -> Simulated:
    return Simulated(Cell("100mbit", plan, grid, 16, 16), measured, seconds)


def test_links_are_those_that_were_measured(tmp_path: Path) -> None:
    """A byte crosses four links there and back."""
    with pytest.raises(UsageError, match="does not say how 100mbit was measured"):
        platform_of(tmp_path, "100mbit")

    limit = {"stream": 0.96, "least_ping": 4e-5, "median_ping": 8e-5}
    (tmp_path / "limits.json").write_text(json.dumps({"100mbit": limit}))
    platform = platform_of(tmp_path, "100mbit")

    assert platform.bandwidth == pytest.approx(12e6)
    assert platform.latency == pytest.approx(1e-5)
    assert platform.source == "measured"


def test_arcs_a_second_are_those_of_the_largest_cells_on_one_column() -> None:
    """Closed forms then compute as long as the run did."""
    cell = Cell("100mbit", "two-dim", "8x1", 8, 16)
    run = made_run(Grid(8, 1), 1)
    fitted = [
        (cell, run),
        (Cell("100mbit", "two-dim", "2x4", 8, 16), made_run(Grid(2, 4), 1)),
        (Cell("100mbit", "two-dim", "4x1", 4, 16), made_run(Grid(4, 1), 1)),
        (Cell("10mbit", "two-dim", "8x1", 8, 16), made_run(Grid(8, 1), 1)),
    ]

    rate = arcs_per_second(fitted, "two-dim", "100mbit")

    computed = sum(
        step.seconds for step in schedule_of(cell, run, rate).steps if step.call == "compute"
    )
    measured = sum(level.computing for level in run.searches[0].levels)
    assert computed == pytest.approx(measured)
    assert arcs_per_second(fitted, "simple", "100mbit") == rate
    with pytest.raises(UsageError, match="no cell of hybrid on 100mbit"):
        arcs_per_second(fitted, "hybrid", "100mbit")


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
