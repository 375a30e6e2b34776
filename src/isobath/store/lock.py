# SPDX-License-Identifier: Apache-2.0
"""One program at a time runs a study. A lock that cannot be had is a sentence, never a wait."""

import contextlib
import errno
import fcntl
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from isobath.errors import EnvironmentProblem

LOCK = "lock"
ANSWER_SECONDS = 5.0
"""A lock that is asked for without waiting is answered at once, but on file systems whose lock
service is gone."""

ASKING_SECONDS = 0.2
"""Who only asks whether a study is going on holds its lock for a moment. It is waited for, so that
a question never keeps a study from beginning."""

REMEDY = "keep studies on a local disk (--store DIR), or ask who runs the file system"


HELD = (errno.EWOULDBLOCK, errno.EACCES)
"""What flock says of a lock that another program has."""


class LockHeld(EnvironmentProblem):
    """Another program runs the study."""


@contextlib.contextmanager
def locked(study: Path, what: str, *, answer_seconds: float = ANSWER_SECONDS) -> Iterator[None]:
    """Holds the lock of a study.

    Args: what names it in a sentence, for example ``the benchmark 2026...``.
    Raises: EnvironmentProblem where another program holds it, or the file system gives no locks.
    """
    held = take(study, what, answer_seconds=answer_seconds)
    try:
        yield
    finally:
        os.close(held)


def take(study: Path, what: str, *, answer_seconds: float = ANSWER_SECONDS) -> int:
    """Takes the lock of a study. Returns: the descriptor; whoever closes it gives the lock back.

    Raises: EnvironmentProblem as ``locked``.
    """
    path = study / LOCK
    try:
        held = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; mend the permissions"
        ) from error
    try:
        _lock(held, path, what, answer_seconds)
        if not _is_still_there(held, path):
            raise EnvironmentProblem(f"{what} was removed meanwhile")
    except BaseException:
        os.close(held)
        raise
    return held


def is_locked(study: Path) -> bool:
    """Whether a program runs this study now. False where that cannot be found out."""
    return LockQuestions().is_held(study)


class LockQuestions:
    """Asks of many studies whether a program runs them. A file system that once did not answer is
    not asked again: with a thousand studies on it nobody would live to see the list.
    """

    def __init__(self, *, answer_seconds: float = ANSWER_SECONDS) -> None:
        self._answer_seconds = answer_seconds
        self._silent: set[int] = set()
        self.problem = ""
        """why one of the answers is not known, with the remedy; empty where all are"""

    def is_held(self, study: Path) -> bool:
        """Whether a program runs this study now. False where that cannot be found out."""
        path = study / LOCK
        try:
            asked = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            device = os.fstat(asked).st_dev
            if device in self._silent:
                return False
            refusal = _ask(asked, fcntl.LOCK_SH, self._answer_seconds)
        finally:
            os.close(asked)
        if refusal is None or refusal.errno in HELD:
            return refusal is not None
        if isinstance(refusal, TimeoutError):
            self._silent.add(device)
        self.problem = (
            f"{_why(refusal, path, self._answer_seconds)}, so it is not known which studies are "
            f"going on; {REMEDY}"
        )
        return False


def _lock(held: int, path: Path, what: str, answer_seconds: float) -> None:
    refusal = _ask(held, fcntl.LOCK_EX, answer_seconds)
    if refusal is None:
        return
    why = _why(refusal, path, answer_seconds)
    if isinstance(refusal, TimeoutError):
        raise EnvironmentProblem(f"{why}; {REMEDY}")
    if refusal.errno in HELD:
        raise LockHeld(f"{what} is going on elsewhere; wait for its end")
    raise EnvironmentProblem(
        f"{why}, so nobody could tell whether {what} is going on elsewhere; {REMEDY}"
    )


def _why(refusal: OSError, path: Path, answer_seconds: float) -> str:
    if isinstance(refusal, TimeoutError):
        return (
            f"the file system of {path} does not answer: it took more than {answer_seconds:g} s to "
            "lock the file"
        )
    return f"the file system of {path} gives no locks ({refusal.strerror})"


def _is_still_there(held: int, path: Path) -> bool:
    """Whether the file that is locked is the one that others would lock."""
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except OSError:
        return False


def _ask(file: int, how: int, answer_seconds: float) -> OSError | None:
    """Why there is no lock, or None. In a thread: where the lock service hangs the call never
    returns, and no signal that Python handles ends it.
    """
    answers: list[OSError | None] = []
    own = os.dup(file)  # the file may be closed, and its number be another's, before the answer

    def ask() -> None:
        answers.append(_refusal(own, how))
        os.close(own)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(answer_seconds)
    return answers[0] if answers else TimeoutError(errno.ETIMEDOUT, "no answer")


def _refusal(file: int, how: int) -> OSError | None:
    until = time.monotonic() + (ASKING_SECONDS if how == fcntl.LOCK_EX else 0)
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in HELD or time.monotonic() >= until:
                return error
        else:
            return None
        time.sleep(0.01)
