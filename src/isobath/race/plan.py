# SPDX-License-Identifier: Apache-2.0
"""The plan of a race: its cells, and the order of their runs. Written first, never changed."""

import random
from collections.abc import Iterator
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Value: TypeAlias = bool | int | float | str | tuple[int, ...]
"""Of a setting; a tuple is a list of roots."""

Scaling = Literal["weak", "strong"]
Group = Literal["matrix", "ladder", "extra"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class RaceCell(_Frozen):
    """One combination of settings: one run, or one for each repeat."""

    cell: str
    """for example c001"""
    order: int
    """its place among the runs of the first repeat, from 0"""
    settings: dict[str, Value]
    """as ``isobath run`` takes them"""
    factors: dict[str, Value]
    """what sets it apart from the others"""
    group: Group
    step: str | None = None
    """of the ladder (race/ladder.py); absent elsewhere"""


class RacePlan(_Frozen):
    """The plan of a race."""

    base: dict[str, Value]
    """settings that all cells share"""
    factors: dict[str, tuple[Value, ...]]
    """settings that differ, with their values in the order of tables and charts"""
    design: Literal["full", "listed"]
    scaling: Scaling | None = None
    """weak: the base-2 logarithm of the ranks is added to the scale"""
    seed: int
    """of the order of the runs"""
    repeats: int = Field(ge=1)
    keys: int = Field(ge=1)
    official: bool
    """every run keeps the rules of an official one"""
    audit: bool = True
    """every byte is to be accounted for"""
    reference: dict[str, Value] = {}
    """what rates are compared with: the cell of these values, all else equal"""
    cells: tuple[RaceCell, ...]

    def cell(self, name: str) -> RaceCell:
        """The cell of a name. Raises: KeyError."""
        for race_cell in self.cells:
            if race_cell.cell == name:
                return race_cell
        raise KeyError(name)

    def runs(self) -> Iterator[tuple[RaceCell, int]]:
        """Every cell with the number of its repeat, from 1, in the order of the race.

        All cells have had their turn before the first has its next, each time in another order.
        """
        for repeat in range(1, self.repeats + 1):
            cells = sorted(self.cells, key=lambda cell: cell.order)
            if repeat > 1:
                random.Random(f"{self.seed}-{repeat}").shuffle(cells)
            for cell in cells:
                yield cell, repeat


def run_name(cell: str, repeat: int) -> str:
    """Name of the run folder: ``c001-1``."""
    return f"{cell}-{repeat}"
