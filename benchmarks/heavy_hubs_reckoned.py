#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reckons for grids that nobody runs what heavy_hubs.py counts: ``today``, ``both``, ``both 1``.

Usage, after ``./isobath setup`` (no engine; some seconds):

    .venv/bin/python benchmarks/heavy_hubs_reckoned.py 20:16x16 20:4x64 20:16x16:16384
    .venv/bin/python benchmarks/heavy_hubs_reckoned.py 36:64x128 42:316x316

Searches are walked over classes of vertices (costmodel/class_walk.py), in expectation behind the
second level. A vertex whose neighbours in a share of the classes are expected to be x has some in
C (1 - exp(-x / C)) of C columns. Hubs and top-down levels send the same either way, as the cost
model has them. Of answers a share says by a bit who the parent is (--known); it is counted, not
reckoned: 0.95 on 8x8 at scale 18 with the hubs of the formula, 0.86 there and 0.58 on 4x64 at
n/K = 2^14; in the first of two turns all are taken to do.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
sys.path.insert(0, str(ROOT / "benchmarks"))

from riken_volumes_reckoned import setting_of  # noqa: E402

from isobath.costmodel.class_walk import Classes  # noqa: E402
from isobath.costmodel.estimates import GraphSetting  # noqa: E402
from isobath.costmodel.grid import Grid  # noqa: E402
from isobath.costmodel.hubs import hubs_of  # noqa: E402
from isobath.costmodel.levels import LevelFacts, levels_of_shares  # noqa: E402
from isobath.costmodel.neighbour_table import neighbour_table  # noqa: E402
from isobath.costmodel.packing import list_bytes, number_bytes, source_bits  # noqa: E402
from isobath.costmodel.volumes import search_volumes  # noqa: E402
from isobath.stats.estimates import FloatArray  # noqa: E402

SEARCHES = 16
KEPT = 4
PIECE = 512
"""bits to which bitmaps of ranks are padded"""


@dataclass(frozen=True)
class Reached:
    """A level: shares of each class that were reached before it, and with it."""

    before: FloatArray
    now: FloatArray


class Walk:
    """Classes of a graph on a grid, and how many hubs there are."""

    def __init__(self, setting: GraphSetting, hubs: int) -> None:
        self.setting, self.hubs = setting, hubs
        self.classes = Classes(neighbour_table(setting.scale, setting.edgefactor << setting.scale))
        size = self.classes.size
        before = np.concatenate([[0.0], np.cumsum(size)[:-1]])
        self.is_hub = np.clip((hubs - before) / size, 0.0, 1.0)
        self.is_searched = 1 - self.classes.isolated  # of a neighbour: whether it has another

    def neighbours(self, share: FloatArray, parts: float = 1.0) -> FloatArray:
        """Minus the logarithm of the chance to have none in a share of each class, in one of so
        many parts of the ranks.
        """
        return self.classes.exponents(share / parts)

    def without(self, share: FloatArray) -> FloatArray:
        """Searched vertices without a neighbour in a share, by class."""
        nobody = self.neighbours(1 - share)
        others = 1 - np.exp(-nobody) * (1 + nobody)  # two others at least
        return np.asarray(self.classes.size * np.exp(-self.neighbours(share)) * others)

    def parts_of(self, share: FloatArray, parts: int, unmet: FloatArray) -> FloatArray:
        """Expected parts, of so many, in which a searched vertex has neighbours in a share, all
        being outside of another share, ``unmet``; summed over a class.
        """
        there = parts * -np.expm1(-self.neighbours(share * self.is_searched, parts))
        among = self.classes.size * np.exp(-self.neighbours(unmet))
        nobody = self.neighbours(1 - unmet)
        alone = np.exp(-nobody) * self.neighbours(share * self.is_searched)  # leaves
        return np.asarray(among * np.maximum(0.0, there - alone))

    def found_by_first(self, share: FloatArray, chance: FloatArray) -> FloatArray:
        """Chance of a vertex of each class to have neighbours in a share of the classes, and the
        first of them, that of the heaviest class, on the frontier, as this chance says by class.
        """
        table, classes = self.classes.table, len(self.classes.size)
        weights = table.count * -np.log1p(-table.present * share[table.ones])
        at = table.of * classes + table.ones
        mean = np.bincount(at, weights, classes * classes).reshape(classes, classes)
        heavier = np.cumsum(mean, axis=1) - mean
        return np.asarray((np.exp(-heavier) * -np.expm1(-mean) * chance).sum(axis=1))

    def search(self, rng: np.random.Generator) -> tuple[list[Reached], tuple[LevelFacts, ...]]:
        """From a searched vertex; its neighbours are drawn, all behind are expectations."""
        classes = self.classes
        ones = int(rng.choice(len(classes.size), p=self.without(0 * classes.size) / self.total))
        degree = max(2, int(rng.poisson(classes.degree[ones])))
        expected = classes.neighbours_of(ones)
        fresh = rng.multinomial(degree, expected / expected.sum()) / classes.size
        before = np.zeros(len(classes.size))
        before[ones] = 1 / classes.size[ones]
        states = [Reached(0 * before, before)]
        vertices, arcs = [1.0], [float(degree)]
        while True:
            now = np.minimum(1.0, before + fresh)
            found = (now - before) * classes.size * self.is_searched
            if found.sum() < 0.5:
                break
            states.append(Reached(before, now))
            vertices.append(float(found.sum()))
            arcs.append(float((found * classes.degree).sum()))
            met = -np.expm1(-classes.exponents(now))
            before, fresh = now, np.maximum(0.0, met - now)
        nothing = np.zeros(len(arcs))
        facts = levels_of_shares(
            np.array(arcs), nothing, np.array(vertices), nothing, self.total, "policy"
        )
        return states, facts

    @cached_property
    def total(self) -> float:
        """Searched vertices."""
        return float(self.without(0 * self.classes.size).sum())


def spread_lists(entries: float, out_of: float, pieces: int) -> float:
    """Bytes of entries in so many lists."""
    return pieces * list_bytes(entries / pieces, out_of / pieces)


def turn(
    asked: FloatArray, answers: FloatArray, in_sets: float, pairs: int, bits: int, known: float
) -> dict[str, float]:
    """Bytes of asking, and of the answers; all numbers are sums over pairs of ranks."""
    entries, said = float(asked.sum()), float(answers.sum())
    targets = min(entries / 8, spread_lists(said, in_sets, pairs))
    return {
        "lists or ring": min(in_sets / 8, spread_lists(entries, in_sets, pairs)),
        "fold": targets + said * (1 + (1 - known) * bits) / 8,
    }


def level_bytes(walk: Walk, level: Reached, known: float) -> Iterator[tuple[str, str, float]]:
    """Way, kind and bytes of a bottom-up level, without hubs."""
    grid, total = walk.setting.blocks.grid, walk.total
    rows, cols, ranks = grid.rows, grid.cols, grid.size
    padded = ranks * ceil(total / ranks / PIECE) * PIECE
    by_hubs = level.before + walk.is_hub * (level.now - level.before)
    unvisited = float(walk.without(level.before).sum())
    left_open = 1 - walk.is_hub  # neighbours beyond the kept hubs, nearly
    asked_share = left_open * (1 - level.before)
    # today
    shorter = spread_lists(min(unvisited, total - unvisited), total, ranks)
    bitmap = padded / 8
    yield "today", "columns", (rows - 1) * (shorter if shorter <= bitmap / 2 else bitmap)
    some = -np.expm1(-walk.neighbours(asked_share))
    left = walk.without(by_hubs)
    asking = float((left * np.minimum(1.0, some)).sum())
    lists = spread_lists(asking, total, ranks)
    is_by_list = lists < bitmap
    found = float((left - walk.without(level.now)).sum())
    yield "today", "lists or ring", (cols - 1) * lists if is_by_list else cols * bitmap
    frontier = left_open * (level.now - level.before)
    answers = float(walk.parts_of(frontier, cols, by_hubs).sum()) * (1 - 1 / cols)
    pairs = ranks * (cols - 1)
    bits = source_bits(-(-(1 << walk.setting.scale) // cols))
    proposed = answers if is_by_list else found * (1 - 1 / cols)
    targets = spread_lists(proposed, total * (cols - 1), pairs)
    counts = min(pairs, proposed) * number_bytes(proposed / pairs)
    yield "today", "fold", targets + counts + proposed * bits / 8
    # both
    nobody = 0 * level.now
    many = np.maximum(0.0, walk.neighbours(walk.is_hub) - KEPT)
    by_class = walk.parts_of(left_open, cols, nobody) + many * walk.without(nobody)
    in_sets = float(np.minimum(by_class, cols * walk.without(nobody)).sum()) * (1 - 1 / cols)
    elsewhere = 1 - 1 / cols
    asked_of = walk.parts_of(asked_share, cols, by_hubs) * elsewhere
    answers_of = walk.parts_of(frontier, cols, by_hubs) * elsewhere
    for kind, sent in turn(asked_of, answers_of, in_sets, pairs, bits, known).items():
        yield "both", kind, sent
    first = walk.found_by_first(asked_share, frontier / np.maximum(asked_share, 1e-300))
    asking_of = left * some * elsewhere
    found_of = left * first * elsewhere
    for kind, sent in turn(asking_of, found_of, in_sets, pairs, bits, 1.0).items():
        yield "both 1", kind, sent
    waits = 1 - first / np.maximum(some, 1e-300)
    asked_of = np.maximum(0.0, asked_of - asking_of) * waits
    answers_of = np.maximum(0.0, answers_of - found_of) * waits
    for kind, sent in turn(asked_of, answers_of, in_sets, pairs, bits, known).items():
        yield "both 1", kind, sent
    light = walk.parts_of(1 - nobody, rows, nobody) * left_open
    in_rows = (float(light.sum()) + walk.hubs * rows) * (1 - 1 / rows)
    waiting = walk.parts_of(1 - level.before, rows, level.before) * left_open
    waiting_in_rows = float(waiting.sum()) * (1 - 1 / rows)
    fewest = min(waiting_in_rows, in_rows - waiting_in_rows)
    shorter = spread_lists(fewest, in_rows, ranks * (rows - 1))
    for way in ("both", "both 1"):
        yield way, "columns", shorter if shorter <= in_rows / 16 else in_rows / 8


WAYS = ("today", "both", "both 1")
KIND_OF_PHASE = {"hub_pass": "hubs", "expand": "columns", "fold": "fold"}


def print_cell(cell: str, known: float) -> None:
    """Mean bytes of searches either way."""
    scale, grid, *ratio = cell.split(":")
    setting = setting_of(int(scale), Grid.typed(grid))
    hubs = hubs_of(setting)
    if ratio:
        hubs = min(hubs, round(setting.blocks.vertices / int(ratio[0])))
    walk = Walk(setting, hubs)
    rng = np.random.default_rng(1)
    sums: defaultdict[tuple[str, str], float] = defaultdict(float)
    for _ in range(SEARCHES):
        states, facts = walk.search(rng)
        goes_up = [level.direction == "bottom_up" for level in facts]
        for part in search_volumes(setting, facts).parts:
            kind = KIND_OF_PHASE.get(part.phase)
            if kind and part.level >= 0 and (kind == "hubs" or not goes_up[part.level]):
                sent = part.bytes_sent * (hubs / hubs_of(setting) if kind == "hubs" else 1.0)
                for way in WAYS:
                    sums[way, kind] += sent
        for level, is_bottom_up in zip(states, goes_up, strict=True):
            if is_bottom_up:
                for way, kind, sent in level_bytes(walk, level, known):
                    sums[way, kind] += sent
    print(f"scale {scale} on {grid}, {hubs:,} hubs, n/K = {walk.total / hubs:,.0f}")
    whole = 0.0
    for way in WAYS:
        kinds = ("hubs", "columns", "lists or ring", "fold")
        mean = [sums[way, kind] / SEARCHES / 1e6 for kind in kinds]
        words = ", ".join(f"{kind} {part:,.4g}" for kind, part in zip(kinds, mean, strict=True))
        whole = whole or sum(mean)
        print(f"  {way:6} {sum(mean):12,.4g} MB, {sum(mean) / whole:.2f}: {words}", flush=True)


def main() -> int:
    """Prints two lines for each cell."""
    parser = argparse.ArgumentParser(description="Bytes of larger grids, two ways of asking.")
    parser.add_argument("cells", nargs="+", help="scale:rows x columns, and n/K if not the formula")
    parser.add_argument("--known", type=float, default=0.6, help="answers without a parent")
    asked = parser.parse_args()
    for cell in asked.cells:
        print_cell(cell, asked.known)
    return 0


if __name__ == "__main__":
    sys.exit(main())
