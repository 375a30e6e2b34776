# SPDX-License-Identifier: Apache-2.0
"""The median over launches of a benchmark, with an interval that knows both levels of chance.

Repetitions of one launch share what the launch drew: where memory lies, which core a rank got. So
launches are resampled first, then the repetitions inside each (Hunold and Carpen-Amarie 2016).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from isobath.stats.estimates import FloatArray
from isobath.stats.intervals import Interval, median_interval, student

RESAMPLES = 1000

FEW = 5
"""Launches below this cannot tell how they are distributed"""

DISAGREE = 1.25
"""where the largest of their medians is more than so many times the smallest."""


@dataclass(frozen=True)
class LaunchMedian:
    """The median of the medians of launches."""

    value: float
    launches: int
    repetitions: int
    interval: Interval | None
    """of one launch that of its repetitions, which says nothing of other launches; of few launches
    that disagree the range of their medians, whose level says how little it covers"""
    disagree: bool = False
    """few launches, of which some took much longer than others: nothing can be concluded"""


def median_of_launches(
    launches: Sequence[Sequence[float] | FloatArray],
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> LaunchMedian:
    """The estimate of a cell that was measured in several launches.

    Args: launches of shape (repetitions of that launch,), each value > 0; empty ones are left out.
    Returns: with several launches the interval of a hierarchical bootstrap on logarithms, widened
        for the small number of launches by t(n - 1) sqrt(n / (n - 1)) / z. Of fewer than 5 launches
        that disagree this would reach several times as far as what was seen, on a distribution
        that nobody knows: their interval is the range of medians, which holds the true one with
        probability 1 - 2^(1 - n).
    Raises: ValueError without any value, or where one is not positive.
    Source of the widening: T. Hesterberg, The American Statistician 69 (2015) 371-386, section 3.5
        (narrowness bias of the bootstrap); the coverage is tested by simulation.
    """
    samples = [np.sort(np.asarray(launch, dtype=np.float64)) for launch in launches if len(launch)]
    if not samples:
        raise ValueError("the median of no repetition")
    if any(sample[0] <= 0 for sample in samples):
        raise ValueError("times must be positive")
    repetitions = sum(map(len, samples))
    if len(samples) == 1:
        only = samples[0]
        return LaunchMedian(float(np.median(only)), 1, repetitions, median_interval(only, level))
    medians = [float(np.median(sample)) for sample in samples]
    centre = float(np.median(medians))
    number = len(samples)
    if number < FEW and max(medians) > DISAGREE * min(medians):
        seen = Interval(min(medians), max(medians), 1 - 2.0 ** (1 - number))
        return LaunchMedian(centre, number, repetitions, seen, disagree=True)
    drawn = np.median(draw_medians(samples, resamples, np.random.default_rng(seed)), axis=1)
    low, high = np.quantile(np.log(drawn / centre), [(1 - level) / 2, (1 + level) / 2])
    wider = widening(len(samples), level)
    bounds = centre * np.exp(np.array([min(low, 0.0), max(high, 0.0)]) * wider)
    interval = Interval(float(bounds[0]), float(bounds[1]), level)
    return LaunchMedian(centre, len(samples), repetitions, interval)


def draw_medians(
    launches: Sequence[FloatArray], resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Medians of bootstrap launches: shape (resamples, number of launches).

    Which launch is drawn first, then the median of its resampled repetitions. The latter needs no
    resampling: the k-th smallest of n uniform draws has a beta distribution, which says the place.

    Args: launches sorted, each of shape (n,) with n at least 1.
    """
    number = len(launches)
    chosen = rng.integers(number, size=(resamples, number))
    medians = np.empty((resamples, number))
    for which, sample in enumerate(launches):
        places = chosen == which
        medians[places] = _resampled_medians(sample, int(places.sum()), rng)
    return medians


def _resampled_medians(sample: FloatArray, number: int, rng: np.random.Generator) -> FloatArray:
    n = len(sample)
    if n == 1:
        return np.full(number, sample[0])
    k = (n + 1) // 2
    lower = rng.beta(k, n - k + 1, number)
    first: FloatArray = sample[_place(lower, n)]
    if n % 2:
        return first
    upper = lower + (1 - lower) * rng.beta(1, n - k, number)
    second: FloatArray = sample[_place(upper, n)]
    return (first + second) / 2


def _place(uniform: FloatArray, n: int) -> NDArray[np.int64]:
    return np.minimum((uniform * n).astype(np.int64), n - 1)


def widening(launches: int, level: float = 0.95) -> float:
    """By how much a bootstrap interval over so few launches is too narrow; 1 for one, which says
    nothing of others anyway.
    """
    if launches < 2:
        return 1.0
    z = NormalDist().inv_cdf((1 + level) / 2)
    return student(launches - 1, level) * math.sqrt(launches / (launches - 1)) / z
