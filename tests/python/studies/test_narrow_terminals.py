# SPDX-License-Identifier: Apache-2.0
"""Every view of every kind, and what lists studies, in a terminal of 60 columns."""

import contextlib
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from isobath.cli import terminal
from isobath.cli.main import main
from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.errors import UsageError
from isobath.study.kind import Kind
from isobath.study.shelf import Shelf
from studies.stored import FOLDER, studies

NARROW = 60

WHOLE = sorted(path.name for path in FOLDER.glob("*-whole"))


def too_long(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line.rstrip()) > NARROW]


@pytest.mark.parametrize("name", WHOLE)
def test_every_view_and_table_keeps_to_60_columns(name: str, tmp_path: Path) -> None:
    folder = studies()[name].lay_out(tmp_path / "checkout")
    kind = Shelf((folder.parent,)).find(str(folder)).entry.load()
    found = kind.read(folder)

    for view in dict.fromkeys((*kind.views, *kind.tables)):
        out = StringIO()
        with contextlib.suppress(UsageError):  # IMB was not measured
            print_view(kind, found, view, console_into(out, NARROW))
            letters = for_files(kind, found, view)
            assert [line for line in too_long(out.getvalue()) if line not in letters] == [], view


def for_files(kind: Kind[Any], found: Any, name: str) -> set[str]:
    """Lines that are those of a file, letter by letter: rules for a library, official output."""
    shown_as = kind.views.get(name)
    parts = shown_as.parts(found, NARROW) if shown_as else ()
    return {
        line
        for part in parts
        if getattr(part, "no_wrap", False) or (shown_as and not shown_as.has_places)
        for line in str(part).splitlines()
    }


@pytest.fixture
def narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store with a whole study of every kind, in a narrow terminal."""
    prefix = tmp_path / "checkout"
    for name in WHOLE:
        folder = studies()[name].lay_out(tmp_path / name)
        shutil.copytree(folder, prefix / "studies" / folder.name)
    monkeypatch.delenv("ISOBATH_STORE", raising=False)
    monkeypatch.setenv("ISOBATH_PREFIX", str(prefix))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(terminal, "columns", lambda: NARROW)
    return prefix / "studies"


@pytest.mark.parametrize(
    "command",
    [
        ("list", "--all"),
        ("show", "last", "--view", "summary"),
        ("query", "select * from search"),
        ("query", "select study_id, kind, headline from studies"),
        ("query", "--views"),
        ("profile", "--coverage"),
        ("reproduce", "tsubame", "--view", "all"),
        ("reproduce", "k", "--view", "all"),
        ("reproduce", "deck", "--list"),
        ("reproduce", "stampede2", "--list"),
        ("reproduce", "sharp", "--list"),
    ],
)
def test_what_a_command_prints_keeps_to_60_columns(
    narrow: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    assert narrow.is_dir()
    code = main(list(command))
    said = capsys.readouterr()
    assert code == 0, said.err
    assert said.out
    assert too_long(said.out) == []
