# SPDX-License-Identifier: Apache-2.0
"""Faster or hidden? The identity that splits what one way of communicating gains over another.

T_nov(A) = C_A + W0                 the blocking call of A, then the work
T_ov(B)  = C_B + W_in - H'          B's start and wait, the work as it ran, less what was hidden
gain     = (C_A - C_B) + H' + (W0 - W_in)
           faster        hidden  disturbed
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

RESAMPLES = 1000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A value and the bootstrap interval of 95 % around it."""

    value: float
    low: float
    high: float

    @property
    def is_gain(self) -> bool:
        """Above 0 beyond doubt."""
        return self.low > 0

    @property
    def is_loss(self) -> bool:
        """Below 0 beyond doubt."""
        return self.high < 0


@dataclass(frozen=True)
class Samples:
    """Times of one setting by repetition, all in the same unit."""

    blocking: Sequence[float]
    nonblocking: Sequence[float]
    work: Sequence[float]
    overlap: Sequence[float]
    work_inside: Sequence[float]


@dataclass(frozen=True)
class Attribution:
    """Of the gain of B, overlapped, over A, blocking and then working."""

    gain: Interval
    faster: Interval
    """C_A - C_B"""
    hidden: Interval
    """H' = C_B + W_in - T_ov(B)"""
    disturbed: Interval
    """W0 - W_in; at most 0 where progress takes from the work"""


Term = Callable[[float, float, float, float, float], float]


def faster(c_a: float, c_b: float, w0: float, w_in: float, t_ov: float) -> float:
    """What the collective itself gained."""
    return c_a - c_b


def hidden(c_a: float, c_b: float, w0: float, w_in: float, t_ov: float) -> float:
    """What B hid, by the work as it ran."""
    return c_b + w_in - t_ov


def disturbed(c_a: float, c_b: float, w0: float, w_in: float, t_ov: float) -> float:
    """What progress took from the work (at most 0, but for noise)."""
    return w0 - w_in


def gain(c_a: float, c_b: float, w0: float, w_in: float, t_ov: float) -> float:
    """Of all that is measured; the other three add up to it."""
    return c_a + w0 - t_ov


def attribute(baseline: Samples, candidate: Samples, *, seed: int = 1) -> Attribution:
    """The three terms of medians, and how sure they are.

    The same repetitions are drawn for all parts of a side, since they were measured together. The
    work is that of the candidate: both did the same.
    """
    generator = np.random.default_rng(seed)
    rows = []
    for _ in range(RESAMPLES):
        ours = generator.integers(0, len(baseline.blocking), len(baseline.blocking))
        theirs = generator.integers(0, len(candidate.overlap), len(candidate.overlap))
        rows.append(
            (
                _median_of(baseline.blocking, ours),
                _median_of(candidate.nonblocking, theirs),
                _median_of(candidate.work, theirs),
                _median_of(candidate.work_inside, theirs),
                _median_of(candidate.overlap, theirs),
            )
        )
    medians = (
        median(baseline.blocking),
        median(candidate.nonblocking),
        median(candidate.work),
        median(candidate.work_inside),
        median(candidate.overlap),
    )

    def interval(term: Term) -> Interval:
        drawn = [term(*row) for row in rows]
        tail = (1 - CONFIDENCE) / 2 * 100
        low, high = np.percentile(drawn, [tail, 100 - tail])
        return Interval(term(*medians), float(low), float(high))

    return Attribution(
        gain=interval(gain),
        faster=interval(faster),
        hidden=interval(hidden),
        disturbed=interval(disturbed),
    )


def _median_of(
    values: Sequence[float], places: "np.ndarray[tuple[int], np.dtype[np.int64]]"
) -> float:
    return float(np.median(np.asarray(values)[places]))


def verdict(found: Attribution) -> str:
    """One sentence: hidden, or only faster?"""
    if found.gain.is_loss:
        return "slower than calling it and then working" + _because(found)
    if not found.gain.is_gain:
        return "no gain that the measurement can tell from none"
    parts = [
        name
        for name, term in (("a faster collective", found.faster), ("hidden time", found.hidden))
        if term.is_gain
    ]
    if not parts:
        return "a gain, of which neither a faster collective nor hidden time can be told alone"
    share = max(0.0, min(1.0, (found.hidden.value + found.disturbed.value) / found.gain.value))
    if len(parts) == 2:
        return f"a gain from both: {share:.0%} of it is hidden, the rest is a faster collective"
    if parts == ["hidden time"]:
        return "a gain that is hidden time, not a faster collective"
    return "only faster: the gain is a faster collective, and nothing is hidden"


def _because(found: Attribution) -> str:
    if found.disturbed.is_loss and -found.disturbed.value >= -found.gain.value / 2:
        return ": progress takes from the work what it hides"
    if found.faster.is_loss:
        return ": the non-blocking call costs more than it hides"
    return ""
