# SPDX-License-Identifier: Apache-2.0
"""Faster or hidden? The identity that splits what one way of communicating gains over another.

T_nov(A) = C_A + W0                 the blocking call of A, then the work
T_ov(B)  = C_B + W_in - H'          B's start and wait, the work as it ran, less what was hidden
gain     = (C_A - C_B) + H' + (W0 - W_in)
           faster        hidden  disturbed
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from isobath.stats.estimates import FloatArray
from isobath.stats.launches import widening

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
    """Times of one setting in one launch by repetition, all in the same unit."""

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


def attribute(
    baseline: Sequence[Samples], candidate: Sequence[Samples], *, seed: int = 1
) -> Attribution:
    """The three terms of medians of launches, and how sure they are.

    Launches are drawn first, then repetitions of each; the same for all parts of a side, since
    they were measured together. Intervals are widened for few launches (``stats.launches``). The
    work is that of the candidate: both did the same.
    """
    generator = np.random.default_rng(seed)
    ours, theirs = _medians(baseline), _medians(candidate)
    our_draws = _drawn(baseline, generator)
    their_draws = _drawn(candidate, generator)
    wider = widening(min(len(baseline), len(candidate)))

    def interval(term: Term) -> Interval:
        value = term(ours[BLOCKING], *theirs[BLOCKING + 1 :])
        rows = zip(our_draws, their_draws, strict=True)
        drawn = [term(our[BLOCKING], *their[BLOCKING + 1 :]) for our, their in rows]
        return interval_around(value, drawn, wider)

    return Attribution(
        gain=interval(gain),
        faster=interval(faster),
        hidden=interval(hidden),
        disturbed=interval(disturbed),
    )


def share_interval(launches: Sequence[Samples], *, seed: int = 1) -> Interval:
    """The overlap ratio with its interval over launches."""

    def share(_: float, c_n: float, w0: float, w_in: float, t_ov: float) -> float:
        return (c_n + w0 - t_ov) / min(c_n, w0)

    drawn = _drawn(launches, np.random.default_rng(seed))
    return interval_around(
        share(*_medians(launches)), [share(*row) for row in drawn], widening(len(launches))
    )


def interval_around(value: float, drawn: Sequence[float], wider: float) -> Interval:
    """Of the bootstrap values, stretched away from the estimate by a factor."""
    tail = (1 - CONFIDENCE) / 2 * 100
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Interval(
        value,
        value + min(0.0, float(low) - value) * wider,
        value + max(0.0, float(high) - value) * wider,
    )


BLOCKING = 0
"""Place in the lists below, which are in the order of the arguments of a Term."""


def _parts(samples: Samples) -> FloatArray:
    """Shape (5, repetitions), in the order of a Term's arguments."""
    return np.array(
        [samples.blocking, samples.nonblocking, samples.work, samples.work_inside, samples.overlap]
    )


def _medians(launches: Sequence[Samples]) -> tuple[float, float, float, float, float]:
    """Of the medians of launches."""
    medians = np.median([np.median(_parts(launch), axis=1) for launch in launches], axis=0)
    return tuple(map(float, medians))  # type: ignore[return-value]


def _drawn(
    launches: Sequence[Samples], generator: np.random.Generator
) -> list[tuple[float, float, float, float, float]]:
    """The same of resampled launches and, in each, resampled repetitions."""
    number = len(launches)
    chosen = generator.integers(number, size=(RESAMPLES, number))
    medians = np.empty((RESAMPLES, number, 5))
    for which, launch in enumerate(launches):
        parts = _parts(launch)
        places = chosen == which
        drawn = generator.integers(parts.shape[1], size=(int(places.sum()), parts.shape[1]))
        medians[places] = np.median(parts[:, drawn], axis=2).T
    return [tuple(map(float, row)) for row in np.median(medians, axis=1)]  # type: ignore[misc]


def verdict(attribution: Attribution) -> str:
    """One sentence: hidden, or only faster?"""
    if attribution.gain.is_loss:
        return "slower than calling it and then working" + _because(attribution)
    if not attribution.gain.is_gain:
        return "no gain that the measurement can tell from none"
    parts = [
        name
        for name, term in (
            ("a faster collective", attribution.faster),
            ("hidden time", attribution.hidden),
        )
        if term.is_gain
    ]
    if not parts:
        return "a gain, of which neither a faster collective nor hidden time can be told alone"
    share = max(
        0.0,
        min(1.0, (attribution.hidden.value + attribution.disturbed.value) / attribution.gain.value),
    )
    if len(parts) == 2:
        return f"a gain from both: {share:.0%} of it is hidden, the rest is a faster collective"
    if parts == ["hidden time"]:
        return "a gain that is hidden time, not a faster collective"
    return "only faster: the gain is a faster collective, and nothing is hidden"


def _because(attribution: Attribution) -> str:
    if (
        attribution.disturbed.is_loss
        and -attribution.disturbed.value >= -attribution.gain.value / 2
    ):
        return ": progress takes from the work what it hides"
    if attribution.faster.is_loss:
        return ": the non-blocking call costs more than it hides"
    return ""
