# SPDX-License-Identifier: Apache-2.0
"""What ranks work for a message between two nodes, as streams between them tell.

A message over TCP takes its ranks many times as long as one within a node, so what ranks work is
fitted for both routes apart. Within a node all that a message takes is work; between two, a stream
tells it: what passes between two messages whose link is idle.
"""

from isobath.simulation.segments import ENVELOPE
from isobath.simulation.sweep import RATE_MESSAGES, Curve, Curves
from isobath.units import Bytes, Seconds

BUSY_SHARE = 0.5
"""of the time between two messages may the link be busy, for that time to be a rank's work"""

LEAST_GAP = 1e-9


def worked(between: Curves) -> Curves:
    """Curves to stand in the place of those within a node: each rank works what passes between two
    messages of a stream, both together no more than a message takes that is alone. Sizes whose
    link is busy in a stream are worked as the largest below them.
    """
    alone = dict(zip(between["ping-pong"].sizes, between["ping-pong"].seconds, strict=True))
    gaps = _gaps(between, alone)
    by_size: dict[Bytes, tuple[Seconds, Seconds]] = {}
    known = next(iter(gaps.values()))
    for size, seconds in alone.items():
        known = gaps.get(size, known)
        work = min(2 * known, seconds)
        by_size[size] = work, min(known, work)
    first = by_size[min(by_size)][0]
    rates = tuple(
        by_size[size][1] + (first + by_size[size][0]) / RATE_MESSAGES
        for size in between["rate"].sizes
    )
    return {
        "ping-pong": Curve(tuple(by_size), tuple(work for work, _ in by_size.values())),
        "rate": Curve(between["rate"].sizes, rates),
    }


def _gaps(between: Curves, alone: dict[Bytes, Seconds]) -> dict[Bytes, Seconds]:
    """Between two messages of a stream whose link is mostly idle; at least of the smallest."""
    byte, first = _byte(alone), alone[min(alone)]
    streams = zip(between["rate"].sizes, between["rate"].seconds, strict=True)
    gaps = {
        size: max(seconds - (first + alone[size]) / RATE_MESSAGES, LEAST_GAP)
        for size, seconds in streams
    }
    idle = {size: gap for size, gap in gaps.items() if (size + ENVELOPE) * byte < BUSY_SHARE * gap}
    return idle or dict(list(gaps.items())[:1])


def _byte(alone: dict[Bytes, Seconds]) -> float:
    """Seconds of a byte of the largest messages."""
    last, half = max(alone), max(size for size in alone if size <= max(alone) // 2)
    return max(0.0, (alone[last] - alone[half]) / (last - half))
