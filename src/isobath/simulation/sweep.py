# SPDX-License-Identifier: Apache-2.0
"""Ping-pong and message rate over sizes, as a schedule of two ranks that the skeleton plays.

A ping-pong is a message there and one back. A rate is of many messages, eight at a time as the
skeleton plays them, and one of a byte back, which says that all are there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from isobath.costmodel.grid import Grid
from isobath.errors import InternalError, UsageError
from isobath.simulation.schedule import Parcel, Schedule, Step
from isobath.stats.estimates import quartiles
from isobath.units import Bytes, Seconds

Way = Literal["ping-pong", "rate"]
WAYS: tuple[Way, ...] = ("ping-pong", "rate")

Place = Literal["within a node", "between nodes"]
PLACES: tuple[Place, ...] = ("within a node", "between nodes")

LEAST_LARGEST, MOST_LARGEST = 4096, 1 << 26
LEAST_OF_LINK: Bytes = 1 << 18
"""largest size of a sweep between nodes: less does not tell the rate of a link"""

LARGEST_RATE: Bytes = 65536
"""of the sweep of rates: beyond, messages are so long that nobody counts them"""

RATE_MESSAGES = 64
AT_A_TIME = 8
"""of them are under way, as the skeleton plays them (engine/skeleton/play.cpp)"""

WARM_UP_EXCHANGES = 16
"""of a byte before each pass, which count for nothing: the first wake what sleeps"""

SMALL: Bytes = 65536
SMALL_EXCHANGES = 4
"""ping-pongs that are timed as one, of small messages; larger ones are timed singly"""


@dataclass(frozen=True)
class Curve:
    """Seconds of a message by its bytes."""

    sizes: tuple[Bytes, ...]
    seconds: tuple[Seconds, ...]


Curves = dict[Way, Curve]


@dataclass(frozen=True)
class Timed:
    """Steps whose time is taken as one, in which so many messages follow each other."""

    way: Way | None
    """none: it counts for nothing"""
    size: Bytes
    messages: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Sweep:
    """All of it, in the order in which it is played."""

    parts: tuple[Timed, ...]

    @property
    def schedule(self) -> Schedule:
        """For the skeleton."""
        return Schedule(Grid(1, 2), tuple(step for part in self.parts for step in part.steps))

    def curves(self, ended: Sequence[Seconds]) -> Curves:
        """Medians. Args: when each step had ended on both ranks."""
        times: dict[tuple[Way | None, Bytes], list[float]] = {}
        before, place = 0.0, 0
        for part in self.parts:
            place += len(part.steps)
            seconds = (ended[place - 1] - before) / part.messages
            before = ended[place - 1]
            times.setdefault((part.way, part.size), []).append(seconds)
        if place != len(ended):
            raise InternalError(f"{len(ended)} steps were played, not {place}")
        curves: Curves = {}
        for way in WAYS:
            sizes = sorted(size for known, size in times if known == way)
            medians = tuple(quartiles(times[way, size])[1] for size in sizes)
            curves[way] = Curve(tuple(sizes), medians)
        return curves


def sweep(largest: Bytes, passes: int) -> Sweep:
    """Every size is met once in a pass, so that what disturbs for a while disturbs all alike.

    Raises: UsageError for a largest size that shows no segments, or is too much.
    """
    if not LEAST_LARGEST <= largest <= MOST_LARGEST:
        raise UsageError(
            f"--largest {largest} is no size for a sweep; take {LEAST_LARGEST} to {MOST_LARGEST}"
        )
    sizes = sizes_to(largest)
    if sizes[-1] != largest:
        raise UsageError(
            f"--largest {largest} is none of the sizes of a sweep, powers of two and one and a "
            f"half times these; take {sizes[-1]}"
        )
    once = [_exchanged(None, 1, WARM_UP_EXCHANGES), *(_ping_pong(size) for size in sizes)]
    once += [_rate(size) for size in sizes if size <= LARGEST_RATE]
    return Sweep(tuple(once * passes))


def sizes_to(largest: Bytes) -> tuple[Bytes, ...]:
    """Powers of two, and from 64 on what lies half-way between.

    >>> sizes_to(4096)[-5:]
    (1024, 1536, 2048, 3072, 4096)
    """
    powers = [1 << exponent for exponent in range(largest.bit_length())]
    between = [3 * power // 2 for power in powers if power >= 64]
    return tuple(size for size in sorted(powers + between) if size <= largest)


def _ping_pong(size: Bytes) -> Timed:
    return _exchanged("ping-pong", size, SMALL_EXCHANGES if size < SMALL else 1)


def _exchanged(way: Way | None, size: Bytes, exchanges: int) -> Timed:
    there = Step(0, "fold", "isend", "world", by_pair={(0, 1): Parcel(size)})
    back = Step(0, "fold", "isend", "world", by_pair={(1, 0): Parcel(size)})
    return Timed(way, size, 2 * exchanges, (there, back) * exchanges)


def _rate(size: Bytes) -> Timed:
    many = Parcel(RATE_MESSAGES * size, RATE_MESSAGES)
    there = Step(1, "fold", "isend", "world", by_pair={(0, 1): many})
    back = Step(1, "fold", "isend", "world", by_pair={(1, 0): Parcel(1)})
    return Timed("rate", size, RATE_MESSAGES, (there, back))
