# SPDX-License-Identifier: Apache-2.0
"""How many launches a change needs here, and what so many launches can reach.

Pairs are counted out: draws go through the very test, because at the few pairs of a quiet machine
it is no normal approximation but the number of signs that decides.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import floor, log1p, log10, sqrt

import numpy as np
from scipy import special

from isobath.guard.design import SHARES, SLOWER, TOLERANCE, Design, Look, fewest_pairs
from isobath.guard.hours import LEAST_LAUNCHES, Hours, draws_of
from isobath.guard.judging import Reference, standard_error
from isobath.guard.noise import Noise, Scatter
from isobath.stats.estimates import FloatArray
from isobath.stats.rank_tests import signed_rank_place

POWER = 0.95
SPARE = 0.01
"""Power that is asked for beyond it, for what draws scatter and looks cost"""

DRAWS = 2000

MOST_COUNTED = 60
"""pairs up to which draws are counted; above, pairs count as their root, as of means"""

MOST = 1000
"""launches of a side; who needs more needs another machine"""

QUANTILES = 4000
"""of the guess of a deviation, over which power is averaged"""

LARGEST = 20.0
"""A change of so many times the time itself: what is found no sooner is not looked for."""

CHANGES = (0.05, 0.08, 0.15)


def needed_pairs(noise: Noise, change: float, cells: int) -> int | None:
    """Pairs with which a change is called slower in 95 of 100 regressions; None beyond ``MOST``.

    A regression lives in one sitting, so power is counted in each and averaged over them: what a
    quiet sitting gains beyond certainty does not make up for what a noisy one loses. The hour of a
    regression is none of those that were recorded, so power is averaged over hours as they may be,
    too, and the larger number is asked for. Where too little was recorded to know of other hours,
    normal noise is counted in their place.
    """
    effect = log1p(change) - log1p(TOLERANCE)
    if effect <= 0:
        return None
    alpha = SHARES[-1] * SLOWER / cells

    def finds_elsewhere(pairs: int) -> bool:
        return _power_elsewhere(noise, pairs, effect, alpha) >= POWER + SPARE

    def finds(pairs: int) -> bool:
        return _drawn_power(noise.scatters, pairs, effect, alpha) >= POWER + SPARE

    needed = _fewest(finds_elsewhere, fewest_pairs(cells))
    if needed is None or finds(needed):
        return needed
    return _fewest(finds, needed)


def _fewest(finds: Callable[[int], bool], low: int) -> int | None:
    high = MOST
    if not finds(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if finds(middle):
            high = middle
        else:
            low = middle + 1
    return high


def reached_by_pairs(noise: Noise, pairs: int, cells: int) -> float | None:
    """The smallest change that so many pairs find in 95 of 100; None where none up to LARGEST."""
    alpha = SHARES[-1] * SLOWER / cells
    if pairs < fewest_pairs(cells):
        return None
    low, high = TOLERANCE, LARGEST

    def finds(change: float) -> bool:
        effect = log1p(change) - log1p(TOLERANCE)
        return _power_elsewhere(noise, pairs, effect, alpha) >= POWER

    if not finds(high):
        return None
    for _ in range(14):
        middle = sqrt(low * high)
        low, high = (low, middle) if finds(middle) else (middle, high)
    return high


def _power_elsewhere(noise: Noise, pairs: int, effect: float, alpha: float) -> float:
    """In an hour that was not recorded; where nothing is known of such, in normal noise."""
    if noise.other_hour is None:
        return _normal_power(noise.scatters, pairs, effect, alpha)
    units = effect / noise.other_hour.typical
    return power_in_hours(noise.other_hour.hours, pairs, _rounded(units), alpha)


@lru_cache(maxsize=4096)
def power_in_hours(hours: Hours, pairs: int, effect: float, alpha: float) -> float:
    """Averaged over hours as they may be. Args: effect is in units of the typical difference."""
    if signed_rank_place(pairs, alpha) == 0:
        return 0.0
    return _share_found(hours.differences(pairs, DRAWS) + effect, alpha)


def _normal_power(scatters: Sequence[Scatter], pairs: int, effect: float, alpha: float) -> float:
    """Of the average sitting, where launches scatter normally."""
    powers = [
        power_of_pairs(pairs, _rounded(effect / max(sqrt(2) * one.deviation, 1e-9)), alpha)
        for one in scatters
    ]
    return sum(powers) / len(powers)


def _drawn_power(scatters: Sequence[Scatter], pairs: int, effect: float, alpha: float) -> float:
    """The same where launches are drawn again from those that were recorded; of sittings with too
    few launches for that nothing is drawn.
    """
    many = [one for one in scatters if len(one.deviations) >= LEAST_LAUNCHES]
    if not many:
        return 1.0
    rng = np.random.default_rng(20261125)
    draws = -(-draws_of(pairs, DRAWS) // len(many))
    powers = []
    for one in many:
        launches = np.asarray(one.deviations)
        now, before = launches[rng.integers(len(launches), size=(2, draws, pairs))]
        powers.append(_share_found(now - before + effect, alpha))
    return sum(powers) / len(powers)


def _rounded(ratio: float) -> float:
    """To two figures and never up, so that what was drawn for one cell serves others."""
    limited = min(ratio, 99.0)
    unit = 10.0 ** (floor(log10(limited)) - 1) if limited > 0 else 1.0
    return floor(limited / unit) * unit


@lru_cache(maxsize=4096)
def power_of_pairs(pairs: int, effect: float, alpha: float) -> float:
    """How often signed ranks of normal differences say that they lie above zero.

    Args: effect is the mean of a difference by its deviation.
    """
    if pairs > MOST_COUNTED:  # so many more are as good as a clearer effect
        return power_of_pairs(MOST_COUNTED, _rounded(effect * sqrt(pairs / MOST_COUNTED)), alpha)
    if signed_rank_place(pairs, alpha) == 0:
        return 0.0
    rng = np.random.default_rng(20261124)
    return _share_found(rng.standard_normal((DRAWS, pairs)) + effect, alpha)


def _share_found(differences: FloatArray, alpha: float) -> float:
    """Of rows, those whose signed ranks say that they lie above zero."""
    place = signed_rank_place(differences.shape[1], alpha)  # sums below it are rare enough
    ranks = np.argsort(np.argsort(np.abs(differences), axis=1), axis=1) + 1
    below = np.where(differences < 0, ranks, 0).sum(axis=1)
    return float(np.mean(below < place))


def reached_by_archive(
    launches: int, reference: Reference, noise: Noise, cells: int
) -> float | None:
    """The smallest change that a sitting of so many launches finds against earlier sittings.

    None where that is more than LARGEST: sittings that scatter so much find nothing.
    """
    deviation, freedom = standard_error(launches, reference, noise)
    alpha = SHARES[-1] * SLOWER / cells
    effect = log1p(TOLERANCE) + _shift_found(freedom, alpha) * deviation
    return float(np.expm1(effect)) if effect <= log1p(LARGEST) else None


@lru_cache(maxsize=256)
def _shift_found(freedom: float, alpha: float) -> float:
    """In deviations, what Student's t finds in 95 of 100: with few degrees of freedom that is far
    more than the limit itself, because the deviation is a guess, and often a large one.
    """
    limit = float(special.stdtrit(freedom, 1 - alpha))
    shares = (np.arange(QUANTILES) + 0.5) / QUANTILES
    guesses = np.sqrt(special.chdtri(freedom, shares) / freedom)

    def power(shift: float) -> float:
        return float(special.ndtr(shift - limit * guesses).mean())

    low, high = 0.0, limit + 10.0
    while power(high) < POWER:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return high


def design_for(noises: Sequence[Noise], change: float, affordable: int, cells: int) -> Design:
    """Turns that a change needs in most cells, as far as there is time for them.

    Args: affordable is how many turns the budget has room for. A cell that scatters so much that it
        needs more than that is left to *cannot tell*; all others set the number.
    """
    needs = [needed_pairs(one, change, cells) for one in noises]
    within = [one for one in needs if one is not None and one <= affordable]
    turns = max(within, default=affordable)
    return Design(cells, max(1, min(turns, affordable)), margin=change)


def whole_look(turns: int) -> Look:
    """A single look at the end."""
    return Look(turns, 1.0)
