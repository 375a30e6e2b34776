# SPDX-License-Identifier: Apache-2.0
"""isobath predict over stored runs: text, page, JSON, tables, and what is refused."""

import csv
import io
import json
import re
from pathlib import Path

import jsonschema
import pytest
from pydantic import ValidationError

from compared.made_studies import copy_of
from compared.test_compare_command import Store, store
from isobath.costmodel.grid import Grid
from isobath.predicted import reading
from isobath.predicted.facts import measured_levels
from isobath.predicted.reading import Asked, answer
from isobath.predicted.sections import levels, ranking
from isobath.records.codec import read_records
from isobath.records.prediction import PredictedPieceRecord
from isobath.report.marks import BarChart
from isobath.study.home import shelf
from isobath.view.content import Figure, Section
from prediction.made_runs import made_run

__all__ = ["store"]

SCHEMA = Path(__file__).resolve().parents[3] / "schema" / "prediction-1.json"
RUN = "20261201-000000-s6-0001"
NETWORK = """
name = "made"
source = "literature"
[within]
latency_seconds = [1e-6, 2e-6, 3e-6]
bytes_per_second = 1e9
[between]
latency_seconds = [1e-5, 2e-5, 3e-5]
bytes_per_second = [5e8, 1e9, 2e9]
"""


@pytest.fixture
def run(store: Store) -> str:
    copy_of(store.folder, "run-whole", RUN)
    return RUN


@pytest.fixture
def network(tmp_path: Path) -> str:
    path = tmp_path / "made.toml"
    path.write_text(NETWORK, encoding="utf-8")
    return str(path)


def test_a_run_predicts_itself_and_says_why_it_is_off(store: Store, run: str) -> None:
    said = store.isobath("predict", run)

    assert said.code == 0
    assert "Error budget" in said.out
    assert "predicted" in said.out
    for name in ("volume", "cost model", "application"):
        assert name in said.out


def test_every_number_stands_beside_the_word(store: Store, run: str, network: str) -> None:
    said = store.isobath("predict", run, "--ranks", "16", "--network", network, "--view", "all")

    assert said.code == 0, said.err
    tables = [
        block for block in re.split(r"\n\n+", said.out) if re.search(r"\d (ms|us|s)\b", block)
    ]
    assert tables
    for block in tables:
        assert re.search("predicted|measured|Predicted", block) or "level" in block, block


def test_more_nodes_scales_and_grids_with_a_network_file(
    store: Store, run: str, network: str
) -> None:
    said = store.isobath(
        "predict", run, "--grid", "4x4", "--scale", "10", "--ranks-per-node", "4",
        "--network", network, "--instead", network, "--json",
    )  # fmt: skip

    told = said.found
    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert told["target"] == {
        "scale": 10, "plan": "hybrid", "exchange": "alltoallv", "ranks": 16, "grid": "4x4",
        "nodes": 4, "ranks_per_node": 4,
    }  # fmt: skip
    rate = told["predicted_gteps"]
    assert 0 < rate["low"] <= rate["middle"] <= rate["high"]
    pieces = sum(piece["predicted_seconds"]["middle"] for piece in told["pieces"])
    assert pieces == pytest.approx(told["predicted_seconds"]["middle"])
    assert told["budget"] is None
    assert any("grid" in change["change"] for change in told["what_ifs"])
    assert any("offloaded" in change["change"] for change in told["what_ifs"])


def test_far_beyond_the_run_there_is_a_banner_with_a_file_too(
    store: Store, run: str, network: str
) -> None:
    words = ["predict", run, "--ranks", "1024", "--scale", "35", "--network", network]

    said = store.isobath(*words)

    assert said.code == 0, said.err
    assert "EXTRAPOLATED" in said.out
    assert "vertices a rank, the run had" in said.out
    assert any("1,024 ranks" in one for one in store.isobath(*words, "--json").found["beyond"])


def test_the_page_and_tables(store: Store, run: str, tmp_path: Path) -> None:
    page = tmp_path / "predicted.html"

    assert store.isobath("predict", run, "--output", str(page)).code == 0
    said = store.isobath("predict", run, "--view", "pieces", "--format", "csv")

    text = page.read_text(encoding="utf-8")
    assert "PREDICTED" in text
    assert "Error budget" in text
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert {"level", "phase", "call"} <= set(rows[0])


def test_a_changed_run_is_said(store: Store, run: str) -> None:
    with (store.folder / run / "stdout.txt").open("a") as out:
        out.write("more\n")

    said = store.isobath("predict", run)

    assert said.code == 3
    assert "AFTER SEALING" in said.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--grid", "3"], "--grid 3 is no grid; write rows x columns"),
        (["--grid", "0x4"], "--grid 0x4 is no grid"),
        (["--ranks", "1000000000000000003"], "ranks are more than 1,048,576"),
        (["--grid", "4x4", "--ranks", "8"], "--grid 4x4 has 16 ranks, not 8"),
        (["--ranks", "0"], "--ranks 0: at least one rank searches"),
        (["--scale", "99"], "--scale 99 is no scale"),
        (["--scale", "3", "--ranks", "16"], "scale 3 has fewer vertices than 16 ranks"),
        (["--plan", "simple"], "whose computation says nothing of another plan's"),
        (["--plan", "simpel"], "did you mean simple?"),
        (["--exchange", "sparsest"], "did you mean sparse?"),
        (["--network", "nowhere.toml"], "cannot read nowhere.toml"),
        (["--network", "crosbar"], "did you mean crossbar?"),
        (["--ranks", "16", "--ranks-per-node", "4"], "give --network a benchmark of collectives"),
        (["--measured", "last", "--scale", "8"], "name a run of that"),
        (["--view", "levelz"], "did you mean levels?"),
    ],
)
def test_what_cannot_be_predicted_is_one_sentence(
    store: Store, run: str, words: list[str], sentence: str
) -> None:
    said = store.isobath("predict", run, *words)

    assert said.code == 2, said.err
    assert sentence in " ".join(said.err.split())
    assert not said.out


def test_a_benchmark_is_no_run(store: Store) -> None:
    copy_of(store.folder, "collectives-whole", "20261201-000000-bench-0001")

    said = store.isobath("predict", "last")

    assert said.code == 2, said.err
    assert "a prediction starts from a run" in said.err


def test_benchmarks_of_collectives_tell_costs(store: Store, run: str) -> None:
    copy_of(store.folder, "collectives-whole", "20261202-000000-bench-0001")

    said = store.isobath("predict", run, "--network", "20261202", "--json")

    assert said.code == 0, said.err
    assert any("20261202" in words for words in said.found["costs_of_calls"])


def test_charts_lay_what_was_measured_over_what_is_predicted(store: Store, run: str) -> None:
    """Marks across bars of parts and levels; without a measurement there is none, nor the words."""
    where = shelf(store.folder)
    known = answer(where, Asked(run))
    unknown = answer(where, Asked(run, scale=8))

    for section in (ranking, levels):
        marked, plain = (_chart(section(one)) for one in (known, unknown))
        assert all(bar.limit is not None and "measured" in bar.text for bar in marked.bars)
        assert any(bar.limit for bar in marked.bars)
        assert marked.axis == plain.axis == "predicted, ms"
        assert not any(bar.limit is not None or "measured" in bar.text for bar in plain.bars)
    took = measured_levels(known.measured) if known.measured else {}
    marks = sorted(bar.limit or 0.0 for bar in _chart(levels(known)).bars)
    assert marks == pytest.approx(sorted(1e3 * seconds for seconds in took.values()))


def test_what_no_run_tells_is_unknown_and_no_interval_claims_to_hold_it(
    store: Store, network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of one rank, of several ranks predicted: waiting is no confident zero anywhere."""
    monkeypatch.setattr(reading, "read_observed", lambda *_: (made_run(Grid(1, 1), 1), ""))
    words = ["predict", "made", "--grid", "2x4", "--network", network]

    said = " ".join(store.isobath(*words, "--view", "all").out.split())
    told = store.isobath(*words, "--json").found
    alone = store.isobath("predict", "made", "--network", network)

    assert "UNKNOWN: waiting. Runs of one rank" in said
    assert said.count("90 % interval, without waiting: unknown") == 2
    assert "waiting unknown" in said
    assert "waiting 0 ns" not in said
    assert told["unknown"] == ["waiting"]
    assert not [piece for piece in told["pieces"] if piece["phase"] == "waiting"]
    jsonschema.validate(told, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert alone.code == 0, alone.err
    assert "UNKNOWN" not in alone.out


def _chart(section: Section) -> BarChart:
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    assert isinstance(figure.chart, BarChart)
    return figure.chart


def test_it_is_written_as_records_whose_origin_is_predicted(
    store: Store, run: str, network: str, tmp_path: Path
) -> None:
    """Every line keeps to the schema of all records; their seconds add up to the search."""
    path = tmp_path / "predicted.jsonl"

    words = ["predict", run, "--grid", "4x4", "--network", network]
    told = store.isobath(*words, "--json").found
    assert store.isobath(*words, "--records", str(path)).code == 0

    rows = read_records(path)
    assert all(isinstance(row, PredictedPieceRecord) for row in rows)
    assert {row.origin for row in rows} == {"predicted"}
    assert {row.run_id for row in rows} == {run}
    total = sum(row.seconds for row in rows if isinstance(row, PredictedPieceRecord))
    assert total == pytest.approx(told["predicted_seconds"]["middle"])
    said = store.isobath(*words, "--records", str(tmp_path / "no" / "where.jsonl"))
    assert said.code == 3
    assert "name another file with --records" in " ".join(said.err.split())


def test_a_record_outside_of_its_interval_or_measured_is_none() -> None:
    fields = {"run_id": "x", "scale": 4, "plan": "p", "exchange": "e", "grid_rows": 1,
              "grid_cols": 1, "nodes": 1, "level": 0, "phase": "fold", "call": "", "seconds": 2.0,
              "low_seconds": 1.0, "high_seconds": 3.0}  # fmt: skip

    assert PredictedPieceRecord.model_validate(fields).origin == "predicted"
    for wrong in ({"seconds": 4.0}, {"origin": "measured"}):
        with pytest.raises(ValidationError):
            PredictedPieceRecord.model_validate(fields | wrong)


def test_other_runs_of_the_plan_tell_computation_too(store: Store, run: str) -> None:
    other = copy_of(store.folder, "run-whole", "20261201-000000-s6-0002").name

    alone = json.loads(store.isobath("predict", run, "--json").out)["computation_of"]
    both = json.loads(store.isobath("predict", run, "--also", other, "--json").out)

    assert "searches" in alone
    assert int(both["computation_of"].split()[2]) == 2 * int(alone.split()[2])
    assert "Computation" in store.isobath("predict", run, "--also", other, "--view", "basis").out


def test_a_run_of_another_plan_tells_nothing_of_this_ones_computation(
    store: Store, run: str
) -> None:
    """As stored, but with another exchange."""
    words = {'"exchange":"alltoallv"': '"exchange":"sparse"'}
    path = copy_of(store.folder, "run-whole", "20261201-000000-s6-0003", words=words)

    said = store.isobath("predict", run, "--also", path.name)

    assert said.code == 2, said.err
    assert "says nothing of that one's" in " ".join(said.err.split())
