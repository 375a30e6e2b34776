# SPDX-License-Identifier: Apache-2.0
"""What folders of several launches share: one program at a time, and launches that were cut off."""

import contextlib
import fcntl
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from isobath.errors import EnvironmentProblem
from isobath.store.disclosed import clean_folder, cleaner_of_this_process, stored_plan
from isobath.store.folders import PARTIAL

CUT_OFF = "cut-off"
"""Folder of launches that were interrupted; each was or will be done again."""


Contents = TypeVar("Contents")


def read_plan(path: Path, validate: Callable[[bytes], Contents], noun: str) -> Contents:
    """What a study was asked for. Raises: EnvironmentProblem where the file is missing or damaged.

    Args: noun is what to start again, for example ``benchmark``.
    """
    try:
        return validate(path.read_bytes())
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}; check the path") from error
    except ValueError as error:
        raise EnvironmentProblem(
            f"cannot read {path}: the file is damaged; start the {noun} again"
        ) from error


def set_aside(study: Path, runs: Path, name: str) -> None:
    """Moves what was cut off out of the way of the run that takes its place.

    Raises: EnvironmentProblem where it cannot be moved.
    """
    for found in (runs / name, runs / (name + PARTIAL)):
        if not found.is_dir():
            continue
        try:
            (study / CUT_OFF).mkdir(exist_ok=True)
            aside = study / CUT_OFF / f"{found.name}-{secrets.token_hex(2)}"
            found.rename(aside)
            clean_folder(aside, cleaner_of_this_process())
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot move {found}: {error.strerror}; mend the permissions"
            ) from error


@contextlib.contextmanager
def locked(study: Path, what: str) -> Iterator[None]:
    """One program at a time runs a study.

    Args: what names it in a sentence.
    Raises: EnvironmentProblem where another program runs it.
    """
    path = study / "lock"
    try:
        out = path.open("w", encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; mend the permissions"
        ) from error
    with out:
        try:
            fcntl.flock(out, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise EnvironmentProblem(f"{what} is going on elsewhere; wait for its end") from error
        yield


def write_durably(study: Path, name: str, text: str, *, option: str = "--benches") -> None:
    """A JSON file of a study in one step, on disk before it has its name; the folder is made.

    Args: option names another folder.
    Raises: EnvironmentProblem where it cannot be written.
    """
    try:
        study.mkdir(parents=True, exist_ok=True)
        fresh = study / (name + ".new")
        with fresh.open("w", encoding="utf-8") as out:
            out.write(stored_plan(text) + "\n")
            out.flush()
            os.fsync(out.fileno())
        fresh.rename(study / name)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {study}: {error.strerror}; name another folder with {option}"
        ) from error
