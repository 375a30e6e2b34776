# SPDX-License-Identifier: Apache-2.0
"""Repetitions that stand apart. They are flagged, never removed."""

from collections.abc import Sequence

import numpy as np

from isobath.stats.estimates import FloatArray

REACH = 1.5
"""of Tukey's fences, in interquartile ranges"""


def tukey_fences(seconds: Sequence[float] | FloatArray) -> tuple[float, float]:
    """Below and above which a time stands apart: Tukey's fences on its logarithm.

    Times have a long tail to the right; on logarithms the fences do not call all of it odd.

    Args: seconds of shape (n,), n at least 1, each > 0.
    Raises: ValueError when empty or not positive.
    """
    x = np.asarray(seconds, dtype=np.float64)
    if len(x) == 0 or not np.all(x > 0):
        raise ValueError("fences need positive times")
    first, third = np.quantile(np.log(x), [0.25, 0.75])
    reach = REACH * (third - first)
    return float(np.exp(first - reach)), float(np.exp(third + reach))


def apart(seconds: Sequence[float] | FloatArray) -> tuple[int, ...]:
    """Places of the times outside the fences.

    >>> apart([1.0, 1.1, 0.9, 1.0, 1.05, 9.0])
    (5,)
    """
    low, high = tukey_fences(seconds)
    x = np.asarray(seconds, dtype=np.float64)
    return tuple(int(place) for place in np.flatnonzero((x < low) | (x > high)))
