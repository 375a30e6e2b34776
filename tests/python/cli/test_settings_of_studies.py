# SPDX-License-Identifier: Apache-2.0
"""isobath show --settings of every kind: the file makes the same plan again."""

import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout
from isobath.cli.places import front_door
from isobath.settings.sources import merge
from isobath.study.kinds import declaration_of, entry_of
from isobath.study.planned import Planning
from isobath.study.shelf import Shelf
from kind_table import SEVERAL, quick

STORED = Path(__file__).resolve().parents[2] / "data" / "studies"


ON_NODES = (
    "race", "--plans", "simple", "--ranks-per-node", "2", "--transport",
    "shared-memory,rate-limited:1gbit:2nodes", "--scale", "12", "--threads", "1",
)  # fmt: skip
"""A race whose nodes are told by ranks on each and by a transport alone."""


def begun(checkout: Checkout, kind: str, monkeypatch: pytest.MonkeyPatch, *command: str) -> Path:
    """A study that is planned, and whose launches are left to do; seeds are drawn."""
    with monkeypatch.context() as patched:
        patched.setattr("isobath.cli.measuring.perform", lambda *_: 0)
        said = checkout.isobath(*(command or quick(kind, checkout.prefix, seed=None)))
    assert said.code == 0, said.err
    return Shelf((checkout.prefix / "studies",)).find("last", (kind,)).path


def without_names(command: list[str]) -> list[str]:
    """Without ids and the folders that have them."""
    return [word for word in command if not re.search(r"/studies/|-(s12|search)-", word)]


@pytest.mark.parametrize(
    ("kind", "command"), [*((kind, ()) for kind in SEVERAL), ("race", ON_NODES)]
)
def test_the_file_of_a_study_makes_the_same_plan_in_the_same_order(
    checkout: Checkout,
    kind: str,
    command: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    if command:  # made-up nodes are planned and not made
        monkeypatch.setattr("isobath.kinds.run.preparation.require", lambda *_: None)
    study = begun(checkout, kind, monkeypatch, *command)
    file = tmp_path / "again.toml"
    header = json.loads((study / "study.json").read_text(encoding="utf-8"))

    said = checkout.isobath("show", study.name, "--settings")
    file.write_text(said.out, encoding="utf-8")
    values = merge(declaration_of(kind), file=file).values
    store = checkout.prefix / "studies"
    shelf = Shelf((store, checkout.prefix / "runs"))
    planned = entry_of(kind).plan(values, Planning(store, shelf, is_dry=True))
    left = json.loads(checkout.isobath("resume", study.name, "--dry-run", "--json").out)

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0].endswith(study.name)
    plan = planned.plan.model_dump(mode="json", by_alias=True, exclude_none=True)
    assert plan == header["plan"]
    assert planned.settings == left["settings"] == header["settings"]
    there = sorted(one.name for one in study.parent.iterdir())
    monkeypatch.setattr("isobath.launch.supervised._start", pytest.fail)
    again = checkout.isobath(*kind.split(), file, "--dry-run", "--json")
    facts = json.loads(again.out)
    assert "is read as" not in again.err
    assert facts["launches"] == left["launches"] != []
    assert (facts["kind"], facts["settings"]) == (kind, header["settings"])
    assert Path(facts["folder"]).parent == study.parent
    told = checkout.isobath(*kind.split(), file, "--dry-run").out
    assert all(one["name"] in told for one in facts["launches"])
    assert f"{len(left['launches'])} of {len(left['launches'])} launches to do" in told
    assert sorted(one.name for one in study.parent.iterdir()) == there


@pytest.mark.parametrize("kind", ["run", "race"])
def test_ranks_per_node_of_a_file_of_before_are_told_to_be_read_otherwise(
    checkout: Checkout, kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "before.toml"
    file.write_text("ranks_per_node = 4\nranks = 4\nscale = 12\n", encoding="utf-8")

    said = checkout.isobath(kind, file, "--show-config")

    assert f"{file}: ranks_per_node is read as count_nodes_of" in said.err
    assert re.search(r"(?m)^count_nodes_of +\[?4", said.out)
    file.write_text("nodes = 1\n" + file.read_text(encoding="utf-8"), encoding="utf-8")
    assert checkout.isobath(kind, file, "--show-config").err == ""


def test_a_run_and_its_file_have_one_command(checkout: Checkout, tmp_path: Path) -> None:
    file = tmp_path / "again.toml"
    checkout.isobath("run", "--scale", "12", "--keys", "3", "--leaves", "in", "--no-report")
    (run,) = checkout.runs

    file.write_text(checkout.isobath("show", "--settings").out, encoding="utf-8")
    dry = json.loads(checkout.isobath("run", file, "--dry-run", "--json").out)

    content = tomllib.loads(file.read_text(encoding="utf-8"))
    assert {name: content[name] for name in ("kind", "scale", "keys", "leaves")} == {
        "kind": "run", "scale": 12, "keys": 3, "leaves": "in"
    }  # fmt: skip
    assert "store" not in content
    (launch,) = dry["launches"]
    then = list(run.summary().launch_line)
    assert without_names(launch["command"]) == without_names(then)


def test_a_search_and_its_file_have_one_command(checkout: Checkout, tmp_path: Path) -> None:
    graph, file = tmp_path / "some graph.el", tmp_path / "again.toml"
    graph.write_text("0 1\n1 2\n", encoding="utf-8")
    programs = checkout.prefix / "build" / "fake" / "bin"
    shutil.copy(programs / "isobath-edges", programs / "isobath-search")  # which will fail
    asked = ("search", graph, "--root", "2", "--ranks", "1", "--warmup", "0")
    dry = json.loads(checkout.isobath(*asked, "--dry-run", "--json").out)
    checkout.isobath(
        *asked
    )  # the fake engine knows no searches of files; it is sealed all the same

    said = checkout.isobath("show", "last:search", "--settings")
    file.write_text(said.out, encoding="utf-8")
    again = json.loads(checkout.isobath("search", file, "--dry-run", "--json").out)

    assert dry["settings"] == again["settings"]
    assert dry["settings"]["graph"] == str(graph)
    commands = [one["launches"][0]["command"] for one in (dry, again)]
    assert without_names(commands[0]) == without_names(commands[1])


def test_a_profile_tells_its_command_without_credentials(checkout: Checkout) -> None:
    place = checkout.prefix / "studies"
    (found,) = [one for one in (STORED / "profile-whole").glob("*/*") if one.is_dir()]
    shutil.copytree(found, place / found.name)

    content = tomllib.loads(checkout.isobath("show", "--settings").out)

    assert content["kind"] == "profile"
    assert content["timeline"] is True
    asked = json.loads((found / "run.json").read_text(encoding="utf-8"))["command"]
    typed = asked[asked.index("--") + 1 :]
    assert content["command"] == typed
    as_text = merge(declaration_of("profile"), options={"command": shlex.join(typed)})
    assert as_text.values == {"command": tuple(typed)}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("race-whole", {"plan": ["simple", "hybrid"], "seed": 7, "mpi": "mpich-wheel"}),
        ("collectives-whole", {"sizes": [8, 4096], "seed": 7, "mpi": ["mpich-wheel"]}),
        ("overlap-whole", {"sizes": [16], "launches": 2, "seed": 7, "mpi": ["mpich-wheel"]}),
        ("cg-whole", {"elements": [16], "progress": ["library", "tests"], "seed": 7}),
        ("replay-whole", {"launches": 2, "budget": 0.02, "seed": 7}),
        ("run-older", {"scale": 6, "keys": 4}),
        ("search-whole", {"graph": "graph.el", "keys": 2}),
    ],
)
def test_a_study_of_before_tells_what_was_typed_and_drawn(
    checkout: Checkout, name: str, wanted: dict[str, Any], tmp_path: Path
) -> None:
    study = next(one for one in sorted((STORED / name).glob("*/*")) if one.is_dir())
    file = tmp_path / "again.toml"
    shutil.copytree(study, checkout.prefix / "studies" / study.name)

    said = checkout.isobath("show", study.name, "--settings")
    file.write_text(said.out, encoding="utf-8")
    content = tomllib.loads(said.out)

    assert said.code == 0, said.err
    assert {key: content[key] for key in wanted} == wanted
    kind = content["kind"]
    assert entry_of(kind).name == kind
    assert merge(declaration_of(kind), file=file).values
    if kind == "bench replay":
        assert content["run"].startswith("2026"), "the run that it replayed, not the last of today"


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["library"], "does not tell its settings: it was made by a program, before"),
        (["isobath", "race", "design.toml"], "does not tell its settings: they stood in design"),
    ],
)
def test_what_a_study_of_before_cannot_tell_is_one_sentence(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, command: list[str], sentence: str
) -> None:
    Path("design.toml").write_text("scale = 12\n", encoding="utf-8")
    study = begun(checkout, "race", monkeypatch)
    header = json.loads((study / "study.json").read_text(encoding="utf-8"))
    header.pop("settings")
    header["command"] = command
    (study / "study.json").write_text(json.dumps(header), encoding="utf-8")

    said = checkout.isobath("show", study.name, "--settings")

    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("kind", ["run", *SEVERAL])
def test_a_file_of_another_kind_is_refused_by_every_command(
    checkout: Checkout, kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "other.toml"
    other = "race" if kind == "run" else "run"
    file.write_text(f'kind = "{other}"\nscale = 12\n', encoding="utf-8")

    said = checkout.isobath(*kind.split(), file, "--dry-run")

    assert said.code == 2
    type_it = f"type {front_door()} {other} "
    assert f"holds settings of {other}, not of {kind}; {type_it}" in said.err
