# SPDX-License-Identifier: Apache-2.0
"""How many independent values a series of repetitions is worth."""

from collections.abc import Sequence

import numpy as np

from isobath.stats.estimates import FloatArray


def lag_one_correlation(values: Sequence[float] | FloatArray) -> float:
    """Correlation of each value with the one before it; 0 where nothing varies or n < 3.

    Args: values of shape (n,), in the order in which they were measured.

    >>> lag_one_correlation([1.0, -1.0, 1.0, -1.0])
    -0.75
    """
    x = np.asarray(values, dtype=np.float64)
    if len(x) < 3:
        return 0.0
    centred = x - x.mean()
    total = float(centred @ centred)
    return float(centred[1:] @ centred[:-1]) / total if total > 0 else 0.0


def effective_count(values: Sequence[float] | FloatArray) -> float:
    """n (1 - r) / (1 + r) with the lag-one correlation r, never more than n, and at least 1.

    Exact in the mean for a first-order autoregressive series. Negative correlation is not taken as
    a gain: it is noise more often than knowledge.

    Args: values of shape (n,), n at least 1, in the order in which they were measured.
    Raises: ValueError when empty.
    """
    n = len(values)
    if n == 0:
        raise ValueError("the effective number of no values")
    r = max(0.0, lag_one_correlation(values))
    return max(1.0, n * (1 - r) / (1 + r))
