# SPDX-License-Identifier: Apache-2.0
"""Studies of this laboratory beside a publication: said as what they are, refused where they say
nothing.
"""

import json
from pathlib import Path

import jsonschema
import pytest

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store
from isobath.comparison.measured import Cell, Taken
from isobath.reproduce.beside import _modelled
from kinds.test_model_fit import bench_of
from predicted.test_predict_command import RUN

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "reproduction-1.json"


def test_a_run_stands_beside_the_reports_ranking(store: Store, tmp_path: Path) -> None:
    copy_of(store.folder, "run-whole", RUN)
    page = tmp_path / "stampede2.html"

    words = ["reproduce", "stampede2", "--study", RUN]
    told = store.isobath(*words, "--json").found
    said = store.isobath(*words, "--view", "beside")
    assert store.isobath(*words, "--output", str(page)).code == 0

    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (one,) = told["beside"]
    assert one["study"] == RUN
    places = [row["predicted_place"] for row in one["rows"]]
    assert places == list(range(1, len(places) + 1))
    assert {row["measured_place"] for row in one["rows"]} <= set(places) | {None}
    assert any(row["measured_seconds"] for row in one["rows"])
    assert "Predicted and measured" in said.out
    assert "its program and machine are others" in " ".join(said.out.split())
    assert RUN in page.read_text(encoding="utf-8")


def test_a_benchmark_without_an_exchange_is_refused(store: Store) -> None:
    study = bench_of(store, lambda m: 2e-6 + 1e-9 * m)

    said = store.isobath("reproduce", "stampede2", "--study", study)

    assert said.code == 2
    assert "has no exchange of enough sizes or ranks" in " ".join(said.err.split())


def test_offload_that_was_measured_stands_beside_the_switches(store: Store) -> None:
    study = "20261201-000000-overlap-0001"
    copy_of(store.folder, "overlap-whole", study)

    told = store.isobath("reproduce", "sharp", "--study", study, "--json").found
    said = store.isobath("reproduce", "sharp", "--study", study, "--view", "beside")

    (one,) = told["beside"]
    assert one["item"] == "offload model"
    assert "no switch" in one["sentence"]
    assert any("1 pieces" in row["name"] for row in one["rows"])
    assert all(row["measured_seconds"] > 0 for row in one["rows"])
    assert "too few to fit" in one["sentence"]
    assert "measured" in said.out


def test_the_offload_model_is_fitted_where_there_are_enough_points() -> None:
    """host 1 us, hop 2 us, piece 0.5 us: found again on 4 to 16 ranks and four sizes."""
    cells = []
    for ranks, depth in ((4, 2), (8, 3), (16, 4)):
        for size in (16, 512, 4096, 8192):
            seconds = 1e-6 + 2 * depth * 2e-6 + -(-size // 256) * 5e-7
            numbers = {"p": float(ranks), "m": float(size)}
            taken = (Taken(seconds, "1"), Taken(seconds, "2"))
            cells.append(Cell("x", "seconds", {}, {}, {}, taken, numbers=numbers))

    values, sentence = _modelled(cells)

    assert values == pytest.approx([cell.value for cell in cells], rel=0.01)
    assert "hop 2e-06 s" in sentence
    assert "g 5e-07 s" in sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["k", "--study", "last"], "--study goes with stampede2 and sharp"),
        (["sharp", "--study", RUN], "a run says nothing of sharp; name a study of bench overlap"),
        (["stampede2", "--study", "nowhere"], "nowhere"),
        (["stampede2", "--view", "beside"], "name one with --study"),
    ],
)
def test_what_says_nothing_is_one_sentence(store: Store, words: list[str], sentence: str) -> None:
    copy_of(store.folder, "run-whole", RUN)

    said = store.isobath("reproduce", *words)

    assert said.code == 2
    assert sentence in " ".join(said.err.split())
