# SPDX-License-Identifier: Apache-2.0
"""What changed between two sides: said before any number."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isobath.comparison.measured import Side, words_of
from isobath.comparison.table_switches import without_shared

NOT_TOLD = "not recorded"

VARIABLE, NOT_SET = "variable ", "not set"
"""Before the name of a variable of the environment; those that are set are recorded."""


@dataclass(frozen=True)
class Change:
    """One fact or setting that is not alike."""

    name: str
    before: str
    after: str


def changes_of(reference: Side, other: Side) -> tuple[Change, ...]:
    """Facts of launches, in the order in which they are told, then settings of cells.

    What one side did not record is no change, and is not known to be none: it is told as that.
    """
    changes = list(_differences(reference.facts, other.facts))
    ours, theirs = reference.settings, other.settings
    settings = (
        ({name: tuple(map(words_of, values)) for name, values in side.items()})
        for side in (ours, theirs)
    )
    mine, there = settings
    facts = reference.facts.keys() | other.facts.keys()
    shared = {name for name in mine if name in there and name not in facts}
    changes += _differences(
        {name: mine[name] for name in mine if name in shared},
        {name: there[name] for name in there if name in shared},
    )
    return tuple(changes)


def _differences(
    before: Mapping[str, tuple[str, ...]], after: Mapping[str, tuple[str, ...]]
) -> Iterable[Change]:
    for name in dict.fromkeys((*before, *after)):
        mine, other = before.get(name, ()), after.get(name, ())
        if set(mine) != set(other):
            left, right = without_shared(name, mine, other)
            nothing = NOT_SET if name.startswith(VARIABLE) else NOT_TOLD
            yield Change(name, ", ".join(left) or nothing, ", ".join(right) or nothing)
