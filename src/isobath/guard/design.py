# SPDX-License-Identifier: Apache-2.0
"""How the error of one whole regression is divided: over claims, cells and looks, beforehand."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

SLOWER, FASTER, GUIDELINES = 0.003, 0.001, 0.001
"""Probability that any cell is called so that is not, and that any guideline is; 0.5 % together."""

SAME = 0.01
"""Probability that a cell which is slower by the margin is called not slower."""

MARGIN = 0.08
TOLERANCE = 0.01
"""Slower means by more than this: a change of 1 % is none."""

SHARES = (0.15, 0.15, 0.70)
"""of each error that is spent at a look; early ones find what is large"""

FRACTIONS = (0.5, 0.75, 1.0)
"""of all pairs, where the looks are"""

MOST_CELLS = 60
"""of the quick suite"""


@dataclass(frozen=True)
class Look:
    """One time at which verdicts are formed."""

    turns: int
    """that were measured by then"""
    share: float
    """of every error, spent here"""


@dataclass(frozen=True)
class Design:
    """What a regression was planned to claim, before its first launch."""

    cells: int
    turns: int
    """at most"""
    margin: float = MARGIN
    tolerance: float = TOLERANCE

    @property
    def slower(self) -> float:
        """Of one cell, over all looks."""
        return SLOWER / max(1, self.cells)

    @property
    def faster(self) -> float:
        """The same of the other direction."""
        return FASTER / max(1, self.cells)

    @cached_property
    def looks(self) -> tuple[Look, ...]:
        """Where no claim could be made yet, nothing is spent: it is kept for the next."""
        return tuple(self._looks())

    def _looks(self) -> Iterator[Look]:
        kept = 0.0
        for fraction, share in zip(FRACTIONS, SHARES, strict=True):
            turns = -(-self.turns * fraction // 1)
            kept += share
            if 0.5**turns < kept * self.slower or fraction == 1.0:
                yield Look(int(turns), kept)
                kept = 0.0

    def look_at(self, turns: int, *, is_last: bool) -> Look | None:
        """The look that falls on a number of turns; the last takes all that is left.

        Args: is_last says that nothing more is measured: the time is over. What ends it is the
            clock, and no value.
        """
        before = [look for look in self.looks if look.turns < turns]
        here = next((look for look in self.looks if look.turns == turns), None)
        if is_last:
            return Look(turns, 1.0 - sum(look.share for look in before))
        return here


def due_looks(design: Design, turns: int, *, is_last: bool) -> list[tuple[int, Look]]:
    """Looks that have fallen due, with the number of values of each."""
    due = [(look.turns, look) for look in design.looks if look.turns <= turns]
    if is_last and (not due or due[-1][0] < turns):
        last = design.look_at(turns, is_last=True)
        assert last is not None
        due.append((turns, last))
    elif is_last and due:
        last = design.look_at(due[-1][0], is_last=True)
        assert last is not None
        due[-1] = (due[-1][0], last)
    return due


def fewest_pairs(cells: int) -> int:
    """Pairs below which nothing can be called slower, whatever they say.

    >>> fewest_pairs(60), fewest_pairs(1)
    (15, 9)
    """
    turns = 1
    while 0.5**turns >= SHARES[-1] * SLOWER / max(1, cells):
        turns += 1
    return turns


def design_turns(design: Design, affordable: int) -> int:
    """Turns of a design; where there is time for the fewest that can claim anything, those."""
    return max(design.turns, min(affordable, fewest_pairs(design.cells)))
