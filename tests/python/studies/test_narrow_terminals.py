# SPDX-License-Identifier: Apache-2.0
"""Every view of every kind, and what lists studies, in a terminal of 60 columns."""

import contextlib
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from baseline.made_baselines import archive
from baseline.test_history import against_archive
from compared.made_studies import copy_of, several
from compared.test_compare_command import Store
from compared.test_factors_command import crossed
from isobath.baseline.chain import BaselineShelf
from isobath.cli import terminal
from isobath.cli.main import main
from isobath.cli.studies import print_view
from isobath.cli.terminal import console_into
from isobath.errors import UsageError
from isobath.study.kind import Kind
from isobath.study.shelf import Shelf
from predicted.test_predict_command import NETWORK
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


BESIDE_EACH_OTHER = ("run", "race", "collectives", "overlap", "cg", "replay")
"""A kind whose studies have times in every form of comparing them."""


@pytest.mark.parametrize("kind", BESIDE_EACH_OTHER)
def test_a_comparison_keeps_to_60_columns(
    narrow: Path, capfd: pytest.CaptureFixture[str], kind: str
) -> None:
    store = Store(narrow, capfd)
    factors = [1.0, 1.01, 0.99, 1.005, 0.995] if kind == "run" else [1.0, 1.01]
    before = several(narrow, f"{kind}-whole", "before", factors)
    after = several(narrow, f"{kind}-whole", "after", [1.2 * factor for factor in factors],
                    first=1000.0)  # fmt: skip

    said = store.compare(before, after, "--view", "all")

    assert "Comparison" in said.out, said.err
    assert too_long(said.out) == []


def test_factors_keep_to_60_columns(narrow: Path, capfd: pytest.CaptureFixture[str]) -> None:
    store = Store(narrow, capfd)

    said = store.isobath("factors", *crossed(store), "--view", "all")

    assert said.code == 0, said.err
    assert too_long(said.out) == []


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "RUN", "--grid", "4x4", "--ranks-per-node", "4", "--network", "NETWORK"),
        ("predict", "RUN"),
        ("advise", "--nodes", "8", "--scale", "12", "--run", "RUN", "--network", "NETWORK",
         "--ranks-per-node", "1,2"),
        ("advise", "--nodes", "512", "--scale", "35", "--platform", "NETWORK", "--ranks-per-node",
         "2"),
    ],
)  # fmt: skip
def test_what_was_predicted_keeps_to_60_columns(
    narrow: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    network = tmp_path / "made.toml"
    network.write_text(NETWORK, encoding="utf-8")
    run = copy_of(narrow, "run-whole", "20261201-000000-s6-0001").name
    words = [{"RUN": run, "NETWORK": str(network)}.get(word, word) for word in command]

    said = Store(narrow, capfd).isobath(*words, "--view", "all")

    assert said.code == 0, said.err
    assert too_long(said.out) == []


@pytest.mark.parametrize(
    "command", [("baseline", "list"), ("baseline", "show", "mpi", "--view", "all")]
)
def test_baselines_keep_to_60_columns(
    narrow: Path, capfd: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    shutil.copytree(FOLDER / "regress-whole" / "baselines", narrow.parent / "baselines")

    said = Store(narrow, capfd).isobath(*command)

    assert said.code == 0, said.err
    assert "mpi" in said.out
    assert too_long(said.out) == []


def test_a_trend_keeps_to_60_columns(narrow: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = BaselineShelf(narrow.parent / "baselines").place("mpi")
    folder.begin(archive())
    for grown in against_archive([1.03, 1.06, 1.09]):
        folder.append(lambda _, entry=grown: entry)  # type: ignore[misc]

    said = Store(narrow, capfd).isobath("history", "mpi")

    assert said.code == 0, said.err
    assert "bcast, 8 B" in said.out
    assert too_long(said.out) == []
