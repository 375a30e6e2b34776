# SPDX-License-Identifier: Apache-2.0
"""The held-out test of predictions, on cells whose times are known by construction."""

import held_out
import pytest
import verdict_shares

from isobath.costmodel.grid import Grid
from isobath.prediction.observed import Observed
from prediction.made_runs import made_run

FITTED = (
    (held_out.Cell("net", "two-dim", "2x4", 8, 16), made_run(Grid(2, 4), 1)),
    (held_out.Cell("net", "two-dim", "2x2", 4, 16), made_run(Grid(2, 2), 1)),
)


def judged(grid: Grid, measured: Observed | None = None) -> held_out.Judged:
    cell = held_out.Cell("net", "two-dim", str(grid), grid.size, 16)
    return held_out.judged(cell, FITTED, measured or made_run(grid, 1))


def test_what_is_held_out_is_never_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "_with_latency", tuple)

    cells = list(held_out.cells_of(quick=False))

    held = [cell for cell in cells if not cell.is_fitted]
    assert len(held) >= held_out.LEAST_CELLS
    assert all(cell.nodes == 16 or cell.scale == 18 for cell in held)
    assert {cell.part for cell in held} == {"more nodes", "larger scale", "both"}
    assert not any(
        cell.network == "10mbit" and cell.scale > 16 and cell.plan in ("simple", "two-dim")
        for cell in cells
    )
    assert len({cell.name for cell in cells}) == len(cells)


def test_a_cell_that_costs_what_models_say_is_met() -> None:
    row = judged(Grid(4, 4))

    assert abs(row.error) < 0.15
    assert row.budget.error == pytest.approx(row.prediction.seconds - row.measured.seconds)


def test_a_miss_is_shown_first_and_breaks_a_promise(capsys: pytest.CaptureFixture[str]) -> None:
    slow = made_run(Grid(4, 4), 1, slower=20.0)
    rows = [judged(Grid(2, 8)), judged(Grid(4, 4), slow)]

    kept = held_out.told(rows)

    said = capsys.readouterr().out
    assert not kept
    assert said.index("4x4") < said.index("2x8")
    assert "predicted, not simulated" in said


def test_only_pairs_that_differ_by_10_to_50_per_cent_count() -> None:
    fast, near = judged(Grid(4, 4)), judged(Grid(4, 4), made_run(Grid(4, 4), 1, slower=1.3))
    far = judged(Grid(4, 4), made_run(Grid(4, 4), 1, slower=5.0))

    assert held_out.pairs_in_order([fast, near])[1] == 1
    assert held_out.pairs_in_order([fast, far])[1] == 0


def test_verdicts_of_known_laws_are_counted() -> None:
    right = next(case for case in verdict_shares.CASES if case.name == "the right form")

    assert verdict_shares.verdict_of(right, 7) == "holds"
    assert verdict_shares.verdict_of(verdict_shares.CASES[1], 7) == "wrong form"
