# SPDX-License-Identifier: Apache-2.0
"""Points of a formula that is known: what a fit must find again."""

from collections.abc import Callable, Sequence

import numpy as np

from isobath.models.points import Points, Sample, points_of

SIZES = tuple(4.0**power for power in range(2, 11))
RANKS = (2.0, 4.0, 8.0, 16.0)


def made_samples(
    formula: Callable[[float, float], float],
    *,
    launches: int = 5,
    noise: float = 0.03,
    seed: int = 1,
    ranks: Sequence[float] = RANKS,
    sizes: Sequence[float] = SIZES,
) -> list[Sample]:
    """Seconds by ranks and bytes, with a launch's own error and that of each value."""
    rng = np.random.default_rng(seed)
    shared = noise / 3 * rng.standard_normal(launches)
    return [
        Sample(
            f"{p:g} ranks, {m:g} B",
            {"p": p, "m": m},
            {},
            tuple(
                (turn, float(formula(p, m) * np.exp(shared[turn] + noise * rng.standard_normal())))
                for turn in range(launches)
            ),
        )
        for p in ranks
        for m in sizes
    ]


def made_points(formula: Callable[[float, float], float], **more: object) -> Points:
    """The same as points."""
    return points_of(made_samples(formula, **more))  # type: ignore[arg-type]
