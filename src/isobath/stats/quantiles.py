# SPDX-License-Identifier: Apache-2.0
"""The numbers that say how times are distributed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import FloatArray


@dataclass(frozen=True)
class Quantiles:
    """From the smallest to the largest."""

    minimum: float
    p25: float
    median: float
    p75: float
    p95: float
    p99: float
    maximum: float


def quantiles(values: Sequence[float] | FloatArray) -> Quantiles:
    """Of shape (n,), n at least 1, in any order; linear between order statistics.

    Raises: ValueError when empty.

    >>> quantiles([3.0, 1.0, 2.0]).p75
    2.5
    """
    if len(values) == 0:
        raise ValueError("quantiles of no values")
    points = np.quantile(np.asarray(values, dtype=np.float64), [0, 0.25, 0.5, 0.75, 0.95, 0.99, 1])
    return Quantiles(*map(float, points))
