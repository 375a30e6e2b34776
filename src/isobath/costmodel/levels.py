# SPDX-License-Identifier: Apache-2.0
"""The levels of a search: as a run recorded them, or as small scales lead to expect."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np

from isobath.costmodel.arcs import Range
from isobath.errors import UsageError
from isobath.stats.estimates import FloatArray

Direction = Literal["top_down", "bottom_up"]
ALPHA, BETA = 14.0, 24.0
"""Direction policy, engine/bfs/hybrid/direction.hpp."""


@dataclass(frozen=True)
class LevelFacts:
    """What the bytes of one level depend on, over all ranks."""

    direction: Direction
    vertices: Range
    """of the frontier"""
    arcs_before: float
    """share of the arcs that left the frontiers of earlier levels"""
    arcs: Range
    """share of the arcs that leave this frontier"""
    walked: "WalkedShares | None" = None
    """where the level was walked over classes"""


@dataclass(frozen=True)
class WalkedShares:
    """What a walk over classes tells of a level besides (class_walk.py)."""

    left: float
    """of what the level finds, those that owners do not find by their hubs"""
    asking: float
    """of what it leaves unvisited, those that have a neighbour which is no kept hub"""
    proposals: float
    """reached neighbours of one that owners do not find: asked by a list, each is proposed"""


@dataclass(frozen=True)
class RootLevels:
    """Shares per level of the search from one root, each of shape (levels,)."""

    vertex_share: FloatArray
    arc_share: FloatArray
    distinct_share: FloatArray


@dataclass(frozen=True)
class LevelProfile:
    """Shares per level, each of shape (levels,): mean over roots of one scale, and deviation."""

    mean_levels: float
    fewest_levels: int
    most_levels: int
    vertex_share: FloatArray
    vertex_deviation: FloatArray
    arc_share: FloatArray
    arc_deviation: FloatArray
    distinct_share: FloatArray
    distinct_deviation: FloatArray
    roots: tuple[RootLevels, ...] = ()
    """single searches, none of the first eight keys of the benchmark"""


SHARES = (
    "vertex_share",
    "vertex_deviation",
    "arc_share",
    "arc_deviation",
    "distinct_share",
    "distinct_deviation",
)
SINGLE = ("vertex_share", "arc_share", "distinct_share")


@lru_cache(maxsize=1)
def measured_profiles() -> dict[int, LevelProfile]:
    """By scale; edgefactor 16 (benchmarks/level_profiles.py)."""
    text = files("isobath.costmodel").joinpath("level_profiles.toml").read_text(encoding="utf-8")
    return {
        table["scale"]: LevelProfile(
            table["mean_levels"],
            table["fewest_levels"],
            table["most_levels"],
            roots=tuple(
                RootLevels(*(np.asarray(shares, dtype=np.float64) for shares in root))
                for root in zip(*(table[f"root_{name}"] for name in SINGLE), strict=True)
            ),
            **{name: np.asarray(table[name], dtype=np.float64) for name in SHARES},
        )
        for table in tomllib.loads(text)["profile"]
    }


def expected_levels(scale: int) -> Range:
    """Levels of a search, the last one, which finds nothing, included: the mean over roots.

    Between and beyond measured scales along a straight line; beyond them the interval reaches from
    the last measured mean to twice the rise.
    """
    known = measured_profiles()
    scales = np.array(sorted(known), dtype=np.float64)
    means = np.array([known[int(s)].mean_levels for s in scales])
    if scale in known:
        profile = known[scale]
        return Range(float(profile.fewest_levels), profile.mean_levels, float(profile.most_levels))
    if scales[0] < scale < scales[-1]:
        middle = float(np.interp(scale, scales, means))
        return Range(middle - 1, middle, middle + 1)
    slope, start = np.polyfit(scales, means, 1)
    middle = max(2.0, float(start + slope * scale))
    edge = float(means[0] if scale < scales[0] else means[-1])
    low, high = sorted((edge - 1, middle + abs(middle - edge) + 1))
    return Range(max(1.0, min(low, middle)), middle, high)


def profile_at(scale: int) -> LevelProfile:
    """Shares at a scale: those measured, between two of them the mean by distance, beyond them
    those of the nearest.
    """
    known = measured_profiles()
    if scale in known:
        return known[scale]
    below = max((s for s in known if s < scale), default=min(known))
    above = min((s for s in known if s > scale), default=max(known))
    if below == above or not below < scale < above:
        return known[max(known) if scale > max(known) else min(known)]
    part = (scale - below) / (above - below)
    lower, other = known[below], known[above]
    shares = {
        name: _mixed(getattr(lower, name), getattr(other, name), part).astype(np.float64)
        for name in SHARES
    }
    return LevelProfile(
        lower.mean_levels * (1 - part) + other.mean_levels * part,
        min(lower.fewest_levels, other.fewest_levels),
        max(lower.most_levels, other.most_levels),
        roots=lower.roots + other.roots,
        **shares,
    )


def _mixed(first: FloatArray, other: FloatArray, part: float) -> FloatArray:
    length = max(len(first), len(other))
    return np.asarray(
        (1 - part) * np.pad(first, (0, length - len(first)))
        + part * np.pad(other, (0, length - len(other)))
    )


def levels_from_profile(
    scale: int,
    vertices: float,
    *,
    levels: int | None = None,
    distinct: bool = False,
    direction: str = "top-down",
) -> tuple[LevelFacts, ...]:
    """The levels to expect at a scale.

    Args: vertices: those with a number in the plan that a root can reach; levels: how many, else
        the mean of the scale, rounded; distinct: arcs without duplicates; direction: top-down,
        bottom-up, or policy, which chooses by alpha and beta from the mean shares.
    """
    profile = profile_at(scale)
    number = round(expected_levels(scale).expected) if levels is None else levels
    if number < 1:
        raise UsageError("a search has at least one level")
    share, spread = (
        (profile.distinct_share, profile.distinct_deviation)
        if distinct
        else (profile.arc_share, profile.arc_deviation)
    )
    share, spread = _cut(share, number), _cut(spread, number)
    on_level, on_level_spread = (
        _cut(profile.vertex_share, number),
        _cut(profile.vertex_deviation, number),
    )
    return levels_of_shares(share, spread, on_level, on_level_spread, vertices, direction)


def levels_of_roots(
    scale: int, vertices: float, *, distinct: bool = False, direction: str = "top-down"
) -> tuple[tuple[LevelFacts, ...], ...]:
    """The levels to expect of several searches at a scale, each from a root of its own.

    Bytes of a search are no function of mean levels: from one root a level has a hundredth of what
    it has from another, and means are nobody's levels. Beyond the scales that were measured they
    are those of the nearest, with as many levels more that find nothing as the mean has.

    Args: as ``levels_from_profile``.
    """
    profile = profile_at(scale)
    more = max(0, round(expected_levels(scale).expected - profile.mean_levels))
    searches = []
    for root in profile.roots:
        share = root.distinct_share if distinct else root.arc_share
        exactly = np.zeros(len(share) + more)
        share, on_level = _cut(share, len(exactly)), _cut(root.vertex_share, len(exactly))
        searches.append(levels_of_shares(share, exactly, on_level, exactly, vertices, direction))
    return tuple(searches)


def levels_of_shares(
    share: FloatArray,
    spread: FloatArray,
    on_level: FloatArray,
    on_level_spread: FloatArray,
    vertices: float,
    direction: str,
) -> tuple[LevelFacts, ...]:
    """Args, the first four of shape (levels,): share of the arcs that leaves each level and its
    deviation; of the vertices that is on it, and its deviation.
    """
    share, on_level = share / share.sum(), on_level / on_level.sum()
    result = []
    before = seen = 0.0
    for level in range(len(share)):
        frontier, arcs = float(on_level[level]) * vertices, float(share[level])
        seen += frontier
        wide = _is_wide(frontier, vertices - seen, vertices)
        result.append(
            LevelFacts(
                direction=_direction(direction, wide, arcs),
                vertices=_spread(frontier, float(on_level_spread[level]) * vertices),
                arcs_before=min(1.0, before),
                arcs=_spread(arcs, float(spread[level])),
            )
        )
        before += arcs
    return tuple(result)


def recorded_levels(
    directions: Sequence[Direction],
    frontier_vertices: Sequence[int],
    arcs: Sequence[int | None],
    all_arcs: float,
    *,
    share_reaching: Callable[[float], float] | None = None,
) -> tuple[LevelFacts, ...]:
    """The levels of a search that was run.

    Args, the first three of shape (levels,): directions; frontier vertices of all ranks; arcs that
        leave the frontier, None where a level does not tell (bottom-up). all_arcs: what ``arcs``
        are a share of; share_reaching: the share of arcs that reaches so many vertices
        (GraphSetting.share_reaching), asked where a level does not tell.
    Raises: UsageError when a level does not tell and there is nothing to ask.
    """
    result = []
    before = 0.0
    seen = 0
    for level, (direction, vertices, told) in enumerate(
        zip(directions, frontier_vertices, arcs, strict=True)
    ):
        seen += vertices
        if told is not None:
            share = Range.exactly(told / all_arcs)
        elif share_reaching is None:
            raise UsageError(f"level {level} does not tell its arcs")
        else:
            following = sum(frontier_vertices[level + 1 : level + 2])
            reached = min(1.0, share_reaching(seen + following))
            share = Range(0.0, max(0.0, reached - before), max(0.0, 1 - before))
        result.append(LevelFacts(direction, Range.exactly(float(vertices)), before, share))
        before = min(1.0, before + share.expected)
    return tuple(result)


def _is_wide(frontier: float, unvisited: float, searched: float) -> bool:
    """As DirectionPolicy::is_wide."""
    return frontier * BETA > min(searched, searched / 16 + max(0.0, unvisited) * 4)


def _direction(rule: str, wide: bool, arc_share: float) -> Direction:
    if rule == "policy":
        return "bottom_up" if wide or arc_share * ALPHA > 1 else "top_down"
    return "bottom_up" if rule == "bottom-up" else "top_down"


def _cut(shares: FloatArray, levels: int) -> FloatArray:
    """The first levels; those that no root had are empty."""
    return np.pad(shares[:levels], (0, max(0, levels - len(shares))))


def _spread(value: float, deviation: float) -> Range:
    """Two deviations either way: single roots, not their mean."""
    return Range(max(0.0, value - 2 * deviation), value, value + 2 * deviation)
