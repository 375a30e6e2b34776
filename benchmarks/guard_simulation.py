# SPDX-License-Identifier: Apache-2.0
"""5,000 regressions that resample recorded noise: power, false alarms, and a change of 1 %.

    PYTHONPATH=src python benchmarks/guard_simulation.py mpi.jsonl
    PYTHONPATH=src python benchmarks/guard_simulation.py mpi.jsonl --part power

mpi.jsonl is a baseline with sittings: ./isobath calibrate noise NAME, then ./isobath baseline
export NAME mpi.jsonl. Whole launches are drawn, all cells together, from one sitting at a time:
what cells share in a launch, and launches in a sitting, stays. Sittings are those that have not
expired, as calibrate takes them: closer ones are one, and the baseline's own launches are one more.
Each launch's deviation from the mean of its sitting is kept. Turns are as many as calibrate asks
for, cell by cell for power, and of the noisiest that is within reach for a whole regression.

Parts, which can be processes of their own: power (8 % in one cell), alarms (no change), small (1 %
in every cell), held-out (power where noise is learned from all sittings but one, and launches are
drawn from that one: what calibrate asks for meets an hour that it has not seen; with --drawn-from
noise is learned from all of them, and launches are drawn from the sittings of other baselines of
this machine), archive (the old
library is gone: each recorded sitting in turn is that of now, held against all others, from which
noise is learned anew). Ends with 1 where a promise is not kept.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import log, log1p
from pathlib import Path

import numpy as np
from scipy import stats

from isobath.baseline.chain import Baseline
from isobath.baseline.portable import read_portable
from isobath.guard.design import Design
from isobath.guard.hours import LEAST_LAUNCHES
from isobath.guard.judging import judge_archive, judge_pairs, reference_of
from isobath.guard.needed import needed_pairs
from isobath.guard.noise import (
    GAP_SECONDS,
    LEAST_SITTINGS,
    Noise,
    noise_of,
    with_other_hours,
)
from isobath.kinds.regress.learned import noises_of
from isobath.kinds.regress.sittings_kept import valid_sittings
from isobath.stats.estimates import FloatArray

REGRESSIONS = 5000
POWER, FALSE_ALARMS, SURE = 0.95, 0.01, 0.95
PARTS = ("power", "alarms", "small", "archive", "held-out")
MOST_TURNS = 200
"""Cells that need more are beyond reach: they are left to cannot tell."""

BATCH = 100
SCREEN = 2.5
"""deviations of a sum of signed ranks; a look can say nothing below three"""


@dataclass(frozen=True)
class Recorded:
    """Noise as it was recorded: of each sitting, launches by cells, as logarithms."""

    cells: tuple[str, ...]
    sittings: tuple[FloatArray, ...]
    turns: tuple[int | None, ...]
    """that calibrate asks for, by cell"""

    def deviations(self, sitting: int) -> FloatArray:
        """Of its launches from their mean, widened for what the mean took of them."""
        rows = self.sittings[sitting]
        found: FloatArray = (rows - rows.mean(axis=0)) * np.sqrt(len(rows) / (len(rows) - 1))
        return found


def read_noise(path: Path) -> Recorded:
    """Cells that every launch of every sitting has."""
    baseline = read_portable(path).baseline
    blocks = list(_blocks(baseline))
    shared = set.intersection(*(set(times) for _, _, times in blocks))
    counts = [max(len(times[name]) for name in shared) for _, _, times in blocks]
    cells = tuple(
        cell.name
        for cell in baseline.archive.cells
        if cell.name in shared
        and all(len(one[2][cell.name]) == n for one, n in zip(blocks, counts, strict=True))
    )
    sittings: list[FloatArray] = []
    ended = -np.inf
    for began, end, times in sorted(blocks, key=lambda one: one[0]):
        rows = np.log([times[name] for name in cells]).T
        if began - ended <= GAP_SECONDS:
            sittings[-1] = np.concatenate([sittings[-1], rows])
        else:
            sittings.append(rows)
        ended = max(ended, end)
    noise = noises_of(baseline, valid_sittings(baseline, datetime.now(UTC)))
    turns = tuple(needed_pairs(noise[name], 0.08, len(cells)) for name in cells)
    return Recorded(cells, tuple(sittings), turns)


def _blocks(baseline: Baseline) -> Iterator[tuple[float, float, Mapping[str, Sequence[float]]]]:
    """Begin, end and times by cell of the baseline itself and of every sitting that holds."""
    began = [one.began for member in baseline.archive.members for one in member.launches.values()]
    own = {cell.name: [sample.value for sample in cell.samples] for cell in baseline.archive.cells}
    yield min(began), max(began), own
    for sitting in valid_sittings(baseline, datetime.now(UTC)):
        times = {name: [sample.value for sample in samples]
                 for name, samples in sitting.samples.items()}  # fmt: skip
        yield sitting.began, sitting.ended, times


def differences(recorded: Recorded, turns: int, rng: np.random.Generator) -> FloatArray:
    """Of one regression: turns by cells."""
    launches = recorded.deviations(int(rng.integers(len(recorded.sittings))))
    drawn = launches[rng.integers(len(launches), size=(2, turns))]
    found: FloatArray = drawn[0] - drawn[1]
    return found


def words_of(values: FloatArray, design: Design) -> str:
    """What a cell is called at its looks."""
    for look in design.looks:
        verdict = judge_pairs([float(x) for x in values[: look.turns]], design, look)
        if verdict.is_decided:
            return verdict.outcome
    return "cannot tell"


def doubtful(rows: FloatArray, design: Design) -> np.ndarray:
    """Cells that may be called slower or faster at any look: of shape (regressions, cells).

    All others are surely not, and need no exact probability. Args: rows of regressions, turns,
    cells.
    """
    found = np.zeros((rows.shape[0], rows.shape[2]), dtype=bool)
    least = log1p(design.tolerance)
    for look in design.looks:
        n = look.turns
        for values in (rows[:, :n] - least, -rows[:, :n] - least):
            ranks = np.argsort(np.argsort(np.abs(values), axis=1), axis=1) + 1
            above = np.where(values > 0, ranks, 0).sum(axis=1)
            spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
            found |= (above - n * (n + 1) / 4) / spread > SCREEN
    return found


def flagged(
    recorded: Recorded, turns: int, change: float, regressions: int, rng: np.random.Generator
) -> int:
    """Whole regressions with any cell slower; without a change, or faster.

    Args: change is put into every cell, which is the worst that a small one can do.
    """
    design = Design(len(recorded.cells), turns)
    words = {"slower"} if change else {"slower", "faster"}
    alarms = 0
    for begin in range(0, regressions, BATCH):
        number = min(BATCH, regressions - begin)
        rows = np.stack([differences(recorded, turns, rng) for _ in range(number)])
        rows += log(1 + change)
        may_be = doubtful(rows, design)
        for one in range(number):
            alarms += any(words_of(rows[one, :, place], design) in words
                          for place in np.flatnonzero(may_be[one]))  # fmt: skip
    return alarms


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
    for number in range(regressions if reachable else 0):
        place, turns = reachable[number % len(reachable)]
        values = differences(recorded, turns, rng)[:, place] + log(1.08)
        hits[place].append(words_of(values, Design(len(recorded.cells), turns)) == "slower")
    by_cell = [(recorded.cells[place], float(np.mean(one))) for place, one in hits.items() if one]
    return sum(map(sum, hits.values())), sum(map(len, hits.values())), by_cell


@dataclass(frozen=True)
class Drawn:
    """Sittings of before and launches of now, as logarithms: each of launches by cells."""

    before: tuple[FloatArray, ...]
    now: FloatArray

    def word(self, place: int, change: float, design: Design) -> str:
        """What a cell is called, by noise that is learned from what was drawn."""
        sittings = [np.exp(rows[:, place]).tolist() for rows in self.before]
        noise, reference = noise_of(sittings), reference_of(sittings)
        times = np.exp(self.now[:, place] + log(1 + change)).tolist()
        for look in design.looks:
            verdict = judge_archive(times[: look.turns], reference, noise, design, look)
            if verdict.is_decided:
                return verdict.outcome
        return "cannot tell"


def draw_sittings(recorded: Recorded, launches: int, rng: np.random.Generator) -> Drawn:
    """One sitting as that of now, all others as those of before, and of each its launches again.

    Sittings are not drawn with replacement: of few, all of before would often be the same one,
    which no calendar gives, and which says nothing of what varies between them.
    """
    now, *before = rng.permutation(len(recorded.sittings)).tolist()

    def drawn(sitting: int, count: int | None = None) -> FloatArray:
        rows = recorded.deviations(sitting)
        found: FloatArray = rows[rng.integers(len(rows), size=count or len(rows))]
        found = found + recorded.sittings[sitting].mean(axis=0)
        return found

    return Drawn(tuple(drawn(one) for one in before), drawn(now, launches))


def archive(
    recorded: Recorded, launches: int, regressions: int, rng: np.random.Generator
) -> tuple[int, int]:
    """Whole regressions with a false alarm, and with 1 % in every cell called slower."""
    cells = range(len(recorded.cells))
    design = Design(len(recorded.cells), launches)
    alarms = small = 0
    for _ in range(regressions):
        drawn = draw_sittings(recorded, launches, rng)
        alarms += any(drawn.word(place, 0.0, design) in ("slower", "faster") for place in cells)
        small += any(drawn.word(place, 0.01, design) == "slower" for place in cells)
    return alarms, small


def bounds(number: int, tries: int) -> tuple[float, float]:
    """One-sided bounds of a probability, 95 % each (Clopper and Pearson)."""
    low = float(stats.beta.ppf(1 - SURE, number, tries - number + 1)) if number else 0.0
    high = float(stats.beta.ppf(SURE, number + 1, tries - number)) if number < tries else 1.0
    return low, high


def told_alarms(words: str, alarms: int, tries: int) -> bool:
    """Prints how many there were; whether that is few enough."""
    _, high = bounds(alarms, tries)
    print(f"{words}: {alarms} of {tries}, upper bound {high:.4f}", flush=True)
    return high <= FALSE_ALARMS


def told_power(
    words: str, several: Sequence[Recorded], tries: int, rng: np.random.Generator
) -> bool:
    """Prints how often 8 % was found in all of them; whether that is often enough."""
    hits = of = 0
    cells: list[tuple[str, float]] = []
    for number, recorded in enumerate(several, 1):
        share = tries * number // len(several) - tries * (number - 1) // len(several)
        more, tried, by_cell = power(recorded, share, rng)
        hits, of, cells = hits + more, of + tried, cells + by_cell
        if len(several) > 1:
            print(f"  in sitting {number}: {more} of {tried}, {len(by_cell)} cells", flush=True)
    if not of:
        print(f"8 % is within {MOST_TURNS} pairs of no cell")
        return False
    low, _ = bounds(hits, of)
    worst = min(cells, key=lambda row: row[1])
    print(f"{words}: {hits} of {of}, lower bound {low:.4f}; worst of {len(cells)} cells "
          f"{worst[0]} {worst[1]:.3f}", flush=True)  # fmt: skip
    return low >= POWER


def learned_from(cells: Sequence[str], sittings: Sequence[FloatArray]) -> dict[str, Noise]:
    """Noise of all cells, as calibrate learns it."""
    times = {name: [np.exp(rows[:, place]).tolist() for rows in sittings]
             for place, name in enumerate(cells)}  # fmt: skip
    return with_other_hours({name: noise_of(own) for name, own in times.items()}, times)


def held_out(recorded: Recorded) -> list[Recorded]:
    """Each sitting alone, with the turns that all others ask for: nothing is drawn from what was
    learned from.
    """
    split = []
    for place, kept in enumerate(recorded.sittings):
        others = [rows for number, rows in enumerate(recorded.sittings) if number != place]
        noises = learned_from(recorded.cells, others)
        turns = tuple(needed_pairs(noises[name], 0.08, len(noises)) for name in recorded.cells)
        split.append(Recorded(recorded.cells, (kept,), turns))
    return split


def elsewhere(recorded: Recorded, files: Sequence[Path]) -> list[Recorded]:
    """Sittings of other baselines, with the turns that the first asks for in the cells of both."""
    asked = dict(zip(recorded.cells, recorded.turns, strict=True))
    found = []
    for other in map(read_noise, files):
        places = [place for place, name in enumerate(other.cells) if name in asked]
        cells = tuple(other.cells[place] for place in places)
        found += [Recorded(cells, (rows[:, places],), tuple(asked[name] for name in cells))
                  for rows in other.sittings]  # fmt: skip
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Prints a line for each promise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("baseline", type=Path)
    parser.add_argument("--part", choices=PARTS, help="one of them alone")
    parser.add_argument("--regressions", type=int, default=REGRESSIONS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drawn-from", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--turns", type=int, help="of whole regressions")
    asked = parser.parse_args(words)
    recorded = read_noise(asked.baseline)
    within = [one for one in recorded.turns if one is not None and one <= MOST_TURNS]
    turns = asked.turns or min(60, max(within, default=60))
    tries, parts = asked.regressions, [asked.part] if asked.part else PARTS
    counts = [len(one) for one in recorded.sittings]
    print(
        f"{len(recorded.cells)} cells, {len(recorded.sittings)} sittings of "
        f"{', '.join(map(str, counts))} launches; {len(within)} cells within {MOST_TURNS} pairs; "
        f"whole regressions of {turns} turns", flush=True,
    )  # fmt: skip
    if min(counts) < LEAST_LAUNCHES:
        print(f"a sitting has fewer than {LEAST_LAUNCHES} launches: it says little of its noise")
    is_kept = True
    for part in parts:
        rng = np.random.default_rng([asked.seed, PARTS.index(part)])
        if part == "power":
            is_kept &= told_power("8 % found", [recorded], tries, rng)
        elif part == "held-out":
            words_of_it = "8 % found in sittings that nothing was learned from"
            others = asked.drawn_from
            several = elsewhere(recorded, others) if others else held_out(recorded)
            is_kept &= told_power(words_of_it, several, tries, rng)
        elif part == "archive":
            if len(recorded.sittings) <= LEAST_SITTINGS:
                print(f"the archive needs {LEAST_SITTINGS} sittings of before, and one of now")
                is_kept = False
                continue
            alarms, small = archive(recorded, turns, tries, rng)
            is_kept &= told_alarms("false alarms against the archive", alarms, tries)
            is_kept &= told_alarms("1 % in every cell against the archive flagged", small, tries)
        else:
            change, name = (0.0, "false alarms") if part == "alarms" else (0.01, "1 % flagged")
            is_kept &= told_alarms(name, flagged(recorded, turns, change, tries, rng), tries)
    print("kept" if is_kept else "NOT KEPT")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
