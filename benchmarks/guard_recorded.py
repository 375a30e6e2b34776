# SPDX-License-Identifier: Apache-2.0
"""Noise as a baseline recorded it, for guard_simulation.py: launches by cells, and guidelines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from isobath.baseline.chain import Baseline
from isobath.baseline.gathering import cell_from
from isobath.baseline.portable import read_portable
from isobath.guard.needed import needed_pairs
from isobath.guard.noise import GAP_SECONDS
from isobath.kinds.regress.guideline_checks import checks_between
from isobath.kinds.regress.learned import noises_of
from isobath.kinds.regress.sittings_kept import valid_sittings
from isobath.stats.estimates import FloatArray

Sides = tuple[int, tuple[int, ...]]
"""Of a guideline: the place of the cell on its left, and of those on its right."""


@dataclass(frozen=True)
class Recorded:
    """Noise as it was recorded: of each sitting, launches by cells, as logarithms."""

    cells: tuple[str, ...]
    sittings: tuple[FloatArray, ...]
    turns: tuple[int | None, ...]
    """that calibrate asks for, by cell"""
    guidelines: tuple[Sides, ...] = ()
    """that regress holds its cells to, without those that the baseline broke"""

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
    return Recorded(cells, tuple(sittings), turns, guidelines_of(baseline, cells))


def guidelines_of(baseline: Baseline, names: Sequence[str]) -> tuple[Sides, ...]:
    """All that the cells of these names can be held to, and that the baseline kept."""
    kept = [cell for cell in baseline.archive.cells if cell.name in names]
    cells = [cell_from(cell) for cell in kept]
    place = {id(cell): names.index(own.name) for cell, own in zip(cells, kept, strict=True)}
    broken = {guideline.words for guideline in baseline.archive.guidelines or ()}
    return tuple(
        (place[id(left)], tuple(place[id(cell)] for cell in right))
        for words, left, right in checks_between(cells)
        if words not in broken
    )


def _blocks(baseline: Baseline) -> Iterator[tuple[float, float, Mapping[str, Sequence[float]]]]:
    """Begin, end and times by cell of the baseline itself and of every sitting that holds."""
    began = [one.began for member in baseline.archive.members for one in member.launches.values()]
    own = {cell.name: [sample.value for sample in cell.samples] for cell in baseline.archive.cells}
    yield min(began), max(began), own
    for sitting in valid_sittings(baseline, datetime.now(UTC)):
        times = {name: [sample.value for sample in samples]
                 for name, samples in sitting.samples.items()}  # fmt: skip
        yield sitting.began, sitting.ended, times
