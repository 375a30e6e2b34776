# SPDX-License-Identifier: Apache-2.0
"""Nodes as a factor of a race."""

from dataclasses import replace

import pytest

from isobath.kinds.race import wanted
from isobath.kinds.race.design import RaceDesign, design_of
from isobath.kinds.race.settings import RACE
from isobath.kinds.race.wanted import plan_race
from isobath.race.design import RaceFactors
from isobath.settings.sources import merge


@pytest.fixture(autouse=True)
def one_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_one(design: RaceDesign) -> RaceFactors:
        return replace(design.varied, base=design.varied.base | {"mpi": "fake"})

    monkeypatch.setattr(wanted, "_with_libraries", with_one)


def cells(**options: object) -> set[tuple[object, ...]]:
    asked = {"plan": "simple", "scale": 8, **options}
    values = merge(RACE, options=asked, origin_of=str).values
    names = ("ranks", "nodes", "ranks_per_node", "transport")
    return {
        tuple(cell.settings.get(name) for name in names)
        for cell in plan_race(design_of(values)).cells
    }


LINK = "rate-limited:1gbit:2nodes"


def test_ranks_are_nodes_times_those_of_a_node() -> None:
    found = cells(nodes=[2, 4], ranks_per_node=2, transport=LINK)
    assert found == {(4, 2, 2, LINK), (8, 4, 2, LINK)}


def test_other_transports_beside_made_up_nodes_have_as_many_ranks_here() -> None:
    found = cells(nodes=[2, 4], ranks_per_node=1, transport=[LINK, "tcp"])
    assert found == {(2, 2, 1, LINK), (4, 4, 1, LINK), (2, 1, None, "tcp"), (4, 1, None, "tcp")}


def test_fewer_ranks_than_nodes_are_on_one_machine() -> None:
    found = cells(nodes=[2], ranks=[1, 2], transport=LINK)
    assert found == {(1, 1, None, "shared-memory"), (2, 2, None, LINK)}
