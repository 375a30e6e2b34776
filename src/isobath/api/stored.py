# SPDX-License-Identifier: Apache-2.0
"""Stored studies as objects: what isobath list, show, report, tag and resume do."""

import html
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from isobath.api.tables import Table
from isobath.baseline.chain import BaselineShelf
from isobath.baseline.references import held_by_baselines
from isobath.errors import RefusedError, UsageError
from isobath.kinds.pages import write_study_page
from isobath.launch.interrupts import NeverStop, Stop
from isobath.launch.limits import Asked
from isobath.study import home
from isobath.study.across import references
from isobath.study.answers import data_of, findings_of
from isobath.study.catalogue import Row, row_now
from isobath.study.doing import do_study
from isobath.study.driver import Driver
from isobath.study.folder import StudyFolder
from isobath.study.kind import Kind
from isobath.study.kinds import entry_named
from isobath.study.removal import remove, separate
from isobath.study.runner import StudyOutcome
from isobath.study.shelf import Shelf, StoredStudy, or_near_kind, require_stored
from isobath.study.tags import change_tags, read_tags

Where = str | os.PathLike[str] | None
Progress = Callable[[str], None]
"""Takes a line for each launch that ended."""


def _silent(_: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Study:
    """A stored study. What was read of it is kept: call ``reread`` to read it again.

    A launch that is not as it was sealed is in no table; ``problems`` names it.
    """

    stored: StoredStudy

    @property
    def id(self) -> str:
        """As ``isobath list`` shows it."""
        return self.stored.study_id

    @property
    def kind(self) -> str:
        """The command that makes such studies: run, race, bench cg ..."""
        return self.stored.entry.name

    @property
    def path(self) -> Path:
        """The folder, or the file of records of an engine program."""
        return self.stored.path

    @property
    def row(self) -> Row:
        """The study in one line of a list, as it is now: state, headline, graph, size, tags."""
        return row_now(self.stored)

    @cached_property
    def findings(self) -> dict[str, Any]:
        """All that was found, by the versioned model of schema/findings-1.json.

        Raises: EnvironmentProblem where the study cannot be read.
        """
        return findings_of(self._kind, self.path, self._found)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with it, a sentence each; empty where nothing is."""
        return self._kind.problems(self._found)

    @property
    def is_altered(self) -> bool:
        """Whether something is not as it was sealed."""
        return self._kind.is_altered(self._found)

    @property
    def tags(self) -> tuple[str, ...]:
        """Words that somebody gave it."""
        return read_tags(self.path.parent).get(self.id, ())

    @property
    def tables(self) -> tuple[str, ...]:
        """Names for ``table``."""
        return tuple(self._kind.tables)

    def table(self, name: str | None = None) -> Table:
        """Rows of the findings. Args: name may be left out where there is one table alone.

        Raises: UsageError naming the tables that there are.
        """
        there = self._kind.tables
        if name is None and len(there) == 1:
            (name,) = there
        name = self._kind.older_names.get(name, name) if name is not None else None
        if name is None or name not in there:
            asked = f"there is no table {name} of" if name else "name a table of"
            raise UsageError(f"{asked} {self.id}: {', '.join(there)}")
        return Table(name, data_of(self._kind, self._found, name))

    def report(self, page: Where = None) -> Path:
        """Writes the page, where ``isobath report`` does or to ``page``; returns its path.

        Raises: EnvironmentProblem where there is nothing to report or it cannot be written.
        """
        return write_study_page(self.stored, self._found, Path(page) if page is not None else None)

    def tag(self, *words: str, remove: Sequence[str] = ()) -> tuple[str, ...]:
        """Gives it words, or takes some away; returns those that it has then.

        Raises: UsageError for a word that is no tag, and for a file of records.
        """
        require_stored(self.stored)
        return change_tags(self.path.parent, self.id, add=words, remove=tuple(remove))

    def remove(self) -> None:
        """Removes it for good.

        Raises: RefusedError where it has a tag, is running, or another study or a baseline refers
            to it; EnvironmentProblem where it cannot be removed; UsageError for a file of records.
        """
        require_stored(self.stored)
        where = Shelf((self.path.parent, *home.shelf().folders))
        rows = home.catalogue().rows(where)
        own = [row for row in rows if Path(row.path).resolve() == self.path.resolve()]
        baselines = BaselineShelf(home.baselines_beside(self.path))
        going, kept = separate(own, references(rows), held_by_baselines(baselines, [self.id]))
        spared = remove(going[0]) if going else kept[0] if kept else None
        if spared is not None:
            raise RefusedError(f"{self.id} stays: {spared.why}")

    def resume(
        self,
        progress: Progress = _silent,
        stop: Stop | None = None,
        *,
        hang_seconds: float | None = None,
        time_limit: float | None = None,
    ) -> StudyOutcome:
        """Does what is missing or failed and what remains then, and reads the study again.

        Args: stop asks for an end while it goes on; without it the study goes to its last launch.
            hang_seconds and time_limit, in seconds, end a launch as those of ``isobath resume`` do.
        Raises: UsageError for a kind of one launch and for a file of records, EnvironmentProblem
            where it cannot go on.
        """
        require_stored(self.stored)
        asked = Asked(hang_seconds, time_limit)
        to_do = self._kind.work(self.path, Driver(asked, progress))
        if to_do is None:
            raise UsageError(f"a {self.stored.entry.noun} is one launch: it cannot be resumed")
        for sentence in to_do.notes:
            progress(sentence)
        try:
            done = do_study(
                self.stored.entry,
                StudyFolder(self.path),
                to_do.work,
                stop=stop or NeverStop(),
                say=progress,
            )
        finally:
            self.reread()
        for sentence in done.concluded:
            progress(sentence)
        return done.outcome

    def reread(self) -> None:
        """Forgets what was read."""
        for name in ("findings", "_found"):
            self.__dict__.pop(name, None)

    @property
    def _kind(self) -> Kind[Any]:
        return self.stored.entry.load()

    @cached_property
    def _found(self) -> Any:
        return self._kind.read(self.path)

    def __repr__(self) -> str:
        return f"<Study {self.id} ({self.kind})>"

    def _repr_html_(self) -> str:
        facts = {
            "study": self.id,
            "kind": self.kind,
            "found": self.row.headline,
            "state": self.row.state,
            "tables": ", ".join(self.tables),
        }
        lines = [
            f"<tr><th>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in facts.items()
        ]
        return f"<table>{''.join(lines)}</table>"


def studies(kind: str | None = None, *, tag: str | None = None, store: Where = None) -> list[Study]:
    """All stored studies, oldest first.

    Args: kind as ``isobath list --kind``; store is the folder of studies, as ``--store``.
    Raises: UsageError where there is no such kind.
    """
    entry = entry_named(kind) if kind is not None else None
    if kind is not None and entry is None:
        raise UsageError(f"there is no kind {kind}{or_near_kind(kind)}")
    shelf = home.shelf(os.fspath(store) if store is not None else None)
    matching = [
        Study(stored) for stored in shelf.studies() if entry is None or stored.entry is entry
    ]
    return [kept for kept in matching if tag is None or tag in kept.tags]


def study(wanted: str | os.PathLike[str], *, store: Where = None) -> Study:
    """One study: by id, the unique beginning of an id, path, ``last``, ``last:KIND`` or a tag.

    Raises: UsageError naming what there is.
    """
    shelf = home.shelf(os.fspath(store) if store is not None else None)
    return Study(shelf.find(os.fspath(wanted), files=True))
