# SPDX-License-Identifier: Apache-2.0
"""Ratios: of two means, with their error, and with bounds."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import Estimate
from isobath.stats.intervals import estimate_interval


@dataclass(frozen=True)
class Ratio:
    """How many times one value another is, with its 95 % bounds where there are any."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def is_gain(self) -> bool:
        """Surely more than 1."""
        return self.low is not None and self.low > 1

    @property
    def is_loss(self) -> bool:
        """Surely less than 1."""
        return self.high is not None and self.high < 1

    @property
    def is_clear(self) -> bool:
        """The interval does not hold 1: they differ."""
        return self.is_gain or self.is_loss

    @property
    def change_percent(self) -> float:
        """+16 where the first is 1.16 times as much."""
        return 100 * (self.value - 1)


def bounded(estimate: Estimate[float]) -> Ratio:
    """A ratio with Student's interval of its logarithm, which never reaches below zero.

    A ratio and its inverse have inverse bounds, as they should: neither side is the natural one.
    """
    if estimate.standard_error is None:
        return Ratio(estimate.value)
    reach = estimate_interval(
        Estimate(0.0, estimate.count, estimate.standard_error / estimate.value)
    )
    if reach is None:
        return Ratio(estimate.value)
    return Ratio(
        estimate.value, estimate.value * math.exp(reach.low), estimate.value * math.exp(reach.high)
    )


def ratio_of_means(
    numerator: Sequence[float], denominator: Sequence[float], *, paired: bool
) -> Estimate[float]:
    """mean(numerator) / mean(denominator), its error to first order.

    With harmonic mean TEPS: seconds per edge of the one over those of the other is the ratio of
    their rates, turned round.

    Args: both of shape (n,), or of two lengths where they are not paired; each value > 0. Paired
        values belong to the same key, whose peculiarity then cancels.
    Returns: ``count`` is the smaller length; no standard error for a single value.
    Raises: ValueError when empty, not positive, or paired and of two lengths.

    >>> ratio_of_means([2.0, 4.0], [1.0, 2.0], paired=True).standard_error
    0.0
    """
    x = np.asarray(numerator, dtype=np.float64)
    y = np.asarray(denominator, dtype=np.float64)
    if len(x) == 0 or len(y) == 0 or not (np.all(x > 0) and np.all(y > 0)):
        raise ValueError("a ratio needs positive values on both sides")
    if paired and len(x) != len(y):
        raise ValueError(f"{len(x)} and {len(y)} values are no pairs")
    ratio = float(x.mean() / y.mean())
    count = min(len(x), len(y))
    if count < 2:
        return Estimate(ratio, count)
    if paired:
        error = float((x - ratio * y).std(ddof=1)) / (float(y.mean()) * math.sqrt(count))
    else:
        relative = x.var(ddof=1) / (len(x) * x.mean() ** 2) + y.var(ddof=1) / (
            len(y) * y.mean() ** 2
        )
        error = ratio * math.sqrt(float(relative))
    return Estimate(ratio, count, error)
