# SPDX-License-Identifier: Apache-2.0
"""Questions, predictions and removals from Python: as the commands, and nothing on the terminal."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from isobath import api
from isobath.errors import RefusedError, UsageError
from kind_table import bare, whole
from predicted.test_predict_command import NETWORK
from studies.stored import FOLDER, the_folder

SCHEMA = Path(__file__).resolve().parents[3] / "schema"


def schema(name: str) -> object:
    return json.loads((SCHEMA / name).read_text(encoding="utf-8"))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A run, a replay and a benchmark."""
    for kind in ("run", "bench replay", "bench cg"):
        folder = the_folder(FOLDER / whole(kind), kind)
        shutil.copytree(folder, tmp_path / "store" / folder.name)
    return tmp_path / "store"


@pytest.fixture
def network(tmp_path: Path) -> Path:
    path = tmp_path / "made.toml"
    path.write_text(NETWORK, encoding="utf-8")
    return path


def test_any_question_is_answered_as_a_table(
    store: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = api.query("SELECT study_id, kind FROM studies ORDER BY kind", store=store)

    assert found.columns == ("study_id", "kind")
    assert found["kind"] == ["bench cg", "bench replay", "run"]
    (counted,) = api.query("SELECT count(*) AS searches FROM search", store=store)
    (run,) = api.studies("run", store=store)
    lines = (run.path / "records.jsonl").read_text(encoding="utf-8").splitlines()
    assert counted["searches"] == sum(json.loads(line)["kind"] == "search" for line in lines)
    with pytest.raises(UsageError, match="--views lists views"):
        api.query("SELECT nothing FROM nowhere", store=store)
    assert capfd.readouterr() == ("", "")


def test_a_launch_that_was_changed_is_left_out_and_named(store: Path) -> None:
    run = api.studies("run", store=store)[0]
    records = run.path / "records.jsonl"
    records.write_text(records.read_text("utf-8").replace('"seconds":', '"seconds": '), "utf-8")
    said: list[str] = []

    (counted,) = api.query("SELECT count(*) AS n FROM search", store=store, progress=said.append)

    assert counted["n"] == 0
    assert any(run.id in sentence for sentence in said)


def test_a_search_is_predicted(
    store: Path, network: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run = api.studies("run", store=store)[0]

    said = api.predict(run, ranks=16, network=network, store=store)

    jsonschema.validate(said.findings, schema("prediction-1.json"))
    assert said.findings["target"]["ranks"] == 16
    assert said.tables == ("pieces", "bottlenecks", "what-ifs")
    assert len(said.table()) == len(said.findings["pieces"])
    assert len(said.table("bottlenecks")) > 0
    assert said.report(tmp_path / "said.html").read_text("utf-8").startswith("<!")
    with pytest.raises(UsageError, match="there is no table cells of a prediction: pieces"):
        said.table("cells")
    with pytest.raises(UsageError, match="a prediction starts from a run"):
        api.predict("last:cg", store=store)
    assert capfd.readouterr() == ("", "")


def test_a_plan_is_advised(store: Path, network: Path, tmp_path: Path) -> None:
    said = api.advise(8, 24, network=[network], ranks_per_node=2, store=store)

    jsonschema.validate(said.findings, schema("advice-1.json"))
    assert said.table()["plan"][0] == said.findings["choices"][0]["plan"]
    assert any(sentence.startswith("COMMUNICATION ALONE") for sentence in said.problems)
    assert said.report(tmp_path / "said.html").is_file()


def test_what_nothing_holds_is_removed(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run = api.studies("run", store=store)[0]
    replay = api.studies("replay", store=store)[0]
    cg = api.studies("cg", store=store)[0]

    cg.tag("july")
    with pytest.raises(RefusedError, match=f"{cg.id} stays: it is tagged july"):
        cg.remove()
    cg.tag(remove=["july"])
    cg.remove()

    assert not cg.path.exists()
    assert {one.id for one in api.studies(store=store)} == {run.id, replay.id}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["run", "bench cg"])
def test_a_file_of_records_is_read_and_never_changed(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "mine.jsonl"
    shutil.copyfile(FOLDER / bare(kind) / "records.jsonl", file)
    read = api.study(file)
    ways = (read.remove, read.resume, lambda: read.tag("july"), lambda: read.tag(remove=["july"]))

    for change in ways:
        with pytest.raises(UsageError, match="is a file of records, not a stored study"):
            change()

    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]
    assert read.findings["kind"] == kind


def test_what_another_study_refers_to_stays(store: Path) -> None:
    (replayed,) = (FOLDER / "replay-whole" / "runs").iterdir()
    shutil.copytree(replayed, store / replayed.name, dirs_exist_ok=True)
    run = api.study(replayed.name, store=store)
    replay = api.studies("replay", store=store)[0]

    with pytest.raises(RefusedError, match=f"{run.id} stays: {replay.id} refers to it"):
        run.remove()

    assert run.path.is_dir()
    replay.remove()
    run.remove()
    assert not run.path.exists()


def test_what_a_baseline_refers_to_stays(tmp_path: Path) -> None:
    store = tmp_path / "store"
    shutil.copytree(FOLDER / "regress-whole" / "studies", store)
    shutil.copytree(FOLDER / "regress-whole" / "baselines", store / "baselines")

    for study in api.studies(store=store):
        with pytest.raises(RefusedError, match=f"{study.id} stays: the baseline mpi refers to it"):
            study.remove()
        assert study.path.is_dir()
