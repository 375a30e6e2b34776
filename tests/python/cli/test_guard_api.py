# SPDX-License-Identifier: Apache-2.0
"""Reference results from Python over the fake MPI: as the commands, and nothing on the terminal."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from baseline.made_baselines import regression
from cli.conftest import Checkout
from interchange import foreign_outputs as made
from isobath import api
from isobath.baseline.chain import BaselineShelf
from isobath.baseline.entries import CellOutcome
from isobath.errors import UsageError

SCHEMA = Path(__file__).resolve().parents[3] / "schema"
BENCH: dict[str, Any] = {
    "collectives": "allreduce", "sizes": "8", "forms": "blocking", "algorithms": "none",
    "ranks": 2, "launches": 2,
}  # fmt: skip
SLOWER: dict[str, Any] = {"suite": "full", "turns": 10, "variables": "FAKE_SLOWER=allreduce:1.5"}


def schema(name: str) -> Any:
    return json.loads((SCHEMA / name).read_text(encoding="utf-8"))


def test_a_baseline_is_set_measured_again_accepted_and_given_away(
    checkout: Checkout, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    kept = api.set_baseline("mpi", api.bench("collectives", **BENCH), maker="the centre")
    (cell,) = kept.cells

    guard = kept.regress(progress=said.append, **SLOWER)

    assert (guard.kind, guard.findings["exit_code"]) == ("regress", 5)
    assert guard.table("cells")["outcome"] == ["slower"]
    with pytest.raises(UsageError, match="but with --variables"):
        kept.accept(cell, "it is safer")  # that was a question
    slower = regression({cell: CellOutcome(outcome="slower", ratio=1.5)})
    BaselineShelf(checkout.prefix / "baselines").find("mpi").append(lambda _: slower)
    assert kept.accept(cell, "it is safer") == pytest.approx(1.5)
    assert kept.regress(**SLOWER).table("cells")["outcome"] == ["accepted"]
    history = kept.history
    jsonschema.validate(history, schema("history-1.json"))
    assert [one["exit_code"] for one in history["regressions"]] == [5, 5, 0]
    told = json.loads(checkout.isobath("history", "mpi", "--json").out)
    assert told == history
    for entry in kept.entries:
        jsonschema.validate(entry, schema("baseline-1.json"))
    assert [one["role"] for one in kept.entries] == ["archive", "regression", "regression",
                                                     "accepted", "regression"]  # fmt: skip

    file = kept.export(tmp_path / "mpi.jsonl")
    theirs = api.import_baseline(file, name="theirs")
    assert theirs.origin.startswith("unsigned, claims to be from the centre")
    assert theirs.entries == kept.entries
    assert [one.name for one in api.baselines()] == ["mpi", "theirs"]
    assert api.baseline("mpi").cells == kept.cells
    assert said
    assert capfd.readouterr() == ("", "")


def test_a_regression_that_is_resumed_is_in_the_baseline(checkout: Checkout) -> None:
    kept = api.set_baseline("mpi", api.bench("collectives", **BENCH))
    guard = kept.regress(**SLOWER)
    entry = sorted((checkout.prefix / "baselines" / "mpi").glob("0*.json"))[-1]
    entry.unlink()  # as if it had been cut off before it was added
    assert not kept.history["regressions"]

    guard.resume()

    assert [one["study"] for one in kept.history["regressions"]] == [guard.id]


def test_what_cannot_be_is_said(checkout: Checkout, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no baseline yet"):
        api.baseline("mpi")
    with pytest.raises(UsageError, match="name the studies that are kept"):
        api.set_baseline("mpi")
    study = api.bench("collectives", **BENCH)
    with pytest.raises(UsageError, match="is there twice"):
        api.set_baseline("mpi", study, study)
    api.set_baseline("mpi", study)
    with pytest.raises(UsageError, match="it is never changed"):
        api.set_baseline("mpi", study)


def test_results_of_other_programs_are_taken_in(checkout: Checkout, tmp_path: Path) -> None:
    paths = [tmp_path / "1", tmp_path / "2"]
    for number, path in enumerate(paths, 1):
        path.write_text(made.osu(number * 1e-6), encoding="utf-8")

    found = api.import_results(*paths, ranks=4, mpi="A 1")

    assert (found.kind, found.findings["measured_here"]) == ("import", False)
    assert "IMPORTED from 1 and 2" in found.problems[0]
    assert set(found.table("values")["ranks"]) == {4}


def test_noise_is_learned_in_sittings(
    checkout: Checkout, capfd: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    kept = api.set_baseline("mpi", api.bench("collectives", **BENCH), maker="the centre")

    sitting = kept.calibrate(launches=2, suite="full", keep=9, progress=said.append)

    assert sitting.kind == "regress"
    (entry,) = [one for one in kept.entries if one["role"] != "archive"]
    assert entry["role"] == "sitting"
    assert said
    assert capfd.readouterr() == ("", "")
