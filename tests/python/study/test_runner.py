# SPDX-License-Identifier: Apache-2.0
"""The life of any study, with launches that only leave a folder."""

import signal
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.interrupts import NeverStop, Stop
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.codes import worst_of
from isobath.study.folder import StudyFolder
from isobath.study.launches import Came, Launch, Work
from isobath.study.progress import StudyProgress, progress_of
from isobath.study.runner import StudyOutcome, closing_words, run_study
from isobath.study.sealing import Origin, seal_launch


@dataclass
class Asked:
    """Somebody who asks for an end after so many launches."""

    after: int
    count: int = 0
    received: list[signal.Signals] = field(default_factory=list)

    @property
    def wants_end(self) -> bool:
        return self.count >= self.after

    wants_end_now = False


@dataclass
class MadeUpWork(Work):
    """Launches that end as they are told to."""

    codes: dict[str, ExitCode]
    needed: str = ""
    asked: Asked | None = None
    done: list[str] = field(default_factory=list)
    looked_after: list[str] = field(default_factory=list)
    more: list[str] = field(default_factory=list)

    def launches(self) -> Sequence[Launch]:
        return [
            Launch(name, f"launch {name}", is_needed=name == self.needed) for name in self.codes
        ]

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        self.done.append(launch.name)
        code = self.codes[launch.name]
        if self.asked is not None:
            self.asked.count += 1
            if self.asked.wants_end:
                return Came(ExitCode.ENVIRONMENT, "interrupted")
        seal_launch(
            run, None, Origin("fake", ("isobath",), ("made up",)), elapsed_seconds=0.0, code=code,
            message="" if code == ExitCode.DONE else "as told", verdict="unvalidated",
        )  # fmt: skip
        return Came(code, "as told")

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        self.looked_after.append(launch.name)
        return None

    def grow(self) -> bool:
        if not self.more:
            return False
        self.codes |= {self.more.pop(0): ExitCode.DONE}
        return True


def study(tmp_path: Path) -> StudyFolder:
    folder = StudyFolder(tmp_path / "some")
    folder.runs.mkdir(parents=True)
    return folder


def run(folder: StudyFolder, work: MadeUpWork, said: list[str] | None = None) -> StudyOutcome:
    lines: list[str] = [] if said is None else said
    stop = work.asked or NeverStop()
    return run_study(folder, work, noun="study", stop=stop, say=lines.append)


def test_every_launch_in_its_order_each_sealed_and_said(tmp_path: Path) -> None:
    folder, said = study(tmp_path), list[str]()
    work = MadeUpWork(dict.fromkeys("bac", ExitCode.DONE))

    outcome = run(folder, work, said)

    assert work.done == ["b", "a", "c"]
    assert (outcome.done, outcome.total, outcome.exit_code) == (3, 3, ExitCode.DONE)
    assert outcome.is_complete
    assert closing_words(outcome, "some") == ""
    assert [line.partition(" ")[0] for line in said] == ["[1/3]", "[2/3]", "[3/3]"]
    assert "left" in said[0]
    assert "left" not in said[2]
    again = MadeUpWork(dict.fromkeys("bac", ExitCode.DONE))
    assert run(folder, again).is_complete
    assert again.done == [], "what is sealed and whole is kept"
    assert again.looked_after == ["b", "a", "c"]


def test_what_failed_is_tried_again_and_wrong_data_are_kept(tmp_path: Path) -> None:
    folder = study(tmp_path)
    first = {"a": ExitCode.VIOLATIONS, "b": ExitCode.TIMEOUT, "c": ExitCode.DONE}

    outcome = run(folder, MadeUpWork(first))

    assert outcome.exit_code == ExitCode.VIOLATIONS
    assert outcome.failed == 1
    assert "they are tried again with ./isobath resume some" in closing_words(outcome, "some")
    again = MadeUpWork(dict.fromkeys("abc", ExitCode.DONE))
    outcome = run(folder, again)
    assert again.done == ["b"]
    assert outcome.exit_code == ExitCode.VIOLATIONS, "an earlier finding still counts"
    assert [one.name[:2] for one in (folder.path / "cut-off").iterdir()] == ["b-"]


def test_an_end_that_is_asked_for_sets_the_running_launch_aside(tmp_path: Path) -> None:
    folder = study(tmp_path)
    outcome = run(folder, MadeUpWork(dict.fromkeys("abc", ExitCode.DONE), asked=Asked(2)))

    assert (outcome.done, outcome.interrupted) == (1, True)
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert "interrupted after 1 of 3 launches" in closing_words(outcome, "some")
    assert [one.name for one in folder.runs.iterdir()] == ["a"]


def test_what_was_killed_lies_aside_when_the_study_goes_on(tmp_path: Path) -> None:
    folder = study(tmp_path)
    OpenRun(folder.runs, "a").records.write_text('{"half": ', encoding="utf-8")

    outcome = run(folder, MadeUpWork({"a": ExitCode.DONE}))

    assert outcome.is_complete
    (aside,) = (folder.path / "cut-off").iterdir()
    assert aside.name.startswith("a.partial-")
    assert (aside / "records.jsonl").read_text(encoding="utf-8") == '{"half": '


def test_a_changed_launch_is_done_again(tmp_path: Path) -> None:
    folder = study(tmp_path)
    run(folder, MadeUpWork({"a": ExitCode.DONE, "b": ExitCode.DONE}))
    (folder.runs / "a" / "records.jsonl").write_text("{}\n", encoding="utf-8")

    again = MadeUpWork({"a": ExitCode.DONE, "b": ExitCode.DONE})
    run(folder, again)

    assert again.done == ["a"]


def test_nothing_follows_a_launch_that_all_others_need(tmp_path: Path) -> None:
    work = MadeUpWork({"c": ExitCode.TIMEOUT, "a": ExitCode.DONE}, needed="c")

    outcome = run(study(tmp_path), work)

    assert work.done == ["c"]
    assert outcome.exit_code == ExitCode.TIMEOUT
    assert not outcome.is_complete


def test_what_was_measured_with_a_launch_that_is_done_again_is_done_again_too(
    tmp_path: Path,
) -> None:
    folder = study(tmp_path)
    codes = dict.fromkeys("acb", ExitCode.DONE)
    run(folder, MadeUpWork(codes, needed="c"))
    (folder.runs / "c" / "records.jsonl").write_text("{}\n", encoding="utf-8")

    again = MadeUpWork(codes, needed="c")

    assert run(folder, again).is_complete
    assert again.done == ["c", "b"]


def test_launches_that_follow_from_others_come_in_the_same_sitting(tmp_path: Path) -> None:
    folder, said = study(tmp_path), list[str]()
    work = MadeUpWork({"a": ExitCode.TIMEOUT}, more=["b", "c"])

    outcome = run(folder, work, said)

    assert work.done == ["a", "b", "c"], "what failed is not tried again in the same sitting"
    assert (outcome.done, outcome.total, outcome.failed) == (3, 3, 1)
    assert [line.partition(" ")[0] for line in said] == ["[1/1]", "[2/2]", "[3/3]"]


def test_two_programs_do_not_run_one_study(tmp_path: Path) -> None:
    folder = study(tmp_path)
    with folder.locked("study"), pytest.raises(EnvironmentProblem, match="the study some is going"):
        run(folder, MadeUpWork({"a": ExitCode.DONE}))


def test_the_worst_code_counts() -> None:
    assert worst_of([]) == ExitCode.DONE
    assert worst_of([ExitCode.USAGE, ExitCode.ENVIRONMENT]) == ExitCode.ENVIRONMENT
    assert worst_of([ExitCode.TIMEOUT, ExitCode.VIOLATIONS]) == ExitCode.VIOLATIONS


@dataclass
class WatchedWork(MadeUpWork):
    """Launches that note what others read of the study while they go on."""

    folder: StudyFolder | None = None
    read: list[StudyProgress | None] = field(default_factory=list)

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        assert self.folder is not None
        self.read.append(progress_of(self.folder.path))
        return super().perform(launch, run, stop)


def test_others_read_how_far_a_study_is_until_it_ends(tmp_path: Path) -> None:
    folder = study(tmp_path)
    run(folder, MadeUpWork({"a": ExitCode.DONE}))
    work = WatchedWork(dict.fromkeys("abc", ExitCode.DONE), folder=folder)

    run(folder, work)

    first, second = work.read
    assert first is not None
    assert first.words == "1 of 3 launches"
    assert second is not None
    assert (second.done, second.total) == (2, 3)
    assert second.words.startswith("2 of 3 launches, about ")
    assert second.words.endswith(" left")
    assert progress_of(folder.path) is None, "nobody runs it any more"
