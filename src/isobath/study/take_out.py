# SPDX-License-Identifier: Apache-2.0
"""A stored study without what is not stored any more: rewritten beside itself, then exchanged.

At every moment the study is whole, as it was or as it will be. What was written beside it lies in
``.take-out``, where no list of studies looks.
"""

import ctypes
import errno
import json
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from isobath import __version__
from isobath.disclosure.documents import Change, Cleaner
from isobath.errors import EnvironmentProblem
from isobath.files import force_to_disk, replace_file
from isobath.store.disclosed import clean_file, read_through
from isobath.store.folders import MANIFEST, RunFolder, file_digest
from isobath.store.lock import LOCK, LockHeld, locked
from isobath.store.study_files import StudyFiles
from isobath.study.folder import STUDY
from isobath.study.shelf import StoredStudy

NOTE = "TAKEN-OUT.json"
BESIDE = ".take-out"
ASIDE = ".old"
EXCHANGE = 2
"""RENAME_EXCHANGE of Linux"""
HERE = -100
"""AT_FDCWD: paths are what they say"""


@dataclass(frozen=True)
class Holdings:
    """What a study holds that is not stored any more."""

    changes: tuple[Change, ...] = ()
    known: tuple[str, ...] = ()
    """values of credentials that were met in it"""

    @property
    def credentials(self) -> tuple[str, ...]:
        """Where credentials stand, each place once."""
        return tuple(dict.fromkeys(change.place for change in self.changes if change.is_credential))

    @property
    def others(self) -> tuple[str, ...]:
        """Where other things stand that explain no performance."""
        places = dict.fromkeys(change.place for change in self.changes if not change.is_credential)
        return tuple(place for place in places if place not in self.credentials)


def holdings(folder: Path) -> Holdings:
    """What would be taken out of a study, or of a page's copies.

    Raises: EnvironmentProblem where a file cannot be read.
    """
    try:
        first = _read(folder, Cleaner())
        known = tuple(sorted(set(first.removed), key=len, reverse=True))
        second = _read(folder, Cleaner(known)) if known else first
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot read {error.filename}: {error.strerror}; check its permissions"
        ) from error
    return Holdings(tuple(second.changes), known)


def _read(folder: Path, cleaner: Cleaner) -> Cleaner:
    for path in StudyFiles(folder).files():
        if path.name != NOTE and path.suffix != ".html":
            read_through(path, cleaner, str(path.relative_to(folder)))
    return cleaner


def take_out(
    study: StoredStudy,
    before_exchange: Callable[[], None] = lambda: None,
    now: datetime | None = None,
) -> Holdings:
    """Rewrites a study without what it should not hold. Returns what that was.

    Launches are sealed again, with a note of what was taken, when, and of the seal before. A file
    that was changed after sealing stays one: its old hash stays in the manifest.

    Args: before_exchange is called when the new study is ready and the old one still in its place.
    Raises: EnvironmentProblem where the study is going on, or cannot be rewritten; it is as it was.
    """
    beside = study.path.parent / BESIDE
    with _alone(study, beside):
        held = holdings(study.path)
        if not held.changes:
            return held
        fresh = beside / study.path.name
        try:
            _remove(fresh)
            _link_all(study.path, fresh)
            _rewrite(fresh, held.known, now or datetime.now(UTC))
        except OSError as error:
            _remove(fresh)
            raise EnvironmentProblem(
                f"cannot rewrite {study.path}: {error.strerror or error}; it is as it was: free "
                "some space or mend the permissions"
            ) from error
        before_exchange()
        _exchange(fresh, study.path)
        _remove(fresh)
    with suppress(OSError):
        (beside / LOCK).unlink()
        beside.rmdir()
    return held


def leftovers(shelf: Path) -> list[Path]:
    """What an interrupted exchange left: studies as they were, with all they held."""
    beside = shelf / BESIDE
    return sorted(path for path in beside.iterdir() if path.is_dir()) if beside.is_dir() else []


def clear(shelf: Path) -> None:
    """Ends what was interrupted: what lies beside is removed, or put back where it is missing.

    Raises: EnvironmentProblem where that cannot be done, or another program is at it.
    """
    beside = shelf / BESIDE
    if not beside.is_dir():
        return
    with _held(beside):
        # What was moved aside comes first: where the study is missing, it goes back.
        for leftover in sorted(leftovers(shelf), key=lambda path: path.suffix != ASIDE):
            place = shelf / leftover.name.removesuffix(ASIDE)
            if leftover.suffix == ASIDE and not place.exists():
                leftover.rename(place)
            _remove(leftover)
    with suppress(OSError):
        (beside / LOCK).unlink()
        beside.rmdir()


@contextmanager
def _alone(study: StoredStudy, beside: Path) -> Iterator[None]:
    """Nobody else writes the study, or takes anything out of its shelf."""
    try:
        beside.mkdir(exist_ok=True)
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {beside}: {error.strerror}; mend the permissions"
        ) from error
    with _held(beside):
        if StudyFiles(study.path).is_going_on() or not study.path.exists():
            raise EnvironmentProblem(f"{study.study_id} is going on; wait for its end")
        if not _has_plan(study):
            yield
            return
        with locked(study.path, f"the {study.entry.noun} {study.study_id}"):
            yield


def _has_plan(study: StoredStudy) -> bool:
    """Whether it has several launches, a lock, and is resumed."""
    plans = [name for name in (STUDY, study.entry.older) if name]
    return any((study.path / name).is_file() for name in plans)


@contextmanager
def _held(beside: Path) -> Iterator[None]:
    """Raises: EnvironmentProblem where another program is at it, or there are no locks."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(beside, "the folder of what is taken out of studies"))
        except LockHeld as error:
            raise EnvironmentProblem(
                "another program takes something out of a study; wait for its end"
            ) from error
        yield


def _link_all(source: Path, target: Path) -> None:
    """The same files under another folder; no contents are copied where links can be made."""
    target.mkdir()
    for path in sorted(source.iterdir()):
        if path.is_symlink():
            (target / path.name).symlink_to(path.readlink())
        elif path.is_dir():
            _link_all(path, target / path.name)
        else:
            try:
                (target / path.name).hardlink_to(path)
            except OSError as error:
                if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK):
                    raise
                shutil.copy2(path, target / path.name)
    shutil.copystat(source, target)


def _rewrite(study: Path, known: tuple[str, ...], now: datetime) -> None:
    """Every folder by itself, so that each launch has its own note and seal."""
    (study / "report.html").unlink(missing_ok=True)  # it is drawn again
    by_folder: dict[Path, list[Path]] = defaultdict(list)
    for path in StudyFiles(study).files():
        by_folder[path.parent].append(path)
    for folder, paths in by_folder.items():
        old = {path.name: file_digest(path) for path in paths}
        taken: dict[str, list[str]] = {}
        for path in paths:
            if path.name in (NOTE, MANIFEST):
                continue
            cleaner = Cleaner(known)
            if clean_file(path, cleaner, ""):
                places = dict.fromkeys(
                    change.place.removeprefix(": ") for change in cleaner.changes
                )
                taken[path.name] = [place for place in places if place] or ["text"]
        if taken:
            _note_and_seal(RunFolder(folder), taken, old, now)
            force_to_disk(folder)


def _note_and_seal(
    run: RunFolder, taken: dict[str, list[str]], old: dict[str, str], now: datetime
) -> None:
    note, manifest = run.path / NOTE, run.path / MANIFEST
    entry = {
        "when": now.isoformat(timespec="seconds"),
        "by": f"isobath {__version__}",
        "old_seal": file_digest(manifest) if run.is_sealed else None,
        "taken_out": taken,
    }
    before = json.loads(note.read_bytes()) if note.is_file() else []
    # The old file may be the study's own, by a link: it is never written to.
    replace_file(note, json.dumps([*before, entry], indent=1) + "\n", durably=True)
    if not run.is_sealed:
        return
    lines = []
    listed = [line.partition("  ")[::2] for line in manifest.read_text("utf-8").splitlines()]
    for digest, name in listed:
        was_sound = old.get(name) == digest
        fresh = file_digest(run.path / name) if was_sound else digest
        lines.append((name, fresh))
    if NOTE not in dict(lines):
        lines.append((NOTE, file_digest(note)))
    told = "".join(f"{digest}  {name}\n" for name, digest in sorted(lines))
    replace_file(manifest, told, durably=True)


def _exchange(fresh: Path, old: Path) -> None:
    """Both folders change their names in one step, where the file system can.

    Where it cannot there is a moment without the study; ``clear`` puts it back.
    """
    with suppress(AttributeError):
        rename = ctypes.CDLL(None, use_errno=True).renameat2
        if rename(HERE, os.fsencode(fresh), HERE, os.fsencode(old), EXCHANGE) == 0:
            return
    aside = fresh.with_name(fresh.name + ASIDE)
    try:
        old.rename(aside)
        fresh.rename(old)
    except OSError as error:
        if aside.exists() and not old.exists():
            aside.rename(old)
        raise EnvironmentProblem(
            f"cannot rename {old}: {error.strerror}; it is as it was: mend the permissions"
        ) from error
    _remove(aside)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
