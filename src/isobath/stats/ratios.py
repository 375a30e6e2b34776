# SPDX-License-Identifier: Apache-2.0
"""Ratios of two means, with their error."""

import math
from collections.abc import Sequence

import numpy as np

from isobath.stats.estimates import Estimate


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
