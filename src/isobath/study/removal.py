# SPDX-License-Identifier: Apache-2.0
"""Studies that are no longer wanted. What a tag, a baseline or another study refers to
is never taken.
"""

import contextlib
import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.store.folders import MANIFEST
from isobath.store.lock import LOCK, LockHeld, LockQuestions, is_locked, locked
from isobath.study.catalogue import Row
from isobath.study.tags import keep_tags

GONE = ".removing-"
"""A study is renamed to this before its files go: it is there whole, or not at all."""

RUNNING = "it is running"


@dataclass(frozen=True)
class Kept:
    """A study that stays, and why."""

    row: Row
    why: str


def separate(
    rows: Sequence[Row],
    references: Mapping[str, Sequence[Row]],
    baselines: Mapping[str, str] | None = None,
) -> tuple[list[Row], list[Kept]]:
    """What may go, and what stays.

    Args: references are, by id, the studies that refer to it. One that goes with it does not hold
        it. baselines are, by id, names of baselines that name it.
    """
    locks = LockQuestions()
    whys = {row.path: _why(row, locks, baselines or {}) for row in rows}
    going = {row.path: row for row in rows if not whys[row.path]}  # copies have the same id
    while True:
        held = {
            path
            for path, row in going.items()
            if any(other.path not in going for other in references.get(row.study_id, ()))
        }
        if not held:
            break
        going = {path: row for path, row in going.items() if path not in held}
    kept = [
        Kept(row, whys[row.path] or f"{_holder(references[row.study_id], going)} refers to it")
        for row in rows
        if row.path not in going
    ]
    return list(going.values()), kept


def _holder(referring: Sequence[Row], going: Mapping[str, Row]) -> str:
    """The first study of these that stays."""
    return next(row.study_id for row in referring if row.path not in going)


def _why(row: Row, locks: LockQuestions, baselines: Mapping[str, str]) -> str:
    # A complete or changed study can be gone on with too; its state does not tell.
    is_running = row.state == "running" or locks.is_held(Path(row.path))
    baseline = baselines.get(row.study_id)
    named = f"the baseline {baseline} refers to it" if baseline else ""
    return _tagged(row.study_id, row.tags) or (RUNNING if is_running else named)


def _tagged(study_id: str, tags: Sequence[str]) -> str:
    words = ",".join(tags)
    away = f"./isobath tag {study_id} --remove {words}"
    return f"it is tagged {words}; take the tags away with {away}" if words else ""


def beyond(rows: Sequence[Row], keep: int) -> list[Row]:
    """All but the newest ``keep`` of each kind. Args: rows, oldest first."""
    older: list[Row] = []
    for kind in dict.fromkeys(row.kind for row in rows):
        of_kind = [row for row in rows if row.kind == kind]
        older += of_kind[: max(0, len(of_kind) - keep)]
    return sorted(older, key=lambda row: row.study_id)


def remove(row: Row) -> Kept | None:
    """Removes a study, unless somebody tagged it or went on with it since it was looked at.

    Raises: EnvironmentProblem where it cannot be removed; it is then there whole, or gone.
    """
    path = Path(row.path)
    hidden = path.with_name(f"{GONE}{path.name}-{secrets.token_hex(2)}")
    with contextlib.ExitStack() as held:
        try:
            with keep_tags(path.parent) as tags:
                why = _tagged(row.study_id, tags.get(row.study_id, ()))
                if not why and not _can_be_held(path, held):
                    why = RUNNING
                if why:
                    return Kept(row, why)
                path.rename(hidden)
            shutil.rmtree(hidden)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot remove {path}: {error.strerror}; mend the permissions"
            ) from error
    return None


def _can_be_held(path: Path, held: contextlib.ExitStack) -> bool:
    """Whether nobody else runs it; nobody begins to, as long as it is held.

    Raises: EnvironmentProblem where the file system gives no locks.
    """
    if (path / MANIFEST).is_file() or not (path / LOCK).is_file():
        return not is_locked(path)  # a sealed launch is never gone on with
    try:
        held.enter_context(locked(path, f"the study {path.name}"))
    except LockHeld:
        return False
    return True


def sweep(folders: Sequence[Path]) -> None:
    """Takes away what an interrupted removal left."""
    for folder in folders:
        for left in folder.glob(f"{GONE}*"):
            shutil.rmtree(left, ignore_errors=True)
