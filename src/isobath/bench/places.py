# SPDX-License-Identifier: Apache-2.0
"""What cells are on nodes: where their ranks were, what leaves a node, what stays inside."""

import math
from collections import Counter
from collections.abc import Iterable
from typing import Literal, TypeAlias

from isobath.bench.measured import MeasuredCell

ALL_TO_ALL = ("alltoall", "alltoallv", "alltoallw")

Reach: TypeAlias = Literal["within a node", "between nodes", "both"]
"""Where the bytes of a communicator go: its ranks share a node, have one each, or neither."""

PRETENDED = "pretended"


def nodes_of(measured: MeasuredCell) -> int:
    """Nodes that its ranks were on; 1 where that is not known."""
    return len({node for node, _ in _members(measured)}) or 1


def ranks_of_node(measured: MeasuredCell) -> int:
    """Ranks on the fullest node."""
    counts = Counter(node for node, _ in _members(measured))
    return max(counts.values(), default=measured.first.ranks)


def is_pretended(measured: MeasuredCell) -> bool:
    """Its nodes are network namespaces of one machine, whose processors its times are of."""
    return measured.arm.placement.is_pretended


def reach_of(measured: MeasuredCell) -> Reach | None:
    """Of its communicator; None of one rank, or where nodes are not known."""
    counts = Counter(node for node, _ in _members(measured))
    if not counts or measured.first.ranks < 2:
        return None
    if len(counts) == 1:
        return "within a node"
    return "between nodes" if max(counts.values()) == 1 else "both"


def bytes_leaving_a_node(measured: MeasuredCell) -> int:
    """Of an all-to-all of uniform counts: what ranks of the busiest node send to other nodes.

    One communicator after the other; 0 where nothing leaves.
    """
    counts = Counter(node for node, _ in _members(measured))
    total = sum(counts.values())
    return max((n * (total - n) for n in counts.values()), default=0) * measured.cell.size_bytes


def node_rate(measured: MeasuredCell) -> float:
    """Bytes per second that leave the busiest node: the load of its network."""
    return bytes_leaving_a_node(measured) / measured.seconds


def ranks_are_nodes(cells: Iterable[MeasuredCell]) -> bool:
    """Whether a rank stands for a node in the K computer throughput of these cells.

    Only where all of them are on one node: otherwise ranks and nodes would share an axis.
    """
    return all(nodes_of(cell) == 1 for cell in cells)


def k_nodes(measured: MeasuredCell, *, by_ranks: bool) -> int:
    """Nodes in the throughput of the K computer report.

    Args: by_ranks is what ``ranks_are_nodes`` says of the whole benchmark.
    """
    return measured.first.ranks if by_ranks else nodes_of(measured)


def k_throughput(measured: MeasuredCell, *, by_ranks: bool) -> float:
    """Message size times nodes by time, in bytes per second. Args: by_ranks as of ``k_nodes``."""
    return measured.cell.size_bytes * k_nodes(measured, by_ranks=by_ranks) / measured.seconds


def _members(measured: MeasuredCell) -> list[tuple[int, int]]:
    """Node and rank of those that are in its first communicator; empty where not known."""
    ranks = members(measured)
    if max(ranks, default=0) >= len(measured.node_of_rank):  # not told, or of another launch
        return []
    return [(measured.node_of_rank[rank], rank) for rank in ranks]


def members(measured: MeasuredCell) -> tuple[int, ...]:
    """Ranks of the world in its first communicator. Dimension 0 varies fastest with the rank."""
    extents = [int(word) for word in measured.cell.shape.split("x")]
    if measured.cell.along == "world":
        return tuple(range(math.prod(extents)))
    dimension = int({"col": "0", "row": "1"}.get(measured.cell.along, measured.cell.along))
    stride = math.prod(extents[:dimension])
    return tuple(stride * k for k in range(extents[dimension]))
