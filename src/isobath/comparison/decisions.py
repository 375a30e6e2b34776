# SPDX-License-Identifier: Apache-2.0
"""What a library decided otherwise: another algorithm at a size, a switch point that moved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from isobath.comparison.matching import Pair
from isobath.comparison.measured import Cell
from isobath.stats.switch_points import LEAST_POINTS, switch_points

SIZE = "size_bytes"
"""of what a cell is, that along which a library switches"""

LEAST_PROBABILITY = 0.5
"""Switches that the bootstrap finds less often are not told."""

Known = Literal["names", "times", "tables"]
Fate = Literal["moved", "gone", "new"]


@dataclass(frozen=True)
class OtherAlgorithm:
    """Neighbouring sizes at which another algorithm runs now."""

    curve: str
    first_bytes: int
    last_bytes: int
    before: str
    after: str


@dataclass(frozen=True)
class SwitchChange:
    """A switch point that is not where it was. Each lies above ``low`` and at ``high`` at most."""

    curve: str
    fate: Fate
    before: tuple[int, int] | None
    after: tuple[int, int] | None
    words: str
    """which algorithms meet there; empty where only times say that something changes"""
    known_by: Known


@dataclass(frozen=True)
class Decisions:
    """All that was decided otherwise, and how far that could be known."""

    algorithms: tuple[OtherAlgorithm, ...]
    switches: tuple[SwitchChange, ...]
    cells: int
    """that a library chose an algorithm for"""
    cells_known: int
    """of which the algorithm is known on both sides"""


Step = tuple[int, int, str]
"""Last size of the one, first size of the next, and their names."""


def decisions_of(pairs: Iterable[Pair]) -> Decisions:
    """Of all curves: cells that differ in their size alone."""
    algorithms: list[OtherAlgorithm] = []
    switches: list[SwitchChange] = []
    cells = known = 0
    for curve, several in _curves(pairs).items():
        cells += len(several)
        named = [pair for pair in several if pair.reference.chosen and pair.other.chosen]
        known += len(named)
        algorithms += _others(curve, named)
        if len(named) == len(several):
            before, after = ([_name(cell) for cell in side] for side in _sides(several))
            sizes = [_size(pair) for pair in several]
            switches += moved_steps(curve, _steps(sizes, before), _steps(sizes, after), "names")
        else:
            formulas = [_switches_by_times(several, side) for side in _sides(several)]
            switches += moved_steps(curve, formulas[0], formulas[1], "times")
    return Decisions(tuple(algorithms), tuple(switches), cells, known)


def _curves(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    by_work: dict[tuple[object, ...], list[Pair]] = {}
    for pair in pairs:
        identity = pair.reference.identity
        if SIZE not in identity or identity.get("forced") or pair.reference.trouble:
            continue
        work = tuple(part for part in pair.reference.of_work if part[0] not in (SIZE, "title"))
        by_work.setdefault((work, pair.told), []).append(pair)
    curves = {}
    for several in by_work.values():
        several.sort(key=_size)
        curves[_curve_words(several[0])] = several
    return curves


def _curve_words(pair: Pair) -> str:
    """The first of its cells without the size, which stands second in titles."""
    first, _, *rest = pair.words.split(", ")
    return ", ".join((first, *rest))


def _size(pair: Pair) -> int:
    return int(pair.reference.identity[SIZE] or 0)


def _sides(pairs: Sequence[Pair]) -> tuple[list[Cell], list[Cell]]:
    return [pair.reference for pair in pairs], [pair.other for pair in pairs]


def _name(cell: Cell) -> str:
    return cell.chosen.name if cell.chosen else ""


def _others(curve: str, pairs: Sequence[Pair]) -> Iterable[OtherAlgorithm]:
    def names(pair: Pair) -> tuple[str, str]:
        return _name(pair.reference), _name(pair.other)

    for (before, after), same in groupby(pairs, key=names):
        sizes = [_size(pair) for pair in same]
        if before != after:
            yield OtherAlgorithm(curve, sizes[0], sizes[-1], before, after)


def _steps(sizes: Sequence[int], names: Sequence[str]) -> list[Step]:
    rows = pairwise(zip(sizes, names, strict=True))
    return [
        (low, high, f"{name} to {other}") for (low, name), (high, other) in rows if name != other
    ]


def _switches_by_times(pairs: Sequence[Pair], cells: Sequence[Cell]) -> list[Step]:
    """Where the formula of times against size changes; nothing of curves with few sizes."""
    usable = [
        (_size(pair), [[taken.value] for taken in cell.taken])
        for pair, cell in zip(pairs, cells, strict=True)
        if _size(pair) > 0 and cell.taken and not cell.trouble
    ]
    if len(usable) < 2 * LEAST_POINTS:
        return []
    points = switch_points([float(size) for size, _ in usable], [times for _, times in usable])
    return [
        (int(point.low), int(point.high), "")
        for point in points
        if point.probability >= LEAST_PROBABILITY
    ]


def moved_steps(
    curve: str, before: Sequence[Step], after: Sequence[Step], known_by: Known
) -> Iterable[SwitchChange]:
    """Switches of the same algorithms in their order belong together; by times the nearest."""
    left = list(after)
    for low, high, words in before:
        same = [step for step in left if step[2] == words]
        twin = min(same, key=lambda step: abs(step[0] - low), default=None)
        if twin is None:
            yield SwitchChange(curve, "gone", (low, high), None, words, known_by)
            continue
        left.remove(twin)
        if twin[1] <= low or high <= twin[0]:  # they have no size in common
            yield SwitchChange(curve, "moved", (low, high), twin[:2], words, known_by)
    for low, high, words in left:
        yield SwitchChange(curve, "new", None, (low, high), words, known_by)
