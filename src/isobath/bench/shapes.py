# SPDX-License-Identifier: Apache-2.0
"""Shapes of several dimensions: asked for, and obtained."""

from dataclasses import dataclass

from isobath.bench.measured import Measured
from isobath.records.placement import Coordinates, shape_fault


@dataclass(frozen=True)
class Shaped:
    """Ranks of one place in one shape."""

    asked: str
    """extents, as ``2x3``"""
    obtained: Coordinates
    """as MPI has them"""
    node_of_rank: tuple[int, ...]

    @property
    def fault(self) -> str:
        """Which rank lies elsewhere; empty where none does."""
        return shape_fault(self.asked, self.obtained)


def shapes_of(measured: Measured) -> tuple[Shaped, ...]:
    """Of every launch that has told its coordinates; older records have none."""
    found = (
        Shaped(cell.cell.shape, record.coordinates, cell.node_of_rank)
        for cell in measured.cells
        for record in cell.records
        if record.coordinates is not None
    )
    return tuple(dict.fromkeys(found))
