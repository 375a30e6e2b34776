# SPDX-License-Identifier: Apache-2.0
"""What a model is fitted to: medians over launches, each with what is known of its noise."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from isobath.models.formula import SYMBOLS
from isobath.stats.estimates import FloatArray, IntArray

LEAST_NOISE = 0.02
"""Standard error of a logarithm below which a median does not count for more: launches that agree
better agree in what they share, too."""

USUAL_FREEDOM = 4
"""So many launches' worth of what all points scatter stands beside a point's own scatter."""

MEDIAN_ERROR = 1.2533
"""Standard error of a median against that of a mean, of normal values."""

Chosen = NDArray[np.bool_] | IntArray


@dataclass(frozen=True)
class Sample:
    """One cell: what was measured in every launch, and all that tells it apart."""

    title: str
    numbers: Mapping[str, float]
    """by symbol of a formula"""
    factors: Mapping[str, str]
    """what else was set or found"""
    taken: tuple[tuple[Hashable, float], ...]
    """of each launch, what tells its turn, and seconds"""


@dataclass(frozen=True)
class Points:
    """Samples as columns. All arrays have shape (n,)."""

    samples: tuple[Sample, ...]
    columns: Mapping[str, FloatArray]
    """symbols that all points have"""
    seconds: FloatArray
    noise: FloatArray
    """standard errors of the logarithms of ``seconds``, from launches"""

    def __len__(self) -> int:
        return len(self.samples)

    @cached_property
    def weights(self) -> FloatArray:
        """Of each point in a fit: by its noise, mean 1."""
        inverse = 1 / (self.noise**2 + LEAST_NOISE**2)
        weights: FloatArray = inverse / inverse.mean()
        return weights

    @cached_property
    def turns(self) -> tuple[Hashable, ...]:
        """All turns in which launches were taken."""
        return tuple(dict.fromkeys(turn for sample in self.samples for turn, _ in sample.taken))

    @cached_property
    def by_turn(self) -> FloatArray | None:
        """Seconds of every point in every turn, shape (n, turns); None where a point lacks a launch
        of a turn, or has several.
        """
        if any(tuple(turn for turn, _ in one.taken) != self.turns for one in self.samples):
            return None
        return np.array([[seconds for _, seconds in one.taken] for one in self.samples])

    @cached_property
    def most_launches(self) -> int:
        """Of the point that has most."""
        return max((len(sample.taken) for sample in self.samples), default=0)

    def some(self, which: Chosen) -> "Points":
        """Those of a mask, or those with these numbers."""
        places = np.arange(len(self))[which]
        return Points(
            tuple(self.samples[place] for place in places),
            {name: values[places] for name, values in self.columns.items()},
            self.seconds[places],
            self.noise[places],
        )

    def with_seconds(self, seconds: FloatArray) -> "Points":
        """The same points with other times: of a resample."""
        return replace(self, seconds=seconds)

    @property
    def factor_names(self) -> tuple[str, ...]:
        """Words that differ among the points."""
        names = dict.fromkeys(name for sample in self.samples for name in sample.factors)
        return tuple(name for name in names if len(set(self.levels(name))) > 1)

    def levels(self, name: str) -> tuple[str, ...]:
        """Of a factor, at every point."""
        return tuple(sample.factors.get(name, "none") for sample in self.samples)

    @property
    def varied(self) -> tuple[str, ...]:
        """Symbols that differ among the points."""
        return tuple(name for name, values in self.columns.items() if len(np.unique(values)) > 1)

    @cached_property
    def told_apart(self) -> tuple[str, ...]:
        """Numbers that differ, without those that tell the points apart as another does."""
        seen: dict[bytes, str] = {}
        for name in sorted(self.varied, key=list(SYMBOLS).index):
            order = np.unique(self.columns[name], return_inverse=True)[1]
            seen.setdefault(order.tobytes(), name)
        return tuple(seen.values())


def points_of(samples: Sequence[Sample]) -> Points:
    """Medians and noise. Symbols are those that all samples have.

    Raises: ValueError without samples, or for one without positive times.
    """
    if not samples or not all(
        sample.taken and min(t for _, t in sample.taken) > 0 for sample in samples
    ):
        raise ValueError("samples have positive times")
    shared = [
        name for name in samples[0].numbers if all(name in sample.numbers for sample in samples)
    ]
    columns = {
        name: np.array([sample.numbers[name] for sample in samples], dtype=np.float64)
        for name in shared
    }
    seconds = np.array([median(t for _, t in sample.taken) for sample in samples])
    return Points(tuple(samples), columns, seconds, noise_of(samples))


def noise_of(samples: Sequence[Sample]) -> FloatArray:
    """Standard errors of the logarithms of medians. Few launches hardly tell how they scatter, so
    each point leans on what all points scatter; of single launches that is not known: all alike.
    """
    own = [np.log([t for _, t in sample.taken]) for sample in samples]
    freedom = np.array([len(logs) - 1 for logs in own], dtype=np.float64)
    squares = np.array([float(np.sum((logs - logs.mean()) ** 2)) for logs in own])
    if freedom.sum() == 0:
        return np.zeros(len(own))
    usual = float(np.median((squares / np.maximum(freedom, 1))[freedom > 0]))
    variance = (squares + USUAL_FREEDOM * usual) / (freedom + USUAL_FREEDOM)
    launches = freedom + 1
    inflated = np.where(launches > 2, MEDIAN_ERROR, 1.0)
    noise: FloatArray = np.sqrt(variance / launches) * inflated
    return noise
