# SPDX-License-Identifier: Apache-2.0
"""MPI's own guidelines, where they were kept with the old library and are broken with the new."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import exp, log, log1p
from statistics import median

import numpy as np

from isobath.bench.guidelines import GUIDELINES, SLACK, Guideline
from isobath.comparison.measured import Cell, Side
from isobath.guard.design import GUIDELINES as ERROR
from isobath.kinds.regress.plan import Side as SideName
from isobath.kinds.regress.reading import RegressFound
from isobath.stats.rank_tests import signed_rank
from isobath.units import size_words


@dataclass(frozen=True)
class BrokenNow:
    """A guideline that the new library breaks and the old one did not."""

    words: str
    factor: float
    """the left side now takes so many times as long as the right"""
    before: float


Times = Mapping[int, float]
"""by turn"""


def newly_broken(found: RegressFound) -> tuple[BrokenNow, ...]:
    """Those whose factor rose from turn to turn beyond chance, all checks together, from kept to
    broken. What the baseline broke already is not new.
    """
    old, new = _checks(found, "old"), _checks(found, "new")
    known = {one.words for one in (found.baseline.archive.guidelines or ())
             if found.baseline is not None} if found.baseline is not None else set()  # fmt: skip
    shared = [words for words in new if words in old]
    broken = []
    for words in shared:
        turns = sorted(new[words].keys() & old[words].keys())
        if not turns or words in known:
            continue
        now, before = ([side[words][turn] for turn in turns] for side in (new, old))
        rise = np.array(now) - np.array(before)
        is_broken, was_kept = median(now) > log(SLACK), median(before) <= log(SLACK)
        # As with cells, a rise within the tolerance is none.
        p = signed_rank(rise - log1p(found.plan.design.tolerance))[1]
        if is_broken and was_kept and p < ERROR / len(shared):
            broken.append(BrokenNow(words, exp(median(now)), exp(median(before))))
    return tuple(broken)


def _checks(found: RegressFound, name: SideName) -> dict[str, Times]:
    """By guideline and size, of each turn the logarithm of left by right."""
    checks: dict[str, Times] = {}
    for side in found.sides.get(name, ()):
        for (ranks, mpi), curves in _curves(side).items():
            for guideline in GUIDELINES:
                checks.update(_of_guideline(guideline, curves, ranks, mpi))
    return checks


def _curves(side: Side) -> dict[tuple[int, str], dict[str, dict[int, Times]]]:
    """By ranks and library, of each collective the times of every size."""
    found: dict[tuple[int, str], dict[str, dict[int, Times]]] = {}
    for cell in side.cells:
        collective, size = cell.identity.get("collective"), cell.identity.get("size_bytes")
        if not collective or not isinstance(size, int) or cell.trouble or not _is_plain(cell):
            continue
        ranks = int(dict(cell.bound)["ranks"].split()[0])
        times = {int(one.launch.rpartition("-")[2]): one.value for one in cell.taken}
        place = (ranks, str(cell.settings.get("alignment", "")))
        found.setdefault(place, {}).setdefault(str(collective), {})[size] = times
    return found


def _is_plain(cell: Cell) -> bool:
    plain = {"forced": None, "form": "blocking", "along": "world", "counts": "uniform",
             "buffers": "warm", "cadence": "isolated", "arrival": "zero"}  # fmt: skip
    return all(cell.identity.get(name) == value for name, value in plain.items())


def _of_guideline(
    guideline: Guideline, curves: Mapping[str, Mapping[int, Times]], ranks: int, alignment: str
) -> Iterator[tuple[str, Times]]:
    del alignment
    for size, left in curves.get(guideline.left, {}).items():
        right: list[Times] = []
        for name, size_of in guideline.right:
            least = size_of(size, ranks)
            there = [one for one in sorted(curves.get(name, {})) if one >= least]
            right += [curves[name][there[0]]] if there else []
        if len(right) < len(guideline.right):
            continue
        turns = set(left).intersection(*right)
        times = {turn: log(left[turn] / sum(one[turn] for one in right)) for turn in turns}
        yield f"{guideline.words()} at {size_words(size)}, {ranks} ranks", times
