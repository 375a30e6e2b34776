# SPDX-License-Identifier: Apache-2.0
"""What happens to a study while remove or prune waits for an answer."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli import remove as command
from isobath.store.lock import locked
from isobath.study.tags import change_tags, read_tags
from studies.stored import FOLDER, the_folder


@pytest.fixture
def study(checkout: Checkout) -> Path:
    stored = the_folder(FOLDER / "cg-whole", "bench cg")
    target = checkout.prefix / "studies" / stored.name
    shutil.copytree(stored, target)
    return target


def answer(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object]) -> None:
    """Yes, after something happened."""

    def agreed(_: str) -> bool:
        meanwhile()
        return True

    monkeypatch.setattr(command, "_agreed", agreed)


@pytest.mark.parametrize("words", [("remove", "last"), ("prune", "--keep", "0")])
def test_a_study_that_is_tagged_before_the_answer_stays(
    checkout: Checkout, study: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    answer(monkeypatch, lambda: change_tags(study.parent, study.name, add=("base",)))

    said = checkout.isobath(*words)

    assert (said.code, study.is_dir()) == (8, True)
    assert f"{study.name} stays: it is tagged base" in said.err
    assert said.out.endswith("nothing is removed\n")
    assert read_tags(study.parent) == {study.name: ("base",)}


def test_a_study_that_goes_on_before_the_answer_stays(
    checkout: Checkout, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = locked(study, "the study")
    answer(monkeypatch, going_on.__enter__)

    said = checkout.isobath("remove", "last")

    going_on.__exit__(None, None, None)
    assert (said.code, study.is_dir()) == (8, True)
    assert f"{study.name} stays: it is running" in said.err


def test_what_nobody_wants_any_more_goes(
    checkout: Checkout, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, lambda: None)

    said = checkout.isobath("remove", study.name)

    assert (said.code, study.exists()) == (0, False)
    assert "1 study removed, " in said.out


def test_what_is_gone_before_the_answer_is_no_error(
    checkout: Checkout, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, lambda: shutil.rmtree(study))

    said = checkout.isobath("remove", study.name)

    assert (said.code, said.out.splitlines()[-1]) == (8, "nothing is removed")
