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
    older: str = ""
    """file that held its plan before there was study.json; empty for studies of one launch"""

    def load(self) -> Kind[Any]:
        """The kind itself; imports what it needs."""
        module, _, attribute = self.place.partition(":")
        return cast(Kind[Any], getattr(importlib.import_module(module), attribute))


KINDS = (
    KindEntry(
        name="bench cg",
        noun="benchmark of conjugate gradients",
        place="isobath.kinds.cg.kind:KIND",
        word="cg",
        older="cg.json",
    ),
)


def entry_named(name: str) -> KindEntry | None:
    """By its command (bench cg) or the word in its names (cg)."""
    return next((one for one in KINDS if name in (one.name, one.word)), None)


def entry_of(name: str) -> KindEntry:
    """The same for a name that is known to be one. Raises: KeyError."""
    found = entry_named(name)
    if found is None:
        raise KeyError(name)
    return found
