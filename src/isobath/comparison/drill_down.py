# SPDX-License-Identifier: Apache-2.0
"""Where a difference is: the same cuts of the time on both sides, ranked by seconds.

These are differences of medians over launches. Nothing is tested here: the verdict is that of the
cell, and this says where to look.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from isobath.comparison.matching import Pair
from isobath.comparison.measured import Cell


@dataclass(frozen=True)
class PartRow:
    """One part on both sides. Seconds."""

    part: tuple[str, ...]
    before: float
    after: float

    @property
    def difference(self) -> float:
        """Above 0 where it takes longer now."""
        return self.after - self.before


@dataclass(frozen=True)
class Cut:
    """One way to cut the time, the largest difference first."""

    of: tuple[str, ...]
    rows: tuple[PartRow, ...]


def cuts_of(pair: Pair) -> tuple[Cut, ...]:
    """From coarse to fine; empty where one side does not know where its time went."""
    ours, theirs = _medians(pair.reference), _medians(pair.other)
    cuts = []
    for of, before in ours.items():
        after = theirs.get(of)
        if after is None:
            continue
        parts = dict.fromkeys((*before, *after))
        rows = [PartRow(part, before.get(part, 0.0), after.get(part, 0.0)) for part in parts]
        rows.sort(key=lambda row: (-abs(row.difference), row.part))
        cuts.append(Cut(of, tuple(rows)))
    return tuple(cuts)


def path_of(cuts: Sequence[Cut]) -> tuple[tuple[str, str, PartRow], ...]:
    """Down to the bottom, each time into the part that says most of the one before.

    Each step has what it adds (phase, then level, then call, then size), and which one that is.
    """
    told: dict[str, str] = {}
    steps: list[tuple[str, str, PartRow]] = []
    for cut in cuts:
        shared = [name for name in cut.of if name in told]
        if steps and not shared:
            break
        fresh = [name for name in cut.of if name not in told]
        sign = steps[-1][2].difference if steps else 0.0
        rows = [
            row
            for row in cut.rows
            if all(row.part[cut.of.index(name)] == told[name] for name in shared)
            and row.difference * sign >= 0
            and row.difference != 0
        ]
        if not rows or len(fresh) != 1:
            continue
        row = rows[0]
        told[fresh[0]] = row.part[cut.of.index(fresh[0])]
        steps.append((fresh[0], told[fresh[0]], row))
    return tuple(steps)


def _medians(cell: Cell) -> dict[tuple[str, ...], dict[tuple[str, ...], float]]:
    """By the way to cut, seconds of each part; one that a launch does not have took it none."""
    ways = dict.fromkeys(zoom.of for zooms in cell.zooms for zoom in zooms)
    medians = {}
    for of in ways:
        launches = [zoom.seconds for zooms in cell.zooms for zoom in zooms if zoom.of == of]
        parts = dict.fromkeys(part for launch in launches for part in launch)
        medians[of] = {part: median(launch.get(part, 0.0) for launch in launches) for part in parts}
    return medians
