# SPDX-License-Identifier: Apache-2.0
"""isobath baseline: studies of several kinds become reference results, and travel."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from baseline.made_baselines import made, regression
from compared.made_studies import copy_of, several
from isobath.baseline.chain import BaselineShelf
from isobath.baseline.entries import CellOutcome
from isobath.baseline.portable import read_portable
from isobath.cli.main import main
from isobath.study.kinds import entry_of
from kind_table import TRIED, whole

NOISE = [1.0, 1.01, 0.99]


class Store:
    """A folder of studies, and the command line that knows no other."""

    def __init__(self, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capfd = folder, capfd

    def isobath(self, *words: object) -> tuple[int, str, str]:
        self.capfd.readouterr()
        code = main(["baseline", *map(str, words)])
        said = self.capfd.readouterr()
        return code, said.out, said.err

    def shown(self, name: str) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.isobath("show", name, "--json")[1])
        return told


@pytest.fixture
def store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Store:
    folder = tmp_path / "studies"
    folder.mkdir()
    monkeypatch.setenv("ISOBATH_STORE", str(folder))
    monkeypatch.setenv("ISOBATH_PREFIX", str(tmp_path))
    return Store(folder, capfd)


def test_studies_of_two_kinds_are_kept_with_their_keys(store: Store) -> None:
    bench = copy_of(store.folder, "collectives-whole", "20261201-000000-bench-0001").name
    runs = several(store.folder, "run-whole", "run", NOISE)

    code, _, err = store.isobath("set", "mpi", bench, runs, "--from", "the centre")

    assert code == 0, err
    assert "next: " in err
    assert "calibrate noise mpi" in err
    entry = store.shown("mpi")["entries"][0]
    assert entry["maker"] == "the centre"
    cells = {cell["name"]: cell for member in entry["members"] for cell in member["cells"]}
    searches = [name for name in cells if name.startswith("search")]
    assert len(searches) > 1  # phases of a search are cells of their own
    search = cells[min(searches, key=len)]
    assert [one["value"] for one in search["samples"]] == pytest.approx(
        [factor * search["samples"][0]["value"] for factor in NOISE]
    )
    key = next(cell["key"] for name, cell in cells.items() if name.startswith("allreduce"))
    assert (key["collective"], key["nodes"], key["ranks_per_node"]) == ("allreduce", 1, 2)
    assert key["mpi"]
    assert key["machine"]
    code, out, _ = store.isobath("show", "mpi")
    assert code == 0
    assert "Reference results" in out
    assert "the centre" in out
    assert "mpi: " in (line := store.isobath("list")[1])
    assert line.endswith("; made here\n")
    assert [row["name"] for row in json.loads(store.isobath("list", "--json")[1])] == ["mpi"]


@pytest.mark.parametrize("kind", TRIED)
def test_every_kind_can_be_kept(store: Store, kind: str) -> None:
    word = entry_of(kind).word
    name = copy_of(store.folder, whole(kind), f"20261201-000000-{word}-0001").name

    code, _, err = store.isobath("set", "kept", name)

    if entry_of(kind).is_imported:  # never counted as ours
        assert (code, "was imported: others measured it" in err) == (2, True), err
        assert not (store.folder / "baselines").exists()
        return
    if not TRIED[kind].compared:
        assert (code, "there is no time to compare" in err) == (3, True), err
        return
    assert code == 0, err
    assert BaselineShelf(store.folder / "baselines").find("kept").read().archive.cells


def test_what_was_changed_or_wrong_is_no_reference(store: Store) -> None:
    study = copy_of(store.folder, "run-whole", "20261201-000000-run-0001")
    with (study / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write(" \n")

    code, _, err = store.isobath("set", "mpi", study.name)

    assert code == 3, err
    assert not (store.folder / "baselines").exists()


def test_a_baseline_is_made_once_and_named_well(store: Store) -> None:
    study = copy_of(store.folder, "run-whole", "20261201-000000-run-0001").name
    assert store.isobath("set", "mpi", study)[0] == 0

    code, _, err = store.isobath("set", "mpi", study)
    assert (code, "it is never changed; take another name" in err) == (2, True)
    code, _, err = store.isobath("set", "other", study, study)
    assert (code, "is there twice" in err) == (2, True)
    code, _, err = store.isobath("set", "../x", study)
    assert (code, "is no name of a baseline" in err) == (2, True)
    code, _, err = store.isobath("show", "mip")
    assert (code, "did you mean mpi?" in err) == (2, True)
    assert store.isobath("show", "mpi", "--view", "al")[0] == 2


def test_it_travels_with_what_was_accepted(store: Store, tmp_path: Path) -> None:
    runs = several(store.folder, "run-whole", "run", NOISE)
    assert store.isobath("set", "mpi", runs)[0] == 0
    folder = BaselineShelf(store.folder / "baselines").find("mpi")
    name = folder.read().archive.cells[0].name
    folder.append(lambda _: regression({name: CellOutcome(outcome="slower", ratio=1.2)}))

    code, _, err = store.isobath("accept", "mpi", name, "--reason", "the kernel is safer now")
    assert (code, f"{name}: accepted as 1.200 times as long" in err) == (0, True)
    assert store.isobath("export", "mpi", tmp_path / "file")[0] == 0
    assert store.isobath("export", "mpi", tmp_path)[0] == 2

    there = tmp_path / "there"
    code, _, err = store.isobath("import", tmp_path / "file", "--store", there, "--name", "theirs")
    assert (code, "unsigned, claims to be from" in err) == (0, True)
    code, out, _ = store.isobath("show", "theirs", "--store", there)
    assert "the kernel is safer now" in " ".join(out.split())
    assert "unsigned, claims to be from" in " ".join(out.split())
    code, _, err = store.isobath("import", os.devnull, "--store", there)
    assert (code, "no baseline of Isobath" in err) == (3, True)


def spoil_the_disk(monkeypatch: pytest.MonkeyPatch, writes: int) -> list[int]:
    """Every write after so many fails, as on a disk that stays full; how many were tried."""
    forced, done = os.fsync, [0]

    def full(descriptor: int) -> None:
        done[0] += 1
        if done[0] > writes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        forced(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    return done


@pytest.mark.parametrize("writes", [0, 1])
@pytest.mark.parametrize("is_there", [False, True])
def test_an_export_on_a_full_disk_leaves_what_was_there(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int, is_there: bool
) -> None:
    study = copy_of(store.folder, "run-whole", "20261201-000000-run-0001").name
    assert store.isobath("set", "mpi", study)[0] == 0
    file = tmp_path / "file"
    if is_there:
        file.write_text("of last week\n", encoding="utf-8")

    with monkeypatch.context() as patched:
        done = spoil_the_disk(patched, writes)
        code, out, err = store.isobath("export", "mpi", file)

    assert done[0] > writes, "it ended before the disk was full"
    assert (code, "No space left on device" in err) == (3, True)
    assert "Traceback" not in err + out
    assert not list(tmp_path.glob(".*.new"))
    if writes == 0:
        assert file.exists() == is_there
        assert not is_there or file.read_text(encoding="utf-8") == "of last week\n"
    assert store.isobath("export", "mpi", file)[0] == 0
    assert read_portable(file).baseline.entries == BaselineShelf(
        store.folder / "baselines").find("mpi").read().entries  # fmt: skip


@pytest.mark.parametrize("writes", range(8))
def test_an_import_on_a_full_disk_is_none(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """An archive and an acceptance: a chain of which the beginning alone would read as whole."""
    runs = several(store.folder, "run-whole", "run", NOISE)
    assert store.isobath("set", "mpi", runs)[0] == 0
    folder = BaselineShelf(store.folder / "baselines").find("mpi")
    name = folder.read().archive.cells[0].name
    folder.append(lambda _: regression({name: CellOutcome(outcome="slower", ratio=1.2)}))
    file, there = tmp_path / "file", tmp_path / "there"
    assert store.isobath("export", "mpi", file)[0] == 0

    with monkeypatch.context() as patched:
        done = spoil_the_disk(patched, writes)
        code, out, err = store.isobath("import", file, "--store", there, "--name", "theirs")

    assert "Traceback" not in err + out
    if done[0] > writes:
        assert (code, "No space left on device" in err) == (3, True)
        assert "theirs" not in store.isobath("list", "--store", there)[1]
    again = store.isobath("import", file, "--store", there, "--name", "theirs")
    if code == 3:
        assert again[0] == 0, again[2]
    assert BaselineShelf(there / "baselines").find("theirs").read().entries == folder.read().entries


@pytest.mark.parametrize("asked", [{"variables": ("A=1",)}, {"across_machines": True}])
def test_what_was_a_question_is_not_accepted(store: Store, asked: dict[str, Any]) -> None:
    runs = several(store.folder, "run-whole", "run", NOISE)
    assert store.isobath("set", "mpi", runs)[0] == 0
    folder = BaselineShelf(store.folder / "baselines").find("mpi")
    name = folder.read().archive.cells[0].name
    question = regression({name: CellOutcome(outcome="slower", ratio=1.3)})
    folder.append(lambda _: question.model_copy(update=asked))

    code, _, err = store.isobath("accept", "mpi", name, "--reason", "it is meant")

    assert code == 2
    assert "yet but with --variables or on another machine" in err
    wrong = regression({name: CellOutcome(outcome="wrong")}, study="r2")
    folder.append(lambda _: wrong)
    code, _, err = store.isobath("accept", "mpi", name, "--reason", "it is meant")
    assert (code, "that is never accepted" in err) == (2, True)


def test_another_algorithm_is_accepted_with_its_reason(store: Store) -> None:
    """The cell is as fast as before: its factor stays that of the archive."""
    runs = several(store.folder, "run-whole", "run", NOISE)
    assert store.isobath("set", "mpi", runs)[0] == 0
    folder = BaselineShelf(store.folder / "baselines").find("mpi")
    name = folder.read().archive.cells[0].name
    outcome = CellOutcome(outcome="the same", ratio=1.01, other_algorithm="ring")
    folder.append(lambda _: regression({name: outcome}))

    code, _, err = store.isobath("accept", "mpi", name, "--reason", "it is meant")

    assert (code, f"{name}: accepted as 1.000 times as long, by ring" in err) == (0, True), err
    (kept,) = folder.read().accepted
    assert (kept.factor, kept.chosen) == (1.0, "ring")
    assert "by ring" in " ".join(store.isobath("show", "mpi")[1].split())
    slower = CellOutcome(outcome="slower", ratio=1.3)
    folder.append(lambda _: regression({name: slower}, study="r2"))
    assert store.isobath("accept", "mpi", name, "--reason", "that too")[0] == 0
    last = folder.read().accepted[-1]
    assert (last.factor, last.chosen) == (1.3, "ring")


def test_one_that_is_damaged_hides_no_other(store: Store) -> None:
    study = copy_of(store.folder, "run-whole", "20261201-000000-run-0001").name
    for name in ("a", "b", "c"):
        assert store.isobath("set", name, study)[0] == 0
    (entry,) = (store.folder / "baselines" / "b").glob("000000-*")
    entry.write_bytes(entry.read_bytes().replace(b"run", b"rum", 1))

    code, out, err = store.isobath("list")
    assert code == 3
    assert [line.partition(":")[0] for line in out.splitlines()] == ["a", "c"]
    assert "baseline b: " in err
    assert "was changed after it was written" in err
    code, out, _ = store.isobath("list", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert (code, list(rows)) == (3, ["a", "c", "b"])
    assert "was changed after" in rows["b"]["problem"]
    assert rows["a"]["cells"] == rows["c"]["cells"] > 0


def test_whose_entries_are_is_listed_shown_and_told_when_it_is_given_on(
    store: Store, tmp_path: Path
) -> None:
    folder = made(store.folder / "baselines")
    assert store.isobath("export", "mpi", tmp_path / "file")[0] == 0
    there = ("--store", tmp_path / "there")
    assert store.isobath("import", tmp_path / "file", *there)[0] == 0
    later = regression({"bcast, 8 B": CellOutcome(outcome="slower", ratio=1.2)}, study="mine")
    BaselineShelf(tmp_path / "there" / "baselines").find("mpi").append(lambda _: later)

    told = "entries 0 to 1 unsigned, claims to be from somebody, somewhere; entry 2 made here"
    assert f"; {told}\n" in store.isobath("list", *there)[1]
    shown = " ".join(store.isobath("show", "mpi", *there)[1].split())
    assert told in shown
    assert "mine" in shown
    found = json.loads(store.isobath("show", "mpi", "--json", *there)[1])
    assert [(one["first"], one["last"]) for one in found["origins"]] == [(0, 1), (2, 2)]
    assert "unsigned" in store.isobath("export", "mpi", tmp_path / "again", *there)[2]
    assert folder.origin == "made here"
