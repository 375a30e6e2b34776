# SPDX-License-Identifier: Apache-2.0
"""The statistics of a Graph500 run, as the specification defines and the reference prints them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from isobath.units import EdgesPerSecond

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Unit = TypeVar("Unit", bound=float)


@dataclass(frozen=True)
class Estimate(Generic[Unit]):
    """A value with its uncertainty and the number of samples behind it."""

    value: Unit
    count: int
    standard_error: Unit | None = None
    """absent for one sample"""


@dataclass(frozen=True)
class Summary:
    """The seven numbers that Graph500 prints of every quantity."""

    minimum: float
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float
    mean: float
    standard_deviation: float


def quartiles(values: Sequence[float] | FloatArray) -> tuple[float, float, float]:
    """First quartile, median and third quartile as the specification defines them.

    Each is the mean of two order statistics (integer division): for n sorted values x, the first
    is (x[(n-1)/4] + x[n/4]) / 2, the median (x[(n-1)/2] + x[n/2]) / 2, the third mirrors the first.

    Args: values of shape (n,), n at least 1, in any order.
    Raises: ValueError when empty.

    >>> quartiles([4.0, 1.0, 3.0, 2.0])
    (1.5, 2.5, 3.5)
    """
    x = np.sort(np.asarray(values, dtype=np.float64))
    n = len(x)
    if n == 0:
        raise ValueError("quartiles of no values")
    first = (x[(n - 1) // 4] + x[n // 4]) / 2
    median = (x[(n - 1) // 2] + x[n // 2]) / 2
    third = (x[n - 1 - (n - 1) // 4] + x[n - 1 - n // 4]) / 2
    return float(first), float(median), float(third)


def summary(values: Sequence[float] | FloatArray) -> Summary:
    """The seven numbers of ``values``, shape (n,); the deviation has n - 1 and is 0 for n = 1.

    Raises: ValueError when empty.
    """
    x = np.asarray(values, dtype=np.float64)
    first, median, third = quartiles(x)
    return Summary(
        minimum=float(x.min()),
        first_quartile=first,
        median=median,
        third_quartile=third,
        maximum=float(x.max()),
        mean=float(x.mean()),
        standard_deviation=float(x.std(ddof=1)) if len(x) > 1 else 0.0,
    )


def harmonic_mean_teps(
    traversed_edges: Sequence[int] | IntArray, seconds: Sequence[float] | FloatArray
) -> Estimate[EdgesPerSecond]:
    """Harmonic mean of the TEPS of the searches of one run, with its standard error.

    Args: both of shape (n,), each value > 0; seconds of the slowest rank.
    Returns: ``value`` and ``standard_error`` in edges per second, ``count`` n; no standard error
        for n = 1.
    Raises: ValueError when shapes differ, are empty, or a value is not positive.
    Source: Graph500 specification; N. Norris, Ann. Math. Statist. 11 (1940) 445-448, in the form
        the reference prints: s / (m^2 * sqrt(n - 1)), m and s being mean and sample deviation of
        seconds per edge.

    >>> harmonic_mean_teps([100, 100], [1.0, 3.0]).value
    50.0
    """
    edges = np.asarray(traversed_edges, dtype=np.float64)
    times = np.asarray(seconds, dtype=np.float64)
    if edges.shape != times.shape or edges.ndim != 1:
        raise ValueError(f"shapes differ: {edges.shape} edges, {times.shape} seconds")
    if len(edges) == 0:
        raise ValueError("the harmonic mean of no searches")
    if not (np.all(edges > 0) and np.all(times > 0)):
        raise ValueError("edges and seconds must be positive")
    per_edge = times / edges
    mean = float(per_edge.mean())
    n = len(per_edge)
    error = float(per_edge.std(ddof=1)) / (mean**2 * float(np.sqrt(n - 1))) if n > 1 else None
    return Estimate(value=1 / mean, count=n, standard_error=error)
