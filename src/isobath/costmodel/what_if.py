# SPDX-License-Identifier: Apache-2.0
"""What another exchange or another grid would cost in time: predictions with error bars (S-06).

Hockney's T = L + G m per message (network.md 5.1, 5.2), latency and seconds per byte given with an
interval. Every formula grows with both, so the ends of the interval are the formula at the ends.
Computation, contention and waiting are not in it: it compares ways of communicating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, expm1, log1p, log2

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting, fold_bytes, top_down_tuples
from isobath.costmodel.exact import column_expand
from isobath.costmodel.grid import Blocks, Grid
from isobath.costmodel.levels import LevelFacts
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError


@dataclass(frozen=True)
class Network:
    """How long a message takes: latency L and seconds per byte G, each with its interval."""

    latency_seconds: Range
    seconds_per_byte: Range

    def __post_init__(self) -> None:
        for cost in (self.latency_seconds, self.seconds_per_byte):
            if not 0 <= cost.low <= cost.expected <= cost.high:
                raise UsageError("latency and seconds per byte need low <= expected <= high")


@dataclass(frozen=True)
class Message:
    """What one rank sends to a group of ranks in one level."""

    group: int
    bytes_sent: float
    tuples: float


def alltoallv_seconds(message: Message, latency: float, per_byte: float) -> float:
    """Counts first, by an alltoall of 8 bytes, then one message to each other rank, empty or not:
    2 (g - 1) L + (8 (g - 1) + b) G.
    """
    others = message.group - 1
    return 2 * others * latency + (8 * others + message.bytes_sent) * per_byte


def sparse_seconds(message: Message, latency: float, per_byte: float) -> float:
    """Messages to those who get something, then agreement that all has arrived:
    (k + ceil(lg g)) L + b G, k of the g - 1 others being reached by at least one tuple.
    """
    agreement = ceil(log2(message.group)) if message.group > 1 else 0
    return (reached_ranks(message) + agreement) * latency + message.bytes_sent * per_byte


def reached_ranks(message: Message) -> float:
    """Of g - 1 ranks, those that get at least one of so many tuples spread at random."""
    others = message.group - 1
    if others < 1 or message.tuples <= 0:
        return 0.0
    if others == 1:
        return min(1.0, message.tuples)
    return others * -expm1(message.tuples * log1p(-1 / others))


@dataclass(frozen=True)
class WhatIf:
    """Seconds of communication of one search, two ways."""

    name: str
    as_is: Range
    instead: Range

    @property
    def verdict(self) -> str:
        """Which is faster, or that the intervals do not tell."""
        if self.instead.high < self.as_is.low:
            return "faster"
        if self.as_is.high < self.instead.low:
            return "slower"
        return "cannot tell"


def sparse_instead(setting: GraphSetting, levels: Sequence[LevelFacts], network: Network) -> WhatIf:
    """Sparse point-to-point messages in the place of alltoallv, plan and grid unchanged."""
    messages = _folds(setting, levels)
    return WhatIf(
        "sparse exchange instead of alltoallv",
        _total(messages, network, alltoallv_seconds),
        _total(messages, network, sparse_seconds),
    )


def grid_instead(
    scale: int, ranks: int, levels: Sequence[LevelFacts], network: Network, edgefactor: int = 16
) -> WhatIf:
    """The squarest grid in the place of one grid row, alltoallv in both."""
    one_row = _two_dim(scale, Grid(1, ranks), edgefactor)
    squarest = _two_dim(scale, Grid.squarest(ranks), edgefactor)
    return WhatIf(
        f"grid {squarest.blocks.grid} instead of 1x{ranks}",
        _total(_folds(one_row, levels), network, alltoallv_seconds),
        _plus(
            _total(_folds(squarest, levels), network, alltoallv_seconds),
            _total(_expands(squarest, levels), network, _allgather_seconds),
        ),
    )


def _two_dim(scale: int, grid: Grid, edgefactor: int) -> GraphSetting:
    switches = Switches.of("two-dim", exchange="alltoallv")
    return GraphSetting(scale, switches, Blocks.even(1 << scale, grid), edgefactor)


def _allgather_seconds(message: Message, latency: float, per_byte: float) -> float:
    """Ring: (g - 1) L + b G."""
    return (message.group - 1) * latency + message.bytes_sent * per_byte


Triple = tuple[Message, Message, Message]
"""At the low end, as expected, and at the high end of the volume."""


def _folds(setting: GraphSetting, levels: Sequence[LevelFacts]) -> list[Triple]:
    ranks, columns = setting.blocks.grid.size, setting.cols
    folds = []
    for level in levels:
        tuples = top_down_tuples(setting, level)
        sent = fold_bytes(setting, tuples)
        ends = ((sent.low, tuples.low), (sent.expected, tuples.expected), (sent.high, tuples.high))
        low, middle, high = (Message(columns, b / ranks, t / ranks) for b, t in ends)
        folds.append((low, middle, high))
    return folds


def _expands(setting: GraphSetting, levels: Sequence[LevelFacts]) -> list[Triple]:
    grid = setting.blocks.grid
    sent = column_expand(setting.blocks, 0).bytes_sent / grid.size
    message = Message(grid.rows, sent, 0.0)
    return [(message, message, message)] * len(levels)


def _total(
    messages: Sequence[Triple], network: Network, seconds: Callable[[Message, float, float], float]
) -> Range:
    latency, per_byte = network.latency_seconds, network.seconds_per_byte
    return Range(
        sum(seconds(triple[0], latency.low, per_byte.low) for triple in messages),
        sum(seconds(triple[1], latency.expected, per_byte.expected) for triple in messages),
        sum(seconds(triple[2], latency.high, per_byte.high) for triple in messages),
    )


def _plus(first: Range, other: Range) -> Range:
    return Range(first.low + other.low, first.expected + other.expected, first.high + other.high)
