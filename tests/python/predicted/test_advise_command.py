# SPDX-License-Identifier: Apache-2.0
"""isobath advise: text, page, JSON, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store
from isobath.costmodel.grid import Grid
from isobath.predicted import advising
from isobath.predicted.advising import AdviceFound, Sought, advice_sections, find_advice
from isobath.prediction.pieces import Spread
from isobath.study.home import shelf
from isobath.view.content import Facts
from predicted.test_predict_command import NETWORK, RUN
from prediction.made_runs import made_run

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "advice-1.json"


@pytest.fixture
def network(tmp_path: Path) -> str:
    path = tmp_path / "made.toml"
    path.write_text(NETWORK, encoding="utf-8")
    return str(path)


def test_without_a_run_calls_alone_are_told_and_that_is_said(store: Store, network: str) -> None:
    said = store.isobath("advise", "--nodes", "512", "--scale", "35", "--platform", network,
                         "--ranks-per-node", "2")  # fmt: skip

    assert said.code == 0, said.err
    assert "COMMUNICATION ALONE" in said.out
    assert "advised" in said.out
    assert "GTEPS" not in said.out
    assert "predicted" in said.out


def test_with_a_run(store: Store, network: str, tmp_path: Path) -> None:
    copy_of(store.folder, "run-whole", RUN)
    page = tmp_path / "advice.html"

    words = ["advise", "--nodes", "8", "--scale", "12", "--network", network, "--run", RUN,
             "--ranks-per-node", "1,2"]  # fmt: skip
    told = store.isobath(*words, "--json").found
    assert store.isobath(*words, "--output", str(page)).code == 0

    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert told["runs"] == [RUN]
    assert not told["communication_alone"]
    assert {one["plan"] for one in told["choices"]} == {"hybrid"}
    assert told["usual"]["grid"] == "8x1"
    assert told["usual"]["predicted_change"]["middle"] == 0
    middles = [one["predicted_seconds"]["middle"] for one in told["choices"]]
    assert middles == sorted(middles)
    assert "PREDICTED" in page.read_text(encoding="utf-8")


def test_what_the_run_does_not_tell_is_unknown_and_named_to_be_measured(
    store: Store, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advising, "read_observed", lambda *_: (made_run(Grid(1, 1), 1), ""))
    words = ["advise", "--nodes", "4", "--scale", "16", "--network", network, "--run", "made"]

    said = " ".join(store.isobath(*words).out.split())
    told = store.isobath(*words, "--json").found

    assert "UNKNOWN: waiting." in said
    assert "90 % interval, without waiting: unknown" in said
    assert told["unknown"] == ["waiting"]
    assert "waiting: a run of two-dim" in told["to_measure"][0]
    assert "(it is in no number)" in told["to_measure"][0]
    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Spread(-0.002, -0.002, -0.001), "as good as the usual choice, within 5 %"),
        (Spread(-0.3, -0.2, -0.002), "cannot tell that it is by more than 5 %"),
        (Spread(-0.3, -0.2, -0.06), "surely faster than the usual choice, by more than 5 %"),
        (Spread(-0.3, -0.2, 0.01), "cannot tell that it is faster than the usual choice"),
        (Spread(-0.01, -0.01, 0.02), "as good as the usual choice, within 5 %"),
    ],
)
def test_surely_faster_is_said_of_what_matters_alone(
    store: Store, network: str, change: Spread, words: str
) -> None:
    advice = advise_two(network, (0.4, 0.6), change)

    (lead, *_), facts = _lead_and_facts(advice)

    assert words in lead
    assert facts["predicted to be the best"] == "40 % of draws"
    assert facts["predicted to be the best more often"].endswith(", 60 % of draws")
    _, other = _lead_and_facts(advise_two(network, (0.6, 0.4), change))
    assert "predicted to be the best more often" not in other


def advise_two(network: str, best: tuple[float, float], change: Spread) -> AdviceFound:
    """Two choices: the first is the best in so many draws and takes so much less than the other."""
    sought = Sought(4, 16, (network,), plans=("two-dim",))
    found = find_advice(shelf(None), sought)
    chosen = next(one for one in found.advice.ranked if one is not found.advice.usual)
    first = replace(chosen, change=change, surely_best=best[0])
    usual = replace(found.advice.usual, surely_best=best[1])
    return replace(found, advice=replace(found.advice, ranked=(first, usual), usual=usual))


def _lead_and_facts(found: AdviceFound) -> tuple[list[str], dict[str, str]]:
    section = next(advice_sections(found))
    (block,) = section.blocks
    assert isinstance(block, Facts)
    return [str(section.lead)], {fact.name: str(fact.value) for fact in block.facts}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--nodes", "0", "--scale", "20"], "at least one node searches"),
        (["--nodes", "2", "--scale", "0"], "--scale 0 is no scale"),
        (["--nodes", "64", "--scale", "5"], "scale 5 has fewer vertices than 256 ranks"),
        (["--nodes", "2", "--scale", "20"], "nothing tells what calls cost: add --network"),
        (["--nodes", "2", "--scale", "20", "--ranks-per-node", "x"], "write numbers with commas"),
        (["--nodes", "2", "--scale", "20", "--ranks-per-node", "0"], "write numbers with commas"),
        (["--nodes", "2", "--scale", "20", "--network", "no.toml"], "cannot read no.toml"),
        (["--nodes", "2", "--scale", "20", "--platform", "tsubame3"],
         "--platform tsubame3: did you mean tsubame2?"),
        (["--nodes", "2", "--scale", "20", "--network", "tsubame3"],
         "--network tsubame3: did you mean tsubame2?"),
        (["--nodes", "2", "--scale", "20", "--platform", "nowhere"],
         "--platform nowhere: choose from crossbar,"),
        (["--nodes", "2", "--scale", "20", "--network", "tsubame2", "--platform", "crossbar"],
         "--platform crossbar: one file or platform tells costs"),
    ],
)  # fmt: skip
def test_what_cannot_be_advised_is_one_sentence(
    store: Store, words: list[str], sentence: str
) -> None:
    said = store.isobath("advise", *words)

    assert said.code == 2
    assert sentence in " ".join(said.err.split())


def test_an_unknown_plan_is_named(store: Store, network: str) -> None:
    said = store.isobath("advise", "--nodes", "2", "--scale", "20", "--network", network,
                         "--plan", "hybrids")  # fmt: skip

    assert said.code == 2
    assert "did you mean hybrid?" in said.err


def test_a_topology_tells_mappings_apart(store: Store, tmp_path: Path) -> None:
    """Slow links of a ring: its rows or columns on neighbours are not alike, and why is said."""
    path = tmp_path / "ring.toml"
    shape = '[topology]\nshape = "torus"\nsizes = [16]\nbytes_per_second = 1e6\n'
    path.write_text(NETWORK + shape, encoding="utf-8")

    told = store.isobath("advise", "--nodes", "16", "--scale", "20", "--network", str(path),
                         "--ranks-per-node", "1", "--plan", "two-dim", "--json").found  # fmt: skip

    times = {one["grid"]: one["predicted_seconds"]["middle"] for one in told["choices"]}
    assert len(set(times.values())) > 1
    assert any("torus 16: " in words for words in told["rests_on"])
    said = store.isobath("advise", "--nodes", "17", "--scale", "20", "--network", str(path),
                         "--ranks-per-node", "1")  # fmt: skip
    assert said.code == 2
    assert "[topology] has 16 nodes" in " ".join(said.err.split())


def test_algorithms_are_named(store: Store, network: str) -> None:
    words = ["advise", "--nodes", "16", "--scale", "24", "--network", network,
             "--plan", "two-dim", "--ranks-per-node", "1"]  # fmt: skip

    said = store.isobath(*words, "--view", "algorithms")
    told = store.isobath(*words, "--json").found

    assert said.code == 0, said.err
    assert "Predicted algorithms" in said.out
    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    for one in told["algorithms"]:
        assert one["call"] in said.out
        assert one["best"] in said.out
