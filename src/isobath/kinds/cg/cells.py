# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of conjugate gradients gives to be compared: an iteration in every launch."""

from statistics import fmean, median

from isobath.comparison.measured import Cell, Parts, Taken, Zoom
from isobath.kinds.cg.measured import Measured
from isobath.kinds.cg.reading import REDUCTIONS, WORK, Group, Row, kept_repetitions, seconds_of
from isobath.records.krylov import KrylovParts, KrylovRecord
from isobath.report.wording import count_of

TROUBLES = {
    "oversubscribed": "more ranks and threads than processors",
    "not checked": "its norms could not be checked",
    "wrong norms": "WRONG NORMS",
}


def cg_cells(measured: Measured) -> tuple[Cell, ...]:
    """Every method under every way to make progress; launches of one number are of one turn."""
    return tuple(_cell(group, row) for group in measured.groups for row in group.rows)


def _cell(group: Group, row: Row) -> Cell:
    first = row.first
    return Cell(
        f"{row.name}, {group.elements} elements",
        "seconds",
        {
            "implementation": first.implementation,
            "method": first.method,
            "progress": first.progress,
            "tests": first.tests,
            "elements": group.elements,
            "aggregators": first.aggregators,
        },
        {"ranks": count_of(group.ranks, "rank")},
        {
            "mpi": group.mpi,
            "threads": first.threads_per_rank,
            "iterations": first.iterations,
            "alignment": first.alignment,
        },
        tuple(
            Taken(median(seconds_of(record)), record.run_id, record.launch)
            for record in row.records
        ),
        TROUBLES[row.remark] if row.remark else "",
        tuple(_zooms(record) for record in row.records),
        numbers={
            "p": group.ranks, "elements": group.elements, "threads": first.threads_per_rank,
        },
        subject=row.name,
    )  # fmt: skip


def _zooms(record: KrylovRecord) -> tuple[Zoom, ...]:
    """Of an iteration, the mean over ranks: work and reductions, then what each consists of."""
    parts: KrylovParts | None = record.parts
    if parts is None:
        return ()
    kept = kept_repetitions(record)
    seconds = {
        name: median(fmean(by_rank[i] for by_rank in getattr(parts, name)) for i in kept)
        * 1e-9
        / record.iterations
        for name in KrylovParts.model_fields
    }
    whole: Parts = {
        ("reductions",): sum(seconds[name] for name in REDUCTIONS),
        ("work",): sum(seconds[name] for name in WORK),
        ("neighbours",): seconds["halo"],
    }
    of: dict[str, str] = {name: "reductions" for name in REDUCTIONS} | {
        name: "work" for name in WORK
    }
    each: Parts = {
        (of.get(name, "neighbours"), name.replace("_", " ")): value
        for name, value in seconds.items()
    }
    return Zoom(("part",), whole), Zoom(("part", "step"), each)
