# SPDX-License-Identifier: Apache-2.0
"""isobath advise: text, page, JSON, and what is refused."""

import json
from pathlib import Path

import jsonschema
import pytest

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store
from predicted.test_predict_command import NETWORK, RUN

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
