# SPDX-License-Identifier: Apache-2.0
"""The scale of a run: the largest that its grid can number, that fits and ends in a minute."""

from collections.abc import Callable
from dataclasses import dataclass

from isobath.errors import RefusedError
from isobath.plan.graph_facts import LARGEST_SCALE
from isobath.plan.grid_numbers import GridNumbers
from isobath.plan.memory import MemoryEstimate, fits
from isobath.units import Bytes, Seconds, format_bytes, format_seconds

SMALLEST_SCALE = 10
"""Below it nothing is measured but overhead."""

MINUTE = 60.0


@dataclass(frozen=True)
class Choice:
    """A scale and why it was taken."""

    scale: int
    reason: str


def largest_that_fits(
    memory_at: Callable[[int], MemoryEstimate], available_bytes: Bytes, numbers: GridNumbers
) -> int | None:
    """The largest scale whose peak fits and whose vertices can be numbered; None where none is."""
    best = None
    for scale in range(1, LARGEST_SCALE + 1):
        if not numbers.can_number(scale) or not fits(memory_at(scale), available_bytes):
            break
        best = scale
    return best


def choose_scale(
    memory_at: Callable[[int], MemoryEstimate],
    seconds_at: Callable[[int], Seconds],
    available_bytes: Bytes,
    numbers: GridNumbers,
    limit_seconds: Seconds = MINUTE,
) -> Choice:
    """The largest scale that fits and ends within the limit, at the least SMALLEST_SCALE.

    Raises: RefusedError where nothing fits.
    """
    limit = largest_that_fits(memory_at, available_bytes, numbers)
    if limit is None:
        raise RefusedError(
            f"{format_bytes(available_bytes)} of free memory are too little for any run; free some"
        )
    scale = min(limit, SMALLEST_SCALE)
    while scale < limit and seconds_at(scale + 1) <= limit_seconds:
        scale += 1
    took = format_seconds(seconds_at(scale))
    if scale == limit and not numbers.can_number(scale + 1):
        reason = f"the largest that a {numbers.grid} grid can number, about {took}"
    elif scale == limit:
        peak = format_bytes(memory_at(scale).peak_bytes)
        reason = f"the largest that fits: {peak} of {format_bytes(available_bytes)}, about {took}"
    else:
        more = format_seconds(seconds_at(scale + 1))
        reason = f"the largest that ends in about a minute: {took}; scale {scale + 1} takes {more}"
    return Choice(scale, reason)


def require_fit(
    scale: int,
    memory_at: Callable[[int], MemoryEstimate],
    available_bytes: Bytes,
    numbers: GridNumbers,
    *,
    force: bool = False,
) -> None:
    """Refuses what does not fit, naming the largest scale that does.

    Raises: RefusedError; with ``force`` only where the engine would refuse, too.
    """
    best = largest_that_fits(memory_at, available_bytes, numbers)
    remedy = f"the largest scale that fits is {best}" if best else "no scale fits"
    if problem := numbers.problem(scale):
        raise RefusedError(
            f"scale {scale} has {problem}, more than a rank can number{numbers.whose}; "
            f"{numbers.remedy(scale)}; here {remedy}"
        )
    estimate = memory_at(scale)
    if force or fits(estimate, available_bytes):
        return
    raise RefusedError(
        f"scale {scale} needs {format_bytes(estimate.peak_bytes)} and "
        f"{format_bytes(available_bytes)} are free; {remedy} (run --force tries all the same)"
    )
