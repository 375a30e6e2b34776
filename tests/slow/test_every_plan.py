# SPDX-License-Identifier: Apache-2.0
"""Every plan, exchange and kernel on every grid that it accepts, with 1, 2 and 3 threads a rank."""

from pathlib import Path

import pytest

from isobath.plan.search_plans import PATH_PLANS, PLANS, takes_grid, values_of
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.study.shelf import Shelf
from system.laboratory import GRIDS, Laboratory

pytestmark = pytest.mark.timeout(3600)

THREADS = (1, 2, 3)
RANKS = (1, 2, 3, 4, 6)


def grids_of(plan: str) -> list[str]:
    """Those of 1, 2, 3, 4 and 6 ranks."""
    every = [
        (rows, ranks // rows) for ranks in RANKS for rows in range(1, ranks + 1) if not ranks % rows
    ]
    return [f"{rows}x{cols}" for rows, cols in every if takes_grid(plan, rows, cols)]


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("plan", PLANS)
def test_every_exchange_is_validated_and_audited_on_every_grid(
    lab: Laboratory, tmp_path: Path, plan: str, threads: int
) -> None:
    grids, exchanges = grids_of(plan), values_of("exchange", plan)
    words = ["--plans", plan, "--ranks", ",".join(map(str, RANKS)), "--grids", ",".join(grids)]
    words += ["--exchanges", ",".join(map(str, exchanges)), "--threads", str(threads)]
    words += ["--scale", "10", "--keys", "2", "--no-ladder", "--no-report"]

    done = lab.isobath("race", *words, "--races", tmp_path, timeout=2400)

    assert done.code == 0, done.err
    (race,) = (RaceFolder(one.path) for one in Shelf((tmp_path,)).studies())
    cells = read_results(race).cells
    assert all(cell.validated and cell.audited for cell in cells)
    found = {
        (f"{run.grid_rows}x{run.grid_cols}", run.switches.exchange, run.threads_per_rank)
        for run in (cell.runs[0].run for cell in cells)
        if run.switches is not None
    }
    assert found == {(grid, exchange, threads) for grid in grids for exchange in exchanges}


@pytest.mark.parametrize("threads", THREADS)
@pytest.mark.parametrize("plan", PATH_PLANS)
def test_both_kernels_are_validated_on_every_grid(lab: Laboratory, plan: str, threads: int) -> None:
    assert set(GRIDS) <= set(grids_of("hybrid"))
    for grid in grids_of("hybrid"):
        rows, cols = map(int, grid.split("x"))
        words = ("--scale", 10, "--keys", 2, "--kernel", "both", "--sssp-plan", plan)

        done = lab.engine(*words, "--grid", grid, ranks=rows * cols, threads=threads)

        assert done.code == 0, (grid, done.err)
