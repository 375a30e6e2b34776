# SPDX-License-Identifier: Apache-2.0
"""What links inside a network make of calls: no call is faster than its busiest link.

Bytes between nodes cost what the adapter of a node takes for them, or what the busiest link takes,
whichever is more. Read ``Links.load``.
"""

from dataclasses import dataclass, field

from isobath.costmodel.arcs import Range
from isobath.costmodel.topology import Topology, exchange_load, shifted_load
from isobath.prediction.algorithms import BRUCK, DOUBLING, RING
from isobath.prediction.calls import Call, Layout, doublings


@dataclass(frozen=True)
class Links:
    """A topology with what a byte takes over one of its links."""

    topology: Topology
    cost: Range
    """seconds of a byte"""
    _known: dict[tuple[object, ...], float] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """loads that were routed already; the same layouts come again in every search and level"""

    def load(self, call: Call, layout: Layout, communicator: str) -> float:
        """Bytes over the busiest link in all calls of this kind, rounds one after the other.

        At once: all messages together. A ring: to the next, again and again. Bruck's gather and
        doubling: 2^k pieces to the rank 2^k further. Reductions: the vector in each round.
        Raises: UsageError for more nodes than there are.
        """
        size = call.group.size
        if size < 2 or call.group.nodes < 2:
            return 0.0
        self.topology.check(layout.nodes)
        rounds = doublings(size)
        if call.pattern == "reduction":
            pieces = [1.0] * rounds
        elif call.pattern == "gather" and call.algorithm in (BRUCK, DOUBLING):
            pieces = [float(min(1 << k, size - (1 << k))) for k in range(rounds)]
        elif call.pattern == "exchange" and call.algorithm == BRUCK:
            pieces = [size / 2] * rounds
        elif call.pattern == "ring" or call.algorithm == RING:
            return self._shifted(layout, communicator, 1) * call.bytes_sent
        else:
            return self._exchanged(layout, communicator) * call.bytes_sent / (size - 1)
        shifted = sum(
            piece * self._shifted(layout, communicator, 1 << k) for k, piece in enumerate(pieces)
        )
        return shifted * call.piece * call.calls

    def _exchanged(self, layout: Layout, communicator: str) -> float:
        key = (layout, communicator)
        if key not in self._known:
            groups = layout.ranks_of(communicator)
            self._known[key] = exchange_load(self.topology, groups, layout.node_of_rank)
        return self._known[key]

    def _shifted(self, layout: Layout, communicator: str, distance: int) -> float:
        key = (layout, communicator, distance)
        if key not in self._known:
            groups = layout.ranks_of(communicator)
            self._known[key] = shifted_load(self.topology, groups, layout.node_of_rank, distance)
        return self._known[key]
