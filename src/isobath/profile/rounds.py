# SPDX-License-Identifier: Apache-2.0
"""Levels of a search that its program does not announce, found in the order of its calls.

A level-synchronous search asks all ranks at the end of each level whether anything is left: a small
allreduce on the widest communicator, from one place of the program, or from two where top-down and
bottom-up levels are loops of their own. Between two searches comes a call that no level makes: a
barrier before a clock is read, a broadcast of the root. So the program is cut at a place that
repeats, with at least two of the small allreduces between its calls. Iterative solvers, with their
solves and iterations, and simulations have the same structure.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from isobath.profile.rank_files import RankFile, source_line

Ints = npt.NDArray[np.int64]

AGREES = frozenset({"allreduce"})
"""Calls that can end a level."""

SMALL = 64
"""bytes of the largest argument that only asks whether anything is left"""

LEAST_LEVELS = 2
"""in every search"""


MOST_CANDIDATES = 8
"""places that are tried, the busiest first: all their pairs are tried too"""


@dataclass(frozen=True)
class Site:
    """A place of the program that makes one kind of call on one communicator."""

    call: str
    communicator: int
    """index in the rank's list"""
    module: str | None
    offset: int | None
    symbol: str | None = None
    line: str | None = None
    """file:line, and the function, of a program in Python"""
    size: int | None = None
    """bytes of a small allreduce: libraries of their own wrap all of a program's in one place"""


@dataclass(frozen=True)
class Rounds:
    """Searches and their levels, as indices into the collective calls of one rank."""

    ends: tuple[Site, ...]
    """the calls that end a level"""
    marker: Site | None
    """the call between two searches; absent where there is one search"""
    searches: tuple[tuple[int, ...], ...]
    """of each search: the call before its first level, then the calls that end its levels"""
    others: tuple[Site, ...]
    """places that would end the levels of as many searches"""


@dataclass(frozen=True)
class Calls:
    """The collective calls of one rank: where each was made."""

    sites: tuple[Site, ...]
    of_call: Ints
    """index into sites"""
    on_widest: Ints
    """calls on communicators of all ranks, or of as many as any has"""
    is_end: tuple[bool, ...]
    """sites that could end a level"""

    @classmethod
    def of(cls, file: RankFile) -> "Calls":
        """From the file of a rank."""
        ranks = {line["index"]: 0 if line["inter"] else line["size"] for line in file.communicators}
        ids: dict[Site, int] = {}
        of_call = np.array(
            [
                ids.setdefault(_site(file.cells[cell], sent, ranks), len(ids))
                for cell, sent in zip(
                    file.instances[:, 0].tolist(), file.instances[:, 4].tolist(), strict=True
                )
            ],
            dtype=np.int64,
        )
        sites = tuple(ids)
        of_site = np.array([ranks.get(site.communicator, 0) for site in sites], dtype=np.int64)
        widest = of_site.max(initial=0)
        on_widest = np.flatnonzero(of_site[of_call] == widest)
        is_end = tuple(
            site.size is not None and of_site[at] == widest for at, site in enumerate(sites)
        )
        return cls(sites, of_call, on_widest, is_end)


def _site(cell: dict[str, Any], sent: int, ranks: dict[int, int]) -> Site:
    communicator = int(cell["communicator"])
    size = None
    if cell["call"] in AGREES and ranks.get(communicator, 0) > 1:
        size = sent // (ranks[communicator] - 1)
    return Site(
        call=cell["call"],
        communicator=communicator,
        module=cell.get("module"),
        offset=cell.get("offset"),
        symbol=cell["symbol"] if "row" in cell else None,
        line=source_line(cell),
        size=size if size is not None and size <= SMALL else None,
    )


def find_rounds(calls: Calls, ends: Sequence[int] | None = None) -> Rounds | None:
    """The searches of a program; None where nothing repeats.

    Args: ends names the sites that end a level, where a person knows better.
    """
    order = calls.of_call[calls.on_widest]
    counts = Counter(order.tolist())
    repeated = [index for index in counts if calls.is_end[index] and counts[index] >= LEAST_LEVELS]
    candidates = sorted(repeated, key=lambda index: -counts[index])[:MOST_CANDIDATES]
    groups = [tuple(ends)] if ends is not None else _groups(order, candidates)
    cuts = [cut for group in groups if (cut := _best_cut(order, group, counts)) is not None]
    if not cuts:
        return None
    best = max(cuts, key=lambda candidate: candidate.score)
    others = {
        site
        for rival in cuts
        if rival.score[0] == best.score[0]
        for site in rival.ends
        if site not in best.ends
    }
    return Rounds(
        tuple(calls.sites[index] for index in best.ends),
        None if best.marker is None else calls.sites[best.marker],
        tuple(whole_search(calls, levels) for levels in best.searches),
        tuple(calls.sites[index] for index in sorted(others)),
    )


@dataclass(frozen=True)
class _Cut:
    """A way to cut a program into searches and levels."""

    score: tuple[int, int, int]
    """searches, levels, and how near the marker is to its levels: the more the better"""
    ends: tuple[int, ...]
    marker: int | None
    searches: list[Ints]


def _best_cut(order: Ints, ends: tuple[int, ...], counts: Counter[int]) -> _Cut | None:
    """The best marker for levels that end at some sites."""
    is_end = np.isin(order, ends)
    cuts = []
    most = int(is_end.sum()) // LEAST_LEVELS + 1
    markers = [site for site in counts if 1 < counts[site] <= most and site not in ends]
    for marker in (*markers, None):
        searches = _cut(order, is_end, marker)
        if searches is not None:
            near = -_distance(order, searches, marker)
            cuts.append(
                _Cut((len(searches), sum(map(len, searches)), near), ends, marker, searches)
            )
    return max(cuts, key=lambda cut: cut.score, default=None)


def _groups(order: Ints, candidates: list[int]) -> list[tuple[int, ...]]:
    """Each place that could end levels, and pairs of places that end levels of two loops."""
    pairs: list[tuple[int, ...]] = [
        (site, other)
        for at, site in enumerate(candidates)
        for other in candidates[at + 1 :]
        if _are_loops(order, site, other)
    ]
    return [*((candidate,) for candidate in candidates), *pairs]


def _are_loops(order: Ints, first: int, other: int) -> bool:
    """Whether both come several times in a row, again and again, and each follows the other with
    nothing between them but calls that levels make. Two calls of one loop would take turns, and
    from a validator's loop there is no way back to the search but by a call of another kind.
    """
    at = np.flatnonzero(np.isin(order, (first, other)))
    inside: set[int] = set()
    after: dict[int, list[set[int]]] = {first: [], other: []}
    is_repeated = dict.fromkeys((first, other), False)
    for begin, end in pairwise(at.tolist()):
        between = set(order[begin + 1 : end].tolist())
        site = int(order[begin])
        if site == order[end]:
            inside |= between
            is_repeated[site] = True
        else:
            after[site].append(between)
    if not all(is_repeated.values()) or min(map(len, after.values())) < LEAST_LEVELS:
        return False
    clean = [[part <= inside for part in parts] for parts in after.values()]
    return all(map(any, clean)) and any(map(all, clean))


def _cut(order: Ints, is_end: npt.NDArray[np.bool_], marker: int | None) -> list[Ints] | None:
    """Ends of levels of each search, as places in ``order``; None where a search has too few."""
    ends = np.flatnonzero(is_end)
    if marker is None:
        return [ends] if len(ends) > LEAST_LEVELS else None
    marks = np.flatnonzero(order == marker)
    parts = np.split(ends, np.searchsorted(ends, marks))
    if len(parts[0]):
        parts[0], before = parts[0][:0], parts[0]
        if len(before) >= LEAST_LEVELS:
            parts.insert(1, before)  # the marker comes behind a search
    searches = parts[1:]
    if searches and not len(searches[-1]):
        searches.pop()  # it comes behind, and this is what is left
    if len(searches) < 2 or any(len(search) < LEAST_LEVELS for search in searches):
        return None
    return searches


def _distance(order: Ints, searches: list[Ints], marker: int | None) -> int:
    """Calls between the marker and the first level, over all searches."""
    if marker is None:
        return 0
    marks = np.flatnonzero(order == marker)
    first = np.array([search[0] for search in searches])
    before = np.searchsorted(marks, first) - 1
    return int(np.where(before >= 0, first - marks[np.clip(before, 0, None)], len(order)).sum())


def whole_search(calls: Calls, levels: Ints) -> tuple[int, ...]:
    """A search with the call before its first level: the last one that its levels do not make, and
    at most as far back as its longest level.

    Args: levels are the ends of its levels, counted among the calls on the widest communicator.
    """
    ends = [int(call) for call in calls.on_widest[levels]]
    inside = set(calls.of_call[ends[0] + 1 : ends[-1] + 1].tolist())
    longest = max(end - begin for begin, end in pairwise(ends))
    begin = ends[0] - 1
    while begin > max(-1, ends[0] - longest) and int(calls.of_call[begin]) in inside:
        begin -= 1
    return (begin, *ends)
