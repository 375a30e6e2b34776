# SPDX-License-Identifier: Apache-2.0
"""Networks whose costs are known by construction."""

from collections.abc import Callable

import numpy as np

from isobath.simulation.sweep import LARGEST_RATE, RATE_MESSAGES, Curve, Curves, sizes_to

LARGEST = 1 << 20
SENDER = 0.6
"""share of a message's work that its sender has"""


def within(size: int) -> float:
    """Seconds of a message between two ranks of a node."""
    return 4e-7 + 2e-10 * size if size < 4096 else 1.5e-6 + 1e-10 * size


def between(size: int) -> float:
    """The same, between two nodes."""
    carried = size + 16
    if size < 1024:
        return within(size) + 2e-5 + 9e-9 * carried
    if size < 32768:
        return within(size) + 4e-5 + 9e-9 * carried
    return within(size) + 2e-4 + 8.5e-9 * carried


def burst(size: int) -> float:
    """Between two nodes whose link lets 3000 bytes pass at once: there and back is time enough for
    as many bytes as a rate allows.
    """
    return max(within(size) + 1e-5 + max(0, size - 3000) * 8e-8, burst_gap(size) / 2)


def burst_gap(size: int) -> float:
    """In a stream the burst is used up, and headers count."""
    return max(SENDER * within(size), 8e-8 * (size + 66))


def curves_of(
    seconds: Callable[[int], float],
    largest: int = LARGEST,
    noise: float = 0.0,
    seed: int = 1,
    gap: Callable[[int], float] | None = None,
) -> Curves:
    """A sweep of it. The sender's work stands between two messages, or the gap."""
    random = np.random.default_rng(seed)
    sizes = sizes_to(largest)
    small = tuple(size for size in sizes if size <= LARGEST_RATE)

    def curve(sizes: tuple[int, ...], of: Callable[[int], float]) -> Curve:
        drawn = np.exp(random.normal(0, noise, len(sizes)))
        return Curve(sizes, tuple(of(size) * one for size, one in zip(sizes, drawn, strict=True)))

    def worked(size: int) -> float:
        link = 8.5e-9 * (size + 16) if seconds is between else 0.0
        return max(SENDER * within(size), link)

    return {
        "ping-pong": curve(sizes, seconds),
        "rate": curve(small, lambda size: streamed_by(size, seconds, gap or worked)),
    }


def streamed_by(size: int, alone: Callable[[int], float], gap: Callable[[int], float]) -> float:
    """Of a stream: the first message goes, the others follow, and one comes back."""
    return ((RATE_MESSAGES - 1) * gap(size) + alone(size) + alone(1)) / RATE_MESSAGES


def measured(noise: float) -> tuple[Curves, Curves]:
    """Within a node and between two."""
    return curves_of(within, noise=noise), curves_of(between, noise=noise, seed=2)


def waited(size: int) -> float:
    """Within a node: a third of it nobody works."""
    return 1.5 * 2 * waited_work(size)


def waited_work(size: int) -> float:
    """Seconds of each of the two ranks."""
    return 4e-7 + 1e-10 * size


def over_tcp(size: int) -> float:
    """Between two nodes whose ranks work 8 us and more for a message, and 4 us pass on the way."""
    return 2 * tcp_work(size) + 4e-6 + 2e-10 * (size + 16)


def tcp_work(size: int) -> float:
    """Seconds of each of the two ranks."""
    return 8e-6 + 1e-10 * size


def streamed(largest: int = LARGEST) -> Curves:
    """A sweep over TCP."""
    return curves_of(over_tcp, largest, gap=tcp_work)
