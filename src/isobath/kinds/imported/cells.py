# SPDX-License-Identifier: Apache-2.0
"""What was imported as a comparison takes it: bound to the program that measured it."""

from collections.abc import Iterator

from isobath.comparison.measured import Bound, Cell, Launched, Scale, Taken, Value
from isobath.kinds.imported.model import ImportedCell, ImportedResult
from isobath.report.wording import count_of

IMPORTED = "imported"
NOWHERE = "imported, not measured here"
"""The machine of a result of others."""


def cells_of(result: ImportedResult) -> Iterator[Cell]:
    """Less is better of every value, as everywhere."""
    for cell in result.cells:
        settings: dict[str, Value] = dict(cell.settings)
        yield Cell(
            cell.cell,
            _scale(cell),
            {},
            _bound(cell),
            settings,
            tuple(Taken(_less(cell, launch.value), launch.launch) for launch in cell.launches),
            cell.trouble,
            numbers=_numbers(cell),
            subject=cell.what,
        )


def _less(cell: ImportedCell, value: float) -> float:
    return 1 / value if cell.more_is_better else value


def _scale(cell: ImportedCell) -> Scale:
    if cell.unit == "s":
        return "seconds"
    if cell.unit == "TEPS":
        return "TEPS"
    return "rate" if cell.more_is_better else "number"


def _bound(cell: ImportedCell) -> dict[Bound, str]:
    bound: dict[Bound, str] = {"program": f"{cell.program} ({IMPORTED})"}
    if cell.ranks is not None:
        bound["ranks"] = count_of(cell.ranks, "rank")
    if cell.graph:
        bound["graph"] = cell.graph
    if cell.keys:
        bound["keys"] = cell.keys
    return bound


def _numbers(cell: ImportedCell) -> dict[str, float]:
    told = {"p": cell.ranks, "m": cell.size_bytes}
    return {name: float(number) for name, number in told.items() if number is not None}


def launches_of(result: ImportedResult) -> dict[str, Launched]:
    """When they began nobody knows, so that none of them is a pair of another."""
    facts = {"program": ", ".join(result.programs), "machine": result.where or NOWHERE}
    facts |= {"MPI library": result.mpi} if result.mpi else {}
    names = dict.fromkeys(launch.launch for cell in result.cells for launch in cell.launches)
    return {name: Launched(0.0, facts) for name in names}
