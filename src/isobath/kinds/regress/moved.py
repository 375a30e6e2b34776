# SPDX-License-Identifier: Apache-2.0
"""Decisions of the library that are surely other ones than when the baseline was measured.

Nothing is estimated here, so nothing is spent of the error: the algorithm was read on both sides.
"""

from dataclasses import dataclass

from isobath.baseline.accepting import accepted_factors
from isobath.kinds.regress.reading import MeasuredCell, RegressFound

READ = ("stack", "forced")
"""Sources that say what ran: its functions on the stack, or a variable that was read back. The
library's table says what should run, and is no reading."""


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
    if kept.chosen_source not in READ or new.chosen.source not in READ:
        return ""
    if old is not None and (old.chosen is None or old.chosen.name != kept.chosen):
        return ""
    return new.chosen.name if new.chosen.name != kept.chosen else ""
