# SPDX-License-Identifier: Apache-2.0
"""The registry: every kind of study in one line each. Nothing of a kind is imported to list it."""

import importlib
from dataclasses import dataclass
from typing import Any, cast

from isobath.study.kind import Kind


@dataclass(frozen=True)
class KindEntry:
    """A kind as it is found on disk."""

    name: str
    """as its command"""
    noun: str
    """in sentences"""
    place: str
    """module and name of its Kind"""
    word: str
    """in the names of its studies; of runs it is their scale"""
    arguments: str = ""
    """what its command needs, where a person is told how to make one"""
    older: str = ""
    """file that held its plan before there was study.json; empty for studies of one launch"""
    older_key: str = ""
    """what only its own plans have in that file, where several kinds had it"""

    @property
    def label(self) -> str:
        """One short word for the study, before its path."""
        return "bench" if self.name.startswith("bench") else self.name

    def load(self) -> Kind[Any]:
        """The kind itself; imports what it needs."""
        module, _, attribute = self.place.partition(":")
        return cast(Kind[Any], getattr(importlib.import_module(module), attribute))


KINDS = (
    KindEntry("run", "run", "isobath.kinds.run.kind:KIND", "run"),
    KindEntry("search", "search", "isobath.kinds.run.kind:KIND", "search", "FILE"),
    KindEntry("race", "race", "isobath.kinds.race.kind:KIND", "race", older="race.json"),
    KindEntry("profile", "profile", "isobath.kinds.profile.kind:KIND", "profile", "-- COMMAND"),
    KindEntry(
        name="bench replay",
        noun="replay of a search",
        place="isobath.kinds.replay.kind:KIND",
        word="replay",
        arguments="RUN",
        older="bench.json",
        older_key="replayed",
    ),
    KindEntry(
        name="bench collectives",
        noun="benchmark of collectives",
        place="isobath.kinds.collectives.kind:KIND",
        word="bench",
        older="bench.json",
    ),
    KindEntry(
        name="bench overlap",
        noun="benchmark of overlap",
        place="isobath.kinds.overlap.kind:KIND",
        word="overlap",
        older="overlap.json",
    ),
    KindEntry(
        name="bench cg",
        noun="benchmark of conjugate gradients",
        place="isobath.kinds.cg.kind:KIND",
        word="cg",
        older="cg.json",
    ),
)


def entry_named(name: str) -> KindEntry | None:
    """By its command (bench cg), the end of that (cg) or the word in its ids (bench)."""
    return next(
        (one for one in KINDS if name in (one.name, one.name.rpartition(" ")[2], one.word)), None
    )


def entry_of(name: str) -> KindEntry:
    """The same for a name that is known to be one. Raises: KeyError."""
    found = entry_named(name)
    if found is None:
        raise KeyError(name)
    return found
