# SPDX-License-Identifier: Apache-2.0
"""All bytes of one search, by level and phase, for every plan and switch.

Read ``search_volumes`` first: it lays out what a level of each plan sends. Explained in
docs/explanation/volumes.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isobath.costmodel.arcs import Range
from isobath.costmodel.estimates import (
    GraphSetting,
    bottom_up_tuples,
    fold_bytes,
    packed_list_bytes,
    top_down_tuples,
    whole_search_tuples,
)
from isobath.costmodel.exact import (
    column_expand,
    counts,
    grid_reduction,
    reduction,
    replicated_expand,
    ring,
)
from isobath.costmodel.hubs import (
    WALK_ERROR,
    frontier_hub_bytes,
    hub_bytes,
    left_by_hubs,
    rotate_bytes,
)
from isobath.costmodel.levels import LevelFacts
from isobath.costmodel.volume import OUTSIDE, SearchVolumes, Volume, merge
from isobath.errors import UsageError
from isobath.records.phases import PhaseName

UNCOUNTED_EXCHANGES = ("own", "sparse", "eager")
"""All others tell every other rank of the group something before the data: how much will come, or,
by puts, the longest message (a reduction of the same bytes). In two levels there are two groups.
An eager one tells it in the message that has the data.
"""

LOCATION_BYTES, LABEL_BYTES = 40, 8
"""What the owner of the root tells all of it, and of its component (`hybrid`)."""


def search_volumes(
    setting: GraphSetting, levels: Sequence[LevelFacts], *, first_level: int = 0
) -> SearchVolumes:
    """What one search sends.

    Bitmaps, counts, reductions and what the owner of the root tells are exact where the blocks are
    (for `hybrid` those of searched vertices), for roots in the largest component; the rest is an
    estimate with its interval.

    Args: levels: in order, the last one, which finds nothing, included (`hybrid` does not search
        it); first_level: 1 where the root is a leaf that the plan does not search.
    Source: network.md 5.4, re-derived for blocks padded to 512 bits.
    """
    parts = list(_start(setting, first_level))
    bottom_up_before = 0
    unvisited = float(setting.blocks.vertices)
    for index, facts in enumerate(levels):
        unvisited -= facts.vertices.expected
        following = levels[index + 1].vertices if index + 1 < len(levels) else Range.exactly(0.0)
        level = first_level + index
        if setting.switches.plan == "hybrid" and index + 1 == len(levels):
            break  # all ranks know that nothing is left to find
        visited = float(setting.blocks.vertices) - unvisited
        parts += _expand(setting, facts, level, visited, is_first=index == 0)
        if facts.direction == "bottom_up":
            parts += _hub_pass(setting, level, bottom_up_before)
            parts.append(_rotate(setting, facts, level, following, unvisited, bottom_up_before))
        elif index > 0:  # who starts is known to all
            parts += _followed_hubs(setting, facts, level, bottom_up_before)
        parts += _fold(setting, facts, level, following, bottom_up_before)
        parts.append(_level_sums(setting, level))
        bottom_up_before += facts.direction == "bottom_up"
    parts += _emit(setting, float(setting.blocks.vertices) - unvisited)
    volumes = merge(setting.blocks.grid.size, parts)
    if not _sends_tuples_only(setting) or not volumes.of("fold").parts:
        return volumes
    whole = whole_search_fold(setting)
    return replace(volumes, fold_ends=(round(whole.low), round(whole.high)))


def whole_search_fold(setting: GraphSetting) -> Range:
    """Bytes of all folds of a top-down search: narrower than the sum over levels, since it does not
    matter in which level an arc is followed.

    Raises: UsageError where the bytes are not a multiple of the tuples: nothing is folded, levels
        go bottom-up, messages have headers or are packed.
    """
    if not _sends_tuples_only(setting):
        raise UsageError(
            f"the folds of {setting.switches.plan} are not tuples alone, level by level"
        )
    return fold_bytes(setting, whole_search_tuples(setting))


def _sends_tuples_only(setting: GraphSetting) -> bool:
    switches = setting.switches
    return (
        not switches.is_replicated
        and switches.direction == "top-down"
        and switches.fold == "plain"
        and switches.exchange_in(setting.cols) not in ("one-sided", "two-level", "eager")
    )


def _start(setting: GraphSetting, first_level: int) -> Iterator[Volume]:
    """The owner tells where the root is and of which component; of a leaf, also its neighbour's."""
    if setting.switches.plan == "hybrid":
        told = LOCATION_BYTES * (1 + first_level) + LABEL_BYTES
        total = told * (setting.blocks.grid.size - 1)
        yield Volume(OUTSIDE, "reset", "a", total, total, total)


def _expand(
    setting: GraphSetting, facts: LevelFacts, level: int, visited: float, *, is_first: bool
) -> Iterator[Volume]:
    switches, blocks = setting.switches, setting.blocks
    top_down = switches.is_replicated or facts.direction == "top_down"
    if is_first and top_down:
        return  # every rank knows the first vertex
    if switches.is_replicated:
        yield replicated_expand(blocks, level)
    elif facts.direction == "bottom_up":
        yield _reached(setting, level, "expand", visited, was_walked=facts.walked is not None)
    elif blocks.grid.rows == 1:
        return
    elif switches.frontier == "bitmap":
        yield column_expand(blocks, level)
    else:
        yield _listed(setting, facts, level)


def _reached(
    setting: GraphSetting,
    level: int,
    phase: PhaseName,
    visited: float,
    *,
    was_walked: bool = False,
) -> Volume:
    """What is visited, along the grid column: bitmaps; where frontiers are packed, lengths
    and a list of those that are visited, or are not, where it is at most half of a bitmap.

    was_walked: levels are of a walk over classes, which is closer than any run's at another scale.
    """
    bitmaps = column_expand(setting.blocks, level, phase)
    others = setting.blocks.grid.rows - 1
    if setting.switches.frontier != "packed" or others == 0:
        return bitmaps
    told, bits = 8 * setting.blocks.grid.size * others, bitmaps.bytes_sent
    padding = 64 * setting.blocks.grid.size * others  # at most, however vertices lie in blocks
    unvisited = max(0.0, float(setting.blocks.vertices) - visited)
    packed = others * packed_list_bytes(setting, min(visited, unvisited))
    sent = packed if packed <= bits / 2 else bits
    most: float = bits
    if was_walked and (1 + WALK_ERROR) * packed <= bits / 2:
        most = (1 + WALK_ERROR) * packed
    return _estimate(
        level, phase, Range(told + 0.7 * min(packed, bits / 2), told + sent, told + most + padding)
    )


def _listed(setting: GraphSetting, facts: LevelFacts, level: int) -> Volume:
    """A frontier as a list, or as the bitmap where that is smaller: packed, each rank's piece by
    itself, else all of a grid column alike. Counts come first, or with the list.
    """
    grid = setting.blocks.grid
    form = setting.switches.frontier
    bitmap = column_expand(setting.blocks, level).bytes_sent / (grid.rows - 1)

    def sent(vertices: float) -> float:
        body = packed_list_bytes(setting, vertices) if form == "packed" else 4 * vertices
        return (8 * grid.size + (body if form == "list" else min(body, bitmap))) * (grid.rows - 1)

    spread = Range(
        sent(facts.vertices.low), sent(facts.vertices.expected), sent(facts.vertices.high)
    )
    if form == "packed":
        spread = Range(0.8 * spread.low, spread.expected, 1.1 * spread.high)
    return _estimate(level, "expand", spread)


def _hub_pass(setting: GraphSetting, level: int, bottom_up_before: int) -> Iterator[Volume]:
    """Ranks tell their grid row which hubs of their grid column are visited."""
    if setting.switches.hubs != "off" and setting.cols > 1:
        yield _estimate(level, "hub_pass", hub_bytes(setting, bottom_up_before))


def _followed_hubs(
    setting: GraphSetting, facts: LevelFacts, level: int, bottom_up_before: int
) -> Iterator[Volume]:
    """In top-down levels ranks tell their grid row which hubs of their grid column were found."""
    if setting.switches.hubs != "off" and setting.cols > 1:
        told = frontier_hub_bytes(setting, facts.vertices, bottom_up_before)
        if told.high > 0:
            yield _estimate(level, "hub_pass", told)


def _rotate(
    setting: GraphSetting,
    facts: LevelFacts,
    level: int,
    following: Range,
    unvisited: float,
    bottom_up_before: int,
) -> Volume:
    """Who is left is told to the grid row."""
    if setting.switches.hubs != "off" and setting.cols > 1:
        spread = rotate_bytes(setting, level, facts, following, unvisited, bottom_up_before)
        return _estimate(level, "rotate", spread)
    return ring(setting.blocks, level)


def _fold(
    setting: GraphSetting,
    facts: LevelFacts,
    level: int,
    following: Range,
    bottom_up_before: int,
) -> Iterator[Volume]:
    switches = setting.switches
    if switches.is_replicated or setting.cols == 1:
        return
    if switches.exchange == "two-level":
        yield counts(setting.blocks, level, setting.cols // setting.row_nodes)
        yield counts(setting.blocks, level, setting.row_nodes)
    elif switches.exchange_in(setting.cols) not in UNCOUNTED_EXCHANGES:
        yield counts(setting.blocks, level, setting.cols)
    if facts.direction == "bottom_up":
        tuples = _bottom_up(setting, facts, following, bottom_up_before)
    else:
        tuples = top_down_tuples(setting, facts, seen_bottom_up=bottom_up_before > 0)
    yield _estimate(level, "fold", fold_bytes(setting, tuples))


def _bottom_up(
    setting: GraphSetting, facts: LevelFacts, following: Range, bottom_up_before: int
) -> Range:
    """Tuples of a bottom-up level: of those whom owners do not find by their hubs."""
    tuples = bottom_up_tuples(setting, facts, following)
    if setting.switches.hubs == "off":
        return tuples
    left = left_by_hubs(setting, bottom_up_before, facts.walked)
    expected = tuples.expected
    if facts.walked is not None:
        # Who is left has few neighbours, so hardly any in the column of the owner.
        expected = following.expected * (1 - 1 / setting.cols) * facts.walked.proposals
    most = 1.0 if facts.walked is None else facts.walked.proposals
    return Range(tuples.low * left.low, expected * left.expected, tuples.high * left.high * most)


def _level_sums(setting: GraphSetting, level: int) -> Volume:
    """What was found; with it, where the policy chooses, the arcs of what was found, and, with hubs
    on several grid columns, how many of these are visited.
    """
    if setting.switches.plan != "hybrid":
        return reduction(setting.blocks, level)
    arcs = setting.switches.direction == "policy"
    hubs = setting.switches.hubs != "off" and setting.cols > 1
    return grid_reduction(setting.blocks, level, 1 + arcs + hubs)


def _emit(setting: GraphSetting, visited: float) -> Iterator[Volume]:
    """On one grid column leaves ask whether their neighbour was reached, unless emit copies what is
    likely, as these levels are of the largest component.
    """
    switches = setting.switches
    if switches.plan == "hybrid" and setting.cols == 1 and switches.likely_parents == "off":
        yield _reached(setting, OUTSIDE, "emit", visited)


def _estimate(level: int, phase: PhaseName, interval: Range) -> Volume:
    low, expected, high = (
        round(value) for value in (interval.low, interval.expected, interval.high)
    )
    return Volume(level, phase, "c", expected, low, high)
