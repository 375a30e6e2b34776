# SPDX-License-Identifier: Apache-2.0
"""A chain on disk: nothing is lost, and nothing is believed that is not whole."""

import errno
import json
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from baseline.made_baselines import archive, made, read
from isobath.baseline import chain
from isobath.baseline.accepting import accept, accepted_factors
from isobath.baseline.chain import FILE, Baseline, BaselineFolder, BaselineShelf, chained, digest_of
from isobath.baseline.entries import Acceptance, line_of
from isobath.baseline.importing import OURS, import_file, origin_of
from isobath.baseline.portable import text_of, write_portable
from isobath.errors import EnvironmentProblem, UsageError
from isobath.store.lock import locked


def files(folder: BaselineFolder) -> list[Path]:
    return sorted(path for path in folder.path.iterdir() if FILE.match(path.name))


def test_what_was_written_is_read_again_with_what_was_added(tmp_path: Path) -> None:
    folder = made(tmp_path)
    accept(folder, "bcast", "the new default is safer", "somebody")

    found = read(tmp_path)

    assert found.archive == archive()
    assert [one.study for one in found.regressions] == ["r"]
    assert accepted_factors(found)["bcast, 8 B"].factor == 1.2
    assert found.accepted[0].reason == "the new default is safer"
    assert found.id == digest_of(line_of(archive()))


def test_a_baseline_is_never_changed(tmp_path: Path) -> None:
    folder = made(tmp_path)

    with pytest.raises(UsageError, match="another baseline mpi already"):
        folder.begin(archive({"other": (1.0, 2.0)}))
    assert read(tmp_path).archive == archive()


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("part", [0.0, 0.3, 0.6, 0.99])
def test_a_flipped_bit_is_named_with_its_file(tmp_path: Path, which: int, part: float) -> None:
    folder = made(tmp_path)
    path = files(folder)[which]
    raw = bytearray(path.read_bytes())
    raw[int(part * len(raw))] ^= 1
    path.write_bytes(raw)

    with pytest.raises(EnvironmentProblem, match=f"{path.name} was changed after"):
        read(tmp_path)


def test_an_entry_that_is_gone_exchanged_or_foreign_is_seen(tmp_path: Path) -> None:
    folder = made(tmp_path)
    accept(folder, "bcast", "why not", "somebody")
    first, second, third = files(folder)
    second.rename(tmp_path / "kept")
    with pytest.raises(EnvironmentProblem, match="entry 1 is missing"):
        read(tmp_path)
    third.rename(folder.path / third.name.replace("000002", "000001"))
    with pytest.raises(EnvironmentProblem, match="does not follow the one before"):
        read(tmp_path)
    assert first.exists()


def test_an_entry_of_a_later_schema_is_not_guessed_at() -> None:
    line = json.loads(line_of(archive())) | {"schema": 2, "more": 1}

    with pytest.raises(EnvironmentProblem, match=r"newer Isobath \(schema 2, this one reads 1\)"):
        chained("mpi", [json.dumps(line)], "x")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"value":1e-06', '"value":-1e-06'),
        ('"value":1e-06', '"value":1e999'),
        ('"value":1e-06', '"value":"1"'),
        ('"name":"reduce, 8 B"', '"name":"bcast, 8 B"'),
        ('"launch":"s/a01-3"', '"launch":"s/a01-9"'),
        ('"role":"archive"', '"role":"archives"'),
        ('"schema":1', '"schema":1,"schema":1'),
        ('"schema":1', '"schema": 1'),
        ('"maker":"', '"maker":"' + "x" * 30_000),
    ],
)
def test_what_is_not_as_isobath_writes_it_is_refused(old: str, new: str) -> None:
    line = line_of(archive())
    assert old in line

    with pytest.raises(EnvironmentProblem):
        chained("mpi", [line.replace(old, new, 1)], "x")


@pytest.mark.parametrize("name", ["../x", "/etc", "", ".", "..", "a/b", "a\n", "-x", "x" * 61])
def test_a_name_never_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="is no name of a baseline"):
        BaselineShelf(tmp_path).place(name)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = made(tmp_path)
    before = sorted(path.name for path in folder.path.iterdir())

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EnvironmentProblem, match="No space left on device; what was there"):
        accept(folder, "bcast", "why not", "somebody")
    assert sorted(path.name for path in folder.path.iterdir()) == before
    assert len(read(tmp_path).entries) == 2


def test_two_at_once_add_one_after_the_other_or_are_told_to_wait(tmp_path: Path) -> None:
    folder = made(tmp_path)
    refused: list[str] = []

    def add() -> None:
        done = 0
        while done < 5:
            try:
                accept(folder, "bcast", "why not", "somebody")
                done += 1
            except EnvironmentProblem as problem:
                refused.append(str(problem))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(read(tmp_path).accepted) == 20
    assert all("is going on elsewhere; wait for its end" in one for one in refused)


def test_who_holds_the_lock_is_waited_for(tmp_path: Path) -> None:
    folder = made(tmp_path)

    with (
        locked(folder.path, "another"),
        pytest.raises(EnvironmentProblem, match="wait for its end"),
    ):
        accept(folder, "bcast", "why not", "somebody")
    assert not read(tmp_path).accepted


def dies_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Ends the process, as a kill does, before the step of that number that touches the disk."""
    left = [step]

    def counted(module: object, name: str) -> None:
        real = getattr(module, name)

        def call(*given: object, **named: object) -> object:
            left[0] -= 1
            if left[0] < 0:
                os._exit(9)
            return real(*given, **named)

        monkeypatch.setattr(module, name, call)

    for module, name in (
        (Path, "mkdir"), (Path, "open"), (os, "fsync"), (Path, "rename"), (Path, "unlink"),
        (chain, "force_to_disk"),
    ):  # fmt: skip
        counted(module, name)
    return lambda: None


def does(what: str, store: Path, file: Path) -> None:
    """What is killed, and what whoever comes next does."""
    shelf = BaselineShelf(store)
    if what == "begin":
        shelf.place("mpi").begin(archive())
    elif what == "import":
        import_file(shelf, file, None, None)
    else:
        accept(shelf.place("mpi"), "bcast", "why not", "somebody")


@pytest.mark.parametrize(
    ("what", "wanted"), [("begin", {0, 1}), ("accept", {2, 3}), ("import", {0, 2})]
)
def test_a_kill_at_any_step_leaves_the_chain_as_it_was_or_with_all_that_was_to_come(
    tmp_path: Path, what: str, wanted: set[int]
) -> None:
    file = tmp_path / "file"
    write_portable(file, text_of(made(tmp_path / "theirs").read()))
    lengths = set()
    for step in range(60):
        store = tmp_path / f"{step}"
        folder = made(store) if what == "accept" else BaselineShelf(store).place("mpi")
        child = os.fork()
        if child == 0:
            with pytest.MonkeyPatch.context() as patched:
                dies_at(step, patched)
                does(what, store, file)
                os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        length = len(folder.read().entries) if folder.is_there else 0
        lengths.add(length)
        if length and what == "import":
            assert origin_of(folder).startswith("unsigned, claims")  # never taken for ours
        if ended == 0:
            break
        does(what, store, file)  # and whoever comes next goes on as if nothing had been
        assert len(folder.read().entries) in (max(wanted), max(wanted) + (what == "accept"))
        assert not list(folder.path.glob("*.new"))
        assert not (folder.path / "coming").exists()
    assert ended == 0
    assert lengths == wanted
    shutil.rmtree(tmp_path)


def test_a_longer_chain_of_others_is_never_taken_for_ours(tmp_path: Path) -> None:
    theirs = made(tmp_path / "theirs")
    file = tmp_path / "file"
    write_portable(file, text_of(theirs.read()))
    kept = import_file(BaselineShelf(tmp_path / "here"), file, None, None)
    accept(theirs, "bcast", "why not", "somebody")
    write_portable(file, text_of(theirs.read()))

    longer = import_file(BaselineShelf(tmp_path / "here"), file, None, None)

    assert (len(kept.entries), len(longer.entries)) == (2, 3)
    assert origin_of(BaselineShelf(tmp_path / "here").place("mpi")).startswith("unsigned")
    write_portable(file, text_of(theirs.read()))
    import_file(BaselineShelf(tmp_path / "theirs"), file, None, None)
    assert origin_of(theirs) == OURS


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("reduce", "reduce, 8 B is the same in r: there is nothing to accept"),
        ("8", "8 means 2 cells: bcast, 8 B; reduce, 8 B"),
        ("bcats, 8 B", "did you mean bcast, 8 B?"),
    ],
)
def test_only_what_is_slower_can_be_accepted(tmp_path: Path, words: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence.replace("?", r"\?")):
        accept(made(tmp_path), words, "why not", "somebody")


def test_an_acceptance_needs_a_reason_and_a_regression(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="needs its reason"):
        accept(made(tmp_path), "bcast", "  ", "somebody")
    with pytest.raises(UsageError, match="the reason has 1001 characters, but at most 1000"):
        accept(made(tmp_path / "other"), "bcast", "x" * 1001, "somebody")
    fresh = BaselineShelf(tmp_path).place("fresh")
    fresh.begin(archive())
    with pytest.raises(UsageError, match="no regression has measured bcast, 8 B yet"):
        accept(fresh, "bcast", "why not", "somebody")


def test_nothing_is_kept_that_an_import_would_refuse(tmp_path: Path) -> None:
    folder = made(tmp_path)
    before = folder.read()

    def forging(_: Baseline) -> Acceptance:
        accepted = accept(made(tmp_path / "other"), "bcast", "why not", "somebody")
        return accepted.model_copy(update={"reason": "it is\nisobath: signed by the centre"})

    with pytest.raises(EnvironmentProblem, match="what is to be kept"):
        folder.append(forging)

    assert folder.read() == before
