# SPDX-License-Identifier: Apache-2.0
"""What a shell is told when a person asks it to complete a word of the command line."""

import shutil
from pathlib import Path

import pytest

from cli.conftest import Checkout

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
