# SPDX-License-Identifier: Apache-2.0
"""5,000 regressions that resample recorded noise: power, false alarms, and a change of 1 %.

    PYTHONPATH=src python benchmarks/guard_simulation.py mpi.jsonl

mpi.jsonl is a baseline with sittings: ./isobath calibrate noise NAME, then ./isobath baseline
export NAME mpi.jsonl. Whole launches are drawn, all cells together, from one sitting at a time:
what cells share in a launch, and launches in a sitting, stays. Each launch's deviation from the
mean of its sitting is kept. Turns are as many as calibrate asks for, cell by cell for power, and of
the noisiest that is within reach for a whole regression. Ends with 1 where a promise is not kept.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import log
from pathlib import Path

import numpy as np
from scipy import stats

from isobath.baseline.portable import read_portable
from isobath.guard.design import Design
from isobath.guard.judging import judge_pairs
from isobath.guard.needed import needed_pairs
from isobath.kinds.regress.learned import noises_of
from isobath.stats.estimates import FloatArray

REGRESSIONS = 5000
POWER, FALSE_ALARMS, SURE = 0.95, 0.01, 0.95
MOST_TURNS = 200
"""Cells that need more are beyond reach: they are left to cannot tell."""


@dataclass(frozen=True)
class Recorded:
    """Noise as it was recorded: of each sitting, launches by cells, as deviations of logarithms."""

    cells: tuple[str, ...]
    sittings: tuple[FloatArray, ...]
    turns: tuple[int | None, ...]
    """that calibrate asks for, by cell"""


def read_noise(path: Path) -> Recorded:
    """Cells that every launch of every sitting has."""
    baseline = read_portable(path).baseline
    sittings = baseline.sittings
    shared = set.intersection(*(set(one.samples) for one in sittings))
    counts = [max(len(one.samples[name]) for name in shared) for one in sittings]
    cells = tuple(
        cell.name
        for cell in baseline.archive.cells
        if cell.name in shared
        and all(len(one.samples[cell.name]) == n for one, n in zip(sittings, counts, strict=True))
    )
    noise = noises_of(baseline, [one for one in sittings if one.expires > datetime.now(UTC)])
    logs = []
    for sitting in sittings:
        rows = np.log([[sample.value for sample in sitting.samples[name]] for name in cells]).T
        logs.append(rows - rows.mean(axis=0))
    turns = tuple(needed_pairs(noise[name].launch, 0.08, len(cells)) for name in cells)
    return Recorded(cells, tuple(logs), turns)


def differences(recorded: Recorded, turns: int, rng: np.random.Generator) -> FloatArray:
    """Of one regression: turns by cells. Deviations are widened for the mean that they lost."""
    sitting = recorded.sittings[rng.integers(len(recorded.sittings))]
    n = len(sitting)
    drawn = sitting[rng.integers(n, size=(2, turns))] * np.sqrt(n / (n - 1))
    found: FloatArray = drawn[0] - drawn[1]
    return found


def words_of(values: FloatArray, design: Design) -> str:
    """What a cell is called at its looks."""
    for look in design.looks:
        verdict = judge_pairs([float(x) for x in values[: look.turns]], design, look)
        if verdict.is_decided:
            return verdict.outcome
    return "cannot tell"


def flagged(
    recorded: Recorded, turns: int, change: float, regressions: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Whole regressions with any cell slower or faster, and those that call nothing undecided.

    Args: change is put into every cell, which is the worst that a small one can do.
    """
    design = Design(len(recorded.cells), turns)
    alarms = clean = 0
    for _ in range(regressions):
        rows = differences(recorded, turns, rng) + log(1 + change)
        outcomes = {words_of(rows[:, place], design) for place in range(rows.shape[1])}
        alarms += bool(outcomes & ({"slower"} if change else {"slower", "faster"}))
        clean += "cannot tell" not in outcomes
    return alarms, clean


def power(
    recorded: Recorded, regressions: int, rng: np.random.Generator
) -> tuple[int, int, list[tuple[str, float]]]:
    """8 % put into one cell of each regression, in turn: how often it is found, with the number of
    pairs that calibrate asked for; and how often cell by cell.
    """
    reachable = [
        (place, turns)
        for place, turns in enumerate(recorded.turns)
        if turns is not None and turns <= MOST_TURNS
    ]
    hits: dict[int, list[bool]] = {place: [] for place, _ in reachable}
    for number in range(regressions):
        place, turns = reachable[number % len(reachable)]
        values = differences(recorded, turns, rng)[:, place] + log(1.08)
        hits[place].append(words_of(values, Design(len(recorded.cells), turns)) == "slower")
    by_cell = [(recorded.cells[place], float(np.mean(one))) for place, one in hits.items() if one]
    return sum(map(sum, hits.values())), sum(map(len, hits.values())), by_cell


def bounds(number: int, tries: int) -> tuple[float, float]:
    """One-sided bounds of a probability, 95 % each (Clopper and Pearson)."""
    low = float(stats.beta.ppf(1 - SURE, number, tries - number + 1)) if number else 0.0
    high = float(stats.beta.ppf(SURE, number + 1, tries - number)) if number < tries else 1.0
    return low, high


def main(words: Sequence[str] | None = None) -> int:
    """Prints a line for each promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("baseline", type=Path)
    parser.add_argument("--regressions", type=int, default=REGRESSIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, help="of whole regressions")
    asked = parser.parse_args(words)
    recorded, rng = read_noise(asked.baseline), np.random.default_rng(asked.seed)
    within = [one for one in recorded.turns if one is not None and one <= MOST_TURNS]
    turns = asked.turns or min(60, max(within))
    tries = asked.regressions
    print(
        f"{len(recorded.cells)} cells, {len(recorded.sittings)} sittings of "
        f"{', '.join(str(len(one)) for one in recorded.sittings)} launches; {len(within)} cells "
        f"within {MOST_TURNS} pairs; whole regressions of {turns} turns"
    )
    hits, of, by_cell = power(recorded, tries, rng)
    low, _ = bounds(hits, of)
    worst = min(by_cell, key=lambda row: row[1])
    print(f"8 % found: {hits} of {of}, lower bound {low:.4f}; worst cell {worst[0]} {worst[1]:.3f}")
    alarms, clean = flagged(recorded, turns, 0.0, tries, rng)
    _, high = bounds(alarms, tries)
    print(f"false alarms: {alarms} of {tries}, upper bound {high:.4f}; all decided in {clean}")
    small, _ = flagged(recorded, turns, 0.01, tries, rng)
    _, high_small = bounds(small, tries)
    print(f"1 % in every cell flagged: {small} of {tries}, upper bound {high_small:.4f}")
    is_kept = low >= POWER and high <= FALSE_ALARMS and high_small <= FALSE_ALARMS
    print("kept" if is_kept else "NOT KEPT")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
