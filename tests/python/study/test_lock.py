# SPDX-License-Identifier: Apache-2.0
"""A lock that hangs or fails is a sentence with the remedy: flock is replaced by a preload."""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from broken_locks import broken_locks
from isobath.errors import EnvironmentProblem
from isobath.store.lock import LOCK, LockQuestions, is_locked, locked, take

PROGRAM = """
import sys
from pathlib import Path
from isobath.errors import EnvironmentProblem
from isobath.store.lock import locked
try:
    with locked(Path(sys.argv[1]), "the benchmark some", answer_seconds=0.3):
        print("held")
except EnvironmentProblem as problem:
    print(problem)
"""


def test_one_program_at_a_time(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    with locked(tmp_path, "the benchmark some"):
        assert is_locked(tmp_path)
        with (
            pytest.raises(EnvironmentProblem, match="the benchmark some is going on elsewhere"),
            locked(tmp_path, "the benchmark some"),
        ):
            pass
    assert not is_locked(tmp_path)
    with locked(tmp_path, "the benchmark some"):
        pass


@pytest.mark.parametrize(
    ("hangs", "sentence"),
    [
        (True, "does not answer: it took more than 0.3 s"),
        (False, "gives no locks (No locks available)"),
    ],
)
def test_a_lock_service_that_hangs_or_is_gone_ends_in_a_sentence(
    tmp_path: Path, hangs: bool, sentence: str
) -> None:
    library = broken_locks(tmp_path, hangs=hangs)

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env={"LD_PRELOAD": str(library), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert sentence in done.stdout
    assert "--store DIR" in done.stdout


def test_who_asks_takes_no_lock_from_who_begins(tmp_path: Path) -> None:
    """A question holds the lock for a moment; a study that begins just then waits for it."""
    (tmp_path / LOCK).touch()
    with (tmp_path / LOCK).open("r") as asked:
        fcntl.flock(asked, fcntl.LOCK_SH)
        waits = threading.Timer(0.05, lambda: fcntl.flock(asked, fcntl.LOCK_UN))
        waits.start()

        held = take(tmp_path, "the benchmark some")

    assert is_locked(tmp_path)
    os.close(held)
    assert not is_locked(tmp_path)


def test_a_file_system_that_is_silent_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        (tmp_path / name / LOCK).touch()
    answer = threading.Event()
    asked: list[object] = []

    def silent(*words: object) -> None:
        asked.append(words)
        answer.wait()

    monkeypatch.setattr(fcntl, "flock", silent)
    questions = LockQuestions(answer_seconds=0.2)

    assert not any(questions.is_held(tmp_path / name) for name in ("a", "b", "c"))

    assert len(asked) == 1
    assert "does not answer: it took more than 0.2 s" in questions.problem
    assert "it is not known which studies are going on; keep studies" in questions.problem
    answer.set()
