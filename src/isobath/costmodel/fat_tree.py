# SPDX-License-Identifier: Apache-2.0
"""Bytes over every link of a fat tree: by routing each pair of nodes, and in closed form.

Routes are static, by destination (D-mod-k), as InfiniBand's forwarding tables are: the way up is
chosen by the digits of the destination. T >= load of the busiest link / bandwidth (network.md 5.3).
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from isobath.costmodel.torus import Row
from isobath.errors import UsageError
from isobath.stats.estimates import FloatArray, IntArray


@dataclass(frozen=True)
class FatTree:
    """Levels of switches, the lowest first. TSUBAME 2.0: (16, 88), (1, 6), (1, 3)."""

    down: tuple[int, ...]
    """what hangs below a switch of each level"""
    up: tuple[int, ...]
    """switches of each level that something below is joined to"""
    cables: tuple[int, ...]
    """side by side between the two; their load is shared evenly"""

    def __post_init__(self) -> None:
        levels = {len(self.down), len(self.up), len(self.cables)}
        if levels == {0} or len(levels) != 1 or min(*self.down, *self.up, *self.cables) < 1:
            raise UsageError(
                "a fat tree has down, up and cables of each of its levels, 1 or more of each"
            )

    @property
    def nodes(self) -> int:
        """N."""
        return prod(self.down)

    @property
    def kept(self) -> int:
        """Numbers that ``loads_of_pairs`` keeps at once beside those of each message: links of all
        levels, both directions, level by level and put together.
        """
        return 2 * sum(
            2 * (self.nodes // self._part(level)) * prod(self.up[: level + 1])
            for level in range(len(self.down))
        )

    def busiest_of_all_to_all(self, message_bytes: float = 1.0) -> float:
        """Bytes over the busiest link where each node sends to each other, in closed form.

        S (N - S) pairs leave a part of S nodes over w_1 ... w_l * cables links. Exact where
        destinations divide evenly among the ways up: N and S multiples of their number.

        >>> FatTree((16, 88), (1, 6), (1, 3)).busiest_of_all_to_all() == 1407.0
        True
        """
        return message_bytes * max(
            (self._part(level) * (self.nodes - self._part(level)))
            / (prod(self.up[: level + 1]) * self.cables[level])
            for level in range(len(self.down))
        )

    def oversubscription(self, level: int) -> float:
        """Nodes below a switch of this level (from 1) for each cable that leads further up."""
        return self._part(level) / (prod(self.up[: level + 1]) * self.cables[level])

    def _part(self, level: int) -> int:
        """Nodes below what is joined to the switches of a level, from 0: a node itself first."""
        return prod(self.down[:level])

    def loads(self, row: Row) -> FloatArray:
        """Bytes over every link, each pair routed by itself: the slow twin of the closed form.

        Returns one row for each link of a level and direction: loads of cables, in any order.
        """
        loads = [
            np.zeros((2, self.nodes // self._part(level), prod(self.up[: level + 1])))
            for level in range(len(self.down))
        ]
        everyone = np.arange(self.nodes)
        for node in range(self.nodes):
            sent = np.array(row(node), dtype=np.float64)
            sent[node] = 0.0
            for level in range(len(self.down)):
                part = self._part(level)
                leaves = everyone // part != node // part
                way = everyone % prod(self.up[: level + 1])  # of its destination, digit by digit
                amount = np.where(leaves, sent, 0.0)
                np.add.at(loads[level][0, node // part], way, amount)
                np.add.at(loads[level][1], (everyone // part, way), amount)
        shares = zip(loads, self.cables, strict=True)
        return np.concatenate([(loads / cables).ravel() for loads, cables in shares])

    def loads_of_pairs(
        self, sources: IntArray, destinations: IntArray, sent: FloatArray
    ) -> FloatArray:
        """The same for messages that are listed, all at once; ``loads`` is its slow twin."""
        found = []
        for level in range(len(self.down)):
            part, ways = self._part(level), prod(self.up[: level + 1])
            loads = np.zeros((2, self.nodes // part, ways))
            amount = np.where(destinations // part != sources // part, sent, 0.0)
            np.add.at(loads[0], (sources // part, destinations % ways), amount)
            np.add.at(loads[1], (destinations // part, destinations % ways), amount)
            found.append((loads / self.cables[level]).ravel())
        return np.concatenate(found)
