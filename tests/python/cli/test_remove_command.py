# SPDX-License-Identifier: Apache-2.0
"""What happens to a study while remove or prune waits for an answer."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.conftest import Checkout
from isobath.cli import remove as command
from isobath.store.lock import locked
from isobath.study.removal import GONE
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


@pytest.mark.parametrize("more", [("--yes",), ("--dry-run",)])
def test_where_a_named_study_stays_the_code_says_so(
    checkout: Checkout, study: Path, more: tuple[str, ...]
) -> None:
    other = shutil.copytree(FOLDER / "overlap-whole" / "benches", study.parent, dirs_exist_ok=True)
    (going,) = (path for path in other.iterdir() if path.is_dir() and path != study)
    change_tags(study.parent, study.name, add=("base",))

    said = checkout.isobath("remove", study.name, going.name, *more)

    assert (said.code, study.is_dir()) == (8, True)
    assert f"{study.name} stays: it is tagged base" in said.err
    assert going.exists() == ("--dry-run" in more)
    kept = checkout.isobath("prune", "--keep", "0", *more)
    assert kept.code == (0 if going.exists() else 8)


def test_nothing_is_swept_before_it_is_agreed(
    checkout: Checkout, study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = study.with_name(f"{GONE}of-a-killed-removal")
    left.mkdir()
    there: list[bool] = []

    assert checkout.isobath("remove", study.name, "--dry-run").code == 0
    there.append(left.is_dir())
    monkeypatch.setattr(command, "_agreed", lambda _: False)
    assert checkout.isobath("remove", study.name).code == 0
    there.append(left.is_dir())
    answer(monkeypatch, lambda: there.append(left.is_dir()))
    assert checkout.isobath("remove", study.name).code == 0

    assert there == [True, True, True]
    assert not left.exists()
    left.mkdir()
    assert checkout.isobath("prune", "--keep", "0", "--yes").code == 0
    assert not left.exists()


@pytest.fixture
def regression(checkout: Checkout) -> dict[str, str]:
    """A regression, its baseline, and the benchmark that this was made of; ids by word."""
    shutil.copytree(FOLDER / "regress-whole", checkout.prefix, dirs_exist_ok=True)
    names = [path.name for path in (checkout.prefix / "studies").iterdir()]
    return {name.split("-")[2]: name for name in names}


def test_what_a_baseline_refers_to_is_never_taken(
    checkout: Checkout, regression: dict[str, str]
) -> None:
    for words in (("remove", *regression.values()), ("prune", "--keep", "0")):
        said = checkout.isobath(*words, "--yes")

        assert (said.code, said.out) == (8, "nothing is removed\n")
        for name in regression.values():
            assert f"{name} stays: the baseline mpi refers to it" in said.err
    for path in (checkout.prefix / "baselines" / "mpi").glob("000000-*.json"):
        path.write_text(path.read_text("ascii").replace('"turn"', '"Turn"'), "ascii")
    said = checkout.isobath("remove", regression["bench"], "--yes")
    assert f"{regression['bench']} stays: the baseline mpi refers to it" in said.err, "damaged, too"


def test_what_a_regression_was_held_against_stays_without_its_baseline(
    checkout: Checkout, regression: dict[str, str]
) -> None:
    shutil.rmtree(checkout.prefix / "baselines")

    said = checkout.isobath("remove", regression["bench"], "--yes")

    assert (said.code, said.out) == (8, "nothing is removed\n")
    assert f"{regression['bench']} stays: {regression['regress']} refers to it" in said.err
    assert checkout.isobath("remove", *regression.values(), "--yes").code == 0, "both may go"
    assert not any(path.is_dir() for path in (checkout.prefix / "studies").iterdir())


def test_baselines_of_another_store_hold_its_studies(
    checkout: Checkout, regression: dict[str, str], tmp_path: Path
) -> None:
    store = tmp_path / "elsewhere"
    (checkout.prefix / "studies").rename(store)
    (checkout.prefix / "baselines").rename(store / "baselines")

    said = checkout.isobath("remove", regression["regress"], "--yes", "--store", store)

    assert f"{regression['regress']} stays: the baseline mpi refers to it" in said.err
