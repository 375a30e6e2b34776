#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Grids of several columns against one column, and against one rank: goals.py --grids.

Usage, on an idle machine, after ``./isobath setup``:

    .venv/bin/python benchmarks/goals.py --grids --scales 20 22 --rounds 5
    .venv/bin/python benchmarks/goals.py --grids --scales 20 --only validation

In every round each run is made once, in an order that turns, as ``isobath run`` launches it: one
thread a rank; searches of 32 keys that are not validated, shortest paths of 8, validations of 16
searches. A ratio is the geometric mean over rounds of the ratio within a round, with Student's
95 % interval of its logarithm. Processor time of a search is what 544 keys take beyond what 32
take, of all ranks and whatever else the command starts, divided by 512. Data bytes of a search are
those of all ranks without counts and reductions, mean over keys; ``--bytes-grids`` names the grids,
which run at scale 18 with few keys whatever the machine, since bytes do not depend on it; those of
more ranks, and how they grow, are walked (walked_bytes.py). Hubs are as many as the formula of ADR
0043 has them, n/K about ten on these ranks; beside a search on several columns stands the same at
n/K = 2^12 (``--hubs few``), without a bound.
"""

from __future__ import annotations

import resource
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

LANDMARK = ("--kernel", "sssp", "--sssp-plan", "landmark")
DELTA = ("--kernel", "sssp", "--sssp-plan", "delta-stepping")
SEARCHES = ("--keys", "32", "--no-validation")
MORE_SEARCHES = ("--keys", "544", "--no-validation")
BETWEEN = 544 - 32
PATHS = ("--keys", "8", "--no-validation")
VALIDATED = ("--keys", "16")
"""So many that each layout keeps a copy of the edges (``SEARCHES_THAT_PAY`` of isobath.plan)."""


@dataclass(frozen=True)
class Layout:
    """Ranks in a grid with so many threads each, and what they do."""

    grid: str
    threads: int = 1
    options: tuple[str, ...] = SEARCHES

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
    """One layout against another: so many times the figure at least, or at most."""

    what: str
    ours: Layout
    theirs: Layout
    figure: str
    bound: float | None

    @property
    def is_most(self) -> bool:
        """Whether the bound is how much longer it may take at most."""
        return self.figure.endswith("seconds")

    def is_met_by(self, value: float) -> bool:
        """Whether the bound is kept. What has none is reported alone."""
        if self.bound is None:
            return True
        return value <= self.bound if self.is_most else value >= self.bound


WITHOUT = (*SEARCHES, "--hubs", "off")
FEW_HUBS = (*SEARCHES, "--hubs", "few")


def shortest_paths(plan: str, options: tuple[str, ...]) -> tuple[Ratio, Ratio]:
    """The two rows of a plan for shortest paths."""
    options = (*options, *PATHS)
    return (
        Ratio(
            f"{plan}, 2x2 against 4x1",
            Layout("2x2", 1, options),
            Layout("4x1", 1, options),
            "gteps",
            0.75,
        ),
        Ratio(
            f"{plan}, 2x1 against 1x1",
            Layout("2x1", 1, options),
            Layout("1x1", 2, options),
            "gteps",
            0.8,
        ),
    )


RATIOS = (
    Ratio("search, 2x1 against 1x1", Layout("2x1"), Layout("1x1", 2), "gteps", 0.9),
    Ratio("search, 1x2 against 2x1", Layout("1x2"), Layout("2x1"), "gteps", 0.8),
    Ratio(
        "search, 1x2 at n/K = 2^12 against 2x1",
        Layout("1x2", 1, FEW_HUBS),
        Layout("2x1"),
        "gteps",
        None,
    ),
    Ratio("search, 2x2 against 4x1", Layout("2x2"), Layout("4x1"), "gteps", 0.75),
    Ratio(
        "search, 2x2 at n/K = 2^12 against 4x1",
        Layout("2x2", 1, FEW_HUBS),
        Layout("4x1"),
        "gteps",
        None,
    ),
    Ratio(
        "search, processor time of 2x2 against 4x1",
        Layout("2x2", 1, MORE_SEARCHES),
        Layout("4x1", 1, MORE_SEARCHES),
        "processor seconds",
        None,
    ),
    Ratio(
        "search, 1x2 with and without hubs", Layout("1x2"), Layout("1x2", 1, WITHOUT), "gteps", 1
    ),
    Ratio(
        "search, 2x2 with and without hubs", Layout("2x2"), Layout("2x2", 1, WITHOUT), "gteps", 1
    ),
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
    *shortest_paths("landmark", LANDMARK),
    *shortest_paths("delta-stepping", DELTA),
    Ratio(
        "validation, 4 ranks against 1x1",
        Layout("4x1", 1, VALIDATED),
        Layout("1x1", 2, VALIDATED),
        "validation seconds",
        2,
    ),
)
LARGEST_DATA = {"4x4": 0.25, "8x8": 0.5}
"""Megabytes of data a search at scale 18 at the most."""


def data_of(cell: dict[str, Any]) -> int:
    """Without counts, in a phase of their own or 8 bytes in a message of fold, and reductions.

    >>> data_of({"phase": "fold", "call": "isend_all", "messages": 2, "bytes_sent": 22})
    6
    """
    has_counts = (cell["phase"], cell["call"]) == ("fold", "isend_all")
    counts: int = 8 * cell["messages"] if has_counts else 0
    return 0 if cell["phase"] in CONTROL else cell["bytes_sent"] - counts


def data_bytes(records: list[dict[str, Any]]) -> float:
    """Mean over timed searches of what all ranks sent, without counts and reductions.

    >>> data_bytes([
    ...     {"kind": "calls", "cells": [{"phase": "fold", "call": "alltoallv", "bytes_sent": 6},
    ...                                 {"phase": "reduce", "call": "allreduce", "bytes_sent": 9}]},
    ...     {"kind": "calls",
    ...      "cells": [{"phase": "expand", "call": "allgatherv", "bytes_sent": 2}]},
    ... ])
    4.0
    """
    return statistics.fmean(
        sum(data_of(cell) for cell in record["cells"])
        for record in records
        if record["kind"] == "calls"
    )


def figures_of(records: list[dict[str, Any]]) -> Figures:
    """What is compared, of one run.

    >>> figures_of([
    ...     {"kind": "construction", "seconds": 2.0},
    ...     {"kind": "search", "warmup": True, "seconds": 9.0, "traversed_edges": 1},
    ...     {"kind": "search", "warmup": False, "seconds": 0.5, "traversed_edges": 10**9,
    ...      "validation": {"seconds": 0.25}},
    ... ])
    {'gteps': 2.0, 'construction seconds': 2.0, 'validation seconds': 0.25}
    """
    searches = [r for r in records if r["kind"] == "search" and not r["warmup"]]
    constructions = [record for record in records if record["kind"] == "construction"]
    per_edge = [search["seconds"] / search["traversed_edges"] for search in searches]
    found = {
        "gteps": 1e-9 / statistics.fmean(per_edge),
        "construction seconds": sum(record["seconds"] for record in constructions),
    }
    if all("validation" in search for search in searches):
        validations = [search["validation"]["seconds"] for search in searches]
        found["validation seconds"] = statistics.fmean(validations)
    return found


def wanted_ratios(only: str) -> list[Ratio]:
    """Those with these words in their name."""
    return [ratio for ratio in RATIOS if only in ratio.what]


def layouts(ratios: list[Ratio]) -> list[Layout]:
    """Every run once. Processor time of a search is told from two runs of different lengths.

    >>> [layout.options[1] for layout in layouts(wanted_ratios("processor"))]
    ['544', '544', '32', '32']
    """
    named = [layout for ratio in ratios for layout in (ratio.ours, ratio.theirs)]
    fewer = [Layout(one.grid, one.threads) for one in named if one.options == MORE_SEARCHES]
    return list(dict.fromkeys([*named, *fewer]))


def processor_seconds() -> float:
    """Of all that this program started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(
    scale: int,
    rounds: int,
    only: str,
    records_of: Records,
    say: Callable[[str], None],
) -> dict[Layout, list[Figures]]:
    """Figures of every layout, round by round."""
    wanted = layouts(wanted_ratios(only))
    found: dict[Layout, list[Figures]] = {layout: [] for layout in wanted}
    for number in range(rounds):
        turn = number % max(1, len(wanted))
        for layout in [*wanted[turn:], *wanted[:turn]]:
            say(f"scale {scale}, round {number + 1}: {layout.grid} {' '.join(layout.options)}")
            before = processor_seconds()
            records = records_of("--scale", str(scale), "--no-report", *layout.words())[0]
            spent = processor_seconds() - before
            found[layout].append(figures_of(records) | {"command seconds": spent})
    for layout in wanted:
        if layout.options == MORE_SEARCHES:
            set_processor_seconds(found[layout], found[Layout(layout.grid, layout.threads)])
    return found


def set_processor_seconds(more: list[Figures], fewer: list[Figures]) -> None:
    """Processor time of one search, in each round.

    >>> more = [{"command seconds": 6.5}]
    >>> set_processor_seconds(more, [{"command seconds": 6.5 - 2.56}])
    >>> more[0]["processor seconds"]
    0.005
    """
    for one, other in zip(more, fewer, strict=True):
        spent = one["command seconds"] - other["command seconds"]
        one["processor seconds"] = round(spent / BETWEEN, 9)


def ratio_rows(
    scale: int, only: str, found: dict[Layout, list[Figures]], line: Callable[..., str]
) -> list[tuple[str, bool]]:
    """A line of the table for each ratio, and whether its bound is missed."""
    rows = []
    for ratio in wanted_ratios(only):
        ours = [figures[ratio.figure] for figures in found[ratio.ours]]
        theirs = [figures[ratio.figure] for figures in found[ratio.theirs]]
        if min(*ours, *theirs) <= 0:  # a difference of two times, and noise is larger
            text = line(ratio.what, str(scale), "", "cannot tell", "")
            rows.append((text, ratio.bound is not None))
            continue
        words = ratio_in_words(ours, theirs, lower_is_better=False)
        value = statistics.geometric_mean(a / b for a, b in zip(ours, theirs, strict=True))
        is_met = ratio.is_met_by(value)
        bound, verdict = "", ""
        if ratio.bound is not None:
            bound = f"{'<=' if ratio.is_most else '>='} {ratio.bound:g}"
            verdict = "met" if is_met else "MISSED"
        rows.append((line(ratio.what, str(scale), bound, words, verdict), not is_met))
    return rows


def byte_rows(
    grids: list[str], only: str, records_of: Records, line: Callable[..., str]
) -> list[tuple[str, bool]]:
    """A line for each grid whose bytes are counted."""
    rows = []
    for grid in grids:
        what = f"data bytes a search, {grid}"
        if only not in what:
            continue
        words = ("--scale", str(BYTES_SCALE), "--keys", str(BYTES_KEYS), "--no-validation")
        records = records_of(*words, "--no-report", *Layout(grid).words())[0]
        value = data_bytes(records) / 1e6
        most = LARGEST_DATA.get(grid)
        is_missed = most is not None and value > most
        bound = f"<= {most:g} MB" if most is not None else ""
        verdict = "" if most is None else "MISSED" if is_missed else "met"
        rows.append((line(what, str(BYTES_SCALE), bound, f"{value:.3f} MB", verdict), is_missed))
    return rows
