# SPDX-License-Identifier: Apache-2.0
"""Bytes per search by formula, for the curves of the race report; the formulas are costmodel's."""

from dataclasses import dataclass
from functools import lru_cache

from isobath.costmodel.arcs import met_vertices
from isobath.costmodel.estimates import GraphSetting
from isobath.costmodel.grid import Blocks
from isobath.costmodel.levels import levels_from_profile
from isobath.costmodel.switches import Switches
from isobath.costmodel.volumes import search_volumes, whole_search_fold


@dataclass(frozen=True)
class Formula:
    """Bytes that all ranks send in one search."""

    low: float
    expected: float
    high: float
    is_exact: bool = False
    """a closed form, given the number of levels (class a); else an estimate, however narrow"""

    def times(self, factor: float) -> "Formula":
        """All three, in another unit."""
        return self.between(self, 0.0, factor)

    def between(self, other: "Formula", share: float, factor: float = 1.0) -> "Formula":
        """On the way to another, times a factor."""

        def at(own: float, two: float) -> float:
            return (own + share * (two - own)) * factor

        return Formula(
            at(self.low, other.low),
            at(self.expected, other.expected),
            at(self.high, other.high),
            self.is_exact and other.is_exact,
        )


def mean_search_bytes(
    switches: Switches, scale: int, edgefactor: int, ranks: int, levels: float
) -> Formula:
    """The same for a mean number of levels: the forms are linear in it, or nearly so."""
    whole = max(1, int(levels))
    here = search_bytes(switches, scale, edgefactor, ranks, whole)
    if levels <= whole:
        return here
    beyond = search_bytes(switches, scale, edgefactor, ranks, whole + 1)
    return here.between(beyond, levels - whole)


@lru_cache(maxsize=4096)
def search_bytes(
    switches: Switches, scale: int, edgefactor: int, ranks: int, levels: int
) -> Formula:
    """What a search of a typical root sends on the grid that the plan takes for so many ranks.

    Args: levels L, the last one, which finds nothing, included.
    """
    grid = switches.grid_of(ranks)
    numbered = float(1 << scale)
    reached = met_vertices(scale, edgefactor, 1.0, without_leaves=switches.leaves == "out")
    if switches.relabel != "off":
        numbered = reached
    setting = GraphSetting(scale, switches, Blocks.even(round(numbered), grid), edgefactor)
    facts = levels_from_profile(
        scale,
        reached,
        levels=levels,
        distinct=setting.is_distinct,
        direction=switches.direction,
    )
    volumes = search_volumes(setting, facts)
    if switches.direction != "top-down" or switches.is_replicated:
        exact = switches.is_replicated or ranks == 1
        return Formula(volumes.low_bytes, volumes.bytes_sent, volumes.high_bytes, exact)
    fold, rest = whole_search_fold(setting), volumes.bytes_sent - volumes.of("fold").bytes_sent
    return Formula(rest + fold.low, rest + fold.expected, rest + fold.high, ranks == 1)
