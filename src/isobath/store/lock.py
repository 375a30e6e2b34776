# SPDX-License-Identifier: Apache-2.0
"""One program at a time runs a study. A lock that cannot be had is a sentence, never a wait."""

import contextlib
import errno
import fcntl
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from isobath.errors import EnvironmentProblem

LOCK = "lock"
ANSWER_SECONDS = 5.0
"""A lock that is asked for without waiting is answered at once, but on file systems whose lock
service is gone."""

REMEDY = "keep studies on a local disk (--store DIR), or ask who runs the file system"


class LockHeld(EnvironmentProblem):
    """Another program runs the study."""


@contextlib.contextmanager
def locked(study: Path, what: str, *, answer_seconds: float = ANSWER_SECONDS) -> Iterator[None]:
    """Holds the lock of a study.

    Args: what names it in a sentence, for example ``the benchmark 2026...``.
    Raises: EnvironmentProblem where another program holds it, or the file system gives no locks.
    """
    path = study / LOCK
    try:
        out = path.open("w", encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; mend the permissions"
        ) from error
    with out:
        _take(out, path, what, answer_seconds)
        if not _is_still_there(out, path):
            raise EnvironmentProblem(f"{what} was removed meanwhile")
        yield


def is_locked(study: Path) -> bool:
    """Whether a program runs this study now. False where that cannot be found out."""
    try:
        with (study / LOCK).open("r", encoding="utf-8") as source:
            problem = _ask(source, fcntl.LOCK_SH, ANSWER_SECONDS)
    except OSError:
        return False
    return isinstance(problem, OSError) and problem.errno in (errno.EWOULDBLOCK, errno.EACCES)


def _take(out: TextIO, path: Path, what: str, answer_seconds: float) -> None:
    problem = _ask(out, fcntl.LOCK_EX, answer_seconds)
    if problem is None:
        return
    if isinstance(problem, TimeoutError):
        raise EnvironmentProblem(
            f"the file system of {path} does not answer: it took more than {answer_seconds:g} s to "
            f"lock the file; {REMEDY}"
        )
    if problem.errno in (errno.EWOULDBLOCK, errno.EACCES):
        raise LockHeld(f"{what} is going on elsewhere; wait for its end")
    raise EnvironmentProblem(
        f"the file system of {path} gives no locks ({problem.strerror}), so nobody could tell "
        f"whether {what} is going on elsewhere; {REMEDY}"
    )


def _is_still_there(out: TextIO, path: Path) -> bool:
    """Whether the file that is locked is the one that others would lock."""
    try:
        return os.path.samestat(os.fstat(out.fileno()), path.stat())
    except OSError:
        return False


def _ask(file: TextIO, how: int, answer_seconds: float) -> OSError | None:
    """Why there is no lock, or None. In a thread: where the lock service hangs the call never
    returns, and no signal that Python handles ends it.
    """
    answers: list[OSError | None] = []

    def ask() -> None:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
            answers.append(None)
        except OSError as error:
            answers.append(error)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(answer_seconds)
    return answers[0] if answers else TimeoutError(errno.ETIMEDOUT, "no answer")
