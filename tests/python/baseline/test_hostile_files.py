# SPDX-License-Identifier: Apache-2.0
"""Files that somebody made on purpose: bombs, words that a terminal obeys, fields of tomorrow."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as XML

import pytest

from baseline.made_baselines import archive, file_of, made, read
from isobath.baseline import lines
from isobath.baseline.accepting import accept
from isobath.baseline.chain import BaselineShelf, chained, digest_of
from isobath.baseline.entries import Acceptance, line_of, shows_as_it_is
from isobath.baseline.importing import import_file
from isobath.baseline.portable import read_portable
from isobath.cli.main import main
from isobath.cli.terminal import plain
from isobath.errors import EnvironmentProblem

MEMORY = 1 << 30
"""bytes that whoever reads a bomb may have; read without limits, each takes several times that"""

READS = """
import resource, sys
from pathlib import Path
from isobath.baseline.portable import read_portable
from isobath.errors import EnvironmentProblem
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]), int(sys.argv[2])))
try:
    read_portable(Path(sys.argv[1]))
except EnvironmentProblem as problem:
    print(problem)
"""


def in_cells(words: str) -> str:
    return line_of(archive()).replace('"cells":[', f'"cells":[{words},', 1)


BOMBS: dict[str, tuple[Callable[[], str], str]] = {
    "lists": (lambda: '{"x":[' + "[]," * 16_000_000 + "[]]}", "too large to be one of a baseline"),
    "faults": (lambda: in_cells(",".join(["{}"] * 1_400_000)), "entry 0 is damaged"),
    "fields": (
        lambda: '{"role":"sitting",' + ",".join(f'"{n}":1' for n in range(900_000)) + "}",
        "entry 0 is damaged: 900001 fields are more than anything has",
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_takes_no_more_memory_than_an_archive(tmp_path: Path, name: str) -> None:
    make, sentence = BOMBS[name]
    file = file_of(tmp_path / "bomb", make())

    said = subprocess.run(
        [sys.executable, "-c", READS, str(file), str(MEMORY)],
        capture_output=True, text=True, check=False,
        env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip

    assert (said.returncode, said.stderr) == (0, "")
    assert sentence in said.stdout


@pytest.mark.parametrize(("limit", "number"), [("LARGEST_ENTRY", 2000), ("MOST_MARKS", 300)])
def test_what_can_be_taken_in_can_be_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, number: int
) -> None:
    """One limit, for a file as for a chain on disk and for what is added to it."""
    cells = {f"bcast, {n} B": [1e-6] * 3 for n in range(20)}
    shelf, file = BaselineShelf(tmp_path / "a"), file_of(tmp_path / "f", line_of(archive(cells)))
    folder = shelf.place("mpi")
    folder.begin(archive(cells))
    assert import_file(BaselineShelf(tmp_path / "b"), file, None, None).archive == archive(cells)

    monkeypatch.setattr(lines, limit, number)
    words = "has an entry that is too large"
    with pytest.raises(EnvironmentProblem, match=words):
        folder.read()
    with pytest.raises(EnvironmentProblem, match=words):
        import_file(BaselineShelf(tmp_path / "c"), file, None, None)
    with pytest.raises(EnvironmentProblem, match=words):
        BaselineShelf(tmp_path / "d").place("mpi").begin(archive(cells))


def test_an_archive_as_large_as_any_is_within_the_limits() -> None:
    """20,000 cells of 20 launches, by the size of one."""
    values = tuple(1.2345678901234e-6 + turn * 1e-12 for turn in range(20))
    one, two = (line_of(archive({f"bcast, {n} B": values for n in range(count)}))
                for count in (1, 2))  # fmt: skip
    bytes_of_a_cell = len(two) - len(one)
    marks_of_a_cell = sum(map(two.count, lines.MARKS)) - sum(map(one.count, lines.MARKS))

    assert 20_000 * bytes_of_a_cell < lines.LARGEST_ENTRY
    assert 20_000 * marks_of_a_cell < lines.MOST_MARKS


ESCAPES = [
    "a\nisobath: baseline mpi: signed by the centre",
    "\x1b[2K\x1b[1A",
    "\x7f",
    "\u202e",
    "\x00",
]


@pytest.mark.parametrize("words", ESCAPES)
@pytest.mark.parametrize("place", ["maker", "mpi", "reason", "settings", "key"])
def test_words_that_a_terminal_obeys_are_never_taken_in(
    tmp_path: Path, words: str, place: str
) -> None:
    first = archive()
    (member,) = first.members
    if place == "maker":
        first = first.model_copy(update={"maker": words})
    elif place == "reason":
        made(tmp_path / "theirs")
    elif place == "mpi":
        cell = member.cells[0]
        key = cell.key.model_copy(update={"mpi": words})
        cells = (cell.model_copy(update={"key": key}), *member.cells[1:])
        first = first.model_copy(update={"members": (member.model_copy(update={"cells": cells}),)})
    else:
        settings = {"formula": [words]} if place == "settings" else {words: 1}
        told = member.model_copy(update={"settings": settings})
        first = first.model_copy(update={"members": (told,)})
    told_lines = [line_of(first)]
    if place == "reason":
        folder = BaselineShelf(tmp_path / "theirs").find("mpi")
        entry = accept(folder, "bcast", "why not", "somebody")
        told_lines = list(folder.read().lines[:2])
        forged = entry.model_copy(update={"reason": words, "previous": digest_of(told_lines[-1])})
        assert isinstance(forged, Acceptance)
        told_lines.append(line_of(forged))
    file = file_of(tmp_path / "file", *told_lines)

    assert read_portable(file).baseline.lines
    with pytest.raises(EnvironmentProblem, match="has characters that cannot be shown"):
        import_file(BaselineShelf(tmp_path / "here"), file, None, None)
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize(
    "words", ["plain", "\u00fcber, \u6d6e\u52d5", 'a "word" with \\n', "\U0001f41a", "\\u001b", ""]
)
def test_letters_of_every_alphabet_are_taken_in(words: str) -> None:
    assert shows_as_it_is(json.dumps([words]))
    assert not shows_as_it_is(json.dumps([f"{words}\n"]))


def test_half_a_letter_is_none() -> None:
    assert not shows_as_it_is(json.dumps(["\ud83d"]))


def test_what_was_kept_before_is_shown_without_what_a_terminal_obeys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A baseline of before, which nobody looked at when it was taken in."""
    monkeypatch.setenv("ISOBATH_STORE", str(tmp_path))
    folder = BaselineShelf(tmp_path / "baselines").place("mpi")
    cell = archive().members[0].cells[0]
    key = cell.key.model_copy(update={"mpi": "\x1b[2Ja\nisobath: b"})
    member = archive().members[0].model_copy(
        update={"cells": (cell.model_copy(update={"key": key}),)})  # fmt: skip
    folder.take_in([line_of(archive().model_copy(update={"members": (member,)}))])

    assert main(["baseline", "list"]) == 0
    said = capfd.readouterr()
    assert len(said.out.splitlines()) == 1
    assert "\x1b" not in said.out + said.err
    assert main(["baseline", "show", "mpi"]) == 0
    assert "\x1b" not in capfd.readouterr().out


def test_no_line_of_a_sentence_looks_like_another_sentence() -> None:
    assert plain("from x\nisobath: signed by y\x1b[1m") == "from x\n  isobath: signed by y?[1m"


def test_what_somebody_types_is_kept_as_it_can_be_shown(tmp_path: Path) -> None:
    made(tmp_path)
    entry = accept(BaselineShelf(tmp_path).find("mpi"), "bcast", "one\n two\x1b", "we\n")

    assert (entry.reason, entry.who) == ("one two?", "we?")
    assert all(map(shows_as_it_is, read(tmp_path).lines))
    XML.fromstring(f"<a>{entry.reason}</a>")
    with pytest.raises(EnvironmentProblem, match="cannot be shown"):
        BaselineShelf(tmp_path).place("other").begin(archive({"a\nb": (1.0,)}))


@pytest.mark.parametrize(
    ("change", "unknown"),
    [
        ({"colour": "red"}, "colour"),
        ({"role": "photograph"}, "role"),
        ({"guidelines": [{"words": "w", "factor": 2.0, "blame": "x"}]}, "blame"),
    ],
)
def test_what_a_newer_isobath_added_is_not_called_damaged(
    change: dict[str, object], unknown: str
) -> None:
    told = json.loads(line_of(archive())) | change

    with pytest.raises(EnvironmentProblem) as caught:
        chained("mpi", [json.dumps(told, sort_keys=True, separators=(",", ":"))], "x")

    words = f"was written by a newer Isobath: this one does not know its {unknown}; update Isobath"
    assert words in str(caught.value)


def test_what_is_wrong_beside_what_is_unknown_is_damage() -> None:
    told = json.loads(line_of(archive())) | {"colour": "red", "at": "yesterday"}

    with pytest.raises(EnvironmentProblem, match="entry 0 is damaged: at: Input should be a valid"):
        chained("mpi", [json.dumps(told)], "x")
