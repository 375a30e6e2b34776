#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a search would send if owners knew more than their hubs (ADR 0043, heavy vertices).

Usage, after ``./isobath setup`` (scale 20 takes about 6 GB and some minutes):

    .venv/bin/python benchmarks/heavy_hubs.py --scale 18 --check 4x4 8x8 16x16
    .venv/bin/python benchmarks/heavy_hubs.py --scale 20 --grids 16x16 4x64 --ratios 0 1024 16384

A search is walked as ``isobath-audit`` walks it: same vertices, numbers, hubs, directions and
messages; ``--check`` holds it against that program, phase by phase, to the byte. Ways differ in how
a bottom-up level asks for vertices that owners do not find by their hubs:

    today   lists to the whole grid row, or the ring, which goes round it where that is shorter
    own     as today, but an owner looks among the arcs that it has itself before it asks
    H       as own; all ranks of a grid row are told the bits of its heavy vertices, and owners keep
            all heavy neighbours of their grid row
    turn k  as own; the owner knows the grid columns of its first k neighbours beyond the kept hubs,
            highest degree first, and asks these ranks one after the other; the others as own
    push    as own; the columns of the first four heavy neighbours are asked at once, and arcs from
            all others of the frontier are followed top-down
    sets    as own; the owner knows in which columns a vertex has neighbours beyond the kept hubs,
            and asks these alone, at once. Both sides know whom the owner might ask of the other, so
            lists and bits number these alone; answers are a bit for each asked, then parents. The
            owner keeps the first four neighbours, hubs or not, and a bit in the place of a parent
            says that the first of these in the column was on the frontier
    sets 1  the same in two turns: the column of the first neighbour, then the other ones
    both    as sets; and who is visited is told along the grid column to those ranks alone that have
            arcs from there beyond the kept hubs, numbered alike. Hubs are told to all
    both 1  the same in two turns

Bytes are those of all ranks; lengths and counts, 8 bytes each, stand apart. Meetings are calls of a
search that wait for other ranks. n/K = 0 takes the number of hubs from the formula of ADR 0043.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from hub_coverage import ALPHA, BETA, ROOT, levels_from, searched_by_degree

Ints: TypeAlias = np.ndarray[tuple[int], np.dtype[np.int64]]
Bools: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

KEPT = 4
"""hubs that the owner keeps of each vertex; neighbours, where it asks in sets"""
IN_SETS = ("both", "both 1")
"""ways that tell columns in sets"""
KINDS = ("hubs", "columns", "lists", "ring", "fold")
"""of bytes; "lists" is all that asks"""


def number_bytes(number: Ints) -> Ints:
    """Bytes of numbers, 7 bits to a byte."""
    return 1 + sum((number >= 1 << bits).astype(np.int64) for bits in (7, 14, 21, 28))


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
    """The graph on a grid. Vertices go by degree; ``at`` is where they stand by owner and number."""

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
        return most - int((self.ends[:most] == self.ends[most]).sum())

    def _are_in_families(self, rank: Ints, head: Ints, heads: Ints) -> Bools:
        """Whether a vertex stands in a family: before the first lot of 64 small ones of its rank."""
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
        return self.level[self.neighbour] == self.step

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
        return (self.known & self.is_own).any(axis=0)

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


def tell_columns(dealt: Dealt, sent: Sent, level: Ints, step: int) -> None:
    """Before a bottom-up level: who is visited, along the grid column."""
    is_reached = ((level >= 0) & (level <= step))[dealt.by_at]
    lists = [
        list_bytes(dealt.rank_at[chosen], dealt.number_at[chosen], dealt.ranks)
        for chosen in (np.flatnonzero(is_reached), np.flatnonzero(~is_reached))
    ]
    reached = np.bincount(dealt.rank_at[is_reached], minlength=dealt.ranks)
    bitmap = 8 * dealt.words
    shorter = np.where(reached <= bitmap // 2, lists[0], lists[1])
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
        lists = [list_bytes(rank[chosen], number[chosen], dealt.ranks)
                 for chosen in (reached, ~reached)]  # fmt: skip
        bits = (np.bincount(rank, minlength=dealt.ranks) + 7) // 8
        data += np.minimum(np.minimum(*lists), bits).sum()
    sent.add("columns", "expand", data, (dealt.rows - 1) * 8 * dealt.ranks, 2)


def tell_frontier(dealt: Dealt, sent: Sent, level: Ints, step: int) -> None:
    """Before a top-down level: who is on the frontier, along the grid column."""
    at = np.sort(dealt.at[level == step])
    lists = list_bytes(dealt.rank_at[at], dealt.number_at[at], dealt.ranks)
    by_column = [sums.reshape(dealt.cols, dealt.rows).sum(1) for sums in (lists, 8 * dealt.words)]
    data = np.minimum(*by_column).sum()
    sent.add(
        "columns", "expand", (dealt.rows - 1) * data, (dealt.rows - 1) * 8 * dealt.ranks, 2
    )


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
        return self._bytes(
            rank, np.arange(len(at)) - first, of == step, reached, dealt.ranks
        )


def fold(
    left: Left,
    sent: Sent,
    answers: Bools,
    asked: Bools | None = None,
    is_known: Bools | None = None,
) -> None:
    """Parents to the owners: targets and parents packed; or, where both sides know who was asked,
    a bit for each of these and the parents, where that is shorter.

    Args: is_known: by column and vertex, whether a bit says who the parent is; all answers have
        that bit.
    """
    dealt = left.dealt
    groups = dealt.cols * dealt.ranks
    column, place, group = left.pairs(answers & ~left.is_own)
    count = np.bincount(group, minlength=groups)
    targets = list_bytes(group, dealt.number_at[left.at[place]], groups) + number_bytes(count)
    if asked is not None:
        _, _, asked_group = left.pairs(asked & ~left.is_own)
        targets = np.minimum(targets, (np.bincount(asked_group, minlength=groups) + 7) // 8)
    bits = count * dealt.source_bits
    if is_known is not None:
        named = np.bincount(group[~is_known[column, place]], minlength=groups)
        bits = np.minimum(bits, count + named * dealt.source_bits)
    data = np.where(count > 0, targets + (bits + 7) // 8, 0).sum()
    if asked is not None:  # nobody found: a byte says so at the most
        data += ((count == 0) & (np.bincount(asked_group, minlength=groups) > 0)).sum()
    sent.add("fold", "fold", data, 8 * dealt.ranks * (dealt.cols - 1), 2)
    sent.proposed[column, left.at[place]] = True


def ask_row(left: Left, sent: Sent, asking: Bools, unvisited_found: Bools | None = None) -> None:
    """Lists to the whole grid row, or the ring; then the fold.

    Args: asking: of those that are left.
    """
    dealt = left.dealt
    at = left.at[asking]
    bitmap = 8 * dealt.words
    lists = list_bytes(dealt.rank_at[at], dealt.number_at[at], dealt.ranks)
    is_hopeless = np.bincount(dealt.rank_at[at], minlength=dealt.ranks) > bitmap
    row = np.arange(dealt.ranks) % dealt.rows
    ring = np.bincount(row, bitmap)
    lists = np.where(is_hopeless, ring[row], lists)
    is_by_list = np.bincount(row, lists) < ring
    others = dealt.cols - 1
    data = others * lists[is_by_list[row]].sum()
    sent.add("lists", "rotate", data, 8 * others * dealt.ranks, 2 if is_by_list.any() else 1)
    if not is_by_list.all():
        sent.add("ring", "rotate", dealt.cols * ring[~is_by_list].sum(), 0, dealt.cols)
    travels = ~is_by_list[dealt.row[left.vertices]]
    answers = left.known & asking & ~travels
    fold(left, sent, answers | ring_finds(left, sent, asking & travels))
    if travels.any():
        visited = (left.level >= 0) & (left.level <= left.step)
        everywhere = np.concatenate([np.flatnonzero(visited), left.by_hubs])
        everywhere = everywhere[~is_by_list[dealt.row[everywhere]]]
        sent.proposed[:, dealt.at[everywhere]] = True


def ring_finds(left: Left, sent: Sent, asking: Bools) -> Bools:
    """By column and vertex who finds it first as the bitmap goes round, a half each way."""
    dealt = left.dealt
    finds = np.zeros_like(left.known)
    vertices = np.flatnonzero(asking & left.known.any(axis=0))
    owner = dealt.col[left.vertices[vertices]]
    at = left.at[vertices]
    way = np.where(dealt.number_at[at] // 64 < dealt.words[dealt.rank_at[at]] // 2, 1, -1)
    is_waiting = np.ones(len(vertices), dtype=np.bool_)
    for step in range(dealt.cols):
        column = (owner + way * step) % dealt.cols
        is_new = is_waiting & left.known[column, vertices]
        finds[column[is_new], vertices[is_new]] = True
        is_waiting &= ~is_new
        sent.proposed[column[~is_waiting], at[~is_waiting]] = True
    return finds


def ask_columns(left: Left, sent: Sent, asked: Bools, *, in_sets: bool) -> None:
    """Lists to single ranks of the grid row, or bits where these are shorter; numbers are those of
    the owner, or of whom it might ask of that rank.
    """
    dealt = left.dealt
    column, place, group = left.pairs(asked & ~left.is_own)
    at = left.at[place]
    if in_sets:
        numbers = dealt.place[column, at].astype(np.int64)
        bits = ((dealt.set_sizes + 7) // 8).ravel()
    else:
        numbers = dealt.number_at[at]
        bits = np.tile(8 * dealt.words, dealt.cols)
    data = np.minimum(list_bytes(group, numbers, len(bits)), bits).sum()
    sent.add("lists", "rotate", data, 8 * dealt.ranks * (dealt.cols - 1), 2)


def today(left: Left, sent: Sent) -> None:
    """Lists to the row, or the ring."""
    ask_row(left, sent, np.ones(len(left.at), dtype=np.bool_))


def own(left: Left, sent: Sent) -> None:
    """Own arcs first."""
    ask_row(left, sent, ~left.found_at_home)


def heavy_in_row(heavy: int) -> Callable[[Left, Sent], None]:
    """Heavy vertices known in their grid row, those of its column by their arcs."""

    def ask(left: Left, sent: Sent) -> None:
        dealt = left.dealt
        told = ToldHubs(dealt, left.level).heavy_bytes(heavy, left.level, left.step)
        sent.add("hubs", "hub_pass", (dealt.cols - 1) * told, 0, 0)  # with the hubs
        row = dealt.row
        arcs = left.is_on_frontier & (left.neighbour < heavy)
        arcs &= row[left.neighbour] == row[left.vertices[left.who]]
        by_heavy = np.zeros(len(left.at), dtype=np.bool_)
        by_heavy[left.who[arcs]] = True
        ask_row(left, sent, ~left.found_at_home & ~by_heavy)

    return ask


def turns(most: int) -> Callable[[Left, Sent], None]:
    """Columns of the first neighbours, one after the other."""

    def ask(left: Left, sent: Sent) -> None:
        is_found, tried = left.found_at_home.copy(), left.is_own.copy()
        places = np.arange(len(left.at))
        for turn in range(most):
            column = left.column_of_other(turn)
            asking = ~is_found & (column >= 0)
            asked = np.zeros_like(left.known)
            asked[column[asking], places[asking]] = True
            asked &= ~tried
            ask_columns(left, sent, asked, in_sets=False)
            fold(left, sent, asked & left.known)
            is_found |= (asked & left.known).any(axis=0)
            tried |= asked
        ask_row(left, sent, ~is_found & (left.sets & ~tried).any(axis=0))

    return ask


def push(heavy: int) -> Callable[[Left, Sent], None]:
    """Heavy neighbours are asked, arcs of the others of the frontier followed."""

    def ask(left: Left, sent: Sent) -> None:
        dealt = left.dealt
        asked = np.zeros_like(left.known)
        for turn in range(4):
            arcs = left.within == dealt.kept[left.vertices][left.who] + turn
            arcs &= left.neighbour < heavy
            asked |= left.columns(arcs)
        asked &= ~left.found_at_home
        ask_columns(left, sent, asked, in_sets=False)
        fold(left, sent, asked & left.known)
        sent.meetings -= 2  # the same fold as that of the arcs
        light = np.flatnonzero(left.level == left.step)
        follow(dealt, sent, light[light >= heavy])

    return ask


def sets(first_turn: bool) -> Callable[[Left, Sent], None]:
    """Columns that have neighbours, at once or the first one first."""

    def ask(left: Left, sent: Sent) -> None:
        is_found, tried = left.found_at_home.copy(), left.is_own.copy()
        if first_turn:
            column = left.column_of_other(0)
            asked = np.zeros_like(left.known)
            asking = ~is_found & (column >= 0)
            asked[column[asking], np.flatnonzero(asking)] = True
            asked &= ~tried
            ask_columns(left, sent, asked, in_sets=True)
            fold(left, sent, asked & left.known, asked, left.kept_on_frontier)
            is_found |= (asked & left.known).any(axis=0)
            tried |= asked
        asked = left.sets & ~tried & ~is_found
        ask_columns(left, sent, asked, in_sets=True)
        fold(left, sent, asked & left.known, asked, left.kept_on_frontier)

    return ask


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


def what_is_left(dealt: Dealt, level: Ints, step: int, *, told: bool) -> Left:
    """Behind the hub pass; there was none where no hub was told."""
    unvisited = (level < 0) | (level > step)
    reached = np.append(level, -1)[np.minimum(dealt.first, dealt.n)]
    by_hubs = told & ((reached >= 0) & (reached <= step)).any(axis=0)
    at = np.sort(dealt.at[unvisited & ~by_hubs & dealt.has_others])
    arcs = arcs_of(dealt.graph, dealt.by_at[at])
    return Left(dealt, level, step, np.flatnonzero(unvisited & by_hubs), at, *arcs)


def walked(
    dealt: Dealt, root: int, ways: dict[str, Callable[[Left, Sent], None]]
) -> tuple[dict[str, Sent], list[str]]:
    """One search, each way, and the directions of its levels."""
    level = levels_from(dealt.graph, root).astype(np.int64)
    hubs = ToldHubs(dealt, level)
    asks_hubs = dealt.hubs > 0
    sent = {"": Sent(np.zeros((dealt.cols, dealt.n), dtype=np.bool_))}  # until ways part
    directions = []
    for step in range(int(level.max()) + 1):
        is_bottom_up = goes_bottom_up(dealt, level, step)
        directions.append("bottom_up" if is_bottom_up else "top_down")
        if is_bottom_up and "" in sent:
            sent = {name: sent[""].copy() for name in ways}
        told_before = hubs.told
        for name, way in sent.items():
            hubs.told = told_before
            way.meetings += 2  # sums of the level before
            if is_bottom_up:
                tell = tell_columns_in_sets if name in IN_SETS else tell_columns
                tell(dealt, way, level, step)
                is_new = asks_hubs and hubs.tell(way, step)
                continue
            if step > 0:
                tell_frontier(dealt, way, level, step)
                hubs.tell(way, step)
            hubs.told = step if step == 0 else hubs.told
            heads = np.append(level, -1)[dealt.first[0]]
            followers = np.flatnonzero(dealt.in_family & (heads == step))
            way.proposed[dealt.col[dealt.first[0, followers]], dealt.at[followers]] = True
            follow(dealt, way, np.flatnonzero(level == step))
        if is_bottom_up:
            left = what_is_left(dealt, level, step, told=is_new)
            for name, way in sent.items():
                ways[name](left, way)
        asks_hubs = asks_hubs and hubs.visited(step) < dealt.hubs
    return sent, directions


def audited(dealt: Dealt, searches: list[dict[str, Any]], ratio: int) -> list[Counter[str]]:
    """Bytes by phase of isobath-audit."""
    built = ROOT / "build/mpich-wheel/bin/isobath-audit"
    program = str(built) if built.exists() else shutil.which("isobath-audit")
    if program is None:
        sys.exit("isobath-audit is not built; ./isobath setup")
    grid = f"{dealt.rows}x{dealt.cols}"
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        lines.write("".join(json.dumps(search) + "\n" for search in searches))
        lines.flush()
        words = ["--scale", str(dealt.scale), "--grid", grid, "--searches", lines.name]
        words += ["--threads", "1", "--hubs", "few" if ratio else "on"]
        told = subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout
    sums: list[Counter[str]] = [Counter() for _ in searches]
    for line in map(json.loads, told.splitlines()):
        sums[line["search"]][line["phase"]] += line["bytes"]
    return sums


WALKED_PHASES = ("hub_pass", "expand", "rotate", "fold")


def check(dealt: Dealt, original: Ints, roots: list[int], ratio: int) -> bool:
    """Prints bytes walked here and by isobath-audit, and says whether they are the same."""
    mine, searches = [], []
    for index, root in enumerate(roots):
        sent, directions = walked(dealt, root, {"today": today})
        mine.append(next(iter(sent.values())).phases)
        searches.append({"search": index, "root": int(original[root]), "directions": directions})
    theirs = audited(dealt, searches, ratio)
    words = []
    for phase in WALKED_PHASES:
        sums = [sum(search[phase] for search in side) / len(roots) for side in (mine, theirs)]
        words.append(f"{phase} {sums[0]:,.0f} {sums[1]:,.0f}")
    print(f"{dealt.rows}x{dealt.cols}, {dealt.hubs} hubs: {'; '.join(words)}", flush=True)
    return all(us[phase] == them[phase] for us, them in zip(mine, theirs, strict=True)
               for phase in WALKED_PHASES)  # fmt: skip


def ways_of(n: int, heavy_ratio: int) -> dict[str, Callable[[Left, Sent], None]]:
    """All ways by name, in the order of the table."""
    heavy = n // heavy_ratio
    return {
        "today": today,
        "own": own,
        "H": heavy_in_row(heavy),
        "turn 1": turns(1),
        "turn 2": turns(2),
        "turn 4": turns(4),
        "push": push(heavy),
        "sets": sets(first_turn=False),
        "sets 1": sets(first_turn=True),
        "both": sets(first_turn=False),
        "both 1": sets(first_turn=True),
    }


def print_ways(dealt: Dealt, roots: list[int], heavy_ratio: int) -> None:
    """A line for each way, means over roots."""
    ways = ways_of(dealt.n, heavy_ratio)
    searches = [walked(dealt, root, ways)[0] for root in roots]
    searches = [search for search in searches if "" not in search]
    print(f"{dealt.rows}x{dealt.cols}, {dealt.hubs} hubs, n/K = {dealt.n / dealt.hubs:.0f}")
    heads = (*KINDS, "data", "lengths", "meetings", "of today")
    print("  " + "way".ljust(8) + "".join(head.rjust(10) for head in heads))
    whole = 0.0
    for name in ways:
        mean = {
            kind: sum(search[name].bytes[kind] for search in searches) / len(searches)
            for kind in (*KINDS, "lengths")
        }
        data = sum(mean[kind] for kind in KINDS)
        whole = whole or data
        meetings = sum(search[name].meetings for search in searches) / len(searches)
        cells = [f"{mean[kind] / 1e6:.4f}" for kind in KINDS] + [f"{data / 1e6:.4f}"]
        cells += [f"{mean['lengths'] / 1e6:.4f}", f"{meetings:.1f}", f"{data / whole:.2f}"]
        print("  " + name.ljust(8) + "".join(cell.rjust(10) for cell in cells), flush=True)


def main() -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="What other ways of asking would send.")
    parser.add_argument("--scale", type=int, required=True)
    parser.add_argument("--grids", nargs="+", default=[], help="rows x columns, powers of two")
    parser.add_argument("--check", nargs="+", default=[], help="grids held against isobath-audit")
    parser.add_argument("--ratios", type=int, nargs="+", default=[0], help="n/K, 0: the formula")
    parser.add_argument("--heavy", type=int, default=256, help="n/K of heavy vertices")
    parser.add_argument("--roots", type=int, default=4)
    asked = parser.parse_args()
    searched = searched_by_degree(asked.scale)
    graph, original, _ = searched
    main_part = np.flatnonzero(levels_from(graph, 0) >= 0)
    roots = np.random.default_rng(1).choice(main_part, asked.roots, replace=False).tolist()
    print(f"scale {asked.scale}, {len(original)} searched vertices, {asked.roots} roots")
    differs = 0
    for grid in asked.check:
        for ratio in (0, 4096):
            dealt = Dealt(asked.scale, searched, grid, ratio)
            differs += not check(dealt, original, roots, ratio)
    if asked.grids:
        print(f"MB a search, all ranks; heavy vertices: n/{asked.heavy} of highest degree")
    for grid in asked.grids:
        for ratio in asked.ratios:
            print_ways(Dealt(asked.scale, searched, grid, ratio), roots, asked.heavy)
    if asked.check:
        print("the same to the byte" if not differs else f"{differs} DIFFER")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
