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
    one: MeasuredCell, measured: Measured, identities: Identities, matrices: Mapping[str, str]
) -> Cell:
    cell = one.cell
    identity: dict[str, Value] = cell.model_dump(exclude={"algorithm", "alignment"})
    name = cell.counts.removeprefix(RECORDED)
    identity["counts"] = f"{cell.counts} {matrices.get(name, '')}".rstrip()
    identity["forced"] = cell.algorithm.name if cell.algorithm else None
    identity["datatype"], identity["operation"] = one.first.datatype, one.first.operation
    identity["root_rank"] = one.first.root_rank
    known = identities.of(one)
    settings: dict[str, Value] = {"mpi": one.arm.mpi, "alignment": cell.alignment}
    if one.arm.environment:
        settings["variables"] = _variables(one)
    return Cell(
        _title(one),
        "seconds",
        identity,
        {"ranks": count_of(one.arm.ranks, "rank")},
        settings,
        tuple(
            Taken(median(times), row.run_id, row.launch, scatter_of(times))
            for row in one.records
            if (times := seconds_of(row))
        ),
        _trouble(one),
        chosen=None if not known.algorithm else Chosen(known.algorithm, known.source),
        numbers=numbers_of(one, measured.plan.matrices),
        subject=_title(one, sized=False),
    )


def _variables(measured: MeasuredCell) -> str:
    """Variables that the arm sets for its launches."""
    return " ".join(f"{name}={value}" for name, value in measured.arm.environment.items())


def _title(one: MeasuredCell, *, sized: bool = True) -> str:
    """As the bench words it, without the number of ranks, which is told by itself; of what may
    follow one formula without its size, and without the shape whose extents are numbers, too.
    """
    first, size, ranks, *rest = one.cell.words().split(", ")
    if not sized:
        along = [] if one.cell.along == "world" else [one.cell.along]
        return ", ".join((first, *along, *rest))
    shape = (
        [] if one.cell.along == "world" and ranks.startswith(f"{one.arm.ranks} rank") else [ranks]
    )
    return ", ".join((first, size, *shape, *rest))


def _trouble(measured: MeasuredCell) -> str:
    if measured.not_runnable:
        return f"not run: {measured.not_runnable}"
    if measured.data_failure:
        return f"WRONG DATA: {measured.data_failure}"
    return "more ranks than processors" if measured.oversubscribed else ""
