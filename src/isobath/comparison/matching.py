# SPDX-License-Identifier: Apache-2.0
"""Which cell of one side is which of the other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from isobath.comparison.measured import BOUNDS, OWN_PROGRAM, Bound, Cell, Side, Value, words_of

Key = tuple[tuple[str, Value], ...]


@dataclass(frozen=True)
class Pair:
    """The same thing on both sides."""

    reference: Cell
    other: Cell
    told: tuple[tuple[str, str], ...] = ()
    """settings that tell it from other pairs, beside its title and what is bound"""

    @property
    def words(self) -> str:
        """Its name in tables."""
        bound = dict(self.reference.bound)
        parts = [bound[name] for name in ("plan", "ranks") if name in bound]
        return ", ".join((self.reference.title, *parts, *(f"{k} {v}" for k, v in self.told)))


@dataclass(frozen=True)
class Matched:
    """Two sides, cell by cell."""

    pairs: tuple[Pair, ...]
    only_reference: tuple[Cell, ...]
    only_other: tuple[Cell, ...]
    differing: Mapping[Bound, tuple[str, str]]
    """what must be alike and is nowhere, in words of both sides; or is compared all the same"""


def match(reference: Side, other: Side, across: Collection[Bound] = ()) -> Matched:
    """Args: across is what may differ although it says what was measured.

    A setting that has one value on each side is no part of a cell's name: it is what changed. One
    that tells cells of the same side apart is.
    """
    ours, theirs = _by_work(reference.cells, across), _by_work(other.cells, across)
    pairs: list[Pair] = []
    left: list[Cell] = []
    matched: set[int] = set()
    for work, cells in ours.items():
        there = theirs.get(work, [])
        names = _apart(cells, across) | _apart(there, across)
        places = {_key(cell, names): cell for cell in there}
        several = len(cells) > 1 or len(there) > 1
        for cell in cells:
            twin = places.get(_key(cell, names))
            if twin is None:
                left.append(cell)
                continue
            matched.add(id(twin))
            told = tuple((name, words_of(_of(cell, name))) for name in sorted(names))
            pairs.append(Pair(cell, twin, told if several else ()))
    right = [cell for cells in theirs.values() for cell in cells if id(cell) not in matched]
    differing = _differing(reference.cells, other.cells)
    if pairs:
        differing = {name: words for name, words in differing.items() if name in across}
    return Matched(tuple(pairs), tuple(left), tuple(right), differing)


def _by_work(cells: Iterable[Cell], across: Collection[Bound]) -> dict[Key, list[Cell]]:
    by_work: dict[Key, list[Cell]] = {}
    for cell in cells:
        # Another program says otherwise how it measures: its words for the same thing are all.
        told = None if "program" not in across else {"title", *cell.bound}
        key = tuple(
            part
            for part in cell.of_work
            if part[0] not in across and (told is None or part[0] in told)
        )
        by_work.setdefault(key, []).append(cell)
    return by_work


def _apart(cells: Sequence[Cell], across: Collection[Bound]) -> set[str]:
    """Settings, and what may differ, that tell these cells apart."""
    if len(cells) < 2:
        return set()
    names = {name for cell in cells for name in cell.settings} | set(across)
    if "program" in across:  # then what it is does not tell cells apart beforehand
        names |= {name for cell in cells for name in cell.identity}
    return {name for name in names if len({_of(cell, name) for cell in cells}) > 1}


def _of(cell: Cell, name: str) -> Value:
    for told in (cell.settings, cell.identity):
        if name in told:
            return told[name]
    return next((words for bound, words in cell.bound.items() if bound == name), None)


def _key(cell: Cell, names: Collection[str]) -> Key:
    return tuple((name, _of(cell, name)) for name in sorted(names))


def _differing(ours: Sequence[Cell], theirs: Sequence[Cell]) -> dict[Bound, tuple[str, str]]:
    """What no cell of one side shares with one of the other."""
    differing: dict[Bound, tuple[str, str]] = {}
    for name in BOUNDS:
        mine, other = _told(ours, name), _told(theirs, name)
        if name == "program" and (mine or other):  # who does not say it was measured by us
            mine, other = (told or {OWN_PROGRAM: None} for told in (mine, other))
        if mine and other and not mine.keys() & other.keys():
            differing[name] = (", ".join(mine), ", ".join(other))
    return differing


def _told(cells: Iterable[Cell], name: Bound) -> dict[str, None]:
    return dict.fromkeys(cell.bound[name] for cell in cells if name in cell.bound)
