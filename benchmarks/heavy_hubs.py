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
    class   push or own, whichever sends less in the level
    sets    as own; the owner knows in which columns a vertex has neighbours beyond the kept hubs,
            and asks these alone, at once. Both sides know whom the owner might ask of the other, so
            lists and bits number these alone; answers are a bit for each asked, then parents. The
            owner keeps the first four neighbours, hubs or not, and a bit in the place of a parent
            says that the first of these in the column was on the frontier
    sets 1  the same in two turns: the column of the first neighbour, then the other ones
    both    as sets; and who is visited is told along the grid column to those ranks alone that have
            arcs from there beyond the kept hubs, numbered alike. Hubs are told to all
    both 1  the same in two turns
    both w  the same in two turns where more than a quarter is unvisited, else at once

Bytes are those of all ranks; lengths and counts, 8 bytes each, stand apart. Meetings are calls of a
search that wait for other ranks, lengths and data by one each, as among more than 16 ranks. n/K = 0
takes the number of hubs from the formula of ADR 0043.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from hub_coverage import levels_from, searched_by_degree
from walked_bytes import COUNTS_APART, audit_program
from walked_grid import (
    Bools,
    Dealt,
    Ints,
    Left,
    Sent,
    ToldHubs,
    follow,
    goes_bottom_up,
    list_bytes,
    number_bytes,
    tell_columns,
    tell_columns_in_sets,
    tell_frontier,
    what_is_left,
)

KINDS = ("hubs", "columns", "lists", "ring", "fold")
"""of bytes; "lists" is all that asks"""
IN_SETS = ("both", "both 1", "both w")
"""ways that tell columns in sets"""
NEVER = 1.0
"""a share that is never unvisited"""


Way: TypeAlias = Callable[[Left, Sent], None]
"""How a bottom-up level asks, behind the hub pass."""


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


def ask_row(left: Left, sent: Sent, asking: Bools) -> None:
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


def heavy_in_row(heavy: int) -> Way:
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


def turns(most: int) -> Way:
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


def push(heavy: int) -> Way:
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


def cheapest(*ways: Way) -> Way:
    """In each level the way that sends least."""

    def ask(left: Left, sent: Sent) -> None:
        tried = [sent.copy() for _ in ways]
        for way, copy in zip(ways, tried, strict=True):
            way(left, copy)
        least = min(tried, key=lambda copy: sum(copy.bytes[kind] for kind in KINDS))
        vars(sent).update(vars(least))

    return ask


def sets(two_turns: float) -> Way:
    """Columns that have neighbours; the first one first where more than a share is unvisited."""

    def ask(left: Left, sent: Sent) -> None:
        is_found, tried = left.found_at_home.copy(), left.is_own.copy()
        unvisited = np.count_nonzero((left.level < 0) | (left.level > left.step))
        if unvisited > two_turns * left.dealt.n:
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


def walked(dealt: Dealt, root: int, ways: dict[str, Way]) -> tuple[dict[str, Sent], list[str]]:
    """One search, each way, and the directions of its levels."""
    level = levels_from(dealt.graph, root).astype(np.int64)
    hubs = ToldHubs(dealt, level)
    asks_hubs = dealt.hubs > 0
    sent = {"": Sent(np.zeros((dealt.cols, dealt.n), dtype=np.bool_))}  # until ways part
    directions = []
    for step in range(int(level.max())):  # the last level, which finds nothing, is not searched
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
            else:
                hubs.told = 0  # all know where the search starts
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
    program = audit_program()
    grid = f"{dealt.rows}x{dealt.cols}"
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        lines.write("".join(json.dumps(search) + "\n" for search in searches))
        lines.flush()
        words = ["--scale", str(dealt.scale), "--grid", grid, "--searches", lines.name]
        words += ["--threads", "1", "--hubs", "few" if ratio else "on", "--exchange", COUNTS_APART]
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


def ways_of(n: int, heavy_ratio: int) -> dict[str, Way]:
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
        "class": cheapest(own, push(heavy)),
        "sets": sets(two_turns=NEVER),
        "sets 1": sets(two_turns=0),
        "both": sets(two_turns=NEVER),
        "both 1": sets(two_turns=0),
        "both w": sets(two_turns=1 / 4),
    }


def print_ways(dealt: Dealt, roots: list[int], ways: dict[str, Way]) -> None:
    """A line for each way, means over roots; the first is what others are compared with."""
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
    parser.add_argument("--ways", nargs="+", help="some of them, for example today both")
    parser.add_argument("--roots", type=int, default=4)
    asked = parser.parse_args()
    searched = searched_by_degree(asked.scale)
    graph, original, _ = searched
    main_part = np.flatnonzero(levels_from(graph, 0) >= 0)
    roots = np.random.default_rng(1).choice(main_part, asked.roots, replace=False).tolist()
    print(f"scale {asked.scale}, {len(original)} searched vertices, {asked.roots} roots")
    ways = ways_of(len(original), asked.heavy)
    ways = {name: ways[name] for name in asked.ways or ways}
    differs = 0
    for grid in asked.check:
        for ratio in (0, 4096):
            dealt = Dealt(asked.scale, searched, grid, ratio)
            differs += not check(dealt, original, roots, ratio)
    if asked.grids:
        print(f"MB a search, all ranks; heavy vertices: n/{asked.heavy} of highest degree")
    for grid in asked.grids:
        for ratio in asked.ratios:
            print_ways(Dealt(asked.scale, searched, grid, ratio), roots, ways)
    if asked.check:
        print("the same to the byte" if not differs else f"{differs} DIFFER")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
