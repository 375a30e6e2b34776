# SPDX-License-Identifier: Apache-2.0
"""A baseline on disk: a folder of entries that is only ever added to.

NAME/000000-DIGEST.json   the archive; then, in their order, what was added
NAME/origin.json          which entries came in files, and signatures (provenance.py)
NAME/coming               it is being taken in, or that was cut off: nothing of it counts
NAME/lock                 held while something is added
"""

import hashlib
import os
import re
import secrets
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from isobath.baseline.entries import (
    Acceptance,
    Archive,
    Regression,
    Sitting,
    line_of,
    shows_as_it_is,
)
from isobath.baseline.lines import (
    LARGEST_ENTRY,
    NOT_SHOWN,
    Any_,
    check_cells,
    check_size,
    entry_of,
)
from isobath.baseline.provenance import FILE as ORIGIN
from isobath.baseline.provenance import NONE_CAME, Provenance, Vouching, read_provenance
from isobath.errors import EnvironmentProblem, UsageError
from isobath.files import force_to_disk
from isobath.settings.values import or_nearest
from isobath.store.lock import locked

EntryT = TypeVar("EntryT", Acceptance, Sitting, Regression)

NAME = re.compile(r"[A-Za-z][A-Za-z0-9._+-]{0,59}\Z")
FILE = re.compile(r"(\d{6})-([0-9a-f]{64})\.json\Z")
COMING = "coming"


def digest_of(line: str) -> str:
    """That says an entry, and in the next one all before it."""
    return hashlib.sha256(line.encode()).hexdigest()


@dataclass(frozen=True)
class Baseline:
    """All entries, each held against the digest of the one before."""

    name: str
    lines: tuple[str, ...]
    entries: tuple[Any_, ...]
    provenance: Provenance = NONE_CAME
    """whose they are; of a baseline on disk"""

    @property
    def archive(self) -> Archive:
        """What was measured."""
        first = self.entries[0]
        assert isinstance(first, Archive)
        return first

    @property
    def head(self) -> str:
        """Digest of the last entry: it says the whole chain."""
        return digest_of(self.lines[-1])

    @property
    def id(self) -> str:
        """Digest of the archive: the same of all copies."""
        return digest_of(self.lines[0])

    @property
    def accepted(self) -> tuple[Acceptance, ...]:
        """Oldest first."""
        return tuple(entry for entry in self.entries if isinstance(entry, Acceptance))

    @property
    def sittings(self) -> tuple[Sitting, ...]:
        """Oldest first."""
        return tuple(entry for entry in self.entries if isinstance(entry, Sitting))

    @property
    def regressions(self) -> tuple[Regression, ...]:
        """Oldest first."""
        return tuple(entry for entry in self.entries if isinstance(entry, Regression))


def chained(name: str, lines: Sequence[str], where: str) -> Baseline:
    """Args: where names the source in sentences.

    Raises: EnvironmentProblem where a line is not what the chain says.
    """
    check_size(lines, where)
    entries: list[Any_] = []
    previous = ""
    for number, line in enumerate(lines):
        entry = entry_of(line, f"{where}: entry {number}")
        if entry.previous != previous or isinstance(entry, Archive) != (number == 0):
            raise EnvironmentProblem(
                f"{where}: entry {number} does not follow the one before it: something was taken "
                "out, put in or exchanged; get the file again from who made it"
            )
        entries.append(entry)
        previous = digest_of(line)
    if not entries:
        raise EnvironmentProblem(f"{where} holds no baseline; name another")
    check_cells(entries, where)
    return Baseline(name, tuple(lines), tuple(entries))


@dataclass(frozen=True)
class BaselineFolder:
    """One baseline on disk."""

    path: Path

    @property
    def name(self) -> str:
        """What a person types."""
        return self.path.name

    @property
    def is_there(self) -> bool:
        """It has an entry; what a kill left before the first is nothing."""
        return bool(self._files())

    def read(self) -> Baseline:
        """Raises: EnvironmentProblem where a file is missing, foreign or was changed."""
        lines = []
        for number, (place, digest, path) in enumerate(self._files()):
            if place != number:
                raise EnvironmentProblem(
                    f"{self.path}: entry {number} is missing or there twice; import the baseline "
                    "again from a file that was exported"
                )
            line = _text(path)
            if digest_of(line) != digest:
                raise EnvironmentProblem(
                    f"{path} was changed after it was written; import the baseline again from a "
                    "file that was exported"
                )
            lines.append(line)
        whole = chained(self.name, lines, str(self.path))
        return replace(whole, provenance=read_provenance(self.path))

    @property
    def origin(self) -> str:
        """Whose its entries are."""
        return read_provenance(self.path).words(len(self._files()))

    def text(self) -> str:
        """All entries one after the other, whether they fit or not.

        Raises: EnvironmentProblem where one cannot be read.
        """
        return "\n".join(_text(path) for _, _, path in self._files())

    def begin(self, archive: Archive) -> Baseline:
        """Raises: UsageError where there is one, EnvironmentProblem where it cannot be written."""
        line = line_of(archive)
        if not shows_as_it_is(line):
            raise EnvironmentProblem(NOT_SHOWN.format(what="what is to be kept"))
        return self.take_in([line])

    def take_in(self, lines: Sequence[str], vouching: Vouching | None = None) -> Baseline:
        """Writes a chain that is not there yet, whole or not at all, or what it has beyond the one
        that is, entry by entry. Where the one that is there goes on further, it stays.

        Args: vouching is what the file says that it came in; None for what was made here.
        Returns: what is there then.
        Raises: UsageError where another one has that name, EnvironmentProblem where it cannot be
            written.
        """
        coming = chained(self.name, lines, "what is to be kept")
        self._made()
        with self._locked():
            self._clear_what_was_cut_off()
            there = self.read() if self.is_there else None
            first = len(there.lines) if there else 0
            _check_same(there, coming, is_ours=vouching is None)
            known = there.provenance if there else NONE_CAME
            whose = known
            if vouching is not None:
                whose = known.up_to(first).taking_in(first, len(lines), vouching)
            if there is None:
                self._put(COMING, "")
            # Whose they are stands there first: no entry of others is ever taken for ours.
            if whose != known:
                self._put(ORIGIN, whose.text())
            for number in range(first, len(lines)):
                self._write(number, lines[number])
            if there is None:
                self._take_away(self.path / COMING)
        longer = coming if there is None or first < len(lines) else there
        return replace(longer, provenance=whose)

    def _clear_what_was_cut_off(self) -> None:
        """The lock is ours: whoever was taking it in is no more. The mark goes last."""
        if (self.path / COMING).exists():
            cut_off = [path for path in self.path.iterdir() if FILE.match(path.name)]
            for path in (*cut_off, self.path / ORIGIN, self.path / COMING):
                self._take_away(path)

    def _take_away(self, path: Path) -> None:
        try:
            path.unlink(missing_ok=True)
            force_to_disk(self.path)
        except OSError as error:
            raise _not_written(self.path, error) from error

    def append(self, make: Callable[[Baseline], EntryT]) -> EntryT:
        """Adds what is made of the chain as it is then; its ``previous`` is the head.

        Raises: EnvironmentProblem where it cannot be read or written.
        """
        with self._locked():
            before: Baseline = self.read()
            entry = make(before).model_copy(update={"previous": before.head})
            line = line_of(entry)
            if not shows_as_it_is(line):
                raise EnvironmentProblem(NOT_SHOWN.format(what="what is to be kept"))
            chained(self.name, (*before.lines, line), "what is to be kept")
            known = before.provenance
            if known.up_to(len(before.lines)) != known:  # of what was to come, and was cut off
                self._put(ORIGIN, known.up_to(len(before.lines)).text())
            self._write(len(before.lines), line)
        return entry

    def _locked(self) -> AbstractContextManager[None]:
        return locked(self.path, f"a change of the baseline {self.name}")

    def _made(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _not_written(self.path, error) from error

    def _files(self) -> list[tuple[int, str, Path]]:
        try:
            names = sorted(os.listdir(self.path))
        except OSError:
            return []
        if COMING in names:
            return []
        matches = [(FILE.match(name), self.path / name) for name in names]
        return [(int(hit[1]), hit[2], path) for hit, path in matches if hit is not None]

    def _write(self, number: int, line: str) -> None:
        self._put(f"{number:06}-{digest_of(line)}.json", line)

    def _put(self, name: str, text: str) -> None:
        """In one step, on disk before it has its name."""
        for left in self.path.glob("*.new"):
            left.unlink(missing_ok=True)  # of who was killed: the lock is ours
        fresh = self.path / f"{secrets.token_hex(4)}.new"
        try:
            with fresh.open("x", encoding="ascii") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            fresh.rename(self.path / name)
            force_to_disk(self.path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise _not_written(self.path, error) from error


def _check_same(there: Baseline | None, coming: Baseline, *, is_ours: bool) -> None:
    """One is the beginning of the other. Args: is_ours refuses one that is shorter."""
    if there is None:
        return
    shorter = min(len(there.lines), len(coming.lines))
    is_shorter = shorter < len(there.lines)
    if there.lines[:shorter] == coming.lines[:shorter] and not (is_ours and is_shorter):
        return
    if is_ours:
        raise UsageError(f"there is another baseline {there.name} already; choose another name")
    same = there.lines[0] == coming.lines[0]
    why = "both went on differently since" if same else "it was measured another time"
    raise UsageError(
        f"there is another baseline {there.name} already ({why}); import this one with --name OTHER"
    )


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_ENTRY:
            raise EnvironmentProblem(f"{path} is too large to be an entry of a baseline")
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise EnvironmentProblem(f"cannot read {path}: {why}; import the baseline again") from error


def _not_written(path: Path, error: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"cannot write {path}: {error.strerror}; what was there is untouched: free space or mend "
        "the permissions"
    )


@dataclass(frozen=True)
class BaselineShelf:
    """The folder of baselines."""

    path: Path

    def place(self, name: str) -> BaselineFolder:
        """Where one of that name is or would be. Raises: UsageError for what is no name."""
        if not NAME.match(name):
            raise UsageError(
                f"{name!a} is no name of a baseline; begin with a letter and use letters, digits, "
                ". _ + - (60 at most)"
            )
        return BaselineFolder(self.path / name)

    def find(self, name: str) -> BaselineFolder:
        """Raises: UsageError naming those that there are."""
        place = self.place(name)
        if place.is_there:
            return place
        there = [folder.name for folder in self.all()]
        if not there:
            raise UsageError(
                "there is no baseline yet; make one: ./isobath baseline set NAME STUDY..."
            )
        raise UsageError(f"there is no baseline {name}{or_nearest(name, there)}")

    def all(self) -> list[BaselineFolder]:
        """By name."""
        try:
            names = sorted(os.listdir(self.path))
        except OSError:
            return []
        folders = [BaselineFolder(self.path / name) for name in names if NAME.match(name)]
        return [folder for folder in folders if folder.is_there]
