# SPDX-License-Identifier: Apache-2.0
"""Nodes as a factor of a race."""

from dataclasses import replace
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.kinds.nodes import ranks_of
from isobath.kinds.race import wanted
from isobath.kinds.race.design import RaceDesign, design_of
from isobath.kinds.race.settings import RACE
from isobath.kinds.race.wanted import plan_race, prepare_cell
from isobath.kinds.run.engine_arguments import engine_environment
from isobath.kinds.run.settings import RunSettings
from isobath.race.design import RaceFactors
from isobath.race.plan import RacePlan
from isobath.settings.sources import merge


@pytest.fixture(autouse=True)
def one_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_one(design: RaceDesign) -> RaceFactors:
        return replace(design.varied, base=design.varied.base | {"mpi": "fake"})

    monkeypatch.setattr(wanted, "_with_libraries", with_one)


NAMES = ("ranks", "nodes", "ranks_per_node", "transport")
LINK = "rate-limited:1gbit:2nodes"


def plan_of(**options: object) -> RacePlan:
    asked = {"plan": "simple", "scale": 8, **options}
    return plan_race(design_of(merge(RACE, options=asked, origin_of=str).values))


def cells(**options: object) -> set[tuple[object, ...]]:
    return {tuple(cell.settings.get(name) for name in NAMES) for cell in plan_of(**options).cells}


def runs(monkeypatch: pytest.MonkeyPatch, **options: object) -> list[RunSettings]:
    """What is prepared for the cells of a race."""
    prepared: list[RunSettings] = []
    monkeypatch.setattr(wanted, "prepare_run", lambda settings, *_, **__: prepared.append(settings))
    for cell in plan_of(**options).cells:
        prepare_cell(cell, Path(), lambda _: None)
    return prepared


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"ranks_per_node": 2}, {(2, 1, 2, "shared-memory")}),
        ({"ranks": 4, "ranks_per_node": 4}, {(4, 1, 4, "shared-memory")}),
        ({"ranks_per_node": 2, "transport": LINK}, {(4, 2, 2, LINK)}),
        (
            {"ranks_per_node": [1, 2], "transport": [LINK, "tcp"]},
            {(2, 2, 1, LINK), (4, 2, 2, LINK), (2, 1, None, "tcp"), (4, 1, None, "tcp")},
        ),
        (
            {"cells": [{"nodes": 4, "ranks_per_node": 1, "transport": LINK},
                       {"ranks_per_node": 2, "transport": LINK}]},
            {(4, 4, 1, LINK), (4, 2, 2, LINK)},
        ),
    ],
)  # fmt: skip
def test_ranks_of_a_node_pretend_nothing(
    monkeypatch: pytest.MonkeyPatch, asked: dict[str, object], expected: set[tuple[object, ...]]
) -> None:
    prepared = runs(monkeypatch, **asked)

    assert {tuple(getattr(run, name) for name in NAMES) for run in prepared} == expected
    for run in prepared:
        assert run.count_nodes_of is None
        assert "ISOBATH_NODE_MAP" not in engine_environment(run, run.ranks or 0)
        assert ranks_of(run) == run.ranks


def test_ranks_that_contradict_nodes_are_refused_as_of_a_run() -> None:
    with pytest.raises(UsageError) as of_run:
        ranks_of(RunSettings(ranks=8, ranks_per_node=2))
    with pytest.raises(UsageError) as of_race:
        plan_of(ranks=8, ranks_per_node=2)

    assert str(of_race.value) == str(of_run.value)
    assert "--ranks 8: 1 node of 2 ranks are 2" in str(of_run.value)
    with pytest.raises(UsageError, match=r"different numbers of nodes \(2, 4\); say with --nodes"):
        plan_of(ranks_per_node=2, transport=[LINK, "rate-limited:1gbit:4nodes"])


def test_a_ladder_is_climbed_where_the_most_ranks_are() -> None:
    plan = plan_of(
        plan=["two-dim", "hybrid"], nodes=[2, 4], ranks_per_node=2, transport=["tcp", LINK]
    )

    steps = [cell for cell in plan.cells if cell.group == "ladder"]
    assert {tuple(cell.settings.get(name) for name in NAMES) for cell in steps} == {
        (8, 1, None, "tcp")
    }
    alone = plan_of(plan=["two-dim", "hybrid"], nodes=[2, 4], ranks_per_node=2, transport=LINK)
    steps = [cell for cell in alone.cells if cell.group == "ladder"]
    assert {tuple(cell.settings.get(name) for name in NAMES) for cell in steps} == {(8, 4, 2, LINK)}


def test_machines_between_commas_are_one_value() -> None:
    asked = {"plan": ["simple"], "hosts": ["a,b"], "nodes": ["1,2"], "ranks_per_node": ["2"]}
    plan = plan_race(design_of(merge(RACE, options=asked).values))

    assert {(cell.settings["ranks"], cell.settings["nodes"]) for cell in plan.cells} == {
        (2, 1), (4, 2)
    }  # fmt: skip
    assert plan.base["hosts"] == "a,b"


def test_ranks_are_nodes_times_those_of_a_node() -> None:
    found = cells(nodes=[2, 4], ranks_per_node=2, transport=LINK)
    assert found == {(4, 2, 2, LINK), (8, 4, 2, LINK)}


def test_other_transports_beside_made_up_nodes_have_as_many_ranks_here() -> None:
    found = cells(nodes=[2, 4], ranks_per_node=1, transport=[LINK, "tcp"])
    assert found == {(2, 2, 1, LINK), (4, 4, 1, LINK), (2, 1, None, "tcp"), (4, 1, None, "tcp")}


def test_fewer_ranks_than_nodes_are_on_one_machine() -> None:
    found = cells(nodes=[2], ranks=[1, 2], transport=LINK)
    assert found == {(1, 1, None, "shared-memory"), (2, 2, None, LINK)}
