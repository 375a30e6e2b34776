# SPDX-License-Identifier: Apache-2.0
"""Calls of a search, measured or to come, and what a network does for them.

A call costs rounds * L + messages * g + bytes * G, within a node and between nodes apart
(network.md 5.1 to 5.3), and turns where threads share a processor. What they multiply is arithmetic
of the algorithm; read ``terms_of``.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import ceil, log2
from typing import Literal

import numpy as np

from isobath.costmodel.grid import Grid
from isobath.errors import UsageError
from isobath.prediction.algorithms import BRUCK, PAIRWISE, RABENSEIFNER, RING, usual
from isobath.records.phases import PhaseName
from isobath.stats.estimates import FloatArray

Pattern = Literal["reduction", "gather", "exchange", "ring"]

PATTERNS: dict[str, Pattern] = {
    "allreduce": "reduction", "bcast": "reduction", "barrier": "reduction",
    "allgather": "gather", "allgatherv": "gather",
    "alltoall": "exchange", "alltoallv": "exchange", "alltoallw": "exchange", "isend": "exchange",
    "isend_all": "exchange", "neighbor_alltoallv": "exchange", "put": "exchange",
    "start": "exchange", "accumulate": "exchange", "issend": "exchange",
    "sendrecv": "ring",
}  # fmt: skip
"""What calls do, by their names in the ledger."""

TOLD = ("latency within", "gap within", "byte within",
        "latency between", "gap between", "byte between")  # fmt: skip
"""Of a message that waits for another, of a message among others, of a byte: in a node, of a rank;
between nodes, bytes of a whole node, for its ranks share its adapter."""

COSTS = (*TOLD, "turn", "byte among", "byte beyond")
"""The last three. A turn: what a processor works for a message that is waited for, and each other
thread on it waits for, too. A link's latency is not worked by anybody; a gap is, as a whole
(LogGP's o). A byte among: what a byte takes longer with each doubling of the nodes that send to one
at the same time, beyond the first (their queues overflow: incast). A byte beyond: what a byte
between nodes takes longer beyond a bend, or else beyond all that was measured of a kind of call
(``CallCosts.terms``)."""

BYTE_BETWEEN, TURN = COSTS.index("byte between"), COSTS.index("turn")
BYTE_AMONG, BYTE_BEYOND = COSTS.index("byte among"), COSTS.index("byte beyond")

Mapping = Literal["columns", "rows"]
"""What lies side by side on a node: ranks of a grid column (as numbered), or of a grid row."""


@dataclass(frozen=True)
class Group:
    """Ranks that call together, where they are."""

    size: int
    nodes: int = 1
    """that it spans"""
    per_node: int = 0
    """its ranks on the fullest node; 0: all"""
    side_by_side: int = 1
    """groups like it that share a node, at the same time"""
    crowding: float = 1.0
    """threads that take turns on a processor"""

    @property
    def on_node(self) -> int:
        """Its ranks on the fullest node."""
        return self.per_node or self.size

    @property
    def leaving(self) -> float:
        """Share of a rank's partners that are on other nodes."""
        return (self.size - self.on_node) / (self.size - 1) if self.size > 1 else 0.0


@dataclass(frozen=True)
class Layout:
    """A grid of ranks on nodes."""

    grid: Grid
    node_of_rank: tuple[int, ...]
    crowding: float = 1.0
    """threads for each processor, 1 or more"""

    @classmethod
    def even(cls, grid: Grid, per_node: int, mapping: Mapping = "columns") -> "Layout":
        """So many ranks on every node but perhaps the last. Raises: UsageError for none."""
        if per_node < 1:
            raise UsageError(f"{per_node} ranks on a node are none")
        return _even(grid, per_node, mapping)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.grid, self.node_of_rank, self.crowding))

    @cached_property
    def nodes(self) -> int:
        """All of them."""
        return len(set(self.node_of_rank))

    @property
    def per_node(self) -> int:
        """Ranks of the fullest node."""
        return max(Counter(self.node_of_rank).values())

    def group(self, communicator: str) -> Group:
        """Of all ranks, or of the grid rows or columns, all of which call at the same time."""
        return self._groups.get(communicator, self._groups["world"])

    def ranks_of(self, communicator: str) -> tuple[range, ...]:
        """Of every group that calls at the same time."""
        rows, ranks = self.grid.rows, range(self.grid.size)
        if communicator == "row":
            return tuple(ranks[row::rows] for row in range(rows))
        if communicator == "column":
            return tuple(ranks[first : first + rows] for first in ranks[::rows])
        return (ranks,)

    @cached_property
    def _groups(self) -> dict[str, Group]:
        return {name: self._of(self.ranks_of(name)) for name in ("world", "row", "column")}

    def _of(self, groups: Sequence[Sequence[int]]) -> Group:
        counts = [Counter(self.node_of_rank[rank] for rank in group) for group in groups]
        beside = Counter(node for nodes in counts if len(nodes) > 1 for node in nodes)
        return Group(
            len(groups[0]),
            max(len(nodes) for nodes in counts),
            max(max(nodes.values()) for nodes in counts),
            max(beside.values(), default=1),
            self.crowding,
        )


@lru_cache(maxsize=32)
def _even(grid: Grid, per_node: int, mapping: Mapping) -> Layout:
    """Choices that differ in something else share it: what is formed of a layout is there then."""
    if mapping == "columns":
        return Layout(grid, tuple(rank // per_node for rank in range(grid.size)))
    numbers = (rank % grid.rows * grid.cols + rank // grid.rows for rank in range(grid.size))
    return Layout(grid, tuple(number // per_node for number in numbers))


@dataclass(frozen=True)
class Call:
    """What one rank does of a kind of call in one phase of one level; means over ranks."""

    level: int
    """-1 outside of levels"""
    phase: PhaseName
    name: str
    """of the MPI call that moves the bytes"""
    group: Group
    calls: float
    messages: float
    """to others, of all these calls"""
    bytes_sent: float
    forced: str = ""
    """algorithm that it is made to use, a name of ``algorithms.KNOWN``; empty: the library's own"""
    along: str = "world"
    """communicator: of all ranks, or ``row`` or ``column`` of the grid"""

    @property
    def algorithm(self) -> str:
        """That it is predicted by; empty where there is no choice."""
        return self.forced or usual(self.name, self.group.size, self.piece)

    @property
    def pattern(self) -> Pattern:
        """What it does."""
        return PATTERNS[self.name]

    @cached_property
    def terms(self) -> FloatArray:
        """``terms_of`` it, formed once: many searches ask for them again. Not to be written to."""
        terms = terms_of(self)
        terms.flags.writeable = False
        return terms

    @cached_property
    def needs(self) -> tuple[bool, ...]:
        """By cost of ``TOLD``: whether it has anything to multiply with."""
        return tuple((self.terms[: len(TOLD)] > 0).tolist())

    @property
    def load(self) -> float:
        """What says how large it is: bytes of a rank, of a reduction those of its vector."""
        return self.piece if self.pattern == "reduction" else self.bytes_sent

    @property
    def piece(self) -> float:
        """Bytes for one other rank in one call."""
        others = self.calls * (self.group.size - 1)
        return self.bytes_sent / others if others else 0.0


def doublings(number: float) -> int:
    """Rounds in which so many can be reached: ceil(log2)."""
    return ceil(log2(number)) if number > 1 else 0


def terms_of(call: Call) -> FloatArray:
    """What the costs are multiplied with. Shape (9,), in the order of ``COSTS``; where a byte
    takes longer is not known here, and the last is 0.

    >>> terms_of(Call(0, "reduce", "allreduce", Group(8), 1, 7, 56)).tolist()
    [3.0, 0.0, 24.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    if call.group.size < 2 or not call.calls:
        return np.zeros(len(COSTS))
    within, gap, byte, between, gap_out, out = FORMS[call.pattern](call)
    crowding = call.group.crowding
    is_at_once = call.pattern == "exchange" and call.algorithm not in (BRUCK, PAIRWISE)
    among = out * max(0.0, log2(call.group.nodes) - 1) if is_at_once else 0.0
    turns = (within + between) * (crowding - 1)
    return np.array(
        (within, gap * crowding, byte, between, gap_out * crowding, out, turns, among, 0.0)
    )


Six = tuple[float, float, float, float, float, float]


def _reduction(call: Call) -> Six:
    """In the node first. Recursive doubling: ceil(lg p) (L + m G); Rabenseifner's algorithm:
    2 ceil(lg p) L + 2 (p - 1)/p m G.
    """
    group, m = call.group, call.piece
    inner, outer = doublings(group.on_node), doublings(group.nodes)
    inside, out = inner * m, outer * m
    if call.algorithm == RABENSEIFNER:
        inside, out = (2 * (ranks - 1) / ranks * m for ranks in (group.on_node, group.nodes))
        inner, outer = 2 * inner, 2 * outer
    return (
        call.calls * inner, 0.0, call.calls * inside,
        call.calls * outer, 0.0, call.calls * out * group.side_by_side,
    )  # fmt: skip


def _gather(call: Call) -> Six:
    """Bruck's or doubling: ceil(lg p) L + (p - 1) m G; a ring: (p - 1) (L + m G)."""
    group, m = call.group, call.piece
    inner: float = doublings(group.on_node)
    outer: float = doublings(group.nodes)
    if call.algorithm == RING:
        inner, outer = (group.size - 1.0, 0.0) if group.nodes == 1 else (0.0, group.size - 1.0)
    inside = call.bytes_sent if group.on_node > 1 else 0.0
    out = call.calls * (group.size - group.on_node) * m * group.side_by_side
    return call.calls * inner, 0.0, inside, call.calls * outer, 0.0, out


def _exchange(call: Call) -> Six:
    """All messages at once: L + messages g + bytes G; one after the other: messages (L + m G);
    Bruck's: ceil(lg p) (L + p/2 m G).
    """
    group, leaving = call.group, call.group.leaving
    together = group.on_node * group.side_by_side
    if call.algorithm == BRUCK:
        rounds, size = doublings(group.size), call.calls * group.size / 2 * call.piece
        outer = doublings(group.nodes)
        inner = rounds - outer
        return (
            call.calls * inner, 0.0, inner * size,
            call.calls * outer, 0.0, outer * size * together,
        )  # fmt: skip
    inside, out = call.messages * (1 - leaving), call.messages * leaving
    bytes_inside = call.bytes_sent * (1 - leaving)
    bytes_out = call.bytes_sent * leaving * together
    if call.algorithm == PAIRWISE:
        return inside, 0.0, bytes_inside, out, 0.0, bytes_out
    return (
        call.calls if group.nodes == 1 else 0.0, inside, bytes_inside,
        call.calls if group.nodes > 1 else 0.0, out, bytes_out,
    )  # fmt: skip


def _ring(call: Call) -> Six:
    """One message after the other round the group: messages (L + m G)."""
    if call.group.nodes == 1:
        return call.messages, 0.0, call.bytes_sent, 0.0, 0.0, 0.0
    inside = call.bytes_sent if call.group.on_node > 1 else 0.0
    return 0.0, 0.0, inside, call.messages, 0.0, call.bytes_sent * call.group.side_by_side


FORMS: dict[Pattern, Callable[[Call], Six]] = {
    "reduction": _reduction, "gather": _gather, "exchange": _exchange, "ring": _ring,
}  # fmt: skip
