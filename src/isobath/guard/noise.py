# SPDX-License-Identifier: Apache-2.0
"""What varies within a launch, between launches and between sittings. All on logarithms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from isobath.guard.hours import OtherHour, other_hours
from isobath.stats.estimates import FloatArray
from isobath.stats.quantiles import quantiles

LEAST_SITTINGS = 3
"""below which nothing is known of what varies between them"""

GAP_SECONDS = 900.0
"""Launches that are further apart were taken in different sittings; what is closer is one."""

NORMAL_QUARTILES = 1.3489795
"""between the quartiles of a normal distribution, in deviations"""


@dataclass(frozen=True)
class Scatter:
    """Of the launches of one sitting. A regression in turns lives in one, quiet or not."""

    square: float
    """mean square about their mean"""
    freedom: int
    deviations: tuple[float, ...] = ()
    """of each launch from their mean, widened for what the mean took; none where not kept"""

    @property
    def deviation(self) -> float:
        """Between its launches."""
        return float(np.sqrt(self.square))


@dataclass(frozen=True)
class Noise:
    """Of one cell, by an analysis of variance."""

    within: float | None
    """deviation of repetitions of a launch; None where launches have none"""
    launch_square: float
    """mean square of launches of a sitting about their mean, with its degrees of freedom"""
    launch_freedom: int
    sitting_square: float
    """of means of sittings, times launches of a sitting; with its own"""
    sitting_freedom: int
    per_sitting: float
    """launches of a sitting; where they differ the number that counts"""
    scatters: tuple[Scatter, ...] = ()
    """of each sitting with two launches at least"""
    other_hour: OtherHour | None = None
    """what an hour that was not recorded may be; None where too little was recorded"""

    @property
    def sittings(self) -> int:
        """That it was learned from."""
        return self.sitting_freedom + 1

    @property
    def launch(self) -> float:
        """Deviation between launches of a sitting."""
        return float(np.sqrt(self.launch_square))

    @property
    def sitting(self) -> float:
        """Deviation between sittings beyond what launches explain."""
        beyond = self.sitting_square - self.launch_square
        return float(np.sqrt(max(0.0, beyond) / self.per_sitting))


def noise_of(sittings: Sequence[Sequence[float]], scatters: Sequence[float] = ()) -> Noise:
    """Args: sittings of shape (launches of that sitting,), values > 0, two launches in one at
        least; scatters are deviations of the repetitions of launches.

    Raises: ValueError where there are too few.
    Source: S. R. Searle, G. Casella, C. E. McCulloch, Variance Components (1992), section 3.6.
    """
    logs = [np.log(np.asarray(one, dtype=np.float64)) for one in sittings if len(one)]
    counts = np.array([len(one) for one in logs], dtype=np.float64)
    total = float(counts.sum()) if logs else 0.0
    freedom = int(total) - len(logs)
    if freedom < 1:
        raise ValueError("noise needs two launches of a sitting")
    square = sum(float(((one - one.mean()) ** 2).sum()) for one in logs) / freedom
    within = float(np.median(scatters)) if len(scatters) else None
    each = tuple(_scatter(one) for one in logs if len(one) > 1)
    if len(logs) < 2:
        return Noise(within, square, freedom, 0.0, 0, total, each)
    mean = sum(float(one.sum()) for one in logs) / total
    between = sum(len(one) * (float(one.mean()) - mean) ** 2 for one in logs) / (len(logs) - 1)
    effective = (total - float((counts**2).sum()) / total) / (len(logs) - 1)
    return Noise(within, square, freedom, between, len(logs) - 1, effective, each)


def with_other_hours(
    noises: Mapping[str, Noise], times: Mapping[str, Sequence[Sequence[float]]]
) -> dict[str, Noise]:
    """Noise of cells of one machine with what the hours of all of them say of hours to come.

    Args: times are those of every cell, a list for each sitting.
    """
    hours = other_hours({name: times[name] for name in noises})
    return {name: replace(noise, other_hour=hours.get(name)) for name, noise in noises.items()}


def _scatter(logs: FloatArray) -> Scatter:
    freedom = len(logs) - 1
    apart = logs - logs.mean()
    widened = apart * np.sqrt(len(logs) / freedom)
    return Scatter(float((apart**2).sum()) / freedom, freedom, tuple(map(float, widened)))


def scatter_of(values: Sequence[float]) -> float | None:
    """Deviation of repetitions by their quartiles, which a few late ones do not move.

    >>> scatter_of([1.0])
    """
    if len(values) < 4:
        return None
    of_logs = quantiles(np.log(np.asarray(values, dtype=np.float64)))
    return (of_logs.p75 - of_logs.p25) / NORMAL_QUARTILES


def sittings_by_time(began: Sequence[float], gap: float = GAP_SECONDS) -> list[list[int]]:
    """Places of launches, one list for each sitting.

    >>> sittings_by_time([0.0, 9000.0, 100.0])
    [[0, 2], [1]]
    """
    order = sorted(range(len(began)), key=lambda place: began[place])
    groups: list[list[int]] = []
    for place in order:
        if groups and began[place] - began[groups[-1][-1]] <= gap:
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups
