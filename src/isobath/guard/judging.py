# SPDX-License-Identifier: Apache-2.0
"""Verdicts of a regression at a look, from values of launches alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, hypot, inf, log, log1p, sqrt
from typing import Literal

import numpy as np
from scipy import special

from isobath.guard.design import SAME, Design, Look
from isobath.guard.noise import Noise
from isobath.stats.estimates import FloatArray
from isobath.stats.rank_tests import signed_rank, signed_rank_place

Outcome = Literal["slower", "faster", "the same", "not slower", "cannot tell"]

LEVEL = 0.95
"""of the interval beside a factor, which is that of the cell alone"""


@dataclass(frozen=True)
class Verdict:
    """Of one cell: times now by times of the reference."""

    outcome: Outcome
    ratio: float
    low: float | None
    high: float | None
    p_slower: float
    """that it is not slower than tolerated; not corrected: it is held against its own share"""
    turns: int
    """that it was decided after"""

    @property
    def is_decided(self) -> bool:
        """Nothing more is to be measured for it."""
        return self.outcome != "cannot tell"


@dataclass(frozen=True)
class Evidence:
    """Probabilities of what was seen or more against it, under the four claims' opposites."""

    slower: float
    faster: float
    not_slower: float
    not_faster: float
    ratio: float
    low: float | None
    high: float | None


ALIKE = 1e-9
"""Times that differ by less, as a share, are one: what is left are roundings of the arithmetic."""


def clock_step(values: Sequence[float]) -> float:
    """By how much, on logarithms, a time may be another than it was read: times that repeat come in
    steps of the clock, and the smallest that is seen is the step. 0 where none repeats: then steps
    are finer than what varies. Infinite where all are one: then nobody knows the step.

    >>> clock_step([1.0, 1.1, 1.3]), round(clock_step([1.0, 1.0, 1.1]), 3), clock_step([2.0, 2.0])
    (0.0, 0.095, inf)
    """
    ordered = sorted(values)
    gaps = [after - before for before, after in pairwise(ordered) if after > before * (1 + ALIKE)]
    if len(gaps) >= len(ordered) - 1:
        return 0.0
    return log1p(min(gaps) / ordered[0]) if gaps else inf


def judge_pairs(
    differences: Sequence[float], design: Design, look: Look, step: float = 0.0
) -> Verdict:
    """Launches that were taken in turns.

    Args: differences are logarithms of times now by times of the reference, a value for each turn;
        step is that of the clock: both times were read with an error of half of it at most, so
        that every claim has to hold for differences that are off by a whole one.
    """
    x = np.asarray(differences, dtype=np.float64)
    if step == inf:
        return Verdict("cannot tell", exp(float(np.median(x))), None, None, 1.0, len(x))
    reach, least = log1p(design.margin) - step, log1p(design.tolerance) + step
    means = np.sort(((x[:, None] + x[None, :]) / 2)[np.triu_indices(len(x))])
    place = signed_rank_place(len(x), (1 - LEVEL) / 2)
    bounds = (
        (exp(means[place - 1] - step), exp(means[len(means) - place] + step))
        if place
        else (None, None)
    )
    evidence = Evidence(
        slower=signed_rank(x - least)[1],
        faster=signed_rank(x + least)[0],
        not_slower=signed_rank(x - reach)[0],
        not_faster=signed_rank(x + reach)[1],
        ratio=exp(float(np.median(means))),
        low=bounds[0],
        high=bounds[1],
    )
    return _verdict(evidence, design, look, len(x))


@dataclass(frozen=True)
class Reference:
    """What the launches of now are held against, where the old library is gone."""

    mean: float
    """of logarithms, over sittings"""
    launches: int
    sittings: int


def reference_of(sittings: Sequence[Sequence[float]]) -> Reference:
    """Of times by sitting: each sitting counts alike, for what varies most is what they share."""
    means = [float(np.mean(np.log(one))) for one in sittings if len(one)]
    return Reference(float(np.mean(means)), sum(map(len, sittings)), len(means))


def judge_archive(
    values: Sequence[float], reference: Reference, noise: Noise, design: Design, look: Look,
    step: float = 0.0,
) -> Verdict:  # fmt: skip
    """Launches of one sitting against those of sittings before, by what sittings vary.

    Args: step is that of the clock: each mean may be off by half of it, anywhere between.
    Source: F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.
    """
    logs: FloatArray = np.log(np.asarray(values, dtype=np.float64))
    shift = float(logs.mean()) - reference.mean
    spread, freedom = standard_error(len(logs), reference, noise)
    deviation = hypot(spread, step / sqrt(6))
    if deviation == inf:
        return Verdict("cannot tell", exp(shift), None, None, 1.0, len(logs))
    reach, least = log1p(design.margin), log1p(design.tolerance)

    def below(at: float) -> float:
        """Probability of so little or less, where the true shift is ``at``."""
        return float(special.stdtr(freedom, (shift - at) / deviation))

    half = float(special.stdtrit(freedom, (1 + LEVEL) / 2)) * deviation
    evidence = Evidence(
        slower=1 - below(least),
        faster=below(-least),
        not_slower=below(reach),
        not_faster=1 - below(-reach),
        ratio=exp(shift),
        low=exp(max(-700.0, shift - half)),
        high=exp(min(700.0, shift + half)),
    )
    return _verdict(evidence, design, look, len(logs))


def standard_error(launches: int, reference: Reference, noise: Noise) -> tuple[float, float]:
    """Of the mean now by that of the reference, with its degrees of freedom.

    Raises: ValueError where the noise knows of one sitting alone.
    """
    if noise.sitting_freedom < 1:
        raise ValueError("noise of one sitting says nothing of others")
    of_sittings = (1 / reference.sittings + 1) / noise.per_sitting
    of_launches = max(0.0, 1 / reference.launches + 1 / launches - of_sittings)
    # Sittings never vary less than their launches make them.
    squares = (
        (of_sittings * max(noise.sitting_square, noise.launch_square), noise.sitting_freedom),
        (of_launches * noise.launch_square, noise.launch_freedom),
    )
    variance = sum(square for square, _ in squares)
    if variance <= 0:  # nobody knows what is finer than the clock
        return inf, float(noise.sitting_freedom)
    freedom = variance**2 / sum(square**2 / freedom for square, freedom in squares)
    return sqrt(variance), freedom


def _verdict(found: Evidence, design: Design, look: Look, turns: int) -> Verdict:
    def claims(p: float, alpha: float) -> bool:
        return p < alpha * look.share

    outcome: Outcome = "cannot tell"
    if claims(found.slower, design.slower):
        outcome = "slower"
    elif claims(found.faster, design.faster):
        outcome = "faster"
    elif claims(found.not_slower, SAME):
        outcome = "the same" if claims(found.not_faster, SAME) else "not slower"
    return Verdict(outcome, found.ratio, found.low, found.high, found.slower, turns)


def logarithm(now: float, before: float, accepted: float = 1.0) -> float:
    """Of a time by another; one that was accepted as so many times as long is no more than that."""
    return log(now) - log(before) - log(accepted)
