#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grids of several columns against one column, and against one rank: goals.py --grids.

Usage, on an idle machine, after ``./isobath setup``:

    .venv/bin/python benchmarks/goals.py --grids --scales 20 22 --rounds 5

In every round each grid runs once, in an order that turns, as ``isobath run`` launches it: one
thread a rank, 32 keys, not validated. A ratio is the geometric mean over rounds of the ratio within
a round, with Student's 95 % interval of its logarithm. Data bytes of a search are those of all
ranks without counts and reductions, mean over keys; ``--bytes-grids`` names the grids, which run at
scale 18 with few keys whatever the machine, since bytes do not depend on it. Hubs are as many as
the formula of ADR 0043 has them.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from peers import ratio_in_words  # noqa: E402

Figures = dict[str, float]
Records = Callable[..., tuple[list[dict[str, Any]], float]]

CONTROL = ("count", "reduce", "reset")
"""Phases that send counts, sums and where the root is."""

BYTES_SCALE, BYTES_KEYS = 18, 4


@dataclass(frozen=True)
class Layout:
    """Ranks in a grid, with so many threads each."""

    grid: str
    threads: int = 1
    options: tuple[str, ...] = ()

    @property
    def ranks(self) -> int:
        """Of the grid."""
        rows, cols = self.grid.split("x")
        return int(rows) * int(cols)

    def words(self) -> tuple[str, ...]:
        """Options of ``isobath run``."""
        where = ("--ranks", str(self.ranks), "--grid", self.grid, "--threads", str(self.threads))
        return (*where, *self.options)


@dataclass(frozen=True)
class Ratio:
    """One layout against another: at least so many times as fast."""

    what: str
    ours: Layout
    theirs: Layout
    figure: str
    bound: float

    @property
    def is_time(self) -> bool:
        """Where the bound is how much longer it may take at most."""
        return self.figure.endswith("seconds")


WITHOUT = ("--hubs", "off")
RATIOS = (
    Ratio("2x1 against one rank of 2 threads", Layout("2x1"), Layout("1x1", 2), "gteps", 0.9),
    Ratio("1x2 against 2x1", Layout("1x2"), Layout("2x1"), "gteps", 0.8),
    Ratio("2x2 against 4x1", Layout("2x2"), Layout("4x1"), "gteps", 0.75),
    Ratio("1x2 with and without hubs", Layout("1x2"), Layout("1x2", 1, WITHOUT), "gteps", 1),
    Ratio("2x2 with and without hubs", Layout("2x2"), Layout("2x2", 1, WITHOUT), "gteps", 1),
    Ratio(
        "construction, 2x2 against 4x1", Layout("2x2"), Layout("4x1"), "construction seconds", 1.2
    ),
    Ratio(
        "construction, 2x1 against 1x1",
        Layout("2x1"),
        Layout("1x1", 2),
        "construction seconds",
        1.3,
    ),
)
LARGEST_DATA = {"4x4": 0.25, "8x8": 0.5}
"""Megabytes of data a search at scale 18 at the most."""


def data_bytes(records: list[dict[str, Any]]) -> float:
    """Mean over timed searches of what all ranks sent, without counts and reductions.

    >>> data_bytes([
    ...     {"kind": "calls", "cells": [{"phase": "fold", "bytes_sent": 6},
    ...                                 {"phase": "reduce", "bytes_sent": 9}]},
    ...     {"kind": "calls", "cells": [{"phase": "expand", "bytes_sent": 2}]},
    ... ])
    4.0
    """
    return statistics.fmean(
        sum(cell["bytes_sent"] for cell in record["cells"] if cell["phase"] not in CONTROL)
        for record in records
        if record["kind"] == "calls"
    )


def figures_of(records: list[dict[str, Any]]) -> Figures:
    """What is compared, of one run."""
    searches = [r for r in records if r["kind"] == "search" and not r["warmup"]]
    (construction,) = [record for record in records if record["kind"] == "construction"]
    per_edge = [search["seconds"] / search["traversed_edges"] for search in searches]
    return {
        "gteps": 1e-9 / statistics.fmean(per_edge),
        "construction seconds": construction["seconds"],
    }


def layouts() -> list[Layout]:
    """Every layout once."""
    return list(dict.fromkeys(one for ratio in RATIOS for one in (ratio.ours, ratio.theirs)))


def measured(
    scale: int, rounds: int, records_of: Records, say: Callable[[str], None]
) -> dict[Layout, list[Figures]]:
    """Figures of every layout, round by round."""
    found: dict[Layout, list[Figures]] = {layout: [] for layout in layouts()}
    for number in range(rounds):
        turns = layouts()
        turn = number % len(turns)
        for layout in [*turns[turn:], *turns[:turn]]:
            say(f"scale {scale}, round {number + 1}: {layout.grid} {' '.join(layout.options)}")
            words = ("--scale", str(scale), "--keys", "32", "--no-validation", "--no-report")
            records = records_of(*words, *layout.words())[0]
            found[layout].append(figures_of(records))
    return found


def ratio_rows(
    scale: int, found: dict[Layout, list[Figures]], line: Callable[..., str]
) -> list[tuple[str, bool]]:
    """A line of the table for each ratio, and whether its bound is missed."""
    rows = []
    for ratio in RATIOS:
        ours = [figures[ratio.figure] for figures in found[ratio.ours]]
        theirs = [figures[ratio.figure] for figures in found[ratio.theirs]]
        words = ratio_in_words(ours, theirs, lower_is_better=False)
        value = statistics.geometric_mean(a / b for a, b in zip(ours, theirs, strict=True))
        is_met = value <= ratio.bound if ratio.is_time else value >= ratio.bound
        bound = f"{'<=' if ratio.is_time else '>='} {ratio.bound:g}"
        verdict = "met" if is_met else "MISSED"
        rows.append((line(ratio.what, str(scale), bound, words, verdict), not is_met))
    return rows


def byte_rows(
    grids: list[str], records_of: Records, line: Callable[..., str]
) -> list[tuple[str, bool]]:
    """A line for each grid whose bytes are counted."""
    rows = []
    for grid in grids:
        words = ("--scale", str(BYTES_SCALE), "--keys", str(BYTES_KEYS), "--no-validation")
        records = records_of(*words, "--no-report", *Layout(grid).words())[0]
        value = data_bytes(records) / 1e6
        most = LARGEST_DATA.get(grid)
        is_missed = most is not None and value > most
        bound = f"<= {most:g} MB" if most is not None else ""
        verdict = "" if most is None else "MISSED" if is_missed else "met"
        what = f"data bytes a search, {grid}"
        rows.append((line(what, str(BYTES_SCALE), bound, f"{value:.3f} MB", verdict), is_missed))
    return rows
