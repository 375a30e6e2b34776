# SPDX-License-Identifier: Apache-2.0
"""All studies of one or several folders: listed, and found by what a person types."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from isobath.errors import UsageError
from isobath.settings.values import nearest, or_nearest
from isobath.store.folders import MANIFEST, PARTIAL
from isobath.study.bare import beginning_of
from isobath.study.folder import STUDY
from isobath.study.kinds import KINDS, KindEntry, entry_named
from isobath.study.tags import read_tags

LAST = "last"
NAMED = 3
"""studies that a refusal names"""

RECORDS = ".jsonl"
"""how names of files of records end"""

SECOND = len("20261121-081500")
"""characters of an id that tell the second"""


class NoSuchStudy(UsageError):
    """Nothing that is stored is called so."""


@dataclass(frozen=True)
class StoredStudy:
    """A study as it lies on disk, before anything of it is read."""

    path: Path
    """a folder, or the file of records that an engine program wrote by itself"""
    entry: KindEntry
    study_id: str
    """as it was given when the study began, whatever the folder is called today"""
    is_sealed: bool = True
    """False where a study of one launch goes on, or was cut off"""
    began: float = 0.0
    """in seconds since 1970, with fractions; 0 where no file tells"""

    @property
    def order(self) -> tuple[str, float, str]:
        """Sorts by time, those of one second too: the end of an id was drawn."""
        return self.study_id[:SECOND], self.began, self.study_id


@dataclass(frozen=True)
class Shelf:
    """Folders of studies. New ones go to the first.

    Args: folders need not exist.
    """

    folders: tuple[Path, ...]

    def studies(self) -> list[StoredStudy]:
        """All of them, oldest first."""
        by_path = {study.path: study for folder in self.folders for study in _in_folder(folder)}
        return sorted(by_path.values(), key=lambda study: (study.order, str(study.path)))

    def find(self, wanted: str, kinds: Sequence[str] = (), *, files: bool = False) -> StoredStudy:
        """The study that is meant: its path, its id, the unique beginning of its id, a tag that it
        alone has, ``last``, or ``last:KIND``.

        Args: kinds are those that are looked for; none means all. With files, a path may be that of
            records that an engine program wrote by itself.
        Raises: UsageError naming what there is.
        """
        path = Path(wanted)
        if (os.sep in wanted or path.suffix == RECORDS) and path.is_file():
            return _in_file(path, allowed=files)
        try:
            return self._stored(wanted, kinds)
        except NoSuchStudy:
            if path.is_file():
                return _in_file(path, allowed=files)
            raise

    def _stored(self, wanted: str, kinds: Sequence[str]) -> StoredStudy:
        at_path = study_at(Path(wanted)) if os.sep in wanted or wanted in (".", "..") else None
        if at_path is not None:
            return _of_kind(at_path, kinds)
        word, _, named = wanted.partition(":")
        if word == LAST and named:
            entry = entry_named(named)
            if entry is None:
                raise UsageError(f"{printable(wanted)}: there is no such kind{or_near_kind(named)}")
            return _of_kind(self.find(LAST, (entry.name,)), kinds)
        studies = [study for study in self.studies() if not kinds or study.entry.name in kinds]
        if not studies:
            raise NoSuchStudy(f"there is no {_noun(kinds)} in {self._where()}{_beginning(kinds)}")
        if wanted == LAST:
            return ([study for study in studies if study.is_sealed] or studies)[-1]
        return self._named(wanted.rstrip(os.sep), studies, kinds)

    def tagged(self, tag: str) -> list[StoredStudy]:
        """All that have a tag, oldest first."""
        return _tagged(self.studies(), tag)

    def unsealed_after(self, study: StoredStudy) -> list[StoredStudy]:
        """Later ones that go on, or were cut off: ``last`` passes them over."""
        if not study.is_sealed:
            return []
        return [
            later for later in self.studies() if later.order > study.order and not later.is_sealed
        ]

    def _named(self, name: str, studies: list[StoredStudy], kinds: Sequence[str]) -> StoredStudy:
        if not name:
            raise UsageError("an empty name is no study; write an id, its beginning, or last")
        # A copy of a folder has the id of the study that it was made of, and a name of its own.
        matches = [study for study in studies if name == study.study_id == study.path.name]
        matches = matches or [
            study for study in studies if name in (study.study_id, study.path.name)
        ]
        matches = matches or [study for study in studies if study.study_id.startswith(name)]
        matches = matches or _tagged(studies, name)
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UsageError(f"{printable(name)} means {len(matches)} studies: {_told(matches)}")
        latest = ", ".join(study.study_id for study in studies[-NAMED:])
        near = nearest(name, self._names(studies))
        raise NoSuchStudy(
            f"no {_noun(kinds)} is called {printable(name)} in {self._where()}; "
            f"{f'did you mean {near}? The' if near else 'the'} latest are {latest}"
        )

    def _names(self, studies: Sequence[StoredStudy]) -> Iterator[str]:
        """What studies can be called, the newest first: of names that are as near it counts."""
        yield LAST
        for folder in self.folders:
            yield from (tag for tags in read_tags(folder).values() for tag in tags)
        yield from (study.study_id for study in reversed(studies))

    def _where(self) -> str:
        return str(self.folders[0])


def study_at(path: Path) -> StoredStudy | None:
    """The study whose folder this is, or None."""
    return _study_in(path.resolve(), frozenset(_names(path)))


def _study_in(path: Path, names: frozenset[str]) -> StoredStudy | None:
    header = _header(path / STUDY) if STUDY in names else None
    if header is not None:
        entry = entry_named(str(header.get("kind")))
        if entry is None:
            return None
        began = _seconds(header.get("created"))
        return StoredStudy(path, entry, _id_of(path, header.get("study_id")), began=began)
    for entry in KINDS:
        if entry.older in names and _is_older(path / entry.older, entry.older_key):
            return StoredStudy(path, entry, _id_of(path, path.name))
    return _single(path, names)


def _is_older(plan: Path, key: str) -> bool:
    return plan.is_file() and (not key or key in (_header(plan) or {}))


def _in_file(path: Path, *, allowed: bool) -> StoredStudy:
    beginning = beginning_of(path)
    entry = entry_named(beginning.kind) if beginning else None
    name = printable(str(path))
    if beginning is None or entry is None:
        raise UsageError(f"{name} holds no records of an engine program; name another file")
    study = StoredStudy(path.resolve(), entry, printable(beginning.run_id), is_sealed=False)
    if not allowed:
        require_stored(study, name)
    return study


def require_stored(study: StoredStudy, name: str = "") -> None:
    """Raises: UsageError for a file of records, which cannot be tagged, removed or gone on with.

    Args: name is what the person wrote.
    """
    if study.path.is_file():
        raise UsageError(
            f"{name or printable(str(study.path))} is a file of records, not a stored study; "
            "./isobath show and report read it"
        )


def _names(path: Path) -> list[str]:
    try:
        return os.listdir(path)
    except OSError:
        return []


def _single(path: Path, names: frozenset[str]) -> StoredStudy | None:
    """A study of one launch: the sealed folder itself, or one that goes on or was cut off."""
    is_sealed = MANIFEST in names
    if not (is_sealed or path.name.endswith(PARTIAL) or "records.jsonl" in names):
        return None
    summary = _header(path / "run.json") or {}
    study_id = _id_of(path, summary.get("run_id"))
    words = study_id.split("-")
    named = entry_named(str(summary.get("kind") or (words[2] if len(words) > 2 else "")))
    entry = named or entry_named("run")
    began = _seconds(summary.get("started"))
    return StoredStudy(path, entry, study_id, is_sealed, began) if entry else None


def _seconds(told: object) -> float:
    """A moment as files hold it; 0 for what is none."""
    try:
        return datetime.fromisoformat(str(told)).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _id_of(path: Path, told: object) -> str:
    """As it is shown everywhere: a file may hold anything, and a terminal obeys."""
    return printable(str(told or path.name.removesuffix(PARTIAL)))


def _in_folder(folder: Path) -> Iterator[StoredStudy]:
    try:
        # What begins with a dot is none: removal.py renames what it takes away.
        names = [
            entry.name
            for entry in os.scandir(folder)
            if entry.is_dir() and not entry.name.startswith(".")
        ]
    except OSError:
        return
    there = folder.resolve()
    for name in sorted(names):
        path = (there / name).resolve() if (there / name).is_symlink() else there / name
        study = _study_in(path, frozenset(_names(path)))
        if study is not None:
            yield study


def _of_kind(study: StoredStudy, kinds: Sequence[str]) -> StoredStudy:
    if kinds and study.entry.name not in kinds:
        raise UsageError(
            f"{printable(str(study.path))} holds a {study.entry.noun}, not a {_noun(kinds)}; show "
            f"it with ./isobath show {printable(str(study.path))}"
        )
    return study


def _told(matches: Sequence[StoredStudy]) -> str:
    """Several, so that each can be typed: by path where ids are the same; and what to do."""
    ids = Counter(study.study_id for study in matches)
    last = matches[-10:]
    names = (
        study.study_id if ids[study.study_id] == 1 else printable(str(study.path)) for study in last
    )
    are_copies = any(ids[study.study_id] > 1 for study in last)
    return f"{', '.join(names)}; write {'a whole path' if are_copies else 'more of the id'}"


def or_near_kind(word: str) -> str:
    """Goes on after a word that is no kind: the nearest, and all there are."""
    return or_nearest(word, [kind.name for kind in KINDS], also=[kind.word for kind in KINDS])


def _tagged(studies: Sequence[StoredStudy], tag: str) -> list[StoredStudy]:
    tags = {folder: read_tags(folder) for folder in {study.path.parent for study in studies}}
    return [study for study in studies if tag in tags[study.path.parent].get(study.study_id, ())]


def _noun(kinds: Sequence[str]) -> str:
    entry = entry_named(kinds[0]) if kinds else None
    return entry.noun if entry else "study"


def _beginning(kinds: Sequence[str]) -> str:
    entry = entry_named(kinds[0] if kinds else "run")
    return f"; make one with ./isobath {entry.name} {entry.arguments}".rstrip() if entry else ""


def _header(path: Path) -> dict[str, object] | None:
    try:
        header = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return header if isinstance(header, dict) else None


def printable(text: str) -> str:
    """A name as it can be shown: no escape sequences, no line breaks."""
    return "".join(character if character.isprintable() else "?" for character in text)
