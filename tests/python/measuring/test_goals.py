# SPDX-License-Identifier: Apache-2.0
"""The table of goals: what a row needs, what a peer's figure is, that it can be read."""

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import goals
import ladder
import peers
import pytest
from goals import GOALS, LINE, MEASUREMENTS, Goal, Rounds, figures_of_peer, goals_of, row

PEERS = dict.fromkeys(goals.PEERS, "true")


def goal_of(figure: str, scale: int, *against: str) -> Goal:
    """The row of the table."""
    (found,) = [
        goal
        for goal in goals_of(GOALS)
        if (goal.figure, goal.scale, goal.against) == (figure, scale, against)
    ]
    return found


@pytest.mark.parametrize("module", [goals, peers, ladder])
def test_the_examples_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def test_every_goal_has_a_measurement_and_known_peers() -> None:
    measured = {name for names, _ in MEASUREMENTS for name in names}
    for goal in goals_of(GOALS):
        assert goal.figure in measured
        assert set(goal.against) <= set(goals.PEERS)


def test_the_goals_of_shortest_paths_are_there() -> None:
    assert goal_of("sssp_gteps", 20).bound == 2.5
    assert goal_of("sssp_gteps", 22).bound == 2
    assert goal_of("sssp_unpruned_seconds", 20, "gapbs_sssp").bound == 4
    assert not goal_of("weighted_construction_ratio", 20).is_met_by(2.6)
    assert goal_of("sssp_validation_milliseconds", 20).is_met_by(199)
    assert goal_of("sssp_peak_gigabytes", 25).unit == "GB"


def test_every_row_fits_eighty_columns() -> None:
    for goal in goals_of(GOALS):
        peer = [{goal.peer_figure: v} for v in (12.34, 13.45)]
        if goal.peer_figure == "whole_seconds":
            peer = [{"search_seconds": v, "construction_seconds": v} for v in (12.34, 13.45)]
        measured = Rounds(
            [{goal.figure: 0.1234}, {goal.figure: 0.1345}], dict.fromkeys(goal.against, peer)
        )
        for rounds, named in ((measured, PEERS), (None, PEERS), (None, {})):
            text, _ = row(goal, rounds, named)
            assert max(map(len, text.splitlines())) <= LINE, text


def test_a_row_says_what_is_missing() -> None:
    goal = goal_of("sssp_whole_seconds", 20, "gapbs_sssp", "gapbs_sssp_build")
    text, is_missed = row(goal, None, {"gapbs_sssp": "true"})
    assert "--gapbs-sssp-build is not given" in text.replace("\n", " ")
    assert not is_missed


def test_construction_and_searches_of_a_peer_are_added() -> None:
    goal = goal_of("sssp_whole_seconds", 20, "gapbs_sssp", "gapbs_sssp_build")
    search = figures_of_peer("Trial Time: 0.2\nAverage Time:        0.10000\n")
    build = figures_of_peer("Build Time:   1.5\nSquish Time:   2.1\n")
    rounds = Rounds(
        [{"sssp_whole_seconds": 1.0}], {"gapbs_sssp": [search], "gapbs_sssp_build": [build]}
    )
    text, is_missed = row(goal, rounds, PEERS)
    assert "10.00" in text
    assert text.splitlines()[0].endswith(" met")
    assert not is_missed


def test_a_missed_goal_is_said() -> None:
    goal = goal_of("sssp_unpruned_seconds", 20, "gapbs_sssp")
    rounds = Rounds([{"sssp_unpruned_seconds": 1.0}], {"gapbs_sssp": [{"search_seconds": 3.9}]})
    text, is_missed = row(goal, rounds, PEERS)
    assert is_missed
    assert "3.90" in text
    assert "MISSED" in text


def test_the_peer_gets_its_best_delta(tmp_path: Path) -> None:
    peer = tmp_path / "peer.py"
    peer.write_text("import sys; print('Average Time:', 1 + abs(float(sys.argv[1]) - 0.01))")
    command = f"{sys.executable} {peer} {{delta}} {{scale}}"
    found = goals.with_best_delta("gapbs_sssp", command, 20, [0.001, 0.01, 0.1])
    assert found == f"{sys.executable} {peer} 0.01 {{scale}}"
    assert goals.with_best_delta("gapbs_sssp", "true", 20, [1.0]) == "true"


def test_a_peer_that_says_nothing_is_named() -> None:
    with pytest.raises(SystemExit, match="gapbs failed or printed no known figure: true"):
        goals.measure_peer("gapbs", "true", 20, 1)


def test_the_list_names_figures_and_measures_nothing() -> None:
    done = subprocess.run(
        [sys.executable, goals.__file__, "--list"], capture_output=True, text=True, check=True
    )
    assert "sssp_gteps" in done.stdout.split()
