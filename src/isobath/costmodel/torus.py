# SPDX-License-Identifier: Apache-2.0
"""Bytes over every link of a torus or mesh: by routing each pair of nodes, and in closed form.

Messages go dimension by dimension, the first one first, the shorter way round. T >= load of the
busiest link / bandwidth (network.md 5.3). Nothing here knows of algorithms, software or congestion.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod

import numpy as np

from isobath.errors import UsageError
from isobath.stats.estimates import FloatArray, IntArray

Row = Callable[[int], FloatArray]
"""Bytes that a node sends to each node, by its number; shape (N,). What it keeps counts nothing."""


def all_to_all(nodes: int, message_bytes: float = 1.0) -> Row:
    """So many bytes from each node to each other."""
    row = np.full(nodes, message_bytes)
    return lambda node: row


@dataclass(frozen=True)
class Torus:
    """Nodes on a grid of any number of dimensions; node = mixed radix, the first digit fastest."""

    sizes: tuple[int, ...]
    wraps: tuple[bool, ...] = ()
    """by dimension: round (a torus) or not (a mesh); empty: all are"""
    halves_ties: bool = True
    """half a message goes each way where both are as short; else all go up, as in SimGrid"""

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 1:
            raise UsageError(f"{self} is no torus; every side is at least 1")
        if self.wraps and len(self.wraps) != len(self.sizes):
            raise UsageError(f"{self}: say of each of {len(self.sizes)} sides whether it wraps")

    def __str__(self) -> str:
        return "x".join(map(str, self.sizes))

    @property
    def nodes(self) -> int:
        """N."""
        return prod(self.sizes)

    @property
    def kept(self) -> int:
        """Numbers that ``loads_of_pairs`` keeps at once beside those of each message: loads of all
        links, and for the lines of one dimension marks, their sums and loads.
        """
        of_links = 2 * len(self.sizes) * self.nodes
        return of_links + max(
            self.nodes // size * (2 * (2 * size + 1) + size) for size in self.sizes
        )

    def wraps_in(self, dimension: int) -> bool:
        """Whether its ends are joined."""
        return self.wraps[dimension] if self.wraps else True

    def busiest_of_all_to_all(self, message_bytes: float = 1.0) -> float:
        """Bytes over the busiest link where each node sends to each other, in closed form.

        N/X * X^2/8 on a ring of X nodes (X even, ties halved), N/X * X^2/4 on a line.

        >>> Torus((8, 4, 4)).busiest_of_all_to_all() == 128 * 8 / 8
        True
        """
        return message_bytes * max(
            self.nodes / size * self._pairs_over_a_link(size, wraps=self.wraps_in(dimension))
            for dimension, size in enumerate(self.sizes)
        )

    def _pairs_over_a_link(self, size: int, *, wraps: bool) -> float:
        """Of a single line or ring, every node sending to every other, one direction."""
        if not wraps:
            return (size // 2) * ((size + 1) // 2)
        if size % 2:
            return (size * size - 1) / 8
        return size * size / 8 + (0.0 if self.halves_ties else size / 4)

    def loads(self, row: Row) -> FloatArray:
        """Bytes over every link, each pair routed by itself: the slow twin of the closed form.

        Returns shape (dimensions, 2, N): over the link that leaves node n up (0) or down (1).
        """
        places = self._coordinates(np.arange(self.nodes))
        loads = np.zeros((len(self.sizes), 2, self.nodes))
        for node in range(self.nodes):
            sent = np.array(row(node), dtype=np.float64)
            sent[node] = 0.0
            self._route(node, sent, places, loads)
        return loads

    def loads_of_pairs(
        self, sources: IntArray, destinations: IntArray, sent: FloatArray
    ) -> FloatArray:
        """The same for messages that are listed, all at once; ``loads`` is its slow twin."""
        here, there = self._coordinates(sources), self._coordinates(destinations)
        loads = np.zeros((len(self.sizes), 2, self.nodes))
        strides = np.cumprod((1, *self.sizes[:-1]))
        for dimension, size in enumerate(self.sizes):
            stride = int(strides[dimension])
            first_of_line = here.T @ strides - here[dimension] * stride
            line = first_of_line // (stride * size) * stride + first_of_line % stride
            ahead = there[dimension] - here[dimension]
            for direction, steps, amount in self._ways(dimension, ahead, sent):
                # Downwards from c over n links leaves c, c - 1, ... c - n + 1.
                first = here[dimension] if direction == 0 else here[dimension] - steps + 1
                going = np.where(steps > 0, amount, 0.0)
                of_lines = loads[dimension, direction].reshape(-1, size, stride)
                of_lines[:] = (
                    _along_lines(self.nodes // size, size, line, first % size, steps, going)
                    .reshape(-1, stride, size)
                    .swapaxes(1, 2)
                )
            here[dimension] = there[dimension]
        return loads

    def loads_between(self, between: FloatArray) -> FloatArray:
        """The same of bytes from every node to every other; ``loads`` is its slow twin.

        What a message loads along a dimension is told by the line it is on and its first and last
        place there: messages that share those are added up before they are laid on links.

        Args: of shape (N, N), from the node of a row. What a node keeps counts nothing.
        """
        left = np.array(between, dtype=np.float64)
        np.fill_diagonal(left, 0.0)
        # The slowest digit stands first; sources of dimensions that were routed are summed away.
        left = left.reshape(self.sizes[::-1] * 2)
        loads = np.zeros((len(self.sizes), 2, self.nodes))
        for dimension, size in enumerate(self.sizes):
            later = len(self.sizes) - 1 - dimension
            along = left.sum(axis=tuple(range(later + 1, 2 * later + 1)))
            along = along.reshape(
                prod(self.sizes[dimension + 1 :]), size, size, prod(self.sizes[:dimension])
            )
            ahead = np.arange(size) - np.arange(size)[:, None]
            for direction, steps, share in self._ways(dimension, ahead, np.ones((size, size))):
                loads[dimension, direction] = _laid(
                    along * share[:, :, None], steps, direction
                ).ravel()
            left = left.sum(axis=later)
        return loads

    def _coordinates(self, nodes: IntArray) -> IntArray:
        """Of these nodes, shape (dimensions, nodes)."""
        return np.array(np.unravel_index(nodes, self.sizes, order="F"))

    def _route(self, node: int, sent: FloatArray, places: IntArray, loads: FloatArray) -> None:
        here = np.repeat(places[:, [node]], self.nodes, axis=1)
        strides = np.cumprod((1, *self.sizes[:-1]))
        for dimension, size in enumerate(self.sizes):
            ahead = places[dimension] - here[dimension]
            for direction, step, bytes_sent in self._ways(dimension, ahead, sent):
                base = here.T @ strides - here[dimension] * strides[dimension]
                for passed in range(int(step.max(initial=0))):
                    going = (step > passed) & (bytes_sent > 0)
                    at = (here[dimension] + (passed if direction == 0 else -passed)) % size
                    links = (base + at * strides[dimension])[going]
                    loads[dimension, direction] += np.bincount(
                        links, bytes_sent[going], minlength=self.nodes
                    )
            here[dimension] = places[dimension]

    def _ways(
        self, dimension: int, ahead: IntArray, sent: FloatArray
    ) -> list[tuple[int, IntArray, FloatArray]]:
        """Of each direction: hops to every node, and bytes that take them."""
        if not self.wraps_in(dimension):
            return [(0, np.maximum(ahead, 0), sent), (1, np.maximum(-ahead, 0), sent)]
        size = self.sizes[dimension]
        up = ahead % size
        down = (size - up) % size
        share = np.where(up < down, 1.0, np.where(up > down, 0.0, 0.5 if self.halves_ties else 1.0))
        return [
            (0, np.where(share > 0, up, 0), sent * share),
            (1, np.where(share < 1, down, 0), sent * (1 - share)),
        ]


def _along_lines(
    lines: int, size: int, line: IntArray, start: IntArray, steps: IntArray, sent: FloatArray
) -> FloatArray:
    """Bytes over the links of lines of so many places, from messages of which each is on a line and
    takes so many steps up from its start there.

    The first link of each is marked, and the one behind its last; sums between marks are loads.
    Returns shape (lines, size).
    """
    marks = np.zeros((lines, 2 * size + 1))
    np.add.at(marks, (line, start), sent)
    np.subtract.at(marks, (line, start + steps), sent)
    sums = np.cumsum(marks, axis=1)
    loads: FloatArray = sums[:, :size] + sums[:, size : 2 * size]
    return loads


def _laid(sent: FloatArray, steps: IntArray, direction: int) -> FloatArray:
    """Bytes over the links of lines that leave their places upwards (0) or downwards (1).

    Args: sent has shape (lines beside, first place, last place, lines beside), steps has links
        passed, by first and last place. Returns shape (lines beside, place, lines beside).
    """
    if direction:  # upwards, seen from the other end
        return _laid(sent[:, ::-1, ::-1], steps[::-1, ::-1], 0)[:, ::-1]
    size = len(steps)
    marks = np.zeros((sent.shape[0], 2 * size + 1, sent.shape[3]))
    for first in range(size):
        going = np.flatnonzero(steps[first])
        amounts = sent[:, first, going]
        marks[:, first] += amounts.sum(axis=1)
        marks[:, first + steps[first, going]] -= amounts
    sums = np.cumsum(marks, axis=1)
    links: FloatArray = sums[:, :size] + sums[:, size : 2 * size]
    return links
