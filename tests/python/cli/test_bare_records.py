# SPDX-License-Identifier: Apache-2.0
"""Files that an engine program wrote by itself; what each says: tests/data/studies/bare.toml."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from cli.conftest import Checkout
from kind_table import BARE, BENCHES, STORED, bare

ROOT = Path(__file__).resolve().parents[3]


def lay_out(kind: str, to: Path) -> Path:
    shutil.copyfile(STORED / bare(kind) / "records.jsonl", to)
    return to


@pytest.mark.parametrize("kind", BARE)
def test_findings_of_a_file_fit_the_schema(checkout: Checkout, tmp_path: Path, kind: str) -> None:
    schema = json.loads((ROOT / "schema" / "findings-1.json").read_text(encoding="utf-8"))
    file = lay_out(kind, tmp_path / "mine.jsonl")

    said = checkout.isobath("show", "mine.jsonl", "--json")

    found = json.loads(said.out)
    assert said.code == 0
    assert found["kind"] == kind
    jsonschema.Draft202012Validator(schema).validate(found)
    page = checkout.isobath("report", file).out.strip()
    assert Path(page).parent.name == found["study"]
    assert [one.name for one in Path(page).parent.iterdir()] == ["report.html"]
    assert f"report  {page}" in checkout.isobath("show", file).out


def test_the_numbers_are_those_of_the_records(checkout: Checkout, tmp_path: Path) -> None:
    file = lay_out("run", tmp_path / "records.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    wanted = {one["index"]: one["seconds"] for one in rows
              if one["kind"] == "search" and not one["warmup"]}  # fmt: skip

    found = json.loads(checkout.isobath("show", file, "--json").out)

    assert {one["index"]: one["seconds"] for one in found["searches"]} == wanted


@pytest.mark.parametrize("command", ["tag", "resume", "remove"])
def test_a_file_is_no_stored_study(checkout: Checkout, tmp_path: Path, command: str) -> None:
    file = lay_out("run", tmp_path / "records.jsonl")

    said = checkout.isobath(command, file)

    assert (said.code, said.out) == (2, "")
    assert "records.jsonl is a file of records, not a stored study" in said.err
    assert file.is_file()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema": 1}\n', "a\n", '{"program": "ls"}\n'])
def test_another_file_is_named(checkout: Checkout, tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text, encoding="utf-8")

    said = checkout.isobath("show", file)

    assert (said.code, said.out) == (2, "")
    assert "notes.txt holds no records of an engine program" in said.err


@pytest.mark.parametrize("kind", [name for name in BARE if name in BENCHES])
def test_a_launch_that_failed_says_why(checkout: Checkout, tmp_path: Path, kind: str) -> None:
    file = lay_out(kind, tmp_path / "records.jsonl")
    first = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    failure = {"schema": 1, "kind": "failure", "run_id": first["run_id"], "origin": "measured",
               "phase": "write", "message": "the disk is full", "elapsed_seconds": 1.0,
               "exit_code": 3}  # fmt: skip
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(failure) + "\n")

    assert "the disk is full" in checkout.isobath("show", file).err
