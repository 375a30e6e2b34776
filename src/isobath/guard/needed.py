# SPDX-License-Identifier: Apache-2.0
"""How many launches a change needs here, and what so many launches can reach.

Pairs are counted out: draws of a normal distribution go through the very test, because at the few
pairs of a quiet machine it is no normal approximation but the number of signs that decides.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import floor, log1p, log10, sqrt

import numpy as np
from scipy import special

from isobath.guard.design import SHARES, SLOWER, TOLERANCE, Design, Look, fewest_pairs
from isobath.guard.judging import Reference, standard_error
from isobath.guard.noise import Noise
from isobath.stats.rank_tests import signed_rank_place

POWER = 0.95
SPARE = 0.01
"""Power that is asked for beyond it, for what draws scatter and looks cost"""

DRAWS = 2000

MOST_COUNTED = 60
"""pairs up to which draws are counted; above, pairs count as their root, as of means"""

MOST = 1000
"""launches of a side; who needs more needs another machine"""

LARGEST = 20.0
"""A change of so many times the time itself: what is found no sooner is not looked for."""

CHANGES = (0.05, 0.08, 0.15)


def needed_pairs(deviation: float, change: float, cells: int) -> int | None:
    """Pairs with which a change is called slower in 95 of 100 regressions; None beyond ``MOST``.

    Args: deviation is that between launches, on logarithms.
    """
    effect = log1p(change) - log1p(TOLERANCE)
    if effect <= 0:
        return None
    alpha = SHARES[-1] * SLOWER / cells
    by_pair = _rounded(effect / max(sqrt(2) * deviation, 1e-9))
    low, high = fewest_pairs(cells), MOST
    if power_of_pairs(high, by_pair, alpha) < POWER + SPARE:
        return None
    while low < high:
        middle = (low + high) // 2
        if power_of_pairs(middle, by_pair, alpha) >= POWER + SPARE:
            high = middle
        else:
            low = middle + 1
    return high


def reached_by_pairs(deviation: float, pairs: int, cells: int) -> float | None:
    """The smallest change that so many pairs find in 95 of 100; None where none up to LARGEST."""
    alpha = SHARES[-1] * SLOWER / cells
    if pairs < fewest_pairs(cells):
        return None
    low, high = TOLERANCE, LARGEST
    of_pair = max(sqrt(2) * deviation, 1e-9)

    def finds(change: float) -> bool:
        effect = log1p(change) - log1p(TOLERANCE)
        return power_of_pairs(pairs, _rounded(effect / of_pair), alpha) >= POWER

    if not finds(high):
        return None
    for _ in range(14):
        middle = sqrt(low * high)
        low, high = (low, middle) if finds(middle) else (middle, high)
    return high


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
    place = signed_rank_place(pairs, alpha)  # sums of ranks below it are rare enough
    if place == 0:
        return 0.0
    rng = np.random.default_rng(20261124)
    x = rng.standard_normal((DRAWS, pairs)) + effect
    ranks = np.argsort(np.argsort(np.abs(x), axis=1), axis=1) + 1
    below = np.where(x < 0, ranks, 0).sum(axis=1)
    return float(np.mean(below < place))


def reached_by_archive(
    launches: int, reference: Reference, noise: Noise, cells: int
) -> float | None:
    """The smallest change that a sitting of so many launches finds against earlier sittings.

    None where that is more than LARGEST: sittings that scatter so much find nothing.
    """
    deviation, freedom = standard_error(launches, reference, noise)
    alpha = SHARES[-1] * SLOWER / cells
    t = float(special.stdtrit(freedom, 1 - alpha) + special.stdtrit(freedom, POWER))
    effect = log1p(TOLERANCE) + t * deviation
    return float(np.expm1(effect)) if effect <= log1p(LARGEST) else None


def design_for(noises: Sequence[Noise], change: float, affordable: int, cells: int) -> Design:
    """Turns that a change needs in most cells, as far as there is time for them.

    Args: affordable is how many turns the budget has room for. A cell that scatters so much that it
        needs more than that is left to *cannot tell*; all others set the number.
    """
    needs = [needed_pairs(one.launch, change, cells) for one in noises]
    within = [one for one in needs if one is not None and one <= affordable]
    turns = max(within, default=affordable)
    return Design(cells, max(1, min(turns, affordable)), margin=change)


def whole_look(turns: int) -> Look:
    """A single look at the end."""
    return Look(turns, 1.0)
