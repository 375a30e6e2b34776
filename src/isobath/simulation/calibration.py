# SPDX-License-Identifier: Apache-2.0
"""From measured curves to what SimGrid takes: segments of sizes, and one latency and rate.

In every segment a message of m bytes within a node takes a + b m, which its two ranks work; between
two nodes A + C (m + 16) more, which the network takes. None of the four is negative. What a rate
says is how a and b are shared by sender and receiver.

The rate of the link is that of the last segment: SimGrid lets no message be faster than its link,
and messages share it. Links with a burst let small messages be faster; fitted *alone*, these come
back too, and then messages share no link.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import nnls

from isobath.errors import UsageError
from isobath.simulation.segments import ENVELOPE, Segment
from isobath.simulation.sweep import RATE_MESSAGES, WAYS, Curve, Curves, Place
from isobath.stats.estimates import FloatArray
from isobath.units import Seconds

LEAST_SIZES = 3
"""of a segment"""

MOST_SEGMENTS = 8
PARAMETERS = 5
"""of a segment, its begin among them"""

NOISE = 0.01
"""relative error that no segment is made for"""

NOTHING = 1e-11
"""seconds of a byte that a link of no cost takes: it cannot take none"""

SHARES = tuple(share / 50 for share in range(25, 51))
"""of a message's work that may be the sender's"""

Costs = tuple[float, float, float, float]
"""a, b, A, C"""


@dataclass(frozen=True)
class Calibration:
    """What a platform needs."""

    latency: Seconds
    """between two nodes"""
    bandwidth: float
    segments: tuple[Segment, ...]

    def ping_pong(self, size: int, *, is_between: bool) -> Seconds:
        """What a message takes by these numbers."""
        segment = next(part for part in reversed(self.segments) if part.from_bytes <= size)
        seconds = segment.on_ranks(size)
        if is_between:
            rate = self.bandwidth * segment.rate_factor
            seconds += self.latency * segment.latency_factor + (size + ENVELOPE) / rate
        return seconds

    def streamed(self, size: int) -> Seconds:
        """What passes between two messages of a stream between nodes, by these numbers."""
        segment = next(part for part in reversed(self.segments) if part.from_bytes <= size)
        ranks = max(
            segment.send_seconds + segment.send_seconds_per_byte * size,
            segment.receive_seconds + segment.receive_seconds_per_byte * size,
        )
        link = (size + ENVELOPE) / (self.bandwidth * segment.rate_factor)
        ends = sum(self.ping_pong(length, is_between=True) for length in (1, size))
        return max(ranks, link) + ends / RATE_MESSAGES


def calibrated(within: Curves, between: Curves | None, *, is_alone: bool = False) -> Calibration:
    """Args: is_alone fits messages that are alone on their link, and gives up that they share it.

    Raises: UsageError for curves that are no times, or too short for a segment.
    """
    inside = within["ping-pong"]
    outside = between["ping-pong"] if between else None
    problem = _Problem(inside, outside)
    parts = problem.parts()
    last = problem.costs(*parts[-1])
    floor = NOTHING if is_alone else max(last[3], NOTHING)
    costs = [problem.costs(low, high, floor) for low, high in parts[:-1]] + [last]
    latency = next((cost[2] for cost in costs if cost[2] > 0), 0.0)
    starts = [0] + [inside.sizes[low] for low, _ in parts[1:]]
    segments = [
        Segment(
            start, a, b, 0.0, 0.0,
            latency_factor=extra / latency if latency else 1.0,
            rate_factor=floor / max(byte, floor),
        )
        for start, (a, b, extra, byte) in zip(starts, costs, strict=True)
    ]  # fmt: skip
    whole = Calibration(latency, 1 / floor, tuple(segments))
    return replace(whole, segments=tuple(_shared(whole, within, between)))


class _Problem:
    """Both curves over the same sizes; errors are relative."""

    def __init__(self, inside: Curve, outside: Curve | None) -> None:
        if outside is not None and outside.sizes != inside.sizes:
            raise UsageError("both sweeps need the same sizes")
        if len(inside.sizes) < LEAST_SIZES:
            raise UsageError(f"{len(inside.sizes)} sizes are too few; take at least {LEAST_SIZES}")
        self.sizes = np.array(inside.sizes, dtype=np.float64)
        self.inside = np.array(inside.seconds)
        self.outside = np.array(outside.seconds) if outside else None
        times = [self.inside, *([self.outside] if self.outside is not None else [])]
        if not all(np.all(np.isfinite(seconds)) and np.all(seconds > 0) for seconds in times):
            raise UsageError("a measured time is none; measure again with more --passes")

    def costs(self, low: int, high: int, floor: float = 0.0) -> Costs:
        """Of the sizes from one place to another, both among them."""
        solved, _ = self._solved(low, high, floor)
        a, b = float(solved[0]), float(solved[1])
        if self.outside is None:
            return a, b, 0.0, 0.0
        return a, b, float(solved[2]), float(solved[3]) + floor

    def parts(self) -> list[tuple[int, int]]:
        """First and last place of each segment, by the Bayesian criterion."""
        n = len(self.sizes)
        squares = {
            (low, high): self._solved(low, high, 0.0)[1]
            for low in range(n)
            for high in range(low + LEAST_SIZES - 1, n)
        }
        points = n * (1 if self.outside is None else 2)
        best: list[tuple[float, list[tuple[int, int]]]] = []
        reached = self._reached(squares, n)
        for number in range(1, MOST_SEGMENTS + 1):
            if n not in reached[number]:
                break
            total, parts = reached[number][n]
            criterion = points * np.log(total / points + NOISE**2)
            best.append((float(criterion + PARAMETERS * number * np.log(points)), parts))
        return min(best)[1]

    def _reached(
        self, squares: Mapping[tuple[int, int], float], n: int
    ) -> list[dict[int, tuple[float, list[tuple[int, int]]]]]:
        """By number of segments and by sizes that they cover: the least squares, and which."""
        reached: list[dict[int, tuple[float, list[tuple[int, int]]]]] = [{0: (0.0, [])}]
        for _ in range(MOST_SEGMENTS):
            longer: dict[int, tuple[float, list[tuple[int, int]]]] = {}
            for covered, (total, parts) in reached[-1].items():
                for end in range(covered + LEAST_SIZES, n + 1):
                    sum_here = total + squares[covered, end - 1]
                    if end not in longer or sum_here < longer[end][0]:
                        longer[end] = (sum_here, [*parts, (covered, end - 1)])
            reached.append(longer)
        return reached

    def _solved(self, low: int, high: int, floor: float) -> tuple[FloatArray, float]:
        """What a segment costs, and the sum of the squares that are left."""
        rows, wanted = self._rows(low, high, floor)
        unit = np.maximum(np.max(np.abs(rows), axis=0), 1e-300)
        solved, distance = nnls(rows / unit, wanted, maxiter=1000)
        return solved / unit, float(distance**2)

    def _rows(self, low: int, high: int, floor: float) -> tuple[FloatArray, FloatArray]:
        sizes, inside = self.sizes[low : high + 1], self.inside[low : high + 1]
        unity, zero = np.ones_like(sizes), np.zeros_like(sizes)
        if self.outside is None:
            rows = np.stack([unity, sizes], axis=1) / inside[:, None]
            return rows, np.ones(len(sizes))
        outside, carried = self.outside[low : high + 1], sizes + ENVELOPE
        first = np.stack([unity, sizes, zero, zero], axis=1) / inside[:, None]
        second = np.stack([unity, sizes, unity, carried], axis=1) / outside[:, None]
        wanted = np.concatenate([unity, (outside - floor * carried) / outside])
        return np.concatenate([first, second]), wanted


def stream_error(fitted: Calibration, between: Curves) -> float:
    """Median over sizes by how much streams between nodes are off by these numbers, relative."""
    rate = between["rate"]
    pairs = zip(rate.sizes, rate.seconds, strict=True)
    return float(np.median([abs(fitted.streamed(size) / taken - 1) for size, taken in pairs]))


def _shared(whole: Calibration, within: Curves, between: Curves | None) -> list[Segment]:
    """Work of a message shared by its two ranks, so that rates fit best."""
    ends = [segment.from_bytes for segment in whole.segments[1:]] + [None]
    shared = []
    share = 0.5
    for segment, end in zip(whole.segments, ends, strict=True):
        rates = [
            (size, seconds, number)
            for number, curves in enumerate((within, between))
            if curves is not None
            for size, seconds in zip(curves["rate"].sizes, curves["rate"].seconds, strict=True)
            if segment.from_bytes <= size and (end is None or size < end)
        ]
        if rates:  # beyond the last rate the share stays as it is
            share = min(SHARES, key=lambda tried: _error(whole, segment, rates, tried))
        shared.append(
            replace(
                segment,
                send_seconds=share * segment.send_seconds,
                send_seconds_per_byte=share * segment.send_seconds_per_byte,
                receive_seconds=(1 - share) * segment.send_seconds,
                receive_seconds_per_byte=(1 - share) * segment.send_seconds_per_byte,
            )
        )
    return shared


def _error(
    whole: Calibration,
    segment: Segment,
    rates: Sequence[tuple[int, float, int]],
    share: float,
) -> float:
    """Of the times between messages: as long as the busier rank works, or the link is busy. The
    first of them and the one back take their time, too.
    """
    error = 0.0
    for size, seconds, place in rates:
        least = max(share, 1 - share) * segment.on_ranks(size)
        is_between = place == 1
        link = (size + ENVELOPE) / (whole.bandwidth * segment.rate_factor) if is_between else 0.0
        ends = sum(whole.ping_pong(length, is_between=is_between) for length in (1, size))
        taken = max(least, link, 1e-12) + ends / RATE_MESSAGES
        error += abs(float(np.log(taken / seconds)))
    return error


@dataclass(frozen=True)
class Compared:
    """A measured curve, and what was simulated of it."""

    name: str
    measured: Curve
    simulated: Curve

    @property
    def errors(self) -> tuple[float, ...]:
        """Relative, by size."""
        pairs = zip(self.measured.seconds, self.simulated.seconds, strict=True)
        return tuple(simulated / measured - 1 for measured, simulated in pairs)

    @property
    def median_error(self) -> float:
        """Of their sizes."""
        return float(np.median(np.abs(self.errors)))


def compared(
    measured: Mapping[Place, Curves], simulated: Mapping[Place, Curves]
) -> tuple[Compared, ...]:
    """All curves of both places."""
    return tuple(
        Compared(f"{way} {place}", measured[place][way], simulated[place][way])
        for place, way in itertools.product(measured, WAYS)
    )
