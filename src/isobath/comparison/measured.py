# SPDX-License-Identifier: Apache-2.0
"""What a study gives to be compared: cells with a value of each launch."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

Value = str | int | float | bool | None

Bound = Literal["graph", "keys", "ranks", "plan", "program"]
"""What must be alike before two times are of the same thing, unless somebody wants it otherwise."""

BOUNDS: tuple[Bound, ...] = get_args(Bound)

Scale = Literal["seconds", "TEPS", "share", "rate", "number"]
"""How a value is shown. Less is better of each that is kept: of a rate the seconds an edge, or of
whatever its title says that there is more of."""

OWN_PROGRAM = "Isobath"
"""What measured a cell that does not say it."""

Parts = Mapping[tuple[str, ...], float]
"""Seconds of parts, by what tells them apart."""


@dataclass(frozen=True)
class Taken:
    """What one launch says of a cell."""

    value: float
    """above 0; of repetitions the median"""
    launch: str
    """its name in the study"""
    turn: Hashable = None
    """what it shares with launches of other cells that were taken in the same turn"""
    scatter: float | None = None
    """deviation of its repetitions from one another, on logarithms; None where it had none"""


@dataclass(frozen=True)
class Zoom:
    """Where the time of a cell went, one way to cut it."""

    of: tuple[str, ...]
    """what the parts are told apart by: phase; level and phase; ..."""
    seconds: Parts
    """of each part, in one launch's typical repetition"""


@dataclass(frozen=True)
class Chosen:
    """The algorithm by which a library carried out a cell."""

    name: str
    source: str
    """how it is known"""


@dataclass(frozen=True)
class Cell:
    """One thing that was measured, with all that says what it is."""

    title: str
    """in few words, without what stands in ``bound``"""
    scale: Scale
    identity: Mapping[str, Value]
    """what is never compared where it differs: the collective, its size"""
    bound: Mapping[Bound, str]
    settings: Mapping[str, Value]
    """what was asked for besides; where it differs it is what changed"""
    taken: tuple[Taken, ...]
    trouble: str = ""
    """why its values are no result; empty where they are"""
    zooms: tuple[tuple[Zoom, ...], ...] = ()
    """the ways to cut its time, of each launch that knows them"""
    chosen: Chosen | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    """what a formula of its time may name, by symbol: ranks, bytes (models/formula.py)"""
    subject: str = ""
    """what it is without those numbers: cells of one subject may follow one formula; empty:
    its title"""

    @property
    def value(self) -> float | None:
        """The median over launches; None of a cell without values."""
        from statistics import median  # to list studies nobody needs it, and it takes a while

        return median(taken.value for taken in self.taken) if self.taken else None

    @property
    def of_work(self) -> tuple[tuple[str, Value], ...]:
        """What it is, apart from how: hashable."""
        bound: dict[str, Value] = {str(name): words for name, words in self.bound.items()}
        return (
            ("title", self.title),
            *sorted((dict(self.identity) | bound).items(), key=lambda part: part[0]),
        )


@dataclass(frozen=True)
class Launched:
    """What is known of a launch beside its times."""

    began: float
    """seconds since 1970"""
    facts: Mapping[str, str] = field(default_factory=dict)
    """compiler, kernel, library ...: what may have changed, by its name"""


@dataclass(frozen=True)
class Side:
    """Studies whose launches count as one measurement."""

    name: str
    """as it stands in tables and sentences"""
    studies: tuple[str, ...]
    """their ids"""
    kind: str
    cells: tuple[Cell, ...]
    launches: Mapping[str, Launched] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    """one sentence each; launches that are left out are named"""
    is_altered: bool = False
    """something is not as it was sealed"""

    @property
    def facts(self) -> dict[str, tuple[str, ...]]:
        """All values of each fact over the launches, in their order."""
        by_name: dict[str, dict[str, None]] = {}
        for launch in self.launches.values():
            for name, value in launch.facts.items():
                by_name.setdefault(name, {})[value] = None
        return {name: tuple(values) for name, values in by_name.items()}

    @property
    def settings(self) -> dict[str, tuple[Value, ...]]:
        """All values of each setting over the cells, in their order."""
        by_name: dict[str, dict[Value, None]] = {}
        for cell in self.cells:
            for name, value in cell.settings.items():
                by_name.setdefault(name, {})[value] = None
        return {name: tuple(values) for name, values in by_name.items()}


def words_of(value: Value) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return (
        "none" if value in (None, "") else f"{value:g}" if isinstance(value, float) else str(value)
    )


def pooled(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """Cells that agree in everything become one that has the launches of all."""
    alike: dict[object, list[Cell]] = {}
    for cell in cells:
        key = (cell.of_work, tuple(sorted(cell.settings.items(), key=lambda item: item[0])))
        alike.setdefault(key, []).append(cell)
    return tuple(_merged(several) for several in alike.values())


def _merged(several: list[Cell]) -> Cell:
    if len(several) == 1:
        return several[0]
    first = several[0]
    troubles = dict.fromkeys(cell.trouble for cell in several if cell.trouble)
    return Cell(
        first.title,
        first.scale,
        first.identity,
        first.bound,
        first.settings,
        tuple(taken for cell in several for taken in cell.taken),
        "; ".join(troubles),
        tuple(zooms for cell in several for zooms in cell.zooms),
        first.chosen,
        first.numbers,
        first.subject,
    )
