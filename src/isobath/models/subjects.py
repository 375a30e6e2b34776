# SPDX-License-Identifier: Apache-2.0
"""Cells of studies, by what may follow one formula: a collective, its algorithm, its place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from isobath.comparison.measured import Cell, Value, words_of
from isobath.models.formula import SYMBOLS
from isobath.models.points import Sample

Place = Literal["", "within a node", "between nodes", "within and between nodes"]

COUNTED = ("size_bytes", "shape", "ranks", "elements", "ranks per node", "grid", "keys", "threads",
           "iterations")  # fmt: skip
"""What stands among the numbers already, or says how much was done."""

PLACE = "place"
LEAST_POINTS = 4


@dataclass(frozen=True)
class Subject:
    """What is modelled by itself, with parameters of its own."""

    name: str
    """alltoall, pairwise"""
    of: str
    """the collective or call"""
    place: Place
    samples: tuple[Sample, ...]
    crowded: int = 0
    """samples with more ranks than processors"""
    is_blended: bool = False
    """of several places, which have nothing in common but the formula"""

    @property
    def title(self) -> str:
        """With its place."""
        return f"{self.name}, {self.place}" if self.place else self.name


@dataclass(frozen=True)
class Sorted:
    """What cells amount to."""

    subjects: tuple[Subject, ...]
    left_out: int
    """cells whose times are no result"""
    too_few: tuple[str, ...]
    """subjects with fewer points than any formula needs"""


def subjects_of(cells: Iterable[Cell], *, with_crowded: bool = False) -> Sorted:
    """Args: with_crowded takes cells with more ranks than processors, too."""
    groups: dict[tuple[str, str, Place], list[tuple[Cell, Sample]]] = {}
    left_out = 0
    for cell in cells:
        is_crowded = cell.trouble.startswith("more ranks") and with_crowded
        if not cell.taken or (cell.trouble and not is_crowded):
            left_out += bool(cell.trouble)
            continue
        sample = _sample(cell)
        groups.setdefault((*_subject(cell), _place(sample)), []).append((cell, sample))
    subjects = [
        Subject(
            name, of, place, tuple(sample for _, sample in rows),
            sum(bool(cell.trouble) for cell, _ in rows),
        )
        for (name, of, place), rows in groups.items()
    ]  # fmt: skip
    enough = tuple(subject for subject in subjects if len(subject.samples) >= LEAST_POINTS)
    few = tuple(subject.title for subject in subjects if len(subject.samples) < LEAST_POINTS)
    return Sorted((*enough, *_blended(enough)), left_out, few)


def _blended(subjects: Sequence[Subject]) -> list[Subject]:
    """All places of a subject together: to see what one set of parameters makes of them."""
    by_name: dict[tuple[str, str], list[Subject]] = {}
    for subject in subjects:
        by_name.setdefault((subject.name, subject.of), []).append(subject)
    blended = []
    for (name, of), several in by_name.items():
        samples = tuple(
            _placed(each, subject.place) for subject in several for each in subject.samples
        )
        crowded = sum(subject.crowded for subject in several)
        blended += [Subject(name, of, "", samples, crowded, is_blended=True)] * (len(several) > 1)
    return blended


def _placed(sample: Sample, place: Place) -> Sample:
    return Sample(sample.title, sample.numbers, {**sample.factors, PLACE: place}, sample.taken)


def _subject(cell: Cell) -> tuple[str, str]:
    name = cell.subject or cell.title
    chosen = cell.chosen.name if cell.chosen else ""
    of = str(cell.identity.get("collective") or cell.identity.get("call") or name.partition(",")[0])
    return (f"{name}, {chosen}" if chosen and chosen not in name else name), of


def _place(sample: Sample) -> Place:
    nodes, ppn = sample.numbers.get("nodes"), sample.numbers.get("ppn")
    if nodes is None:
        return ""
    if nodes <= 1:
        return "within a node"
    return "between nodes" if ppn == 1 else "within and between nodes"


def _sample(cell: Cell) -> Sample:
    told: dict[str, Value] = {str(name): words for name, words in cell.bound.items()}
    told = {**cell.identity, **told, **cell.settings}
    factors = {
        name: words_of(value)
        for name, value in told.items()
        if name not in COUNTED and name not in SYMBOLS and name not in cell.numbers
    }
    numbers = {name: value for name, value in cell.numbers.items() if name in SYMBOLS}
    taken = tuple(
        (launched.launch if launched.turn is None else launched.turn, launched.value)
        for launched in cell.taken
    )
    return Sample(cell.title, numbers, factors, taken)
