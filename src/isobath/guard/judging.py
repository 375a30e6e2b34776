# SPDX-License-Identifier: Apache-2.0
"""Verdicts of a regression at a look, from values of launches alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log1p, sqrt
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


def judge_pairs(differences: Sequence[float], design: Design, look: Look) -> Verdict:
    """Launches that were taken in turns.

    Args: differences are logarithms of times now by times of the reference, a value for each turn.
    """
    x = np.asarray(differences, dtype=np.float64)
    reach, least = log1p(design.margin), log1p(design.tolerance)
    means = np.sort(((x[:, None] + x[None, :]) / 2)[np.triu_indices(len(x))])
    place = signed_rank_place(len(x), (1 - LEVEL) / 2)
    bounds = (exp(means[place - 1]), exp(means[len(means) - place])) if place else (None, None)
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
    values: Sequence[float], reference: Reference, noise: Noise, design: Design, look: Look
) -> Verdict:
    """Launches of one sitting against those of sittings before, by what sittings vary.

    Source: F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114.
    """
    logs: FloatArray = np.log(np.asarray(values, dtype=np.float64))
    shift = float(logs.mean()) - reference.mean
    deviation, freedom = standard_error(len(logs), reference, noise)
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
    if variance <= 0:
        return 1e-12, float(noise.sitting_freedom)
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
