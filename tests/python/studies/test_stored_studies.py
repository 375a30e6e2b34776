# SPDX-License-Identifier: Apache-2.0
"""Studies that lie on people's disks: what today's commands say of each (tests/data/studies).

Where ``wanted`` differs from what is said, a kind behaves in another way than the others without a
reason; who mends that moves the words of ``wanted`` up and deletes them there.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from isobath.cli.main import main
from isobath.store.folders import PARTIAL, RunFolder
from isobath.study.kinds import entry_of
from studies.stored import FOLDER, Answer, Command, Study, studies, the_folder

ANSWERS = [(one.name, command) for one in studies().values() for command in one.answers]


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Checkout:
    prefix: Path
    monkeypatch: pytest.MonkeyPatch
    capfd: pytest.CaptureFixture[str]

    def lay_out(self, study: Study) -> Path:
        return study.lay_out(self.prefix)

    def isobath(self, *words: str) -> Said:
        self.capfd.readouterr()
        code = main(list(words))
        captured = self.capfd.readouterr()
        return Said(code, captured.out, captured.err)


@pytest.fixture
def checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Checkout:
    for name in ("STORE", "RANKS", "MPI"):
        monkeypatch.delenv(f"ISOBATH_{name}", raising=False)
    prefix = tmp_path / "checkout"
    monkeypatch.setenv("ISOBATH_PREFIX", str(prefix))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    return Checkout(prefix, monkeypatch, capfd)


@pytest.mark.parametrize(("name", "command"), ANSWERS)
def test_a_stored_study_is_answered_as_its_table_says(
    checkout: Checkout, name: str, command: Command
) -> None:
    study = studies()[name]
    folder = checkout.lay_out(study)

    said = checkout.isobath(*words_of(study, folder, command))

    assert faults(study.answers[command], command, said) == [], said
    if command in study.wanted:
        still_wrong = faults(study.wanted[command], command, said)
        assert still_wrong, "it is as it was wanted: let the table say so"


def words_of(study: Study, folder: Path, command: Command) -> tuple[str, ...]:
    """What a person types; a study is called by its id, bare records by their path."""
    name = folder.name.removesuffix(PARTIAL)
    if study.kind == "bare":
        name = str(folder / "records.jsonl")
    return (
        (*entry_of(study.kind).name.split(), "--of", name, "--json")
        if command == "json"
        else (command, name)
    )


def faults(wanted: Answer, command: Command, said: Said) -> list[str]:
    """What is not as it should be, a sentence each."""
    out, err = text_of(command, said), in_a_row(said.err)
    found = [f"ended with {said.code}"] if said.code != wanted.code else []
    found += [f"not said: {piece}" for piece in wanted.out if piece not in out]
    found += [f"not on standard error: {piece}" for piece in wanted.err if piece not in err]
    found += [f"said: {piece}" for piece in wanted.never if piece in out + err]
    if wanted.facts:
        data = json.loads(said.out)
        there = {name: value_of(data, name) for name in wanted.facts}
        found += [f"{name} is {there[name]}" for name in there if there[name] != wanted.facts[name]]
    return found


def text_of(command: Command, said: Said) -> str:
    """Standard output; of a report the words of its page."""
    if command != "report" or not said.out:
        return in_a_row(said.out)
    html = Path(said.out.strip()).read_text(encoding="utf-8")
    body = html.partition("<body")[2]
    return in_a_row(re.sub(r"<(style|script).*?</\1>|<[^>]*>", "", body, flags=re.S))


def in_a_row(text: str) -> str:
    return " ".join(text.split())


def value_of(data: Any, name: str) -> Any:
    """``groups.0.rows.1.launches``; the length of a list by ``length`` at the end."""
    for step in name.split("."):
        if step == "length":
            data = len(data)
        else:
            data = data[int(step)] if isinstance(data, list) else data[step]
    return data


@pytest.mark.parametrize("name", [one.name for one in studies().values() if not one.change])
def test_every_seal_fits_what_is_stored(name: str) -> None:
    """Nobody's editor, and no checkout with other line ends, has changed a byte."""
    manifests = sorted((FOLDER / name).rglob("MANIFEST.sha256"))

    assert [RunFolder(path.parent).verify() for path in manifests] == [[]] * len(manifests)


def test_the_table_and_the_folders_fit() -> None:
    stored = {one.source for one in studies().values()}

    assert stored == {path.name for path in FOLDER.iterdir() if path.is_dir()}
    for one in studies().values():
        assert one.what, one.name
        assert one.answers, one.name
        assert set(one.wanted) <= set(one.answers), one.name
        the_folder(FOLDER / one.source, one.kind)
