# SPDX-License-Identifier: Apache-2.0
"""Hours that were not recorded: how noisy one may be, learned from those that were.

Of every cell each recorded sitting in turn is left out. Its launches are taken in units of what the
other sittings say of that cell, as somebody met them who knew those alone. All of them together, of
all cells, are what one cell may meet: an hour that scatters more, a launch in twelve that is late.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import FloatArray

LEAST_LAUNCHES = 24
"""of a sitting: drawn again from eight, every eighth pair is a launch and itself"""

LEAST_DIFFERENCE = 1e-9
"""of the logarithms of two launches; a clock that is coarser than the noise tells none"""

MOST_VALUES = 400_000
LEAST_DRAWS = 400
"""Draws of many pairs are fewer, so that each number of pairs takes as long."""


def draws_of(pairs: int, most: int) -> int:
    """How many regressions of so many pairs are drawn."""
    return min(most, max(LEAST_DRAWS, MOST_VALUES // pairs))


@dataclass(frozen=True, eq=False)
class Hours:
    """Launches of every cell and sitting, in units of what the other sittings say; one is as good
    as another. It is told from others by what it is, not by its values.
    """

    launches: FloatArray
    """of all sittings, one after the other"""
    begins: FloatArray
    counts: FloatArray
    """where the launches of a sitting begin, and how many there are"""

    def differences(self, pairs: int, most: int) -> FloatArray:
        """Of two launches each, in units: of shape (regressions, pairs), all pairs of a regression
        from one sitting, every sitting as often. The same numbers whenever it is asked for.
        """
        draws = -(-draws_of(pairs, most) // len(self.counts)) * len(self.counts)
        rng = np.random.default_rng(20261126)
        which = np.arange(draws) % len(self.counts)
        begins, counts = self.begins[which][:, None], self.counts[which][:, None]
        first = np.floor(rng.random((draws, pairs)) * counts)
        further = 1 + np.floor(rng.random((draws, pairs)) * (counts - 1))  # never itself
        second = (first + further) % counts
        places = [(begins + launch).astype(np.int64) for launch in (first, second)]
        apart: FloatArray = self.launches[places[0]] - self.launches[places[1]]
        return apart


@dataclass(frozen=True)
class OtherHour:
    """Of one cell in an hour that was not recorded."""

    typical: float
    """difference of two launches, by all its sittings"""
    hours: Hours


def typical_difference(logs: FloatArray) -> float:
    """Of two launches of a sitting: half of all pairs are closer. Late launches hardly move it."""
    apart = np.abs(logs[:, None] - logs[None, :])[np.triu_indices(len(logs), 1)]
    return max(float(np.median(apart)), LEAST_DIFFERENCE)


def other_hours(times: Mapping[str, Sequence[Sequence[float]]]) -> dict[str, OtherHour]:
    """Of every cell with two sittings that have launches enough; of others nothing is known.

    Args: times are those of every cell, a list for each sitting.
    """
    typical: dict[str, float] = {}
    blocks: list[FloatArray] = []
    for name, sittings in times.items():
        logs = [np.log(np.asarray(values, dtype=np.float64)) for values in sittings
                if len(values) >= LEAST_LAUNCHES]  # fmt: skip
        if len(logs) < 2:
            continue
        each = np.log([typical_difference(sitting) for sitting in logs])
        typical[name] = float(np.exp(each.mean()))
        for place, sitting in enumerate(logs):
            of_others = float(np.exp(np.delete(each, place).mean()))
            if of_others > 2 * LEAST_DIFFERENCE:
                blocks.append((sitting - sitting.mean()) / of_others)
    if not blocks:
        return {}
    counts = np.array([len(block) for block in blocks], dtype=np.float64)
    hours = Hours(np.concatenate(blocks), np.cumsum(counts) - counts, counts)
    return {name: OtherHour(difference, hours) for name, difference in typical.items()}
