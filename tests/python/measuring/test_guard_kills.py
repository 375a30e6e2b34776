# SPDX-License-Identifier: Apache-2.0
"""Kills while writing, and two at once: nothing is lost, nothing believed that is not whole."""

from pathlib import Path

import guard_kills
import pytest
from guard_kills import SLOWER, SLOWER_CODE, Checkout, Trial


@pytest.mark.slow
def test_a_kill_of_each_command_leaves_nothing_half_done(tmp_path: Path) -> None:
    assert guard_kills.main(["--kills", "4", "--seed", "3"]) == 0


def test_two_regressions_at_once_are_both_in_the_baseline(tmp_path: Path) -> None:
    here = Checkout(tmp_path / "checkout").prepare()
    before = here.entries()

    together = [here.start(*SLOWER) for _ in range(2)]

    assert [process.wait() for process in together] == [SLOWER_CODE, SLOWER_CODE]
    regressions = here.shelf.find("mpi").read().regressions
    assert here.entries() == before + 2
    assert len({one.study for one in regressions}) == len(regressions) == 3


def test_what_is_not_whole_is_noticed(tmp_path: Path) -> None:
    """The checks themselves can say no."""
    here = Checkout(tmp_path / "checkout").prepare()
    file = tmp_path / "theirs.jsonl"
    assert here.isobath("baseline", "export", "mpi", file) == 0
    assert here.isobath("baseline", "import", file, "--name", "theirs") == 0
    place = here.prefix / "baselines" / "theirs"
    (place / "origin.json").unlink()
    sorted(place.glob("0*.json"))[-1].unlink()

    trial = Trial(here, file)
    trial.after_import(here.entries())

    assert "import: 1 of 2 entries" in trial.faults
    assert "import: as made here" in trial.faults
