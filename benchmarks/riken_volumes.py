#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the bytes that hybrid sends with the volumes of RIKEN's search on the same graph.

Usage, after ``./isobath setup``:

    .venv/bin/python benchmarks/riken_volumes.py                      scale 20 on 4x4, 8 keys
    .venv/bin/python benchmarks/riken_volumes.py --scale 18 --grid 2x4

Their volumes are functions of what is counted in the run itself, level by level (q, m_F, d, n;
docs/explanation/volumes.md). What the run does not count favours them: each frontier source is
taken to address one rank in a top-down level, and n leaves out the leaves, as their option -C does.
Bytes are facts however many ranks share a processor. Exit status 1 where hybrid does not send at
least 30 % less.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.costmodel.grid import Grid  # noqa: E402
from isobath.costmodel.published import RikenLevel, by_step, riken_volumes  # noqa: E402
from isobath.records.codec import read_records  # noqa: E402
from isobath.records.run_records import RunRecords  # noqa: E402
from isobath.records.search import LevelRecord  # noqa: E402

AIM = 0.30
OURS = {"parents": ("count", "fold"), "bitmaps": ("rotate",), "lists": ()}


def run_records(scale: int, grid: str, keys: int) -> RunRecords:
    """The records of a run of hybrid."""
    words = ["--scale", scale, "--grid", grid, "--keys", keys, "--threads", 1, "--plan", "hybrid"]
    with tempfile.TemporaryDirectory(prefix="isobath-riken-") as store:
        command = [str(ROOT / "isobath"), "run", *map(str, words), "--no-report", "--store", store]
        subprocess.run(command, check=True, stdout=subprocess.PIPE)
        (found,) = Path(store).glob("*/records.jsonl")
        return RunRecords.of(read_records(found))


def symbols(levels: list[LevelRecord]) -> list[RikenLevel]:
    """What their volumes are functions of, in every level of one search."""
    following = [level.frontier_vertices for level in levels[1:]] + [0]
    return [
        RikenLevel(
            level.direction,
            level.frontier_vertices,
            frontier_arcs=level.arcs_scanned,
            source_destinations=level.frontier_vertices,
            discovered_vertices=found,
        )
        for level, found in zip(levels, following, strict=True)
    ]


def ours(levels: list[LevelRecord]) -> dict[str, float]:
    """Bytes of one search by kind of step; expand is a bitmap bottom-up, a list top-down."""
    sums = {"parents": 0.0, "bitmaps": 0.0, "lists": 0.0}
    for level in levels:
        for phase, count in level.bytes_sent.items():
            kind = next((kind for kind, phases in OURS.items() if phase in phases), None)
            if phase == "expand":
                kind = "bitmaps" if level.direction == "bottom_up" else "lists"
            if kind:
                sums[kind] += count
    return sums


def main() -> int:
    """Prints a line for each kind of step."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--grid", default="4x4")
    parser.add_argument("--keys", type=int, default=8)
    given = parser.parse_args()
    rows, cols = map(int, given.grid.split("x"))
    grid = Grid(rows, cols)
    records = run_records(given.scale, given.grid, given.keys)
    assert records.construction is not None
    vertices = records.construction.searched_vertices
    mine = {"parents": 0.0, "bitmaps": 0.0, "lists": 0.0}
    theirs = dict(mine)
    searches = records.timed_searches
    for search in searches:
        levels = [level for level in records.levels if level.search == search.index]
        for kind, count in ours(levels).items():
            mine[kind] += count / len(searches)
        for kind, received in by_step(riken_volumes(symbols(levels), vertices, grid)).items():
            theirs[kind] += received * grid.size / len(searches)
    print(
        f"scale {given.scale} on {given.grid}, {len(searches)} searches; bytes a search, all ranks"
    )
    print(f"{'step':10} {'hybrid':>14} {'RIKEN':>14} {'less':>8}")
    for kind in (*mine, "all"):
        us = sum(mine.values()) if kind == "all" else mine[kind]
        them = sum(theirs.values()) if kind == "all" else theirs[kind]
        less = f"{1 - us / them:8.1%}" if them else "       -"
        print(f"{kind:10} {us:14,.0f} {them:14,.0f} {less}")
    return 0 if sum(mine.values()) <= (1 - AIM) * sum(theirs.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
