# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of collectives gives to be compared: the time of a call in every launch."""

import zlib
from collections.abc import Mapping
from statistics import median

from isobath.bench.identity import Identities
from isobath.bench.measured import Measured, MeasuredCell, seconds_of
from isobath.comparison.measured import Cell, Chosen, Taken, Value
from isobath.report.wording import count_of

RECORDED = "recorded:"


def collective_cells(measured: Measured) -> tuple[Cell, ...]:
    """Launches of the same number were taken in one turn."""
    identities = Identities(measured)
    matrices = {
        name: f"{zlib.crc32(repr(rows).encode()):08x}"
        for name, rows in measured.spec.matrices.items()
    }
    return tuple(_cell(cell, identities, matrices) for cell in measured.cells)


def _cell(measured: MeasuredCell, identities: Identities, matrices: Mapping[str, str]) -> Cell:
    cell = measured.cell
    identity: dict[str, Value] = cell.model_dump(exclude={"algorithm", "alignment"})
    name = cell.counts.removeprefix(RECORDED)
    identity["counts"] = f"{cell.counts} {matrices.get(name, '')}".rstrip()
    identity["forced"] = cell.algorithm.name if cell.algorithm else None
    identity["datatype"], identity["operation"] = measured.first.datatype, measured.first.operation
    identity["root_rank"] = measured.first.root_rank
    known = identities.of(measured)
    settings: dict[str, Value] = {"mpi": measured.arm.mpi, "alignment": cell.alignment}
    if measured.arm.environment:
        settings["variables"] = _variables(measured)
    return Cell(
        _title(measured),
        "seconds",
        identity,
        {"ranks": count_of(measured.arm.ranks, "rank")},
        settings,
        tuple(
            Taken(median(times), row.run_id, row.launch)
            for row in measured.records
            if (times := seconds_of(row))
        ),
        _trouble(measured),
        chosen=None if not known.algorithm else Chosen(known.algorithm, known.source),
    )


def _variables(measured: MeasuredCell) -> str:
    """Variables that the arm sets for its launches."""
    return " ".join(f"{name}={value}" for name, value in measured.arm.environment.items())


def _title(measured: MeasuredCell) -> str:
    """As the bench words it, without the number of ranks, which is told by itself."""
    first, size, ranks, *rest = measured.cell.words().split(", ")
    shape = (
        []
        if measured.cell.along == "world" and ranks.startswith(f"{measured.arm.ranks} rank")
        else [ranks]
    )
    return ", ".join((first, size, *shape, *rest))


def _trouble(measured: MeasuredCell) -> str:
    if measured.not_runnable:
        return f"not run: {measured.not_runnable}"
    if measured.data_failure:
        return f"WRONG DATA: {measured.data_failure}"
    return "more ranks than processors" if measured.oversubscribed else ""
