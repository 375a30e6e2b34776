# SPDX-License-Identifier: Apache-2.0
"""What a person reads first: help that fits a terminal, and next steps that can be typed."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from cli.conftest import Checkout
from command_tree import whole_tree
from isobath.cli.commands import BENCH, COMMANDS, GROUPS, Entry
from isobath.cli.main import main
from isobath.cli.places import front_door


@pytest.mark.parametrize("command", ["", *whole_tree()])
def test_help_fits_80_columns_and_speaks_no_python(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    assert main([*command.split(), "--help"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert not any(re.search(r"<(str|int|float|path|list)|<=|>=", line) for line in lines)
    if not command:
        assert not any(line.endswith("...") for line in lines[1:])


HANGING = (
    re.compile(
        r"(Of|As|Or|And|In|By|Per|So|Default|It|Its|They|Them|Their|This|These|That|Those)\b"
    ),
    re.compile(r"(\S+ ){0,4}(it|they|them)\b|(\S+ )?(its|their)\b", re.IGNORECASE),
    re.compile(r".*\b(one|ones|these|those)(?=[.,:;]|$)", re.IGNORECASE),
    re.compile(r"[\w-]+(, [\w:-]+)+(,? or [\w:-]+)?[.;]"),
)
"""How words begin that say nothing by themselves: what hangs on the name of the option, what points
at a thing that was not named, and a bare list."""


def hangs(words: str) -> bool:
    """Whether a newcomer would ask: of what?"""
    return len(words.split()) < 3 or any(pattern.match(words) for pattern in HANGING)


@pytest.mark.parametrize("command", whole_tree())
def test_every_option_is_explained_to_a_newcomer(command: str) -> None:
    """A phrase of its own that names its object."""
    for one in whole_tree()[command].params:
        words = getattr(one, "help", None) or ""
        assert one.name == "help" or not hangs(words), (one.opts, words)


def entries(commands: Mapping[str, Entry] = COMMANDS) -> Iterator[Entry]:
    """All of them, those of groups too."""
    for entry in commands.values():
        yield entry
        yield from entries(entry.inner)


def test_every_command_is_explained_in_a_line() -> None:
    for entry in entries():
        assert not hangs(entry.line), entry.line


@pytest.mark.parametrize(
    "words",
    [
        "Of offload.", "As 4G.", "Only.", "Or where it has more than 1/X of the vertices.",
        "What of it: quick, full.", "Go on with one: its id, a path, or last.",
        "Its name, or words of it.", "Time between two of them, for example 2h.",
        "Show one: cells, keys, what was added.", "64, 32; default: 64.",
    ],
)  # fmt: skip
def test_words_that_say_nothing_by_themselves_are_found(words: str) -> None:
    assert hangs(words)


def test_the_first_help_is_one_screen_that_begins_with_what_to_do_first(
    checkout: Checkout,
) -> None:
    lines = checkout.isobath("--help").out.splitlines()

    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert lines[0] == "Three things to do first:"
    first = [line.split()[1] for line in lines[1:4]]
    assert all(name in COMMANDS for name in first)
    mark = lines.index("For developers of Isobath:")
    for name, group in GROUPS.items():
        line = next(one for one in lines if one.split()[:1] == [name])
        assert line.split(maxsplit=1)[1] == ", ".join(group.commands)
        assert (lines.index(line) > mark) == group.is_for_developers


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["help"], ["help", "studies"], []])
def test_help_imports_no_command_and_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys; from isobath.cli.main import main; code = main(sys.argv[1:]); "
        "print(code, *sys.modules, file=sys.stderr)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip

    code, *modules = done.stderr.split()
    assert (code, done.stdout != "") == ("0", True)
    heavy = {"numpy", "scipy", "polars", "duckdb", "altair", "jinja2", "rich.table"}
    of_commands = {entry.place.partition(":")[0] for entry in (*COMMANDS.values(), *BENCH.values())}
    assert not set(modules) & (heavy | of_commands - {"", "isobath.cli.help"})


def test_help_explains_groups_and_commands(checkout: Checkout) -> None:
    assert checkout.isobath("help").out == checkout.isobath("--help").out
    for name, group in GROUPS.items():
        said = checkout.isobath("help", name).out
        assert all(f"  {one}" in said and entry.line in said
                   for one, entry in group.commands.items())  # fmt: skip
    assert checkout.isobath("help", "show").out == checkout.isobath("show", "--help").out
    assert checkout.isobath("help", "bench", "cg").out == (
        checkout.isobath("bench", "cg", "--help").out
    )
    assert checkout.isobath("help", "cg").out == checkout.isobath("help", "bench", "cg").out
    assert "collectives" in checkout.isobath("bench").out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("rnu", "there is no command ./isobath rnu; did you mean ./isobath run?"),
        ("bench cgg", "there is no command ./isobath bench cgg; did you mean ./isobath bench cg?"),
        ("collectives", "did you mean ./isobath bench collectives?"),
        ("zzz", "there is no command ./isobath zzz; ./isobath --help names all there are"),
        ("help studeis", "did you mean studies?"),
        ("show --jsno", "there is no option --jsno; did you mean --json? See ./isobath show"),
        ("bench cg --elemens 8", "did you mean --elements? See ./isobath bench cg --help"),
        ("bench collectives --wrong", "no option --wrong; see ./isobath bench collectives --help"),
        ("show --zzz", "there is no option --zzz; see ./isobath show --help"),
        ("list --kind rac", "--kind rac: did you mean race? There are run, search, race"),
        ("list --state compl", "--state compl: did you mean complete?"),
        ("query --format cvs", "--format cvs: did you mean csv?"),
        ("bench cg --progress librari", "--progress librari: did you mean library?"),
    ],
)
def test_what_was_probably_meant_is_said(checkout: Checkout, words: str, sentence: str) -> None:
    said = checkout.isobath(*words.split())

    assert (said.code, said.out) == (2, "")
    assert sentence.replace("./isobath", front_door()) in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["edges.parquet", "edges.mtx"])
def test_an_export_that_cannot_be_written_names_the_file_asked_for(
    checkout: Checkout, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "nowhere" / name

    said = checkout.isobath("export", "--scale", "4", file)

    assert said.code == 3
    assert str(file) in said.err


def test_the_next_step_names_the_run_where_it_is_stored_elsewhere(
    checkout: Checkout, tmp_path: Path
) -> None:
    words = ("run", "--scale", "10", "--no-report")

    said = checkout.isobath(*words)
    assert f"next: {front_door()} show {checkout.runs[0].run_id}, {front_door()} plan" in said.err
    said = checkout.isobath(*words, "--store", tmp_path / "elsewhere")
    assert f"next: {front_door()} show elsewhere/2" in said.err
    said = checkout.isobath(*words, "--store", tmp_path / "else where")
    assert f"next: {front_door()} show 'else where/2" in said.err
