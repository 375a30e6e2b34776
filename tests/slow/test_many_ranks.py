# SPDX-License-Identifier: Apache-2.0
"""Every plan on 9, 16 and 64 ranks of one machine: validated, and every byte accounted for."""

from pathlib import Path

import pytest

from isobath.plan.search_plans import PLANS
from isobath.race.folders import RaceFolder
from isobath.race.results import read_results
from isobath.study.shelf import Shelf
from system.laboratory import Laboratory

RANKS = 64
SCALE = 14


@pytest.mark.parametrize("plan", PLANS)
def test_a_plan_on_64_ranks(lab: Laboratory, tmp_path: Path, plan: str) -> None:
    words = ("--scale", SCALE, "--ranks", RANKS, "--plans", plan, "--keys", 4, "--threads", 1)
    done = lab.isobath(
        "race", *words, "--no-ladder", "--no-report", "--races", tmp_path, timeout=1200
    )
    print(done.out)
    assert done.code == 0, done.err
    (race,) = (RaceFolder(one.path) for one in Shelf((tmp_path,)).studies())
    (cell,) = read_results(race).cells
    run = cell.runs[0].run
    assert (run.plan, run.ranks, run.scale) == (plan, RANKS, SCALE)
    assert cell.validated
    assert cell.audited
    assert len(cell.searches) == 4


@pytest.mark.parametrize(("ranks", "grids"), [(9, "1x9,3x3,9x1"), (16, "1x16,2x8,4x4,8x2,16x1")])
def test_every_plan_on_every_rectangle(
    lab: Laboratory, tmp_path: Path, ranks: int, grids: str
) -> None:
    words = ("--scale", 12, "--ranks", ranks, "--grids", grids, "--keys", 2, "--threads", 1)
    done = lab.isobath(
        "race", *words, "--no-ladder", "--no-report", "--races", tmp_path, timeout=1200
    )
    print(done.out)
    assert done.code == 0, done.err
    (race,) = (RaceFolder(one.path) for one in Shelf((tmp_path,)).studies())
    cells = read_results(race).cells
    assert {cell.runs[0].run.plan for cell in cells} == set(PLANS)
    assert len(cells) == 4 + 2 * len(grids.split(","))
    assert all(cell.validated and cell.audited for cell in cells)
