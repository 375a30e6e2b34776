# SPDX-License-Identifier: Apache-2.0
"""A graph on a grid, and what a search sends there whoever it asks (heavy_hubs.py).

Numbers, hubs, families and encodings are those of ``isobath-audit``, which heavy_hubs.py is held
against; arrays take the place of its loops over vertices.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from hub_coverage import ALPHA, BETA

Ints: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

KEPT = 4
"""hubs that the owner keeps of each vertex; neighbours, where it asks in sets"""


def number_bytes(number: Ints) -> Ints:
    """Bytes of numbers, 7 bits to a byte."""
    return np.searchsorted([1 << bits for bits in (7, 14, 21, 28)], number, side="right") + 1


def list_bytes(group: Ints, number: Ints, groups: int) -> Ints:
    """Bytes of the packed list of each group; groups, and numbers in a group, ascend."""
    gap = number.copy()
    is_same = group[1:] == group[:-1]
    gap[1:][is_same] -= number[:-1][is_same] + 1
    return np.bincount(group, number_bytes(gap), groups).astype(np.int64)


def arcs_of(graph: Any, vertices: Ints) -> tuple[Ints, Ints, Ints]:
    """Of each arc of the vertices the place among them, the neighbour, the place in the row."""
    starts = graph.indptr[vertices].astype(np.int64)
    lengths = graph.indptr[vertices + 1] - starts
    who = np.repeat(np.arange(len(vertices)), lengths)
    within = np.arange(len(who)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return who, graph.indices[starts[who] + within].astype(np.int64), within


class Dealt:
    """The graph on a grid. Vertices go by degree; ``at`` is their place by owner and number."""

    def __init__(self, scale: int, searched: tuple[Any, Ints, Ints], grid: str, ratio: int) -> None:
        self.graph, original, self.ends = searched
        self.scale, self.n = scale, len(original)
        self.rows, self.cols = map(int, grid.split("x"))
        self.ranks = self.rows * self.cols
        self.source_bits = scale - (self.cols.bit_length() - 1)
        rank = original // ((1 << scale) // self.ranks)
        self.row, self.col = rank % self.rows, rank // self.rows
        self.hubs = self._hubs(ratio)
        lengths = np.diff(self.graph.indptr)
        self.first = np.full((KEPT, self.n), self.n, dtype=np.int64)
        for k in range(KEPT):
            has = np.flatnonzero(lengths > k)
            self.first[k, has] = self.graph.indices[self.graph.indptr[has] + k]
        self.first[self.first >= self.hubs] = self.n
        self.kept = (self.first < self.n).sum(axis=0)
        self.has_others = lengths > self.kept
        of_rank = np.bincount(rank, minlength=self.ranks)
        self.start = np.concatenate([[0], np.cumsum(of_rank)])
        self.words = (of_rank + 511) // 512 * 8
        front = (np.arange(self.n) < self.hubs) | (self.ends >= 1024)
        heads = np.minimum(of_rank // 8, self.hubs)
        head = np.minimum(np.where(self.first[0] < self.n, self.first[0], self.hubs), heads[rank])
        key = np.where(front, np.arange(self.n), self.n + head)
        self.by_at = np.lexsort((original, key, rank))
        self.at = np.empty(self.n, dtype=np.int64)
        self.at[self.by_at] = np.arange(self.n)
        self.rank_at = rank[self.by_at]
        self.number_at = np.arange(self.n) - self.start[self.rank_at]
        self.in_family = ~front & self._are_in_families(rank, np.where(front, self.n, head), heads)

    def _hubs(self, ratio: int) -> int:
        most = min(self.n * (self.rows + self.cols) // (10 * self.ranks), 4 * self.n // self.ranks)
        most = min(most, self.n // ratio) if ratio else most
        hubs = most - int((self.ends[:most] == self.ends[most]).sum())
        if hubs == 0:
            raise ValueError("no vertex is a hub, which is not walked here")
        return hubs

    def _are_in_families(self, rank: Ints, head: Ints, heads: Ints) -> Bools:
        """Whether it stands in a family: before the first lot of 64 small ones of its rank."""
        behind = np.flatnonzero(head < heads[rank])
        width = int(heads.max()) // 64 + 1
        lots = np.bincount(rank[behind] * width + head[behind] // 64, minlength=self.ranks * width)
        first_head = 64 * np.arange(width)
        size = np.clip(heads[:, None] - first_head, 0, 64)
        ends = (lots.reshape(-1, width) < 8 * size) | (size == 0)
        last = np.where(ends.any(axis=1), ends.argmax(axis=1), width)
        inside = np.zeros(self.n, dtype=np.bool_)
        inside[behind] = head[behind] // 64 < last[rank[behind]]
        return inside

    @cached_property
    def sets(self) -> Bools:
        """By column and ``at``: whether a vertex has neighbours there beyond the kept hubs."""
        there = np.zeros((self.cols, self.n), dtype=np.bool_)
        for part in self._parts():
            who, neighbour, within = arcs_of(self.graph, part)
            beyond = within >= self.kept[part][who]
            there[self.col[neighbour[beyond]], self.at[part][who[beyond]]] = True
        return there

    @cached_property
    def row_sets(self) -> Bools:
        """By row and ``at``: hubs, and who has arcs that end there whose owner does not keep it."""
        there = np.zeros((self.rows, self.n), dtype=np.bool_)
        there[:, self.at[: self.hubs]] = True
        for part in self._parts():
            who, neighbour, within = arcs_of(self.graph, part)
            beyond = within >= self.kept[part][who]
            there[self.row[part[who[beyond]]], self.at[neighbour[beyond]]] = True
        return there

    def _parts(self) -> list[Ints]:
        return [
            np.arange(first, min(first + (1 << 15), self.n)) for first in range(0, self.n, 1 << 15)
        ]

    @cached_property
    def place(self) -> np.ndarray[Any, np.dtype[np.int32]]:
        """By column and ``at``: how many of the same owner's before have neighbours there."""
        before = np.zeros((self.cols, self.n + 1), dtype=np.int32)
        np.cumsum(self.sets, axis=1, out=before[:, 1:])
        return before[:, :-1] - before[:, self.start[self.rank_at]]

    @cached_property
    def set_sizes(self) -> Ints:
        """By column and rank: how many vertices of the rank have neighbours there."""
        before = np.zeros((self.cols, self.n + 1), dtype=np.int64)
        np.cumsum(self.sets, axis=1, out=before[:, 1:])
        return np.diff(before[:, self.start], axis=1)


@dataclass
class Sent:
    """What a way has sent in one search, and what its ranks have proposed, by column and at."""

    proposed: Bools
    bytes: Counter[str] = field(default_factory=Counter)
    phases: Counter[str] = field(default_factory=Counter)
    """as the audit has them, lengths included, counts not"""
    meetings: int = 0

    def add(self, kind: str, phase: str, data: float, lengths: float, meetings: int) -> None:
        """Data, and lengths that were told before."""
        self.bytes[kind] += int(data)
        self.bytes["lengths"] += int(lengths)
        self.phases[phase] += int(data + (lengths if phase != "fold" else 0))
        self.meetings += meetings

    def copy(self) -> Sent:
        """Of one that goes on in another way."""
        return Sent(self.proposed.copy(), self.bytes.copy(), self.phases.copy(), self.meetings)


def tell_columns(dealt: Dealt, sent: Sent, level: Ints, step: int) -> None:
    """Before a bottom-up level: who is visited, along the grid column."""
    is_reached = ((level >= 0) & (level <= step))[dealt.by_at]
    lists = [
        list_bytes(dealt.rank_at[chosen], dealt.number_at[chosen], dealt.ranks)
        for chosen in (np.flatnonzero(is_reached), np.flatnonzero(~is_reached))
    ]
    reached = np.bincount(dealt.rank_at[is_reached], minlength=dealt.ranks)
    bitmap = 8 * dealt.words
    shorter = np.where(reached <= bitmap // 2, *lists)
    data = np.where(shorter <= bitmap // 2, shorter, bitmap).sum()
    told = 8 * dealt.ranks
    sent.add("columns", "expand", (dealt.rows - 1) * data, (dealt.rows - 1) * told, 2)


def tell_columns_in_sets(dealt: Dealt, sent: Sent, level: Ints, step: int) -> None:
    """The same, to each rank of the grid column those with arcs there."""
    is_reached = ((level >= 0) & (level <= step))[dealt.by_at]
    data = 0
    for row in range(dealt.rows):
        is_there = dealt.row_sets[row] & (dealt.rank_at % dealt.rows != row)
        rank, reached = dealt.rank_at[is_there], is_reached[is_there]
        number = np.arange(len(rank)) - np.searchsorted(rank, rank)
        shorter = np.minimum(
            *(list_bytes(rank[c], number[c], dealt.ranks) for c in (reached, ~reached))
        )
        bits = (np.bincount(rank, minlength=dealt.ranks) + 7) // 8
        data += np.where(shorter <= bits // 2, shorter, bits).sum()
    sent.add("columns", "expand", data, (dealt.rows - 1) * 8 * dealt.ranks, 2)


def tell_frontier(dealt: Dealt, sent: Sent, level: Ints, step: int) -> None:
    """Before a top-down level: who is on the frontier, along the grid column."""
    at = np.sort(dealt.at[level == step])
    lists = list_bytes(dealt.rank_at[at], dealt.number_at[at], dealt.ranks)
    by_column = [sums.reshape(dealt.cols, dealt.rows).sum(1) for sums in (lists, 8 * dealt.words)]
    data = np.minimum(*by_column).sum()
    sent.add("columns", "expand", (dealt.rows - 1) * data, (dealt.rows - 1) * 8 * dealt.ranks, 2)


class ToldHubs:
    """Which hubs all ranks know to be visited."""

    def __init__(self, dealt: Dealt, level: Ints) -> None:
        self.dealt = dealt
        order = np.argsort(dealt.at[: dealt.hubs])  # by column, then rank and number
        self.level, self.column = level[: dealt.hubs][order], dealt.col[: dealt.hubs][order]
        self.number = np.arange(dealt.hubs) - np.searchsorted(self.column, self.column)
        self.told = -1

    def visited(self, step: int) -> int:
        """How many hubs, up to a level."""
        return int(((self.level >= 0) & (self.level <= step)).sum())

    def tell(self, sent: Sent, step: int) -> bool:
        """Whether any is new. None is told where none is, or where all are visited."""
        dealt, reached = self.dealt, self.visited(step)
        known = self.visited(self.told) if self.told >= 0 else 0
        if step > 0 and reached == known:
            return False
        if step == 0 or reached < dealt.hubs:
            is_reached = (self.level >= 0) & (self.level <= step)
            is_fresh = is_reached & (self.level > self.told)
            data = self._bytes(self.column, self.number, is_fresh, is_reached, dealt.cols)
            times = dealt.rows * (dealt.cols - 1)
            sent.add("hubs", "hub_pass", times * data, 8 * times * dealt.cols, 2)
        self.told = step
        return reached > known

    @staticmethod
    def _bytes(group: Ints, number: Ints, fresh: Bools, reached: Bools, groups: int) -> int:
        """Bits, or a list of those newly visited or not visited, whichever is least."""
        bits = (np.bincount(group, minlength=groups) + 63) // 64 * 8
        counts = [np.bincount(group[chosen], minlength=groups) for chosen in (fresh, ~reached)]
        lists = [list_bytes(group[chosen], number[chosen], groups) for chosen in (fresh, ~reached)]
        shorter = np.where(counts[0] <= counts[1], lists[0], lists[1])
        return int(np.minimum(bits, shorter).sum())

    def heavy_bytes(self, heavy: int, level: Ints, step: int) -> int:
        """Bytes of one telling of those behind the hubs, by owner, to one other rank each."""
        dealt = self.dealt
        at = np.sort(dealt.at[dealt.hubs : heavy])
        rank, of = dealt.rank_at[at], level[dealt.by_at[at]]
        first = np.searchsorted(rank, rank)
        reached = (of >= 0) & (of <= step)
        return self._bytes(rank, np.arange(len(at)) - first, of == step, reached, dealt.ranks)


def follow(dealt: Dealt, sent: Sent, sources: Ints) -> None:
    """Top-down: each target once in a search from each column."""
    who, target, _ = arcs_of(dealt.graph, sources)
    key = np.unique(dealt.col[sources][who] * dealt.n + dealt.at[target])
    column, at = key // dealt.n, key % dealt.n
    is_new = ~sent.proposed[column, at]
    column, at = column[is_new], at[is_new]
    sent.proposed[column, at] = True
    is_sent = dealt.rank_at[at] // dealt.rows != column
    column, at = column[is_sent], at[is_sent]
    groups = dealt.cols * dealt.ranks
    group = column * dealt.ranks + dealt.rank_at[at]
    count = np.bincount(group, minlength=groups)
    data = list_bytes(group, dealt.number_at[at], groups) + (count * dealt.source_bits + 7) // 8
    data = np.where(count > 0, data + number_bytes(count), 0).sum()
    sent.add("fold", "fold", data, 8 * dealt.ranks * (dealt.cols - 1), 2)


def goes_bottom_up(dealt: Dealt, level: Ints, step: int) -> bool:
    """The rule of ADR 0013."""
    frontier = level == step
    unvisited = dealt.n - int(((level >= 0) & (level <= step)).sum())
    touched = min(dealt.n, dealt.n / 16 + unvisited * 4)
    is_wide = int(frontier.sum()) * BETA > touched
    return is_wide or int(dealt.ends[frontier].sum()) * ALPHA > int(dealt.ends.sum())


@dataclass(frozen=True)
class Left:
    """A bottom-up level behind the hub pass: all that owners do not find, and who might."""

    dealt: Dealt
    level: Ints
    step: int
    by_hubs: Ints
    """found by owners"""
    at: Ints
    """of vertices that are left, ascending"""
    who: Ints
    neighbour: Ints
    within: Ints
    """arcs of those, as arcs_of has them"""

    @cached_property
    def vertices(self) -> Ints:
        """Those that are left."""
        return self.dealt.by_at[self.at]

    @cached_property
    def is_on_frontier(self) -> Bools:
        """By arc."""
        is_there: Bools = np.equal(self.level[self.neighbour], self.step)
        return is_there

    def columns(self, arcs: Bools) -> Bools:
        """By column and vertex whether one of these arcs comes from there."""
        there = np.zeros((self.dealt.cols, len(self.at)), dtype=np.bool_)
        there[self.dealt.col[self.neighbour[arcs]], self.who[arcs]] = True
        return there

    @cached_property
    def known(self) -> Bools:
        """By column and vertex whether the rank there has a visited neighbour."""
        return self.columns(self.is_on_frontier)

    @cached_property
    def sets(self) -> Bools:
        """By column and vertex whether the rank there has others than kept hubs."""
        return self.dealt.sets[:, self.at]

    @cached_property
    def is_own(self) -> Bools:
        """By column and vertex whether it is the owner's column."""
        own = np.zeros((self.dealt.cols, len(self.at)), dtype=np.bool_)
        own[self.dealt.col[self.vertices], np.arange(len(self.at))] = True
        return own

    @cached_property
    def found_at_home(self) -> Bools:
        """Vertices that the owner finds among its own arcs."""
        return np.asarray((self.known & self.is_own).any(axis=0))

    @cached_property
    def kept_on_frontier(self) -> Bools:
        """By column and vertex whether the first kept neighbour there is on the frontier."""
        kept = np.flatnonzero(self.within < KEPT)
        column = self.dealt.col[self.neighbour[kept]]
        _, first = np.unique(self.who[kept] * self.dealt.cols + column, return_index=True)
        is_first = np.zeros(len(self.who), dtype=np.bool_)
        is_first[kept[first]] = True
        return self.columns(is_first & self.is_on_frontier)

    def column_of_other(self, k: int) -> Ints:
        """Column of the first neighbour beyond the kept hubs, or of a later one; -1 for none."""
        column = np.full(len(self.at), -1)
        arcs = self.within == self.dealt.kept[self.vertices][self.who] + k
        column[self.who[arcs]] = self.dealt.col[self.neighbour[arcs]]
        return column

    def pairs(self, mask: Bools) -> tuple[Ints, Ints, Ints]:
        """Column, place among those left, and pair of column and owner, of all that are set."""
        column, place = np.nonzero(mask)
        return column, place, column * self.dealt.ranks + self.dealt.rank_at[self.at[place]]


def what_is_left(dealt: Dealt, level: Ints, step: int, *, told: bool) -> Left:
    """Behind the hub pass; there was none where no hub was told."""
    unvisited = (level < 0) | (level > step)
    reached = np.append(level, -1)[np.minimum(dealt.first, dealt.n)]
    by_hubs = told & ((reached >= 0) & (reached <= step)).any(axis=0)
    at = np.sort(dealt.at[unvisited & ~by_hubs & dealt.has_others])
    arcs = arcs_of(dealt.graph, dealt.by_at[at])
    return Left(dealt, level, step, np.flatnonzero(unvisited & by_hubs), at, *arcs)
