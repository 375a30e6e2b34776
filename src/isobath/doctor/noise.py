# SPDX-License-Identifier: Apache-2.0
"""How steadily one thread gets its processor: equal pieces of work, timed."""

import time

import numpy as np

from isobath.doctor.finding import Finding
from isobath.units import Seconds

PIECES = 400
NOISY = 0.10


def measure_noise(pieces: int = PIECES) -> float:
    """Time lost to others: mean of all pieces over the median of the quickest quarter, minus 1."""
    values = np.arange(20000, dtype=np.float64)
    for _ in range(20):  # clock and caches warm up
        float(values.sum())
    seconds: list[Seconds] = []
    for _ in range(pieces):
        begin = time.perf_counter()
        for _ in range(10):
            float(values.sum())
        seconds.append(time.perf_counter() - begin)
    ordered = np.sort(np.array(seconds))
    return float(ordered.mean() / np.median(ordered[: max(1, pieces // 4)]) - 1)


def noise_finding(noise: float) -> Finding:
    """Whether times can be trusted at this moment."""
    words = f"equal pieces of work take {100 * noise:.1f} % longer in the mean than at best"
    if noise > NOISY:
        remedy = "other programs or a shared processor interfere: repeat runs, compare medians"
        return Finding("noise", "warning", words, remedy)
    return Finding("noise", "good", words)
