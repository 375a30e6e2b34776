# SPDX-License-Identifier: Apache-2.0
"""Studies that are no longer wanted. What a tag or another study refers to is never taken."""

import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.store.lock import is_locked
from isobath.study.catalogue import Row

GONE = ".removing-"
"""A study is renamed to this before its files go: it is there whole, or not at all."""


@dataclass(frozen=True)
class Kept:
    """A study that stays, and why."""

    row: Row
    why: str


def separate(
    rows: Sequence[Row], references: Mapping[str, Sequence[str]]
) -> tuple[list[Row], list[Kept]]:
    """What may go, and what stays.

    Args: references are, by id, the studies that refer to it. One that goes with it does not hold
        it.
    """
    going = {row.study_id for row in rows if not _why(row)}
    while True:
        held = {
            name for name in going if any(other not in going for other in references.get(name, ()))
        }
        if not held:
            break
        going -= held
    kept = [
        Kept(row, _why(row) or f"{references[row.study_id][0]} refers to it")
        for row in rows
        if row.study_id not in going
    ]
    return [row for row in rows if row.study_id in going], kept


def _why(row: Row) -> str:
    if row.tags:
        tags = ",".join(row.tags)
        away = f"./isobath tag {row.study_id} --remove {tags}"
        return f"it is tagged {tags}; take the tags away with {away}"
    # A complete or changed study can be gone on with too; its state does not tell.
    is_running = row.state == "running" or is_locked(Path(row.path))
    return "it is running" if is_running else ""


def beyond(rows: Sequence[Row], keep: int) -> list[Row]:
    """All but the newest ``keep`` of each kind. Args: rows, oldest first."""
    older: list[Row] = []
    for kind in dict.fromkeys(row.kind for row in rows):
        of_kind = [row for row in rows if row.kind == kind]
        older += of_kind[: max(0, len(of_kind) - keep)]
    return sorted(older, key=lambda row: row.study_id)


def remove(row: Row) -> None:
    """Raises: EnvironmentProblem where it cannot be removed; it is then there whole, or gone."""
    path = Path(row.path)
    hidden = path.with_name(f"{GONE}{path.name}-{secrets.token_hex(2)}")
    try:
        path.rename(hidden)
        shutil.rmtree(hidden)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot remove {path}: {error.strerror}; mend the permissions"
        ) from error


def sweep(folders: Sequence[Path]) -> None:
    """Takes away what an interrupted removal left."""
    for folder in folders:
        for left in folder.glob(f"{GONE}*"):
            shutil.rmtree(left, ignore_errors=True)
