# SPDX-License-Identifier: Apache-2.0
"""What a tag, a running program or another study holds is never removed."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.store.lock import LOCK, LockHeld, locked
from isobath.study.catalogue import Row, State
from isobath.study.removal import GONE, beyond, remove, separate, sweep
from isobath.study.shelf import Shelf
from isobath.study.tags import change_tags, read_tags
from kind_table import STORED, whole

AWAY = "it is tagged base; take the tags away with ./isobath tag b --remove base"


def row(name: str, kind: str = "run", state: State = "complete", tags: tuple[str, ...] = ()) -> Row:
    return Row(
        study_id=name, kind=kind, state=state, headline="", graph="", mpi="", bytes=1,
        path=f"/nowhere/{name}", created="", tags=tags,
    )  # fmt: skip


def test_tagged_running_and_referred_studies_stay() -> None:
    rows = [row("a"), row("b", tags=("base",)), row("c", state="running"), row("d")]

    going, kept = separate(rows, {"a": [row("replay")]})

    assert [one.study_id for one in going] == ["d"]
    assert [(one.row.study_id, one.why) for one in kept] == [
        ("a", "replay refers to it"), ("b", AWAY), ("c", "it is running"),
    ]  # fmt: skip


def test_a_study_that_goes_too_holds_nothing() -> None:
    going, kept = separate([row("a"), row("replay")], {"a": [row("replay")]})
    assert [one.study_id for one in going] == ["a", "replay"]
    assert kept == []
    going, _ = separate([row("a"), row("replay", tags=("base",))], {"a": [row("replay")]})
    assert going == [], "the replay stays, so what it needs stays"


def test_who_holds_a_study_is_named_though_another_goes_with_it() -> None:
    rows = [row("a"), row("b")]
    _, kept = separate(rows, {"a": [row("b"), row("c")]})
    assert [(one.row.study_id, one.why) for one in kept] == [("a", "c refers to it")]


def test_what_a_killed_removal_left_is_no_study(tmp_path: Path) -> None:
    """Killed between the new name and the last file, in its own words and in ours."""
    name = "20260101-000000-cg-0a1b"
    shutil.copytree(STORED / whole("bench cg"), tmp_path, dirs_exist_ok=True)
    shelf = Shelf((tmp_path / "benches", tmp_path / "studies"))
    (study,) = shelf.studies()

    study.path.rename(study.path.with_name(f"{GONE}{name}-0a1b"))

    assert list(shelf.studies()) == []


def test_the_newest_of_each_kind_are_kept() -> None:
    rows = [row("1"), row("2", "race"), row("3"), row("4")]
    assert [one.study_id for one in beyond(rows, 1)] == ["1", "3"]
    assert [one.study_id for one in beyond(rows, 0)] == ["1", "2", "3", "4"]
    assert beyond(rows, 9) == []


def test_a_study_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "some"
    (path / "runs").mkdir(parents=True)
    one = row("some")
    remove(Row(**{**vars(one), "path": str(path)}))
    assert [left.name for left in tmp_path.iterdir()] == [LOCK], "of the tags"
    (tmp_path / f"{GONE}other-0a1b").mkdir()
    sweep([tmp_path])
    assert [left.name for left in tmp_path.iterdir()] == [LOCK]


def begun(store: Path, name: str) -> tuple[Path, Row]:
    path = store / name
    (path / "runs").mkdir(parents=True)
    (path / LOCK).touch()
    return path, replace(row(name), path=str(path))


def test_what_was_tagged_meanwhile_stays_with_its_tag(tmp_path: Path) -> None:
    path, looked_at = begun(tmp_path, "b")
    change_tags(tmp_path, "b", add=("base",))

    spared = remove(looked_at)

    assert spared is not None
    assert spared.why == AWAY
    assert path.is_dir()
    assert read_tags(tmp_path) == {"b": ("base",)}


def test_what_somebody_goes_on_with_meanwhile_stays(tmp_path: Path) -> None:
    path, looked_at = begun(tmp_path, "b")
    with locked(path, "the study"):
        spared = remove(looked_at)

    assert spared is not None
    assert spared.why == "it is running"
    assert path.is_dir()
    assert remove(looked_at) is None
    assert not path.exists()


def test_what_is_removed_is_held_until_its_name_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, looked_at = begun(tmp_path, "b")
    rename = Path.rename
    refused = []

    def slowly(source: Path, target: Path) -> Path:
        with pytest.raises(LockHeld), locked(path, "the study"):
            pass
        with pytest.raises(LockHeld):
            change_tags(tmp_path, "b", add=("base",))
        refused.append(source)
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", slowly)

    assert remove(looked_at) is None
    assert refused == [path]


def test_a_copy_that_is_running_is_not_the_study_that_goes(tmp_path: Path) -> None:
    path, looked_at = begun(tmp_path, "b")
    copied = replace(begun(tmp_path, "b-copy")[1], study_id="b")
    with locked(path, "the study"):
        going, kept = separate([looked_at, copied], {})

    assert [gone.path for gone in going] == [copied.path]
    assert [spared.row.path for spared in kept] == [looked_at.path]


def test_tags_are_added_and_taken_away(tmp_path: Path) -> None:
    assert read_tags(tmp_path) == {}
    assert change_tags(tmp_path, "a", add=("base", "mpi-5.1")) == ("base", "mpi-5.1")
    assert change_tags(tmp_path, "b", add=("base",)) == ("base",)
    assert change_tags(tmp_path, "a", remove=("base",)) == ("mpi-5.1",)
    assert read_tags(tmp_path) == {"a": ("mpi-5.1",), "b": ("base",)}
    for word in ("last", "-x", "", "two words", "\x1b[31m"):
        with pytest.raises(UsageError, match="is no tag"):
            change_tags(tmp_path, "a", add=(word,))
