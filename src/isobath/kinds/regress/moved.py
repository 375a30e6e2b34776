# SPDX-License-Identifier: Apache-2.0
"""Decisions of the library that are surely other ones than when the baseline was measured.

Nothing is estimated here, so nothing is spent of the error: the algorithm was read on both sides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from isobath.baseline.accepting import accepted_factors
from isobath.comparison.table_switches import (
    SELECTION,
    SWITCHES,
    MovedInTable,
    moved_in_tables,
)
from isobath.kinds.regress.reading import MeasuredCell, RegressFound

READ = ("stack", "forced")
"""Sources that say what ran: its functions on the stack, or a variable that was read back. The
library's table says what should run, and is no reading."""

FORCED, TABLE = "forced", "table"
"""A variable of the environment decides; nothing is known but what the table says."""


@dataclass(frozen=True)
class MovedDecision:
    """A cell that surely runs by another algorithm."""

    cell: str
    """its name in the baseline"""
    before: str
    after: str

    @property
    def words(self) -> str:
        """allreduce, 8 B, 2 ranks runs by ring and ran by recursive_doubling."""
        return f"{self.cell} runs by {self.after} and ran by {self.before}"


def moved_decisions(found: RegressFound) -> tuple[MovedDecision, ...]:
    """Where the algorithm was read before and now, is another one, and nobody accepted it.

    In turns the old library has to decide today as it did then: else it is not the library that
    changed. A variable that was set for the library of today was asked for, and is no news.
    """
    if found.baseline is None or found.plan.variables:
        return ()
    accepted = accepted_factors(found.baseline)
    moved = []
    for cell in found.cells:
        name, now = cell.kept.name, other_algorithm(cell)
        if now and not (name in accepted and accepted[name].chosen == now):
            moved.append(MovedDecision(name, cell.kept.chosen, now))
    return tuple(moved)


def other_algorithm(cell: MeasuredCell) -> str:
    """That surely runs now where another surely ran; empty where it is the same or not known."""
    kept, new, old = cell.kept, cell.sides.get("new"), cell.sides.get("old")
    if new is None or new.chosen is None or new.trouble or kept.identity.get("forced"):
        return ""
    if not _is_known(kept.chosen_source, new.chosen.source):
        return ""
    if old is not None and old.chosen is not None and old.chosen.source != kept.chosen_source:
        return ""
    if old is not None and (old.chosen is None or old.chosen.name != kept.chosen):
        return ""
    return new.chosen.name if new.chosen.name != kept.chosen else ""


def _is_known(before: str, now: str) -> bool:
    """Whether another name is surely another decision: both were read, or a variable decides on one
    side and none on the other, where the library went by its table.
    """
    return (before in READ and now in READ) or {before, now} == {FORCED, TABLE}


def moved_tables(regression: RegressFound) -> tuple[str, ...]:
    """Collectives of the suite with another selection table than when the baseline was measured."""
    if regression.baseline is None:
        return ()
    measured = {str(cell.kept.identity.get("collective") or "") for cell in regression.cells}
    before = _tables(launch.facts for member in regression.baseline.archive.members
                     for launch in member.launches.values())  # fmt: skip
    now = _tables(
        launch.facts for side in regression.sides["new"] for launch in side.launches.values()
    )
    return tuple(name for name in sorted(before.keys() & now.keys() & measured)
                 if not before[name] & now[name])  # fmt: skip


def _tables(facts: Iterable[Mapping[str, str]]) -> dict[str, set[str]]:
    """Of each collective the digests that launches tell."""
    digests: dict[str, set[str]] = {}
    for told in {launch.get(SELECTION, "") for launch in facts} - {""}:
        for words in told.split(", "):
            name, _, digest = words.partition(" ")
            digests.setdefault(name, set()).add(digest)
    return digests


def moved_switches(regression: RegressFound) -> tuple[MovedInTable, ...]:
    """Switch points that moved in the library's own tables since the baseline, with the cells whose
    sizes lie between.
    """
    if regression.baseline is None:
        return ()
    before = facts_together(launch.facts for member in regression.baseline.archive.members
                            for launch in member.launches.values())  # fmt: skip
    now = facts_together(launch.facts for side in regression.sides["new"]
                         for launch in side.launches.values())  # fmt: skip
    cells = ((cell.kept.name, cell.sides["new"]) for cell in regression.cells
             if "new" in cell.sides)  # fmt: skip
    return moved_in_tables(before, now, cells)


def facts_together(launches: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """Of the tables, all values over launches."""
    told = [facts[SWITCHES] for facts in launches if SWITCHES in facts]
    return {SWITCHES: tuple(dict.fromkeys(told))} if told else {}
