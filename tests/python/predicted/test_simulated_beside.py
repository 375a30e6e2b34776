# SPDX-License-Identifier: Apache-2.0
"""A simulation beside a prediction: never without the word, and only of the same search."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from compared.made_studies import copy_of, seal_again
from compared.test_compare_command import Store, store
from isobath.predicted.reading import Asked, answer
from isobath.predicted.sections import levels, page_of, ranking
from isobath.report.marks import BarChart
from isobath.study.home import shelf
from isobath.view.content import Figure, Section
from predicted.test_predict_command import RUN, SCHEMA, network, run

__all__ = ["network", "run", "store"]

SIMULATION = "20261202-000000-simulate-0001"


@pytest.fixture
def simulation(store: Store, run: str, network: str) -> str:
    """Of the run's search on four nodes, with a second of computation in level 1."""
    target = answer(shelf(store.folder), asked(network)).prediction.target
    folder = copy_of(store.folder, "simulate-whole", SIMULATION)
    path = folder / "simulation.json"
    told = json.loads(path.read_text(encoding="utf-8"))
    step = next(one for one in told["steps"] if one["phase"] == "reduce" and one["level"] == 1)
    compute = step | {"phase": "top_down", "call": "compute", "simulated_seconds_mean": 1.0}
    told |= {
        "plan": target.switches.plan,
        "exchange": target.switches.exchange,
        "scale": target.scale,
        "grid": str(target.layout.grid),
        "nodes": target.layout.nodes,
        "steps": [*told["steps"], compute],
    }
    path.write_text(json.dumps(told), encoding="utf-8")
    seal_again(folder)
    return SIMULATION


def asked(network: str, simulated: str | None = None) -> Asked:
    return Asked(RUN, grid="2x2", networks=(network,), ranks_per_node=1, simulated=simulated)


def test_its_times_stand_beside_under_their_name(
    store: Store, run: str, network: str, simulation: str
) -> None:
    words = ["predict", run, "--grid", "2x2", "--ranks-per-node", "1", "--network", network]

    said = store.isobath(*words, "--simulated", simulation)
    told = store.isobath(*words, "--simulated", simulation, "--json").found
    without = store.isobath(*words, "--json").found

    assert said.code == 0, said.err
    assert f"SIMULATED: what is called simulated is {simulation}" in " ".join(said.out.split())
    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert told["simulated"]["study"] == simulation
    parts = {one["name"]: one["simulated_seconds"] for one in told["bottlenecks"]}
    assert parts["computation"] == 1.0
    assert parts["waiting"] is None, "it is in its calls"
    assert without["simulated"] is None
    assert {one["simulated_seconds"] for one in without["bottlenecks"]} == {None}


def test_charts_have_marks_of_their_own(
    store: Store, run: str, network: str, simulation: str
) -> None:
    where = shelf(store.folder)
    beside, plain = (answer(where, asked(network, one)) for one in (simulation, None))

    assert _marks(ranking(beside))["computation"] == pytest.approx(1e3)
    assert _marks(levels(beside))["1"] > 1e3
    assert "the shorter mark is SIMULATED" in _figure(ranking(beside)).caption
    assert set(_marks(ranking(plain)).values()) == {None}
    assert "SIMULATED" not in _figure(ranking(plain)).caption
    assert page_of(beside).labels == ("PREDICTED", "SIMULATED")
    assert page_of(plain).labels == ("PREDICTED",)
    drawn = _chart(ranking(beside)).draw()
    assert "var(--mark)" in drawn.wide
    assert "var(--mark)" not in _chart(ranking(plain)).draw().wide


def test_another_search_or_kind_is_refused(
    store: Store, run: str, network: str, simulation: str
) -> None:
    for words, sentence in (
        (["--scale", "7", "--simulated", simulation], "name a simulation of that"),
        (["--simulated", run], "name a simulation, for example last:simulate"),
        (["--simulated", "nowhere"], "nowhere"),
    ):
        said = store.isobath("predict", run, "--grid", "2x2", "--ranks-per-node", "1",
                             "--network", network, *words)  # fmt: skip
        assert said.code == 2, said.err
        assert sentence in " ".join(said.err.split())
        assert not said.out


def test_one_that_was_changed_is_not_shown(
    store: Store, run: str, network: str, simulation: str
) -> None:
    path: Path = store.folder / simulation / "simulation.json"
    path.write_text(path.read_text(encoding="utf-8").replace("1.0", "1.5"), encoding="utf-8")

    said = store.isobath("predict", run, "--grid", "2x2", "--ranks-per-node", "1",
                         "--network", network, "--simulated", simulation)  # fmt: skip

    assert said.code == 3
    assert "simulate again" in said.err


def _figure(section: Section) -> Figure:
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    return figure


def _chart(section: Section) -> BarChart:
    chart = _figure(section).chart
    assert isinstance(chart, BarChart)
    return chart


def _marks(section: Section) -> dict[str, Any]:
    return {bar.name: bar.second for bar in _chart(section).bars}
