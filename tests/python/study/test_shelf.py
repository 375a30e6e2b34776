# SPDX-License-Identifier: Apache-2.0
"""Studies are found by what a person types, wherever they lie."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.kinds.cg.plan import PLAN, CgPlan
from isobath.study.folder import STUDY, StudyFolder, command_of
from isobath.study.ids import looks_like_id, make_id
from isobath.study.shelf import Shelf

A_PLAN = CgPlan(
    preset="small", iterations=1, repetitions=1, tests=(4,), threads=1, launches=1, seed=1, arms=()
)


def begin(store: Path, name: str) -> StudyFolder:
    folder = StudyFolder(store / name)
    PLAN.begin(folder, A_PLAN, created=datetime.now(UTC), command=("isobath", "bench", "cg"))
    return folder


def test_names_sort_by_time_and_say_the_kind() -> None:
    name = make_id("cg", datetime(2026, 11, 21, 8, 15, tzinfo=UTC))
    assert name.startswith("20261121-081500-cg-")
    assert looks_like_id(name)
    assert not looks_like_id("last")


def test_by_id_beginning_path_last_and_kind(tmp_path: Path) -> None:
    first = begin(tmp_path, "20261121-081500-cg-0000")
    second = begin(tmp_path, "20261122-081500-cg-0000")
    shelf = Shelf((tmp_path, tmp_path / "missing"))

    assert [one.study_id for one in shelf.studies()] == [first.study_id, second.study_id]
    for wanted in (second.study_id, "20261122", "last", "last:cg", "last:bench cg",
                   str(second.path), f"{second.path}/"):  # fmt: skip
        assert shelf.find(wanted).path == second.path, wanted
    assert shelf.find("20261121-").entry.name == "bench cg"
    assert PLAN.read(first) == A_PLAN
    assert command_of(first) == ("isobath", "bench", "cg")


def test_what_is_not_there_or_means_several_is_said(tmp_path: Path) -> None:
    shelf = Shelf((tmp_path,))
    with pytest.raises(UsageError, match=r"there is no study in .*; make one with ./isobath run"):
        shelf.find("last")
    begin(tmp_path, "20261121-081500-cg-0000")
    begin(tmp_path, "20261121-091500-cg-0000")
    with pytest.raises(UsageError, match=r"20261121 means 2 studies: 2026.*, 2026"):
        shelf.find("20261121")
    with pytest.raises(UsageError, match=r"no study is called nothing .*the latest are 2026"):
        shelf.find("nothing")
    with pytest.raises(UsageError, match="an empty name is no study"):
        shelf.find("")
    with pytest.raises(
        UsageError, match=r"last:dog: there is no such kind; there are run, search, "
    ):
        shelf.find("last:dog")
    with pytest.raises(UsageError, match=r"is called \?\[31mred "):
        shelf.find("\x1b[31mred")


def test_a_renamed_folder_keeps_its_place_in_time(tmp_path: Path) -> None:
    early = begin(tmp_path, "20261121-081500-cg-0000")
    late = begin(tmp_path, "20261122-081500-cg-0000")
    early.path.rename(tmp_path / "20991231-000000-cg-ffff")

    shelf = Shelf((tmp_path,))

    assert shelf.find("last").path == late.path
    assert shelf.find("20261121").path.name == "20991231-000000-cg-ffff"


def test_a_damaged_header_is_no_study_and_stops_nobody(tmp_path: Path) -> None:
    good = begin(tmp_path, "20261121-081500-cg-0000")
    bad = begin(tmp_path, "20261122-081500-cg-0000")
    for text in ("", "{", "[1]", json.dumps({"kind": "dog", "study_id": "x"}), "[" * 100_000):
        (bad.path / STUDY).write_text(text, encoding="utf-8")
        assert [one.path for one in Shelf((tmp_path,)).studies()] == [good.path]
