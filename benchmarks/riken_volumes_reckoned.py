#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reckons the bytes of hybrid and of RIKEN's search on more ranks than any run has.

Usage, after ``./isobath setup`` (the first needs no engine and takes a minute):

    .venv/bin/python benchmarks/riken_volumes_reckoned.py          16x32 at 30, 64x128 at 36
    .venv/bin/python benchmarks/riken_volumes_reckoned.py 32:32x32
    .venv/bin/python benchmarks/riken_volumes_reckoned.py --walk 14:4x4 16:8x8 18:16x16 18:16x32

Ours: data bytes a search (no counts, reductions, or where the root is) by the cost model, with the
90 % interval of draws as ``predict`` makes them, on levels of two sources: walked over classes of
vertices at the scale itself (costmodel/class_walk.py), and those of single roots at the largest
scale that was measured, as ``predict`` has them. Theirs: the volumes of riken_volumes.py on the
same levels, without leaves and with one rank to each frontier source, which favours them. The goal
is kept where the upper end of the ratio is at most half; exit status 1 where it is not.

``--walk`` holds the model against isobath-audit, which counts to the byte what a search over the
real graph must send; directions come from a run on one rank, for they are the same on every grid.
Exit status 1 where an interval does not hold what was walked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from grids import CONTROL  # noqa: E402
from walked_bytes import COUNTS_APART, KEYS, walked  # noqa: E402

from isobath.costmodel.arcs import DEVIATIONS  # noqa: E402
from isobath.costmodel.class_walk import walked_levels  # noqa: E402
from isobath.costmodel.estimates import GraphSetting  # noqa: E402
from isobath.costmodel.grid import Blocks, Grid  # noqa: E402
from isobath.costmodel.hubs import LEFT, hubs_of  # noqa: E402
from isobath.costmodel.levels import (  # noqa: E402
    LevelFacts,
    levels_of_roots,
    measured_profiles,
)
from isobath.costmodel.published import RikenLevel, by_step, riken_volumes  # noqa: E402
from isobath.costmodel.switches import Switches  # noqa: E402
from isobath.costmodel.volumes import search_volumes  # noqa: E402
from isobath.plan.graph_facts import expected_facts  # noqa: E402
from isobath.prediction.costs import DRAWS  # noqa: E402
from isobath.prediction.pieces import Spread, spread_of  # noqa: E402
from isobath.stats.estimates import FloatArray  # noqa: E402

MOST = 0.5
"""Of RIKEN's bytes."""

ASKED = ("30:16x32", "36:64x128")
SEARCHES, DRAWN = 512, 64
"""Searches that are walked over classes, and as many of them as have a mean."""

LARGEST_WALKED = (20, "16x32")
"""Scale and grid at which ``--walk`` found the interval to hold what was walked."""

Levels = tuple[LevelFacts, ...]
SOURCES: dict[str, Callable[[GraphSetting], tuple[Levels, ...]]] = {
    "walked over classes": lambda setting: walked_levels(setting, SEARCHES),
    "of roots, as predict": lambda setting: levels_of_roots(
        setting.scale,
        float(setting.blocks.vertices),
        distinct=setting.is_distinct,
        direction=setting.switches.direction,
    ),
}
"""Levels, and where they come from."""


@dataclass(frozen=True)
class Reckoned:
    """Bytes of searches, all ranks; each of shape (searches,)."""

    low: FloatArray
    expected: FloatArray
    high: FloatArray
    theirs: FloatArray

    def drawn(self) -> tuple[FloatArray, FloatArray]:
        """Mean bytes of a run, ours and theirs; each of shape (draws,). What closed forms are wrong
        by is the same in all searches, as in ``predict``.
        """
        rng = np.random.default_rng(19)
        chosen = rng.integers(len(self.expected), size=(DRAWS, DRAWN))
        deviations = rng.standard_normal(DRAWS) / DEVIATIONS
        up = (self.high - self.expected)[chosen].mean(axis=1)
        down = (self.expected - self.low)[chosen].mean(axis=1)
        wrong = deviations * np.where(deviations > 0, up, down)
        ours = np.maximum(0.0, self.expected[chosen].mean(axis=1) + wrong)
        return ours, self.theirs[chosen].mean(axis=1)

    @property
    def ours(self) -> Spread:
        """Mean bytes a search."""
        return spread_of(float(self.expected.mean()), self.drawn()[0])

    @property
    def ratio(self) -> Spread:
        """Ours over theirs."""
        ours, theirs = self.drawn()
        return spread_of(float(self.expected.mean() / self.theirs.mean()), ours / theirs)


def setting_of(scale: int, grid: Grid) -> GraphSetting:
    """The expected graph of a scale as hybrid keeps it."""
    searched = round(expected_facts(scale).searched_vertices)
    switches = Switches.of("hybrid", exchange=COUNTS_APART)
    return GraphSetting(scale, switches, Blocks.even(searched, grid))


def symbols(levels: Levels, arcs: float) -> list[RikenLevel]:
    """What their volumes are functions of, where levels are expectations."""
    following = [level.vertices.expected for level in levels[1:]] + [0.0]
    return [
        RikenLevel(
            level.direction,
            round(level.vertices.expected),
            frontier_arcs=round(level.arcs.expected * arcs),
            source_destinations=round(level.vertices.expected),
            discovered_vertices=round(found),
        )
        for level, found in zip(levels, following, strict=True)
    ]


def reckoned(setting: GraphSetting, searches: Sequence[Levels]) -> Reckoned:
    """Both on the same levels."""
    grid, vertices = setting.blocks.grid, setting.blocks.vertices
    arcs = expected_facts(setting.scale, setting.edgefactor).stored_arcs
    ends, theirs = [], []
    for levels in searches:
        data = [p for p in search_volumes(setting, levels).parts if p.phase not in CONTROL]
        ends.append(
            (
                sum(part.low_bytes for part in data),
                sum(part.bytes_sent for part in data),
                sum(part.high_bytes for part in data),
            )
        )
        received = by_step(riken_volumes(symbols(levels, arcs), vertices, grid))
        theirs.append(grid.size * sum(received.values()))
    low, expected, high = np.array(ends, dtype=np.float64).T
    return Reckoned(low, expected, high, np.array(theirs, dtype=np.float64))


def row(source: str, found: Reckoned) -> str:
    """A line of the table."""
    ours, ratio, theirs = found.ours, found.ratio, float(found.theirs.mean())
    ends = f"({ours.low / 1e9:,.3g} to {ours.high / 1e9:,.3g})"
    verdict = "met" if ratio.high <= MOST else "MISSED"
    return (
        f"  {source:21} {ours.middle / 1e9:8,.3g} {ends:16} {theirs / 1e9:8,.3g} "
        f"{ratio.middle:6.2f} {ratio.high:8.3f}  {verdict}"
    )


def rests_on(setting: GraphSetting) -> str:
    """How far this is from what was counted."""
    grid, vertices = setting.blocks.grid, setting.blocks.vertices
    ratio, largest = vertices / hubs_of(setting), max(measured_profiles())
    scale, largest_grid = LARGEST_WALKED
    return "\n".join(
        (
            f"  bitmaps: exact, for even blocks of {vertices / grid.size:,.0f} vertices",
            f"  lists, proposals: walked to scale {scale} on {largest_grid}, "
            f"{setting.scale - scale} scales below",
            f"  levels over classes: of no run; bytes on them held against walks to scale {scale}",
            f"  levels of roots: of scale {largest}, {setting.scale - largest} below",
            f"  {ratio:,.0f} vertices a hub: owners find what is walked over classes; as predict",
            f"    has it, what was measured at scales 18 and 20 (4 to {2 ** LEFT[-1][0]:,.0f})",
        )
    )


def held_against_walks(cells: Sequence[str], keys: int) -> int:
    """Prints a line for each cell, and says how many intervals do not hold."""
    print("data bytes a search, MB: walked, and by the model with its 90 % interval")
    outside = 0
    for cell in cells:
        scale, grid = parsed(cell)
        counted = walked(scale, str(grid), keys)
        setting = setting_of(scale, grid)
        found = reckoned(setting, walked_levels(setting, SEARCHES))
        ours, mean = found.ours, float(counted.mean())
        holds = ours.low <= mean <= ours.high
        outside += not holds
        print(
            f"scale {scale} on {grid}, {len(counted)} keys: {mean / 1e6:.4g}, "
            f"{ours.middle / 1e6:.4g} ({ours.low / 1e6:.4g} to {ours.high / 1e6:.4g}); "
            f"{mean / ours.middle:.2f} of it{'' if holds else ', OUTSIDE'}",
            flush=True,
        )
    return outside


def parsed(cell: str) -> tuple[int, Grid]:
    """A scale and a grid as they are typed.

    >>> parsed("30:16x32")
    (30, Grid(rows=16, cols=32))
    """
    scale, _, grid = cell.partition(":")
    return int(scale), Grid.typed(grid)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cells", nargs="*", default=ASKED, help="scale:rows x columns")
    parser.add_argument("--walk", action="store_true", help="hold the model against walks")
    parser.add_argument("--keys", type=int, default=KEYS, help="of a walk")
    asked = parser.parse_args()
    if asked.walk:
        return 1 if held_against_walks(asked.cells, asked.keys) else 0
    print("data bytes a search, all ranks, GB; ratio with the upper end of its 90 % interval")
    print(f"  {'levels':21} {'hybrid':>8} {'':16} {'RIKEN':>8} {'ratio':>6} {'at most':>8}")
    missed = 0
    for cell in asked.cells:
        scale, grid = parsed(cell)
        setting = setting_of(scale, grid)
        print(f"scale {scale} on {grid}")
        for source, levels in SOURCES.items():
            found = reckoned(setting, levels(setting))
            missed += found.ratio.high > MOST
            print(row(source, found), flush=True)
        print(rests_on(setting))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
