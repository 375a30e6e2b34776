# SPDX-License-Identifier: Apache-2.0
"""A network's shape, and the busiest of its links under messages between ranks on nodes.

A lower bound of time: T >= bytes of the busiest link / its rate (network.md 5.3). Groups that call
at the same time load links together: their bytes are added before the busiest is looked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from isobath.costmodel.fat_tree import FatTree
from isobath.costmodel.torus import Torus
from isobath.errors import UsageError
from isobath.stats.estimates import FloatArray

MOST_NODES = 4096
"""whose pairs are routed"""

MOST_KEPT = 1 << 26
"""numbers that routing keeps at once, half a gibibyte: a shape may be larger than what is used"""

Ranks = Sequence[int]


@dataclass(frozen=True)
class Topology:
    """A shape with its words. Node n of a run is node n of the shape."""

    shape: Torus | FatTree
    words: str
    """for example torus 8x4x8"""

    def __post_init__(self) -> None:
        """Raises: UsageError for more links than can be kept."""
        if self.shape.kept > MOST_KEPT:
            raise UsageError(
                f"the links of {self.shape.nodes:,} nodes ({self.words}) are too many to route; "
                "tell the shape of the nodes that are used"
            )

    def busiest(self, between: FloatArray) -> float:
        """Bytes over the busiest link. Args: bytes from node to node, shape (nodes, nodes)."""
        apart = between - np.diag(np.diag(between))
        sources, destinations = np.nonzero(apart)
        if not len(sources):
            return 0.0
        sent = apart[sources, destinations]
        return float(self.shape.loads_of_pairs(sources, destinations, sent).max())

    def check(self, nodes: int) -> None:
        """Raises: UsageError for more nodes than it has, or than are routed."""
        if nodes > self.shape.nodes:
            raise UsageError(
                f"[topology] has {self.shape.nodes:,} nodes ({self.words}), and {nodes:,} are "
                "asked for; give it the shape of the nodes that are used"
            )
        if nodes > MOST_NODES:
            raise UsageError(
                f"links of {nodes:,} nodes are not routed, {MOST_NODES:,} are the most; leave out "
                "[topology]"
            )


def exchange_load(topology: Topology, groups: Sequence[Ranks], node_of: Sequence[int]) -> float:
    """Of the busiest link, where every rank sends one byte to each other of its group."""
    counts = np.zeros((len(groups), max(node_of) + 1))
    for number, group in enumerate(groups):
        np.add.at(counts[number], [node_of[rank] for rank in group], 1.0)
    return topology.busiest(counts.T @ counts)


def shifted_load(
    topology: Topology, groups: Sequence[Ranks], node_of: Sequence[int], distance: int
) -> float:
    """Of the busiest link, where every rank sends one byte to that so many further in its group."""
    between = np.zeros((max(node_of) + 1,) * 2)
    for group in groups:
        for place, rank in enumerate(group):
            between[node_of[rank], node_of[group[(place + distance) % len(group)]]] += 1.0
    return topology.busiest(between)
