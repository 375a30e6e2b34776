# SPDX-License-Identifier: Apache-2.0
"""Estimates of what depends on the edges: tuples and compressed steps (audit class c).

R x C grid, C ranks in a grid row. A level is told by the share X of arcs that left earlier
frontiers and the share x that leaves this one; a neighbour is in a frontier with that probability.
met(s) is the expected number of vertices with a neighbour in a part of share s (arcs.met_vertices).
"""

from dataclasses import dataclass
from math import expm1, sqrt

from isobath.costmodel.arcs import DEVIATIONS, Range, crossing_arcs, met_vertices, share_meeting
from isobath.costmodel.exact import COUNT_BYTES
from isobath.costmodel.grid import Blocks
from isobath.costmodel.levels import LevelFacts
from isobath.costmodel.packing import list_bytes, proposals_bytes, source_bits
from isobath.costmodel.switches import Switches
from isobath.errors import UsageError

LEVEL_TOO_HIGH, LEVEL_TOO_LOW = 0.4, 0.65
"""Of what a de-duplicated level may be wrong, as shares of itself: the vertices of a frontier and
their neighbours are not drawn independently. The tuples of few hubs are the most underestimated.
"""

WHOLE_ERROR = 0.02
"""The same of a whole search, where the levels drop out."""

TAIL_ERROR = 0.01
"""The same as a share of the whole search: in the tail, levels of few tuples."""

OWNER_ERROR = 0.2
"""Of what the share of parents found elsewhere than at the owner may be too large."""

RECORD_BYTES = 24
"""Of an arc in the emulation of one-sided communication: both accumulates in one record."""

SLOT_HEADER = 8
"""Of a message put into a window: its length."""

SEGMENT_HEADER = 16
"""Of what goes from one rank to another in two hops: rank and length."""


@dataclass(frozen=True)
class GraphSetting:
    """The graph, and how a plan keeps it."""

    scale: int
    switches: Switches
    blocks: Blocks
    edgefactor: int = 16
    arcs: float | None = None
    """of the search, as counted; else those of the scale"""
    row_nodes: int = 1
    """machines that a grid row lies on, equally many ranks on each: for the two-level exchange"""

    def __post_init__(self) -> None:
        if self.row_nodes < 1 or self.cols % self.row_nodes:
            raise UsageError(
                f"{self.cols} ranks of a grid row do not lie evenly on {self.row_nodes} nodes"
            )

    @property
    def cols(self) -> int:
        """C."""
        return self.blocks.grid.cols

    @property
    def is_distinct(self) -> bool:
        """Duplicates were dropped."""
        return self.switches.duplicates == "drop"

    def met(self, share: float) -> float:
        """Vertices of the plan with a neighbour in a part of this share."""
        return met_vertices(
            self.scale,
            self.edgefactor,
            min(1.0, max(0.0, share)),
            without_leaves=self.switches.leaves == "out",
        )

    def share_reaching(self, vertices: float) -> float:
        """The share of arcs that must have been followed where so many vertices are reached."""
        return share_meeting(
            self.scale, self.edgefactor, vertices, without_leaves=self.switches.leaves == "out"
        )


def top_down_tuples(
    setting: GraphSetting, level: LevelFacts, *, seen_bottom_up: bool = False
) -> Range:
    """Tuples for other ranks in a top-down level, all ranks.

    Without de-duplication one for each frontier arc whose target has its owner in another grid
    column: 2 m x (C - 1)/C. With it, of each target one per grid column that has a neighbour of it
    for the first time: (C - 1) (met((X + x)/C) - met(X/C)).
    seen_bottom_up: an earlier level went bottom-up and told ranks which targets are visited; how
    many depends on where in the ring they were found, so the interval spans all and nothing.
    """
    columns = setting.cols
    if columns == 1:
        return Range.exactly(0.0)
    bound = _crossing_in(setting, level)
    if setting.switches.dedup == "none" or level.vertices.high <= 1:
        return bound  # of one source no target comes twice
    first = level.arcs_before

    def fresh(share: float) -> float:
        return (columns - 1) * (
            setting.met((first + share) / columns) - setting.met(first / columns)
        )

    tail = TAIL_ERROR * (columns - 1) * setting.met(1 / columns)
    expected = min(fresh(level.arcs.expected), bound.high)
    low = max(0.0, (1 - LEVEL_TOO_HIGH) * fresh(level.arcs.low) - tail)
    high = max(expected, min(bound.high, (1 + LEVEL_TOO_LOW) * fresh(level.arcs.high) + tail))
    if seen_bottom_up:
        unvisited = (columns - 1) * (
            setting.met(first + level.arcs.expected / columns) - setting.met(first)
        )
        expected = min(unvisited + (expected - unvisited) / 4, high)
        low = 0.0
    return Range(min(low, expected), expected, high)


def _crossing_in(setting: GraphSetting, level: LevelFacts) -> Range:
    """Arcs of one frontier whose target has its owner in another grid column; the deviation is the
    whole graph's, by the square root of the share.
    """
    whole = crossing_arcs(
        setting.scale,
        setting.cols,
        setting.edgefactor,
        distinct=setting.is_distinct,
        arcs=setting.arcs,
    )

    def end(share: float, reach: float) -> float:
        return share * whole.expected + sqrt(share) * reach

    return Range(
        max(0.0, end(level.arcs.low, whole.low - whole.expected)),
        end(level.arcs.expected, 0.0),
        end(min(1.0, level.arcs.high), whole.high - whole.expected),
    )


def whole_search_tuples(setting: GraphSetting) -> Range:
    """Tuples for other ranks in a search that goes top-down throughout: the levels drop out."""
    if setting.switches.dedup == "none":
        return crossing_arcs(
            setting.scale,
            setting.cols,
            setting.edgefactor,
            distinct=setting.is_distinct,
            arcs=setting.arcs,
        )
    total = (setting.cols - 1) * setting.met(1 / setting.cols)
    return Range(total * (1 - WHOLE_ERROR), total, total * (1 + WHOLE_ERROR))


def bottom_up_tuples(setting: GraphSetting, level: LevelFacts, following: Range | None) -> Range:
    """Parents found for other ranks in a bottom-up level. The ring starts at the owner, who finds
    all targets that have a frontier neighbour among its own columns, so the others find
    met(X + x) - met(X + x/C).

    following: vertices of the next level, where known; the expectation is scaled to them.
    """
    columns = setting.cols
    if columns == 1:
        return Range.exactly(0.0)
    before, until = level.arcs_before, level.arcs_before + level.arcs.expected
    elsewhere = setting.met(until) - setting.met(before + level.arcs.expected / columns)
    reached = setting.met(until) - setting.met(before)
    outer = (columns - 1) / columns
    part = min(outer, elsewhere / reached) if reached > 0 else outer
    if following is None:
        following = Range(0.0, reached, setting.met(1.0))
    most = following.high * outer
    return Range(
        following.low * part * (1 - OWNER_ERROR),
        following.expected * part,
        most + DEVIATIONS * sqrt(most),
    )


def fold_bytes(setting: GraphSetting, tuples: Range) -> Range:
    """Bytes of so many tuples in one level, in the encoding and the exchange of the plan.

    An exchange by puts adds a header per message. In two levels, of the C - 1 others of a row on N
    nodes with K ranks each, (K - 1) (N - 1) are reached by two hops, and each hop adds a header. An
    eager exchange tells each other rank of the row a length.
    """
    exchange = setting.switches.exchange_in(setting.cols)
    payload = _payload(setting, tuples)
    if exchange == "one-sided":
        return _with_headers(setting, tuples, payload, SLOT_HEADER)
    if exchange == "two-level":
        nodes = setting.row_nodes
        two_hops = (setting.cols // nodes - 1) * (nodes - 1) / (setting.cols - 1)
        return _with_headers(setting, tuples, payload, SEGMENT_HEADER) * (1 + two_hops)
    if exchange == "eager":
        told = float(COUNT_BYTES * setting.blocks.grid.size * (setting.cols - 1))
        return Range(told + payload.low, told + payload.expected, told + payload.high)
    return payload


def _payload(setting: GraphSetting, tuples: Range) -> Range:
    if setting.switches.exchange == "emulated":
        return tuples * RECORD_BYTES
    if setting.switches.fold == "plain":
        return tuples * setting.switches.tuple_bytes
    return Range(
        0.8 * packed_fold_bytes(setting, tuples.low),
        packed_fold_bytes(setting, tuples.expected),
        1.05 * packed_fold_bytes(setting, tuples.high),
    )


def _with_headers(setting: GraphSetting, tuples: Range, payload: Range, header: int) -> Range:
    """One for each pair of ranks with a tuple: at least one pair where there is any."""
    pairs = setting.blocks.grid.size * (setting.cols - 1)

    def messages(count: float) -> float:
        return pairs * -expm1(-count / pairs)

    return Range(
        payload.low + header * min(1.0, tuples.low),
        payload.expected + header * messages(tuples.expected),
        payload.high + header * min(float(pairs), tuples.high),
    )


def packed_fold_bytes(setting: GraphSetting, tuples: float) -> float:
    """Bytes of so many packed proposals, spread evenly over pairs of ranks. Hubs stand close
    together, so real lists are rather shorter.
    """
    ranks = setting.blocks.grid.size
    pairs = ranks * (setting.cols - 1)
    column_vertices = -(-(1 << setting.scale) // setting.cols)
    targets = setting.blocks.vertices_per_rank
    bits = source_bits(column_vertices)
    return pairs * proposals_bytes(tuples / pairs, targets, bits) if pairs else 0.0


def packed_list_bytes(setting: GraphSetting, vertices: float) -> float:
    """Delta-compressed frontier lists of all ranks together, each counted once."""
    ranks = setting.blocks.grid.size
    return ranks * list_bytes(vertices / ranks, setting.blocks.vertices_per_rank)
