# SPDX-License-Identifier: Apache-2.0
"""A kill falls where something is written: at each step, with half of a write."""

import random
import subprocess
import sys
from pathlib import Path

import guard_kills
import pytest
from guard_kills import Checkout
from guard_steps import Steps, build_steps, moment_of, told_moments

WRITES = """
import os, subprocess, sys
os.mkdir("made")
with open("made/new", "w") as file:
    file.write("x" * 100)
    file.flush()
    os.fsync(file.fileno())
print("said")
sys.stdout.flush()
subprocess.run([sys.executable, "-IS", "-c", "open('made/of-a-child', 'w').write('x')"], check=True)
os.rename("made/new", "made/file")
"""
STEPS = ["mkdir", "open", "write", "fsync", "rename"]


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> Steps:
    folder = tmp_path_factory.mktemp("steps")
    return Steps(build_steps(folder), folder / "count")


def written(folder: Path, steps: Steps, kill_at: int | None = None) -> tuple[int, dict[str, int]]:
    """Exit code, and files with their lengths."""
    done = subprocess.run(
        [sys.executable, "-BIS", "-c", WRITES], cwd=folder, env=steps.variables(kill_at),
        start_new_session=True, stdout=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return done.returncode, {path.name: path.stat().st_size for path in folder.glob("made/*")}


def test_what_a_program_changes_is_counted_and_nothing_of_its_children(
    steps: Steps, tmp_path: Path
) -> None:
    assert written(tmp_path, steps) == (0, {"file": 100, "of-a-child": 1})
    assert steps.done == len(STEPS)


@pytest.mark.parametrize(
    ("step", "left"),
    [
        ("mkdir", None),
        ("open", {}),
        ("write", {"new": 50}),
        ("fsync", {"new": 100}),
        ("rename", {"new": 100, "of-a-child": 1}),
    ],
)
def test_the_step_of_the_kill_is_not_done_and_all_before_it_are(
    steps: Steps, tmp_path: Path, step: str, left: dict[str, int] | None
) -> None:
    number = STEPS.index(step) + 1

    assert written(tmp_path, steps, number) == (-9, left or {})
    assert (tmp_path / "made").is_dir() == (left is not None)
    assert steps.done == number


def test_a_step_that_never_comes_kills_nothing(steps: Steps, tmp_path: Path) -> None:
    assert written(tmp_path, steps, len(STEPS) + 1)[0] == 0


def test_it_is_said_where_kills_fell() -> None:
    assert moment_of(1, was_killed=True) == "before"
    assert moment_of(2, was_killed=True) == "within"
    assert moment_of(2, was_killed=False) == "after"
    assert told_moments(["before", "within", "within", "after"]) == (
        "1 before the first, 2 within, 1 after the last"
    )


def test_each_kill_of_a_command_is_drawn_from_its_steps(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of seven steps each is hit at times, and the line says where kills fell."""
    drawn: list[int] = []

    class Quiet:
        def wait(self) -> int:
            return 0

    def killed_at(here: Checkout, step: int, *_: object) -> str:
        drawn.append(step)
        return moment_of(step, was_killed=step < 7)

    monkeypatch.setattr(Steps, "done", 7)
    monkeypatch.setattr(Checkout, "start", lambda *_, **__: Quiet())
    monkeypatch.setattr(Checkout, "killed_at", killed_at)
    monkeypatch.setattr(guard_kills.Trial, "after_export", lambda *_: None)
    monkeypatch.setattr(Checkout, "entries", lambda _: 1)
    made = Checkout(tmp_path / "made")
    made.prefix.mkdir()

    faults = guard_kills.tried_in_steps("export", 200, random.Random(1), made)

    assert faults == []
    assert set(drawn) == set(range(1, 8))
    within = len([step for step in drawn if 1 < step < 7])
    assert (
        f"export: 200 kills at 7 steps of writing, {drawn.count(1)} before the first, {within} "
        f"within, {drawn.count(7)} after the last; 0 faults"
    ) in capsys.readouterr().out
