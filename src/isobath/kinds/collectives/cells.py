# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of collectives gives to be compared: the time of a call in every launch."""

import zlib
from collections.abc import Mapping
from statistics import median

from isobath.bench.identity import Identities
from isobath.bench.measured import Measured, MeasuredCell, seconds_of
from isobath.bench.numbers import numbers_of
from isobath.comparison.measured import Cell, Chosen, Taken, Value
from isobath.guard.noise import scatter_of
from isobath.report.wording import count_of

RECORDED = "recorded:"


def collective_cells(measured: Measured) -> tuple[Cell, ...]:
    """Launches of the same number were taken in one turn."""
    identities = Identities(measured)
    matrices = {
        name: f"{zlib.crc32(repr(rows).encode()):08x}"
        for name, rows in measured.plan.matrices.items()
    }
    return tuple(_cell(cell, measured, identities, matrices) for cell in measured.cells)


def _cell(
    measured_cell: MeasuredCell,
    measured: Measured,
    identities: Identities,
    matrices: Mapping[str, str],
) -> Cell:
    cell = measured_cell.cell
    identity: dict[str, Value] = cell.model_dump(exclude={"algorithm", "alignment"})
    name = cell.counts.removeprefix(RECORDED)
    identity["counts"] = f"{cell.counts} {matrices.get(name, '')}".rstrip()
    identity["forced"] = cell.algorithm.name if cell.algorithm else None
    identity["datatype"], identity["operation"] = (
        measured_cell.first.datatype,
        measured_cell.first.operation,
    )
    identity["root_rank"] = measured_cell.first.root_rank
    known = identities.of(measured_cell)
    arm = measured_cell.arm
    settings: dict[str, Value] = {
        "mpi": arm.mpi,
        "transport": arm.transport,
        "ranks per node": arm.ranks_per_node,
        "alignment": cell.alignment,
    }
    if measured_cell.arm.environment:
        settings["variables"] = _variables(measured_cell)
    return Cell(
        _title(measured_cell),
        "seconds",
        identity,
        {"ranks": count_of(measured_cell.arm.ranks, "rank")},
        settings,
        tuple(
            Taken(median(times), row.run_id, row.launch, scatter_of(times))
            for row in measured_cell.records
            if (times := seconds_of(row))
        ),
        _trouble(measured_cell),
        chosen=None if not known.algorithm else Chosen(known.algorithm, known.source),
        numbers=numbers_of(measured_cell, measured.plan.matrices),
        subject=_title(measured_cell, sized=False),
    )


def _variables(measured: MeasuredCell) -> str:
    """Variables that the arm sets for its launches."""
    return " ".join(f"{name}={value}" for name, value in measured.arm.environment.items())


def _title(measured_cell: MeasuredCell, *, sized: bool = True) -> str:
    """As the bench words it, without the number of ranks, which is told by itself; of what may
    follow one formula without its size, and without the shape whose extents are numbers, too.
    """
    first, size, ranks, *rest = measured_cell.cell.words().split(", ")
    if not sized:
        along = [] if measured_cell.cell.along == "world" else [measured_cell.cell.along]
        return ", ".join((first, *along, *rest))
    shape = (
        []
        if measured_cell.cell.along == "world"
        and ranks.startswith(f"{measured_cell.arm.ranks} rank")
        else [ranks]
    )
    return ", ".join((first, size, *shape, *rest))


def _trouble(measured: MeasuredCell) -> str:
    if measured.not_runnable:
        return f"not run: {measured.not_runnable}"
    if measured.data_failure:
        return f"WRONG DATA: {measured.data_failure}"
    return "more ranks than processors" if measured.oversubscribed else ""
