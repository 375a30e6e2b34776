# SPDX-License-Identifier: Apache-2.0
"""All studies in rows: when, what, how large, what came of it. Reading a study costs; what was read
once is kept in a cache whose keys are paths with times, numbers and sizes of the files below, so
that nothing stale is shown.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from isobath import __version__
from isobath.errors import IsobathError
from isobath.files import replace_file
from isobath.store.folders import MANIFEST, RunFolder
from isobath.store.lock import LOCK, LockQuestions
from isobath.study.codes import KEPT
from isobath.study.folder import RUNS
from isobath.study.progress import STATUS, progress_of
from isobath.study.shelf import Shelf, StoredStudy
from isobath.study.tags import read_tags
from isobath.units import Bytes, format_roughly

State = Literal["complete", "unfinished", "running", "changed", "unreadable"]

ENVIRONMENT = "environment.json"
"""What a launch found of its machines."""

CACHE = "catalogue.json"
"""In the folder of states."""


@dataclass(frozen=True)
class Row:
    """A study in one line."""

    study_id: str
    kind: str
    state: State
    headline: str
    graph: str
    mpi: str
    bytes: Bytes
    path: str
    created: str
    """year-month-day hour:minute:second, UTC"""
    tags: tuple[str, ...] = ()
    progress: str = ""
    """of one that is running: 3 of 12 launches"""
    machine: str = ""
    """names of the machines that it was measured on"""


class Catalogue:
    """Rows of studies, with a cache.

    Args: cache is the file; one that cannot be read or written costs time alone.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._known = _read_cache(cache)
        self._fresh: dict[str, dict[str, Any]] = {}
        self._locks = LockQuestions()

    @property
    def problem(self) -> str:
        """Why it is not known which studies are going on, a sentence; empty where it is."""
        return self._locks.problem

    def rows(self, shelf: Shelf) -> list[Row]:
        """Every study of a shelf, oldest first.

        Raises: EnvironmentProblem where tags cannot be read.
        """
        tags: dict[str, tuple[str, ...]] = {}
        for folder in reversed(shelf.folders):
            tags |= read_tags(folder)
        rows = [self._row(study, tags.get(study.study_id, ())) for study in shelf.studies()]
        self._write_cache(shelf)
        return rows

    def _row(self, study: StoredStudy, tags: tuple[str, ...]) -> Row:
        key = f"{study.path} {_fingerprint(study.path)}"
        kept = self._known.get(key)
        if kept is None:
            kept = asdict(read_row(study))
        self._fresh[key] = kept
        row = Row(**{**kept, "tags": tags})
        return _now(study, row, self._locks)

    def _write_cache(self, shelf: Shelf) -> None:
        """Rows of this shelf, and those that are known of others, as long as they are there."""
        here = {str(folder.resolve()) for folder in shelf.folders}
        elsewhere = {
            key: row
            for key, row in self._known.items()
            if os.path.dirname(row["path"]) not in here and os.path.isdir(row["path"])
        }
        self._fresh = elsewhere | self._fresh
        if self._cache is None or self._fresh == self._known:
            return
        with contextlib.suppress(OSError):
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            told = {"version": __version__, "rows": self._fresh}
            replace_file(self._cache, json.dumps(told))


def read_row(study: StoredStudy) -> Row:
    """A row from the study itself; one that cannot be read has a row too."""
    kind = study.entry.load()
    state: State
    row = Row(
        study_id=study.study_id,
        kind=study.entry.name,
        state="unreadable",
        headline="",
        graph="",
        mpi="",
        bytes=_size(study.path),
        path=str(study.path),
        created=_created(study.study_id),
        machine=machines_of(study.path),
    )
    try:
        reading = kind.read(study.path)
        headline = kind.headline(reading)
    except IsobathError as problem:
        state = "changed" if _is_changed(study.path) else "unreadable"
        return replace(row, state=state, headline=str(problem))
    is_complete = headline.is_complete and study.is_sealed and not _has_failed(study)
    state = "complete" if is_complete else "unfinished"
    if kind.is_altered(reading) and study.is_sealed:
        state = "changed"
    return replace(
        row, state=state, headline=headline.words, graph=headline.graph, mpi=headline.mpi
    )


def _is_changed(study: Path) -> bool:
    """Whether a study of one launch is not as it was sealed."""
    try:
        return (study / MANIFEST).is_file() and bool(RunFolder(study).differences())
    except IsobathError:
        return False


def machines_of(study: Path) -> str:
    """Names of the machines of its first launch, of one inside it too; empty where none tells."""
    for path in (study / ENVIRONMENT, *sorted(study.glob(f"**/{RUNS}/*/{ENVIRONMENT}"))):
        try:
            facts = json.loads(path.read_bytes())
            nodes = facts.get("nodes") or [facts]
            names = [str(node["hostname"]) for node in nodes if node.get("hostname")]
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):
            continue
        if names:
            return ", ".join(dict.fromkeys(names))
    return ""


def _has_failed(study: StoredStudy) -> bool:
    """A launch of it, or of a study inside it, would be done again by ``isobath resume``."""
    for path in study.path.glob(f"**/{RUNS}/*/run.json"):
        try:
            code = json.loads(path.read_bytes()).get("exit_code") or 0
        except (OSError, ValueError, AttributeError, RecursionError):
            continue  # damaged: the study is changed, whatever else
        if code not in KEPT:
            return True
    return False


def row_now(study: StoredStudy) -> Row:
    """A row of one study, as it is at this moment, with its tags."""
    tags = read_tags(study.path.parent).get(study.study_id, ())
    return replace(_now(study, read_row(study), LockQuestions()), tags=tags)


def _now(study: StoredStudy, row: Row, locks: LockQuestions) -> Row:
    """What no seal tells: whether somebody runs the study at this moment, a complete one too."""
    if not study.is_sealed:
        status = _status(study.path) if row.state == "unfinished" else ""
        is_running = bool(status) or locks.is_held(study.path)
        return replace(row, state="running", progress=status) if is_running else row
    if study.path.is_file() or not locks.is_held(study.path):
        return row
    progress = progress_of(study.path)
    done = len(list(study.path.glob(f"**/{RUNS}/*/{MANIFEST}")))
    words = progress.words if progress else f"{done} launches done"
    return replace(row, state="running", progress=words)


def _status(path: Path) -> str:
    """What a run that goes on wrote of its progress; empty where its program is gone."""
    try:
        progress = json.loads((path / STATUS).read_bytes())
        os.kill(int(progress["pid"]), 0)
        words = f"{progress['searches_done']} of {progress['searches']} searches"
        left = progress["left_seconds"]
        return words if left is None else f"{words}, about {format_roughly(float(left))} left"
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def _fingerprint(path: Path) -> str:
    """Changes whenever a launch is sealed or any sealed file is written again, moved or removed."""
    newest, count, total = 0, 0, 0
    for entry in _files(str(path)):
        if entry.name in (LOCK, STATUS, "heartbeat.bin"):
            continue
        try:
            state = entry.stat()
        except OSError:  # somebody removed it while we looked
            continue
        newest, count = max(newest, state.st_mtime_ns, state.st_ctime_ns), count + 1
        total += state.st_size
    return f"{newest} {count} {total}"


def _size(path: Path) -> Bytes:
    total = 0
    for entry in _files(str(path)):
        with contextlib.suppress(OSError):
            total += entry.stat().st_size
    return total


def _files(path: str) -> Iterable[os.DirEntry[str]]:
    folders = [path]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            else:
                yield entry


def _created(study_id: str) -> str:
    try:
        began = datetime.strptime(study_id[:15], "%Y%m%d-%H%M%S")
    except ValueError:
        return ""
    return began.isoformat(sep=" ")


def _read_cache(cache: Path | None) -> dict[str, dict[str, Any]]:
    try:
        content = json.loads(cache.read_bytes()) if cache else {}
        rows = content.get("rows", {}) if content.get("version") == __version__ else {}
        return {key: row for key, row in rows.items() if set(row) == set(Row.__annotations__)}
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return {}


def chosen(
    rows: Sequence[Row],
    *,
    kinds: Sequence[str] = (),
    tags: Sequence[str] = (),
    states: Sequence[str] = (),
    since: str = "",
    before: str = "",
    text: str = "",
) -> list[Row]:
    """Rows that fit all of it.

    Args: since and before are beginnings of dates, 2026-11-20; text is looked for in id,
        headline, graph, MPI and machine, in any case.
    """
    wanted = text.lower()
    return [
        row
        for row in rows
        if (not kinds or row.kind in kinds)
        and (not tags or set(tags) & set(row.tags))
        and (not states or row.state in states)
        and row.created >= since
        and (not before or "" < row.created < before)
        and wanted
        in " ".join((row.study_id, row.headline, row.graph, row.mpi, row.machine)).lower()
    ]
