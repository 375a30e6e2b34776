# SPDX-License-Identifier: Apache-2.0
"""Switch points that moved in the library's own tables, and the sizes that lie between.

What the tables say is read from the library's file (launch/selection_tables.py). The device may
take a collective before its table is asked, so a switch that moved says what may run, not what ran.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from isobath.comparison.decisions import Step, SwitchChange, moved_steps
from isobath.comparison.measured import Cell

SELECTION = "MPI selection tables"
"""A digest of what the library's own tables say of each collective: bcast 0a1b2c3d, scan ..."""

SWITCHES = "MPI switch points"
"""Sizes at which they switch: bcast 12289 binomial to scatter_ring_allgather; ..."""

SEPARATORS = {SELECTION: ", ", SWITCHES: "; "}
"""Facts that are lists, of which what is not alike is told alone."""

TOTAL = ", all blocks together"

PREFIXES = {"blocking": "", "nonblocking": "i"}
"""Of a collective's name in the tables; persistent ones have none of their own."""

Facts = Mapping[str, Sequence[str]]
"""of a side: all values of each over its launches"""

ENTRY = re.compile(r"(\w+) (total )?(\d+) (.+)")


@dataclass(frozen=True)
class MovedInTable:
    """A switch point of a table, and the cells whose sizes lie between where it was and is."""

    switch: SwitchChange
    cells: tuple[str, ...]
    """at which another algorithm may run now"""


def written(switches: Mapping[str, Sequence[str]]) -> str:
    """As a fact of a launch."""
    return SEPARATORS[SWITCHES].join(
        f"{name} {words}" for name, several in switches.items() for words in several
    )


def moved_in_tables(
    before: Facts, after: Facts, cells: Iterable[tuple[str, Cell]]
) -> tuple[MovedInTable, ...]:
    """Of collectives that are measured, where both sides tell their tables.

    Args: cells are those that were measured, with their names.
    """
    if SWITCHES not in before or SWITCHES not in after:
        return ()
    by_collective: dict[str, list[tuple[str, Cell]]] = {}
    for name, cell in cells:
        collective = str(cell.identity.get("collective") or "")
        prefix = PREFIXES.get(str(cell.identity.get("form") or "blocking"))
        if collective and prefix is not None and not cell.identity.get("forced"):
            by_collective.setdefault(prefix + collective, []).append((name, cell))
    ours, theirs = _steps(before[SWITCHES]), _steps(after[SWITCHES])
    moved = []
    for curve in sorted(ours.keys() | theirs.keys()):
        collective = curve.removesuffix(TOTAL)
        for switch in moved_steps(curve, ours.get(curve, []), theirs.get(curve, []), "tables"):
            if collective in by_collective:
                between = _between(switch, by_collective[collective])
                moved.append(MovedInTable(switch, tuple(between)))
    return tuple(moved)


def _steps(values: Iterable[str]) -> dict[str, list[Step]]:
    by_curve: dict[str, dict[Step, None]] = {}
    for value in values:
        for entry in value.split(SEPARATORS[SWITCHES]):
            hit = ENTRY.fullmatch(entry)
            if hit is not None:
                first = int(hit[3])
                curve = hit[1] + (TOTAL if hit[2] else "")
                by_curve.setdefault(curve, {})[first - 1, first, hit[4]] = None
    return {curve: sorted(steps) for curve, steps in by_curve.items()}


def _between(switch: SwitchChange, cells: Iterable[tuple[str, Cell]]) -> Iterable[str]:
    """Of one that is gone or new nobody knows where the other algorithm ended: none is named."""
    if switch.before is None or switch.after is None:
        return
    low, high = sorted((switch.before[1], switch.after[1]))
    for name, cell in cells:
        ranks = re.match(r"\d+", cell.bound.get("ranks", ""))
        blocks = int(ranks[0]) if ranks and switch.curve.endswith(TOTAL) else 1
        if low <= int(cell.identity.get("size_bytes") or 0) * blocks < high:
            yield name


def without_shared(name: str, ours: Sequence[str], theirs: Sequence[str]) -> tuple[list[str], ...]:
    """Values of a fact, of lists what one side alone says.

    >>> without_shared(SELECTION, ["bcast aa, scan bb"], ["bcast cc, scan bb"])
    (['bcast aa'], ['bcast cc'])
    """
    separator = SEPARATORS.get(name)
    if separator is None:
        return list(ours), list(theirs)
    mine, there = (
        dict.fromkeys(entry for value in side for entry in value.split(separator))
        for side in (ours, theirs)
    )
    both = mine.keys() & there.keys()
    return [entry for entry in mine if entry not in both], [
        entry for entry in there if entry not in both
    ]
