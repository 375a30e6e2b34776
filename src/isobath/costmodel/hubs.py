# SPDX-License-Identifier: Apache-2.0
"""Hubs of `hybrid` on several columns: how many, their bits, what is found by them (ADR 0043)."""

from itertools import pairwise
from math import log2

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import GraphSetting, packed_list_bytes
from isobath.costmodel.exact import COUNT_BYTES, ring
from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import LevelFacts, WalkedShares
from isobath.costmodel.packing import list_bytes
from isobath.costmodel.short_parcels import MOST_BYTES, write_to_all

LEFT = (
    *((2.0, 0.006), (3.0, 0.01), (4.0, 0.021), (6.0, 0.07), (8.0, 0.17), (10.0, 0.315)),
    *((12.0, 0.48), (14.0, 0.65)),
)
"""By log2 of vertices per hub: what owners do not find by
their four hubs, of what wide levels find (benchmarks/hub_coverage.py)."""

USEFUL_LEVELS = 2
"""Bottom-up levels after which all hubs are known to be visited, as a rule; then none is told."""

LEFT_OF_HUBS = 0.01
"""Of all hubs, those that the second bottom-up level tells as not visited yet."""

WALK_ERROR = 0.3
"""Of what a walk over classes says that owners leave, as a share of itself."""

VERTICES_OF_FEW = 4096
"""Searched vertices for a hub, where hubs are few."""

OPEN_SHARE = 0.4
"""Of what a level leaves unvisited, those with a neighbour that is no kept hub, which ask the grid
row: counted on 1x2, 2x2 and 4x4 at scale 18 (0.36 to 0.5)."""

LONGEST_LIST = 1.1
"""Longest list of those who ask, in bitmaps of the own vertices. No list is packed of more vertices
than that bitmap has bytes (engine/bfs/hybrid/ask.cpp); each takes a byte, and a second one where it
stands 128 or more behind the one before, as at most one in sixteen of them can."""


def most_hubs(searched: int, grid: Grid) -> int:
    """At most so many vertices are hubs: a tenth of the bitmaps of rows and columns of a rank, and
    four of its own. None on one grid column.

    >>> most_hubs(1000, Grid(2, 2)), most_hubs(1000, Grid(4, 1))
    (100, 0)
    """
    if grid.cols == 1:
        return 0
    tenth = searched * (grid.rows + grid.cols) // (10 * grid.size)
    return min(tenth, 4 * searched // grid.size)


def hubs_of(setting: GraphSetting) -> int:
    """At most so many hubs has a plan that has any."""
    searched = setting.blocks.vertices
    most = most_hubs(searched, setting.blocks.grid)
    return min(most, searched // VERTICES_OF_FEW) if setting.switches.hubs == "few" else most


def hub_bytes(setting: GraphSetting, bottom_up_before: int) -> Range:
    """Bytes of all ranks that tell their grid row which hubs of their grid column are visited, in
    one level: a length, then bits in whole words of 64 in the first level, and as a rule a short
    list in the second. Hubs are whole degrees, so there may be fewer than the most.
    """
    grid = setting.blocks.grid
    hubs = hubs_of(setting)
    if hubs == 0 or grid.cols == 1:
        return Range.exactly(0.0)
    others = grid.size * (grid.cols - 1)
    bits = 8 * (hubs / 64 / grid.cols + 0.5)
    list_of_others = list_bytes(LEFT_OF_HUBS * hubs / grid.cols, hubs / grid.cols)
    expected = (bits, min(bits, list_of_others))
    high = others * (COUNT_BYTES + 8 * (hubs / 64 / grid.cols + 1))
    if bottom_up_before >= USEFUL_LEVELS:
        return Range(0.0, 0.0, high)
    return Range(0.0, others * (COUNT_BYTES + expected[bottom_up_before]), high)


def frontier_hub_bytes(setting: GraphSetting, frontier: Range, bottom_up_before: int) -> Range:
    """Bytes of all ranks that tell their grid row which hubs of their grid column are on the
    frontier of a top-down level, so that owners find those who follow them: a length, then a list,
    or bits where these are shorter. Most of a small frontier are hubs; after a bottom-up level hubs
    are visited, as a rule. Without families (ADR 0025) none is told.
    """
    grid, switches = setting.blocks.grid, setting.switches
    hubs = hubs_of(setting)
    if hubs == 0 or grid.cols == 1 or (switches.relabel, switches.streams) != ("on", "on"):
        return Range.exactly(0.0)
    others = grid.size * (grid.cols - 1)
    bits = 8 * (hubs / 64 / grid.cols + 1)

    def told(vertices: float) -> float:
        listed = list_bytes(min(vertices, hubs) / grid.cols, hubs / grid.cols)
        return others * (COUNT_BYTES + min(bits, listed))

    expected = 0.0 if bottom_up_before else told(frontier.expected)
    return Range(0.0, expected, max(expected, told(frontier.high)))


def left_by_hubs(
    setting: GraphSetting, bottom_up_before: int, walked: WalkedShares | None = None
) -> Range:
    """Share of what a bottom-up level finds that owners do not find by their hubs: as it was walked
    where it was, else by vertices per hub, measured in levels that find much.
    """
    if walked is not None:
        most = min(1.0, (1 + WALK_ERROR) * walked.left + 0.02)
        return Range((1 - WALK_ERROR) * walked.left, walked.left, most)
    hubs = hubs_of(setting)
    if hubs == 0 or bottom_up_before >= USEFUL_LEVELS:
        return Range.exactly(1.0)
    at = log2(setting.blocks.vertices / hubs)
    share = _between(at)
    return Range(share / 3, share, min(1.0, 2.5 * share + 0.05))


def rotate_bytes(
    setting: GraphSetting,
    level: int,
    facts: LevelFacts,
    following: Range,
    unvisited: float,
    bottom_up_before: int,
) -> Range:
    """Bytes of all ranks that tell their grid row who is left after the owners' pass: the length of
    a list to C - 1 others, then the list, or the ring of bitmaps where that is smaller. In a small
    grid row short lists go with their lengths: beside a ring they went in vain.

    Args: following: what the level finds; unvisited: before it.
    """
    cols, ranks = setting.cols, setting.blocks.grid.size
    told = float(COUNT_BYTES * ranks * (cols - 1))
    round_the_row = float(ring(setting.blocks, level).bytes_sent)
    left = left_by_hubs(setting, bottom_up_before, facts.walked)
    open_share = OPEN_SHARE if facts.walked is None else facts.walked.asking

    def lists(share: float, discovered: float, others: float, times: float = 1.0) -> float:
        asking = share * discovered + others * max(0.0, unvisited - discovered)
        length = times * packed_list_bytes(setting, asking)
        return length * (cols - 1) if length < round_the_row / cols else round_the_row

    low = lists(left.low, following.low, open_share / 2) / 2
    expected = lists(left.expected, following.expected, open_share)
    high = round_the_row
    if facts.walked is not None:
        high = lists(left.high, following.high, 1.0, 1 + WALK_ERROR)
    at_once = write_to_all(cols) and not setting.switches.lengths_first
    if high >= round_the_row and at_once:
        high += ranks * (cols - 1) * min(MOST_BYTES, LONGEST_LIST * round_the_row / ranks / cols)
    padding = 64 * ranks * cols  # at most, however vertices lie in blocks
    return Range(told + min(low, expected), told + expected, told + high + padding)


def _between(at: float) -> float:
    """Along straight lines between what was measured, and on beyond it."""
    lines = list(pairwise(LEFT))
    (low, share), (high, other) = next((line for line in lines if at <= line[1][0]), lines[-1])
    return min(1.0, max(0.0, share + (other - share) * (at - low) / (high - low)))
