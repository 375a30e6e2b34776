# SPDX-License-Identifier: Apache-2.0
"""One life of all kinds of studies: what is killed, fails, is changed, stopped or locked, and what
nothing can be written of ends alike, and goes on by isobath resume.
"""

import errno
import json
import re
import shutil
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest

from cli.conftest import Checkout, Said
from isobath.cli import studies as commands
from isobath.cli.places import front_door
from isobath.errors import ExitCode
from isobath.launch.interrupts import NeverStop
from isobath.store.folders import MANIFEST, PARTIAL, OpenRun
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder
from isobath.study.kinds import KINDS, entry_of
from isobath.study.runner import StudyOutcome, run_study
from isobath.study.sealing import Origin, seal_launch
from isobath.study.shelf import Shelf
from kind_table import SEVERAL, quick
from study.folders import alter

OLDER_FILES = {one.name: one.older for one in KINDS if one.older}
OLDER_KINDS = {"race": "race", "bench collectives": "bench", "bench replay": "bench",
               "bench overlap": "overlap"}  # fmt: skip

WHOLE: dict[str, Path] = {}
"""A whole study of each kind, made once."""


@pytest.fixture(autouse=True)
def two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SEARCHES", "2")


@pytest.fixture(params=SEVERAL)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def study(checkout: Checkout, kind: str, tmp_path_factory: pytest.TempPathFactory) -> StudyFolder:
    """A whole one."""
    place = checkout.prefix / "studies"
    if kind in WHOLE:
        shutil.copytree(WHOLE[kind], place)
    else:
        said = checkout.isobath(*quick(kind, checkout.prefix))
        assert said.code == 0, said.err
        shutil.rmtree(checkout.prefix / "runs", ignore_errors=True)  # what it was made of
        WHOLE[kind] = tmp_path_factory.mktemp("whole") / "studies"
        shutil.copytree(place, WHOLE[kind])
    return the_study(checkout, kind)


def the_study(checkout: Checkout, kind: str) -> StudyFolder:
    (found,) = Shelf((checkout.prefix / "studies",)).studies()
    assert found.entry.name == kind
    return StudyFolder(found.path)


def seals(study: StudyFolder) -> dict[str, bytes]:
    """By launch, what cannot stay the same where it is done again."""
    return {
        path.parent.name: path.read_bytes() for path in sorted(study.runs.glob(f"*/{MANIFEST}"))
    }


def aside(study: StudyFolder) -> list[str]:
    folder = study.path / "cut-off"
    return sorted(path.name[:-5] for path in folder.iterdir()) if folder.is_dir() else []


def resumed(checkout: Checkout, study: StudyFolder) -> Said:
    said = checkout.isobath("resume", study.study_id, "--no-report")
    assert said.code == 0, said.err
    return said


def last_of(study: StudyFolder) -> str:
    """A launch that no other needs."""
    return max(name for name in seals(study) if not name.startswith("c1-"))


def test_a_new_one_says_its_kind_and_goes_where_it_is_told(
    checkout: Checkout, study: StudyFolder, kind: str, tmp_path: Path
) -> None:
    header = json.loads((study.path / "study.json").read_text(encoding="utf-8"))

    assert (header["kind"], header["study_id"]) == (kind, study.study_id)
    assert header["command"][0] == "isobath"
    elsewhere = tmp_path / "mine"
    (checkout.prefix / "studies").rename(elsewhere)
    assert checkout.isobath("show", study.study_id).code == 2
    assert checkout.isobath("show", study.study_id, "--store", elsewhere).code == 0


def test_a_complete_one_is_left_alone(checkout: Checkout, study: StudyFolder) -> None:
    before = seals(study)

    said = resumed(checkout, study)

    assert f"complete: all {len(before)} launches are done" in said.err
    assert seals(study) == before
    assert aside(study) == []


def test_what_was_killed_is_done_again_and_nothing_else(
    checkout: Checkout, study: StudyFolder
) -> None:
    before, name = seals(study), last_of(study)
    (study.runs / name / MANIFEST).unlink()
    (study.runs / name).rename(study.runs / (name + PARTIAL))

    said = resumed(checkout, study)

    assert f"{len(before) - 1} of {len(before)} launches are done, going on" in said.err
    assert set(seals(study)) == set(before)
    assert {one for one in before if seals(study)[one] == before[one]} == set(before) - {name}
    assert aside(study) == [name + PARTIAL]


def test_what_failed_is_tried_again(checkout: Checkout, study: StudyFolder) -> None:
    before, name = seals(study), last_of(study)
    shutil.rmtree(study.runs / name)
    seal_launch(
        OpenRun(study.runs, name), None, Origin("fake", ("isobath",)), elapsed_seconds=1.0,
        code=ExitCode.TIMEOUT, message="it hung", verdict="unvalidated",
    )  # fmt: skip
    assert checkout.isobath("show", study.study_id).code == 0
    (row,) = json.loads(checkout.isobath("list", "--json").out)
    assert row["state"] == "unfinished"

    resumed(checkout, study)

    (row,) = json.loads(checkout.isobath("list", "--json").out)
    assert row["state"] == "complete"
    assert {one for one in before if seals(study)[one] == before[one]} == set(before) - {name}
    assert aside(study) == [name]


def test_what_was_changed_is_left_out_named_and_done_again(
    checkout: Checkout, study: StudyFolder
) -> None:
    before, name = seals(study), last_of(study)
    alter(study.runs / name)

    said = checkout.isobath("show", study.study_id)
    assert said.code == 3
    assert f"{name}: records.jsonl was changed after sealing" in said.err
    assert "left out of every number" in said.err
    resumed(checkout, study)

    assert {one for one in before if seals(study)[one] == before[one]} == set(before) - {name}
    assert checkout.isobath("show", study.study_id).code == 0


@dataclass
class AskedInTheSecond:
    """An end that is asked for while the second launch goes on."""

    runs: Callable[[], list[Path]]
    received: list[signal.Signals] = field(default_factory=list)
    wants_end_now = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    @property
    def wants_end(self) -> bool:
        if not self.received:
            names = [path.name for folder in self.runs() for path in folder.iterdir()]
            if len(names) > 1 and any(name.endswith(PARTIAL) for name in names):
                self.received.append(signal.SIGINT)
        return bool(self.received)


def test_an_end_that_is_asked_for_leaves_whole_launches_and_the_way_on(
    checkout: Checkout, study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(study.runs)
    (study.path / "audit.jsonl").unlink(missing_ok=True)
    asked = AskedInTheSecond(lambda: [study.runs] if study.runs.is_dir() else [])
    with monkeypatch.context() as patched:
        patched.setattr(commands, "Interrupts", lambda: asked)

        said = checkout.isobath("resume", study.study_id, "--no-report")

    done = re.search(r"interrupted after (\d+) of \d+ launches; they are kept", said.err)
    if done is None:  # the last launch ended before it heard of it: nothing was left to stop
        assert len(seals(study)) == 2, said.err
        return
    assert said.code == 3
    assert f"go on with {front_door()} resume {study.study_id}" in said.err
    assert len(seals(study)) == int(done[1])
    assert len(seals(study)) + len(aside(study)) == 2
    assert list(study.runs.glob(f"*{PARTIAL}")) == []
    resumed(checkout, study)


def test_a_full_disk_ends_in_a_sentence_and_what_is_sealed_stays(
    checkout: Checkout, study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, name = seals(study), last_of(study)
    shutil.rmtree(study.runs / name)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("isobath.store.folders.clean_folder", full)
        said = checkout.isobath("resume", study.study_id, "--no-report")

    assert said.code == 3
    assert "No space left on device" in said.err
    assert "Traceback" not in said.err
    assert set(seals(study)) == set(before) - {name}
    resumed(checkout, study)
    assert set(seals(study)) == set(before)


def test_one_program_at_a_time(checkout: Checkout, study: StudyFolder) -> None:
    with study.locked("study"):
        said = checkout.isobath("resume", study.study_id)
        removed = checkout.isobath("remove", study.study_id, "--yes")

    assert study.path.is_dir(), "complete, but somebody goes on with it"
    assert "it is running" in removed.out + removed.err
    assert said.code == 3
    assert f"{study.study_id} is going on elsewhere; wait for its end" in said.err


def test_a_report_that_fails_costs_nothing(
    checkout: Checkout, study: StudyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(commands, "page_of", broken)

    said = checkout.isobath("resume", study.study_id)

    assert said.code == 3
    assert "the report was not written" in said.err
    assert f"try {front_door()} report {study.study_id}" in said.err
    assert said.out, "the tables are shown"


def made_older(study: StudyFolder, kind: str, store: Path) -> StudyFolder:
    """The same study as it lay on disk before there was study.json."""
    header = json.loads((study.path / "study.json").read_text(encoding="utf-8"))
    plan = header["plan"]
    plan.pop("recorded_seconds", None)
    if kind != "bench cg":
        word = "race_id" if kind == "race" else "bench_id"
        told = {name: header[name] for name in ("created", "command")}
        plan |= {"schema": 1, "kind": OLDER_KINDS[kind], word: study.study_id} | told
    store.mkdir()
    older = StudyFolder(store / study.study_id)
    study.path.rename(older.path)
    (older.path / "study.json").unlink()
    (older.path / OLDER_FILES[kind]).write_text(json.dumps(plan), encoding="utf-8")
    return older


@pytest.mark.parametrize("kind", OLDER_FILES, indirect=True)
def test_one_of_before_is_found_shown_and_goes_on_where_it_lies(
    checkout: Checkout, study: StudyFolder, kind: str
) -> None:
    now = checkout.isobath("show", study.study_id)
    place = checkout.prefix / ("races" if kind == "race" else "benches")
    older = made_older(study, kind, place)
    before, name = seals(older), last_of(older)

    shown = checkout.isobath("show", older.study_id)
    shutil.rmtree(older.runs / name)
    resumed(checkout, older)

    assert shown.code == 0, shown.err
    if kind != "bench replay":  # those of before do not know what phases took in the run
        assert shown.out.splitlines()[:-2] == now.out.splitlines()[:-2]
    assert set(seals(older)) == set(before)
    assert not (older.path / "study.json").exists()


def test_it_goes_on_from_python_in_any_thread_without_a_word(
    study: StudyFolder, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    name, said, outcomes = last_of(study), list[str](), list[StudyOutcome]()
    shutil.rmtree(study.runs / name)
    capfd.readouterr()

    def go_on() -> None:
        found = entry_of(kind).load().work(study.path, Driver(say=said.append))
        assert found is not None
        outcomes.append(run_study(study, found.work, noun=kind, stop=NeverStop(), say=said.append))

    thread = threading.Thread(target=go_on)  # where no signal handler can be set
    thread.start()
    thread.join()

    (outcome,) = outcomes
    assert (outcome.exit_code, outcome.is_complete) == (ExitCode.DONE, True)
    assert name in seals(study)
    assert any(f"[{outcome.total}/{outcome.total}]" in line for line in said)
    heard = capfd.readouterr()
    assert (heard.out, heard.err) == ("", "")


def test_its_own_command_goes_on_as_resume_does(
    checkout: Checkout, study: StudyFolder, kind: str
) -> None:
    name = last_of(study)
    shutil.rmtree(study.runs / name)

    said = checkout.isobath(*kind.split(), "--resume", study.study_id, "--no-report")

    assert said.code == 0, said.err
    assert name in seals(study)


def test_its_own_command_can_be_quiet_about_a_study_and_go_on_dryly(
    checkout: Checkout, study: StudyFolder, kind: str
) -> None:
    name = last_of(study)
    shutil.rmtree(study.runs / name)
    resume = (*kind.split(), "--resume", study.study_id)
    for words in (resume, ("resume", study.study_id)):
        said = checkout.isobath(*words, "--dry-run")
        assert (said.code, name in said.out) == (0, True), said.err
        left = json.loads(checkout.isobath(*words, "--dry-run", "--json").out)
        assert (left["kind"], name in {one["name"] for one in left["launches"]}) == (kind, True)
        assert left["folder"] == str(study.path)
        assert name not in seals(study)

    said = checkout.isobath(*resume, "--quiet", "--no-report")

    assert (said.code, said.err) == (0, "")
    assert name in seals(study)


def test_last_of_another_kind_is_refused(checkout: Checkout, study: StudyFolder, kind: str) -> None:
    word = kind.rsplit(maxsplit=1)[-1]
    other = "bench cg" if kind == "race" else "race"

    said = checkout.isobath(*other.split(), "--resume", f"last:{word}")

    assert said.code == 2
    assert f"not a {'benchmark' if other != 'race' else 'race'}" in said.err
