# SPDX-License-Identifier: Apache-2.0
"""What a race gives to be compared: every run of every cell, taken in turns with the others."""

from collections.abc import Iterator

from isobath.comparison.measured import Cell, Value, pooled
from isobath.kinds.run.cells import cells_of
from isobath.kinds.run.parts import parts_of
from isobath.race.results import CellResult, RaceResults


def race_cells(results: RaceResults) -> tuple[Cell, ...]:
    """Runs of one repeat were taken in one turn."""
    return pooled(cell for result in results.cells for cell in _of_cell(result))


def race_parts(results: RaceResults) -> tuple[Cell, ...]:
    """Calls by level and phase of every run."""
    return pooled(
        part
        for result in results.cells
        for records, folder in zip(result.runs, result.folders, strict=True)
        for part in parts_of(records, folder, turn=folder.run_id.rpartition("-")[2])
    )


def _of_cell(result: CellResult) -> Iterator[Cell]:
    step = result.cell.step if result.cell else None
    identity: dict[str, Value] = {"step": step} if step else {}
    for records, folder in zip(result.runs, result.folders, strict=True):
        repeat = folder.run_id.rpartition("-")[2]
        yield from cells_of(records, folder, turn=repeat, identity=identity)
