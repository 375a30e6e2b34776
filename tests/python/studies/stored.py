# SPDX-License-Identifier: Apache-2.0
"""The studies of tests/data/studies, laid out as somebody's own and changed where tables say so."""

import json
import re
import shutil
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from isobath.study.kinds import entry_of
from isobath.study.shelf import Shelf

FOLDER = Path(__file__).resolve().parents[2] / "data" / "studies"
STORES = {"run": "runs", "search": "runs", "profile": "runs", "race": "races"}
"""Where studies of before lie; those of all other kinds are benches. New ones lie in studies."""

RENAMED = "my-best-study"
Command = Literal["show", "report", "json"]


@dataclass(frozen=True)
class Answer:
    """What a command says of a study."""

    code: int
    out: tuple[str, ...] = ()
    """pieces of standard output, blanks and line ends made one blank"""
    err: tuple[str, ...] = ()
    """the same of standard error"""
    never: tuple[str, ...] = ()
    """in neither of them"""
    facts: dict[str, Any] = field(default_factory=dict)
    """values of the JSON by their dotted names"""

    @classmethod
    def of(cls, words: dict[str, Any]) -> "Answer":
        lists = {name: tuple(words.get(name, ())) for name in ("out", "err", "never")}
        return cls(words["code"], **lists, facts=words.get("facts", {}))


@dataclass(frozen=True)
class Study:
    """An entry of the tables; what its words mean stands in README.md beside them."""

    name: str
    kind: str
    what: str
    source: str
    """the stored study that this one is made of; its own name where it is stored itself"""
    change: dict[str, str]
    answers: dict[str, Answer]
    """by command: as it is today"""
    wanted: dict[str, Answer]
    """by command, where what it says today is not what it should"""

    def lay_out(self, prefix: Path) -> Path:
        """Makes ``prefix`` look like a checkout that has this study alone. Returns its folder."""
        assert (FOLDER / self.source).is_dir(), not_made(self.source)
        shutil.copytree(FOLDER / self.source, prefix)
        folder = the_folder(prefix, self.kind)
        for how, where in self.change.items():
            if how == "rename":
                folder = folder.rename(folder.with_name(where))
                continue
            path = folder / where.partition(": ")[0]
            if how == "digit":
                change_a_digit(path, where.partition(": ")[2])
            elif how == "cut":
                path.write_bytes(path.read_bytes()[:-20])
            elif how == "remove":
                path.unlink()
            else:
                raise ValueError(f"{self.name}: nobody knows how to {how}")
        return folder


def not_made(name: str) -> str:
    """What to do where a study stands in a table and was never made."""
    return (
        f"tests/data/studies has no folder {name}: run .venv/bin/python tools/make_studies.py "
        f"{name} (after ./isobath test --only python, once)"
    )


def the_folder(prefix: Path, kind: str) -> Path:
    """The only study of its kind in a checkout; of bare records, which are none, the checkout."""
    if kind == "bare":
        return prefix
    place = prefix / "studies"
    if place.is_dir():  # with the studies that it is made of
        found = Shelf((place,)).studies()
        (folder,) = (one.path for one in found if one.entry.name == entry_of(kind).name)
        return folder
    place = prefix / STORES.get(kind, "benches")
    (folder,) = (path for path in place.iterdir() if path.is_dir())
    return folder


def change_a_digit(path: Path, after: str) -> None:
    """The last number that follows these words gets another digit; it stays a number."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r"[1-9]", text[text.rindex(after) + len(after) :])
    assert found is not None, f"{path} has no number after {after}"
    place = text.rindex(after) + len(after) + found.start()
    digit = str(int(text[place]) % 9 + 1)
    path.write_text(text[:place] + digit + text[place + 1 :], encoding="utf-8")


@cache
def studies() -> dict[str, Study]:
    """All, by name."""
    tables = (tomllib.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.toml"))
    found = {}
    for one in (one for table in tables for one in table["study"]):
        answers = {name: Answer.of(one[name]) for name in ("show", "report", "json") if name in one}
        wanted = {name: Answer.of(words) for name, words in one.get("wanted", {}).items()}
        found[one["name"]] = Study(
            name=one["name"],
            kind=one["kind"],
            what=one["what"],
            source=one.get("from", one["name"]),
            change=one.get("change", {}),
            answers=answers,
            wanted=wanted,
        )
    return found


@cache
def numbers() -> dict[str, dict[str, dict[str, dict[str, Any]]]]:
    """By study, launch and kind of record what plain arithmetic says (tools/study_numbers.py)."""
    found: dict[str, dict[str, dict[str, dict[str, Any]]]]
    found = json.loads((FOLDER / "numbers.json").read_text(encoding="utf-8"))
    return found
