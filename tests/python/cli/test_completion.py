# SPDX-License-Identifier: Apache-2.0
"""What a shell is told when a person asks it to complete a word of the command line."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from cli.conftest import Checkout
from command_tree import whole_tree
from isobath.study.home import shelf
from isobath.study.kinds import entry_named
from kind_table import TRIED, whole

STORED = Path(__file__).resolve().parents[2] / "data" / "studies"


@pytest.fixture
def stored(checkout: Checkout) -> Checkout:
    for name in ("run-whole", "race-whole"):
        shutil.copytree(STORED / name, checkout.prefix, dirs_exist_ok=True)
    return checkout


def completed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch, *words: str, expect: int = 0
) -> list[str]:
    """What is offered for the last word, as bash asks."""
    typed = ["isobath", *words]
    monkeypatch.setenv("_ISOBATH_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "\n".join(typed))
    monkeypatch.setenv("COMP_CWORD", str(len(typed) - 1))
    said = checkout.isobath()
    monkeypatch.delenv("_ISOBATH_COMPLETE")
    assert (said.code, said.err) == (expect, "")
    return said.out.split()


def test_commands_and_options_are_completed(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(completed(stored, monkeypatch, "re")) == {
        "report", "resume", "remove", "regress", "reproduce",
    }  # fmt: skip
    assert completed(stored, monkeypatch, "bench", "c") == ["collectives", "cg"]
    assert completed(stored, monkeypatch, "show", "--view") == ["--view", "--views"]
    assert completed(stored, monkeypatch, "help", "stu") == ["studies"]


@pytest.mark.parametrize("command", ["show", "report", "tag", "remove", "resume", "compare"])
def test_studies_are_completed_by_id_and_tag(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    race = next((stored.prefix / "races").iterdir()).name
    run = next(one.name for one in (stored.prefix / "runs").iterdir())
    stored.isobath("tag", race, "before-update")

    assert {"last", "last:race", "last:run", "before-update", race, run} == set(
        completed(stored, monkeypatch, command, "")
    )
    assert completed(stored, monkeypatch, command, race[:-2]) == [race]
    assert completed(stored, monkeypatch, command, "bef") == ["before-update"]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("show", "last", ":"), {"race", "run"}),
        (("show", "last", ":", "ra"), {"race"}),
        (("show", "last", ":", "race", "--view", "cel"), {"cells"}),
        (("show", "last", ":", "xyz"), set()),
    ],
)
def test_bash_takes_a_colon_for_a_word(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], offered: set[str]
) -> None:
    assert set(completed(stored, monkeypatch, *words)) == offered


def test_values_are_completed(stored: Checkout, monkeypatch: pytest.MonkeyPatch) -> None:
    stored.isobath("tag", "last:race", "before-update")

    assert completed(stored, monkeypatch, "list", "--kind", "ra") == ["race"]
    assert completed(stored, monkeypatch, "list", "--state", "comp") == ["complete"]
    assert completed(stored, monkeypatch, "list", "--tag", "b") == ["before-update"]
    assert completed(stored, monkeypatch, "show", "last", "--view", "su") == ["summary"]


def test_what_cannot_be_answered_is_no_error(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    (stored.prefix / "races" / "tags.json").write_text("{", encoding="utf-8")

    assert completed(stored, monkeypatch, "show", "2") == []


def test_the_script_for_a_shell_is_printed(
    checkout: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_ISOBATH_COMPLETE", "source_bash")

    said = checkout.isobath()

    assert (said.code, said.err) == (0, "")
    assert "complete -o default -F _isobath_completion isobath" in said.out


def test_a_tag_is_a_name(stored: Checkout) -> None:
    race = next((stored.prefix / "races").iterdir()).name
    stored.isobath("tag", race, "before-update")

    assert race in stored.isobath("show", "before-update").out
    stored.isobath("tag", "last:run", "before-update")
    said = stored.isobath("show", "before-update")
    assert said.code == 2
    assert "before-update means 2 studies: " in said.err


def test_studies_behind_a_comma_are_completed(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    race = next((stored.prefix / "races").iterdir()).name

    assert completed(stored, monkeypatch, "compare", f"last,{race[:-2]}") == [f"last,{race}"]
    assert completed(stored, monkeypatch, "compare", "last", "last", "--across", "gr") == ["graph"]


TAKES_STUDIES = {"STUDY", "STUDY...", "[STUDY]...", "RUN", "ID"}
"""What stands for studies in the help."""

NOT_LISTED = re.compile(
    r"--(scale|keys|sizes|shapes|size-edges|since|before|seed|given|half-width|hostfile|petsc-example)$"
)
"""Whose help gives examples, not a choice."""


NO_CHOICES = {"path", "paths", "id", "ids", "names", "own", "file"}
"""Words of a list that stand for others."""


def offered(command: Any, name: str, parameter: Any) -> set[str]:
    """What a shell would offer for a parameter, nothing of it being typed."""
    context = command.make_context(name, [], resilient_parsing=True)
    return {item.value for item in parameter.shell_complete(context, "")}


def choices_in(words: str) -> set[str]:
    """The words of a help that lists what may be given: ``Levels: one, two or three; ...``."""
    listed = re.search(r": ([\w-]+(?:, [\w-]+)+(?:,? or [\w-]+)?)[.;]", words)
    return set(re.split(r",? or |, ", listed[1])) if listed else set()


def expected(command: str, parameter: Any, made_by: dict[str, str]) -> set[str]:
    """What has to be offered. Args: made_by says of which kind each study is."""
    option, metavar = parameter.opts[0], (parameter.metavar or "").removesuffix("|FILE.toml")
    words = getattr(parameter, "help", None) or ""
    if metavar in TAKES_STUDIES:
        kind = entry_named(command.rpartition(" ")[2])
        of_command = kind.name if kind and option in ("--of", "--resume") else None
        wanted = "run" if metavar == "RUN" else of_command
        ids = {study for study, name in made_by.items() if wanted in (None, name)}
        return ids | {"last"} if ids else set()
    if metavar == "NAME" and "baseline" in words and parameter.param_type_name == "argument":
        return set() if command == "baseline set" else {"before-update"}
    if getattr(parameter, "is_flag", False) or NOT_LISTED.search(option):
        return set()
    return choices_in(words) - NO_CHOICES


def test_every_study_baseline_and_choice_is_completed(checkout: Checkout) -> None:
    """Walks the tree of commands: a parameter that is added is asked, too."""
    for kind in TRIED:
        shutil.copytree(STORED / whole(kind), checkout.prefix, dirs_exist_ok=True)
    assert checkout.isobath("baseline", "set", "before-update", "last:cg").code == 0
    made_by = {study.study_id: study.entry.name for study in shelf().studies()}
    assert set(made_by.values()) >= set(TRIED)
    asked = 0

    for name, command in whole_tree().items():
        for parameter in command.params:
            wanted = expected(name, parameter, made_by)
            asked += bool(wanted)
            there = offered(command, name.rpartition(" ")[2], parameter) if wanted else set()
            assert wanted <= there, (name, parameter.opts, wanted - there)

    assert asked > 120


def test_several_of_a_choice_are_completed_behind_a_comma(
    stored: Checkout, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(stored, monkeypatch, "bench", "cg", "--progress", "library,te") == [
        "library,tests"
    ]
    assert "library,library" not in completed(
        stored, monkeypatch, "bench", "cg", "--progress", "library,"
    )
    assert completed(stored, monkeypatch, "race", "--mpi", "open") == ["openmpi"]
    assert completed(stored, monkeypatch, "model", "fit", "--view", "res") == ["residuals"]
    assert completed(stored, monkeypatch, "bench", "cg", "--of", "") == []
    assert "last" in completed(stored, monkeypatch, "race", "--resume", "")
