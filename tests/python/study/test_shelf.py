# SPDX-License-Identifier: Apache-2.0
"""Studies are found by what a person types, wherever they lie."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.kinds.cg.plan import PLAN, CgPlan
from isobath.study.folder import STUDY, StudyFolder, command_of
from isobath.study.ids import looks_like_id, make_id
from isobath.study.shelf import Shelf
from isobath.study.tags import change_tags
from kind_table import STORED

A_PLAN = CgPlan(
    preset="small", iterations=1, repetitions=1, tests=(4,), threads=1, launches=1, seed=1, arms=()
)


def begin(store: Path, name: str, created: datetime | None = None) -> StudyFolder:
    folder = StudyFolder(store / name)
    now = created or datetime.now(UTC)
    PLAN.begin(folder, A_PLAN, created=now, command=("isobath", "bench", "cg"))
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


def test_of_one_second_the_last_is_that_which_began_last(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 21, 8, 15, tzinfo=UTC)
    drawn = ("ffff", "0000", "8888")
    for place, end in enumerate(drawn):
        later = moment + timedelta(milliseconds=10 * place)
        begin(tmp_path, f"20261121-081500-cg-{end}", later)

    shelf = Shelf((tmp_path,))

    assert [study.study_id[-4:] for study in shelf.studies()] == list(drawn)
    assert shelf.find("last").study_id.endswith("8888")


def test_runs_of_one_second_stand_in_their_order(tmp_path: Path) -> None:
    for end, fraction in (("ffff", "100"), ("0000", "200")):
        run = tmp_path / f"20261121-081500-s8-{end}"
        run.mkdir()
        (run / "MANIFEST.sha256").touch()
        told = {"run_id": run.name, "started": f"2026-11-21T08:15:00.{fraction}000Z"}
        (run / "run.json").write_text(json.dumps(told), encoding="utf-8")

    assert Shelf((tmp_path,)).find("last").study_id.endswith("0000")


def test_a_file_hides_no_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    folder = begin(tmp_path / "store", "20261121-081500-cg-0000")
    change_tags(tmp_path / "store", folder.study_id, add=("base",))
    shelf = Shelf((tmp_path / "store",))
    (bare,) = (STORED / "bare-graph500").glob("*.jsonl")
    for name in ("last", "base", folder.study_id, "20261121"):
        (place / name).write_bytes(bare.read_bytes())
        assert shelf.find(name, files=True).path == folder.path, name

    (place / "other").write_bytes(bare.read_bytes())
    for name in ("other", "./last"):
        assert shelf.find(name, files=True).path == (place / name).resolve()


def test_copies_are_told_by_their_paths(tmp_path: Path) -> None:
    folder = begin(tmp_path / "new", "20261121-081500-cg-0000")
    beside = tmp_path / "new" / "copy"
    shutil.copytree(folder.path, beside)
    shelf = Shelf((tmp_path / "new", tmp_path / "old"))

    assert shelf.find(folder.study_id).path == folder.path
    assert shelf.find("copy").path == beside
    with pytest.raises(UsageError) as refused:
        shelf.find("20261121")
    for path in (folder.path, beside):
        assert str(path) in str(refused.value)
        assert shelf.find(str(path)).path == path
    assert "write a whole path" in str(refused.value)
    shutil.copytree(folder.path, tmp_path / "old" / folder.study_id)
    with pytest.raises(UsageError, match=r"means 2 studies: .*write a whole path"):
        shelf.find(folder.study_id)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("lst", "last"), ("befor-update", "before-update"),
     ("20261121-081500-cq-0000", "20261121-081500-cg-0000")],
)  # fmt: skip
def test_a_near_name_is_offered(tmp_path: Path, typed: str, meant: str) -> None:
    folder = begin(tmp_path, "20261121-081500-cg-0000")
    change_tags(tmp_path, folder.study_id, add=("before-update",))

    with pytest.raises(UsageError, match=rf"did you mean {meant}\? The latest are "):
        Shelf((tmp_path,)).find(typed)


def test_a_near_kind_is_offered(tmp_path: Path) -> None:
    begin(tmp_path, "20261121-081500-cg-0000")
    with pytest.raises(UsageError, match=r"last:gc: .*; did you mean cg\? There are run, "):
        Shelf((tmp_path,)).find("last:gc")
