# SPDX-License-Identifier: Apache-2.0
"""Phases of a search as cells of their own: each has a time in every launch."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from isobath.comparison.measured import Cell, Zoom

LEAST_SHARE = 0.05
"""of the time of all phases; a shorter one says more of the clock than of the library"""

WAY = ("phase",)


def with_phases(cells: Iterable[Cell], least: float = LEAST_SHARE) -> tuple[Cell, ...]:
    """The same, each followed by its phases; finer cuts of the time are left out.

    Args: least is the share of all phases that makes one a cell; 0 where it is one of a baseline
        already, which a noisier launch must not take out.
    """
    found: list[Cell] = []
    for cell in cells:
        ways = [_phases(zooms) for zooms in cell.zooms]
        short = tuple((Zoom(WAY, way),) for way in ways if way)
        found += [replace(cell, zooms=short), *_of_cell(cell, ways, least)]
    return tuple(found)


def _phases(zooms: Iterable[Zoom]) -> dict[tuple[str, ...], float]:
    return next((dict(zoom.seconds) for zoom in zooms if zoom.of == WAY), {})


def _of_cell(cell: Cell, ways: list[dict[tuple[str, ...], float]], least: float) -> Iterator[Cell]:
    if len(ways) != len(cell.taken) or not all(ways) or cell.scale != "TEPS":
        return
    total = sum(sum(way.values()) for way in ways)
    for part in dict.fromkeys(name for way in ways for name in way):
        values = [way.get(part, 0.0) for way in ways]
        if min(values) <= 0 or sum(values) < least * total:
            continue
        taken = tuple(
            replace(one, value=value, scatter=None)
            for one, value in zip(cell.taken, values, strict=True)
        )
        yield replace(
            cell,
            title=f"{cell.title}, {part[0]}",
            scale="seconds",
            identity=dict(cell.identity) | {"phase": part[0]},
            taken=taken,
            zooms=(),
        )
