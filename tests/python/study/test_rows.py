# SPDX-License-Identifier: Apache-2.0
"""Rows of studies: what goes on at this moment, and where it was measured."""

import json
import shutil
from pathlib import Path

import pytest

from compared.made_studies import seal_again
from isobath.store.lock import locked
from isobath.study.catalogue import Catalogue, Row, chosen
from isobath.study.progress import StudyProgress
from isobath.study.shelf import Shelf
from kind_table import TRIED, whole
from studies.stored import FOLDER, the_folder


@pytest.fixture
def study(tmp_path: Path) -> Path:
    stored = the_folder(FOLDER / "cg-whole", "bench cg")
    shutil.copytree(stored, tmp_path / "studies" / stored.name)
    return tmp_path / "studies" / stored.name


def row_of(study: Path) -> Row:
    (row,) = Catalogue().rows(Shelf((study.parent,)))
    return row


def test_a_complete_study_that_is_gone_on_with_is_running(study: Path) -> None:
    assert row_of(study).state == "complete"
    with locked(study, "the study"):
        StudyProgress(3, 12, 300.0).write(study)
        row = row_of(study)
        assert (row.state, row.progress) == ("running", "3 of 12 launches, about 5 min left")
    assert row_of(study).state == "complete", "what a killed program left of its progress is old"


def test_a_study_that_has_not_told_how_far_it_is_is_running_too(study: Path) -> None:
    with locked(study, "the study"):
        row = row_of(study)
    assert row.state == "running"
    assert row.progress.endswith(" launches done")


@pytest.mark.parametrize("kind", sorted(TRIED))
def test_a_row_names_its_machines(tmp_path: Path, kind: str) -> None:
    stored = the_folder(FOLDER / whole(kind), kind)
    shutil.copytree(stored, tmp_path / stored.name)

    (row,) = Catalogue().rows(Shelf((tmp_path,)))

    if kind == "import":  # no machine of ours measured it
        assert row.machine == ""
        return
    assert row.machine == "node0"
    assert chosen([row], text="NODE0") == [row]


def test_a_launch_that_failed_inside_a_regression_is_left_to_do(tmp_path: Path) -> None:
    stored = the_folder(FOLDER / whole("regress"), "regress")
    folder = tmp_path / stored.name
    shutil.copytree(stored, folder)
    (row,) = Catalogue().rows(Shelf((tmp_path,)))
    assert row.state == "complete"

    for path in folder.glob("members/*/runs/a01-2"):
        told = json.loads((path / "run.json").read_text(encoding="utf-8"))
        (path / "run.json").write_text(json.dumps(told | {"exit_code": 7}), encoding="utf-8")
        seal_again(path)

    (row,) = Catalogue().rows(Shelf((tmp_path,)))
    assert row.state == "unfinished"


def test_what_is_known_of_one_store_stays_known_when_another_is_listed(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / study.name
    shutil.copytree(study, other)
    cache = tmp_path / "catalogue.json"
    shelves = (Shelf((study.parent,)), Shelf((other.parent,)))
    rows = [Catalogue(cache).rows(shelf) for shelf in shelves]

    def unread(_: object) -> Row:
        raise AssertionError("it is read again")

    monkeypatch.setattr("isobath.study.catalogue.read_row", unread)

    assert [Catalogue(cache).rows(shelf) for shelf in shelves] == rows
    shutil.rmtree(other)
    assert Catalogue(cache).rows(shelves[0]) == rows[0]
    assert len(json.loads(cache.read_text(encoding="utf-8"))["rows"]) == 1, "what is gone goes"
