# SPDX-License-Identifier: Apache-2.0
"""From measured curves of a route to what SimGrid takes: segments of sizes, one latency and rate.

What a message takes that is alone (ping-pong) and what passes between two of a stream (gap) are
fitted together, in the same segments, as lines in its bytes. How both follow from work of ranks,
network and cards depends on what keeps a stream back:

Ranks, where no link is busy: the sender works the gap, the receiver as much of the rest of a lone
message as that, and what is left nobody works: the network.

The link or its card, from a size on: ranks work as for the largest message before it, the rest of
a lone message is the network's, and the card is busy for the gap. A lone message, which finds its
card free, pays nothing of that: links with a burst are so.

The rate of the link is that of the largest messages, because messages share it; a smaller message
may be faster, and takes less of the link's time then. Every two of the large messages, one at least
twice the other, tell a time of a byte; the median of these is taken, so that one that was disturbed
moves it little.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from isobath.errors import UsageError
from isobath.simulation.segments import DETACHED, ENVELOPE, Segment
from isobath.simulation.sweep import AT_A_TIME, RATE_MESSAGES, WAYS, Curve, Curves, Place
from isobath.stats.estimates import FloatArray
from isobath.units import Bytes, Seconds

FEWEST_SIZES = 3
"""of a curve"""

LEAST_SIZES = 2
"""of a segment"""

MOST_SEGMENTS = 12

NOISE = 0.01
"""relative error that no segment is made for"""

BUSY_SHARE = 0.5
"""of the time between two messages may the link be busy, for that time to be a rank's work"""

LEAST_GAP = 1e-9
"""seconds between two messages; where there seem to be less, nothing is known of them"""

SMALLEST = 5
"""sizes, whose messages take about as long as one of a byte"""

LEAST_BYTE = 1e-13
"""seconds of a byte that a network of no cost takes: it cannot take none"""

FASTEST = 1e3
"""times the rate of the link: no message is faster"""

LEAST_LATENCY = 1e-8
"""seconds of a route: what waits for a card is told as a factor of them"""

PASSES_OF_FIT = 8


@dataclass(frozen=True)
class Calibration:
    """What a platform needs, of messages on one route."""

    latency: Seconds
    """of the whole route"""
    bandwidth: float
    segments: tuple[Segment, ...]
    is_shared: bool
    """whether messages share the rate: they do between nodes"""

    def segment_of(self, size: Bytes) -> Segment:
        """The last that begins there or before."""
        return next(part for part in reversed(self.segments) if part.from_bytes <= size)

    def network(self, size: Bytes) -> Seconds:
        """What a message takes beside the work of its ranks, by these numbers."""
        segment = self.segment_of(size)
        rate = self.bandwidth * segment.rate_factor
        return self.latency * segment.latency_factor + (size + ENVELOPE) / rate

    def ping_pong(self, size: Bytes) -> Seconds:
        """What a message takes by these numbers: there and back its card is free for the next."""
        segment = self.segment_of(size)
        return max(segment.on_ranks(size) + self.network(size), segment.gap(size) / 2)

    def gap(self, size: Bytes) -> Seconds:
        """What passes between two messages of a stream, by these numbers."""
        segment = self.segment_of(size)
        link = (size + ENVELOPE) / (self.bandwidth * segment.rate_factor) if self.is_shared else 0.0
        held = max(link, segment.gap(size))
        if size >= DETACHED:  # its sender works for both, and waits for the last of a few
            return max(segment.on_ranks(size), held) + self.network(size) / AT_A_TIME
        return max(segment.sent(size), segment.received(size), held)

    def streamed(self, size: Bytes) -> Seconds:
        """A message's share of a stream and of the one back that ends it, by these numbers."""
        ends = self.ping_pong(size) + self.ping_pong(1)
        return ((RATE_MESSAGES - 1) * self.gap(size) + ends) / RATE_MESSAGES


def calibrated(curves: Curves, *, is_between: bool) -> Calibration:
    """Of curves that were measured within a node, or between two.

    Raises: UsageError for curves that are no times, or too short for a segment.
    """
    return _Route(_Measured(curves), is_between=is_between).calibration()


class _Measured:
    """Both curves of a route, over the sizes of its ping-pong."""

    def __init__(self, curves: Curves) -> None:
        alone, rate = curves["ping-pong"], curves["rate"]
        if len(alone.sizes) < FEWEST_SIZES:
            raise UsageError(f"{len(alone.sizes)} sizes are too few; take at least {FEWEST_SIZES}")
        self.sizes = np.array(alone.sizes, dtype=np.float64)
        self.alone = np.array(alone.seconds)
        times = np.array([*alone.seconds, *rate.seconds])
        if not np.all(np.isfinite(times)) or np.any(times <= 0):
            raise UsageError("a measured time is none; measure again with more --passes")
        streams = dict(zip(rate.sizes, rate.seconds, strict=True))
        # The message back is of one byte; a ping-pong of that may be one that was cold.
        back = np.median(self.alone[:SMALLEST])
        last = np.where(np.arange(len(self.sizes)) < SMALLEST, back, self.alone)
        told = np.array(
            [streams.get(size, np.nan) if size < DETACHED else np.nan for size in alone.sizes]
        )  # beyond, SimGrid's senders work for both
        gaps = (RATE_MESSAGES * told - last - back) / (RATE_MESSAGES - 1)
        self.gaps = np.where(gaps >= LEAST_GAP, gaps, np.nan)  # less is none: it is not known

    def large_byte(self) -> float:
        """Seconds of a byte of large messages: the median of what every two tell.

        Raises: UsageError where there are no two, or the larger take no longer.
        """
        large = self.sizes >= DETACHED
        sizes, alone = self.sizes[large], self.alone[large]
        rises = [
            (alone[high] - alone[low]) / (sizes[high] - sizes[low])
            for low, high in itertools.combinations(range(len(sizes)), 2)
            if sizes[high] >= 2 * sizes[low]
        ]
        if not rises:
            raise UsageError(
                f"messages of up to {self.sizes[-1]:.0f} bytes do not tell the rate of a link; "
                f"it takes those of {DETACHED} and of twice as many"
            )
        byte = float(np.median(rises))
        if byte <= LEAST_BYTE:
            raise UsageError(
                "the largest messages took no longer than those of half as many bytes; measure "
                "again on an idle machine, or with more --passes"
            )
        return byte

    def link_byte(self) -> float:
        """Seconds of a byte on the link: of large messages, or of the fastest stream where that is
        less.
        """
        gaps = self.gaps / (self.sizes + ENVELOPE)
        return min(self.large_byte(), float(np.min(gaps[np.isfinite(gaps)], initial=np.inf)))

    def busy_from(self) -> int:
        """Place of the first size whose stream the link may keep back, and not its ranks."""
        link = (self.sizes + ENVELOPE) * self.link_byte()
        large = int(np.searchsorted(self.sizes, DETACHED))
        busy = np.flatnonzero(link[:large] >= BUSY_SHARE * self.gaps[:large])
        first = max(int(busy[0]) if len(busy) else large, LEAST_SIZES)
        return first if large - first >= LEAST_SIZES else large


@dataclass(frozen=True)
class _Fit:
    """Lines in the bytes of a message, none of their numbers negative; and how wrong they are."""

    alone: tuple[Seconds, Seconds]
    """of what a lone message takes beyond the gap, where ranks keep streams back; else beyond what
    ranks work"""
    gap: tuple[Seconds, Seconds]
    error: float
    """sum over points, relative"""


class _Route:
    """Segments of one route."""

    def __init__(self, measured: _Measured, *, is_between: bool) -> None:
        self.measured = measured
        self.is_between = is_between
        n = len(measured.sizes)
        self.busy = measured.busy_from() if is_between else n
        self.byte = measured.link_byte() if is_between else 0.0
        self.large_byte = measured.large_byte() if is_between else LEAST_BYTE
        self.work = (0.0, 0.0)
        """of sender and receiver, for messages whose link is busy"""

    def calibration(self) -> Calibration:
        """Of all segments."""
        idle = self._parts(0, self.busy)
        pieces = [self._worked(low, high) for low, high in idle]
        if self.busy < len(self.measured.sizes):
            self.work = self._work_at(pieces[-1])
            for begin, end in self._by_flow():
                pieces += [self._carried(low, high) for low, high in self._parts(begin, end)]
        return self._of_pieces(pieces)

    def _by_flow(self) -> list[tuple[int, int]]:
        """Sizes whose link is busy, in two: large messages share links as they flow, and keep no
        card.
        """
        n = len(self.measured.sizes)
        large = int(np.searchsorted(self.measured.sizes, DETACHED))
        return [(self.busy, n)] if self.busy >= large else [(self.busy, large), (large, n)]

    def _work_at(self, last: "_Piece") -> tuple[Seconds, Seconds]:
        """Of the largest message whose link is idle; together less than any larger one takes."""
        size = self.measured.sizes[self.busy - 1]
        sent, received = (start + byte * size for start, byte in (last.sent, last.received))
        least = 0.95 * float(np.min(self.measured.alone[self.busy :]))
        part = min(1.0, least / max(sent + received, LEAST_GAP))
        return part * sent, part * received

    def _parts(self, begin: int, end: int) -> list[tuple[int, int]]:
        """First and last place of each segment, by the Bayesian criterion."""
        fits = {
            (low, high): self._fit(low, high)
            for low in range(begin, end)
            for high in range(low + LEAST_SIZES - 1, end)
        }
        points = (end - begin) + int(np.sum(np.isfinite(self.measured.gaps[begin:end])))
        reached: dict[int, tuple[float, list[tuple[int, int]]]] = {begin: (0.0, [])}
        best: list[tuple[float, list[tuple[int, int]]]] = []
        for _ in range(MOST_SEGMENTS):
            longer: dict[int, tuple[float, list[tuple[int, int]]]] = {}
            for covered, (total, parts) in reached.items():
                for last in range(covered + LEAST_SIZES - 1, end):
                    sum_here = total + fits[covered, last].error
                    if last + 1 not in longer or sum_here < longer[last + 1][0]:
                        longer[last + 1] = (sum_here, [*parts, (covered, last)])
            reached = longer
            if end not in reached:
                break
            total, parts = reached[end]
            numbers = sum(self._numbers(low, high) for low, high in parts)
            criterion = 2 * points * np.log(total / points + NOISE) + numbers * np.log(points)
            best.append((float(criterion), parts))
        return min(best)[1]

    def _numbers(self, low: int, high: int) -> int:
        """Of a segment that are fitted, its begin among them."""
        return 5 if np.any(np.isfinite(self.measured.gaps[low : high + 1])) else 3

    def _fit(self, low: int, high: int) -> _Fit:
        here = slice(low, high + 1)
        sizes, alone, gaps = (
            of[here] for of in (self.measured.sizes, self.measured.alone, self.measured.gaps)
        )
        if low < self.busy:
            return _fit_worked(sizes, alone, gaps)
        is_last = high == len(self.measured.sizes) - 1
        held = self.large_byte if is_last else None
        return _fit_carried(sizes, alone, gaps, sum(self.work), held)

    def _worked(self, low: int, high: int) -> "_Piece":
        """Ranks keep streams back."""
        fit = self._fit(low, high)
        start = int(self.measured.sizes[low])
        (gap, gap_byte), (rest, rest_byte) = fit.gap, fit.alone
        if start >= DETACHED:  # no stream tells who works: the sender does it all under SimGrid
            half = (rest / 2, rest_byte / 2)
            return _Piece(start, half, half, 0.0, LEAST_BYTE, (0.0, 0.0))
        received = min(gap, rest), min(gap_byte, rest_byte)
        latency, byte = rest - received[0], rest_byte - received[1]
        latency = max(0.0, latency - ENVELOPE * byte)
        return _Piece(start, (gap, gap_byte), received, latency, byte, self._busy())

    def _busy(self) -> tuple[Seconds, Seconds]:
        """For which a card is busy with a message that it does not keep back."""
        return self.byte * ENVELOPE, self.byte

    def _carried(self, low: int, high: int) -> "_Piece":
        """The link or its card keeps streams back."""
        fit = self._fit(low, high)
        sizes, gaps = self.measured.sizes[low : high + 1], self.measured.gaps[low : high + 1]
        sent, received = self.work
        latency, byte = fit.alone
        told = sizes[np.isfinite(gaps)]
        most = min(((fit.gap[0] + fit.gap[1] * m) / (m + ENVELOPE) for m in told), default=byte)
        copied = max(0.0, byte - most) / 2  # what is no time of the link is of both ranks
        latency += ENVELOPE * 2 * copied
        return _Piece(int(sizes[0]), (sent, copied), (received, copied), latency,
                      byte - 2 * copied, fit.gap)  # fmt: skip

    def _of_pieces(self, pieces: Sequence["_Piece"]) -> Calibration:
        latency = max(LEAST_LATENCY, *(piece.latency for piece in pieces))
        link = self.large_byte
        fastest = link / FASTEST if self.is_between else link
        segments = [
            Segment(
                0 if number == 0 else piece.start, *piece.sent, *piece.received,
                latency_factor=piece.latency / latency,
                rate_factor=link / max(piece.byte, fastest),
                gap_seconds=piece.gap[0], gap_seconds_per_byte=piece.gap[1],
            )
            for number, piece in enumerate(pieces)
        ]  # fmt: skip
        return Calibration(latency, 1 / link, tuple(segments), self.is_between)


@dataclass(frozen=True)
class _Piece:
    """A segment in seconds."""

    start: Bytes
    sent: tuple[Seconds, Seconds]
    received: tuple[Seconds, Seconds]
    latency: Seconds
    byte: Seconds
    gap: tuple[Seconds, Seconds]


def _fit_worked(sizes: FloatArray, alone: FloatArray, gaps: FloatArray) -> _Fit:
    """A lone message takes the gap and a rest."""
    streamed = np.isfinite(gaps)
    ones, zeros = np.ones_like(sizes), np.zeros_like(sizes)
    if not np.any(streamed):
        (rest, rest_byte), error = _robust(np.stack([ones, sizes], axis=1), alone)
        return _Fit((rest, rest_byte), (0.0, 0.0), error)
    lone = np.stack([ones, sizes, ones, sizes], axis=1)
    stream = np.stack([ones, sizes, zeros, zeros], axis=1)[streamed]
    rows, wanted = np.concatenate([lone, stream]), np.concatenate([alone, gaps[streamed]])
    (gap, gap_byte, rest, rest_byte), error = _robust(rows, wanted)
    return _Fit((rest, rest_byte), (gap, gap_byte), error)


def _fit_carried(
    sizes: FloatArray, alone: FloatArray, gaps: FloatArray, work: Seconds, held: float | None = None
) -> _Fit:
    """A lone message takes its ranks' work, and the network; a gap is one by itself.

    Args: held is the time of a byte, where it is known.
    """
    ones = np.ones_like(sizes)
    if held is None:
        (latency, byte), error = _robust(np.stack([ones, sizes + ENVELOPE], axis=1), alone, work)
    else:
        base = work + held * (sizes + ENVELOPE)
        (latency,), error = _robust(ones[:, None], alone, base)
        byte = held
    streamed = np.isfinite(gaps)
    start, each = 0.0, 0.0
    if np.any(streamed):
        rows = np.stack([ones, sizes], axis=1)[streamed]
        if len(rows) == 1:
            rows[:, 0] = 0.0  # of one size a line through nothing
        (start, each), more = _robust(rows, gaps[streamed])
        error += more
    return _Fit((latency, byte), (start, each), error)


def _robust(
    rows: FloatArray, wanted: FloatArray, base: Seconds | FloatArray = 0.0
) -> tuple[tuple[float, ...], float]:
    """Numbers of 0 and more for which the sum of relative errors is small, so that a size that was
    disturbed counts little; and that sum.
    """
    relative, target = rows / wanted[:, None], (wanted - base) / wanted
    unit = np.maximum(np.max(np.abs(relative), axis=0), 1e-300)
    relative = relative / unit
    weights = np.ones_like(wanted)
    best: tuple[float, FloatArray] = (np.inf, np.zeros(rows.shape[1]))
    for _ in range(PASSES_OF_FIT):
        solved, _ = nnls(relative * weights[:, None], target * weights, maxiter=1000)
        errors = np.abs(relative @ solved - target)
        best = min(best, (float(np.sum(errors)), solved), key=lambda one: one[0])
        weights = 1 / np.sqrt(np.maximum(errors, NOISE))
    return tuple(float(number) for number in best[1] / unit), best[0]


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
