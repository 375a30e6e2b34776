# SPDX-License-Identifier: Apache-2.0
"""What a benchmark of overlap gives to be compared: what is left of a call behind work, and the
call alone.

Every benchmark calibrates how much work there is, so seconds with work are those of two amounts.
What is compared is a share: the time with overlap by that of the call and then the work.
"""

from collections.abc import Iterator
from statistics import median

from isobath.comparison.measured import Bound, Cell, Taken, Value, Zoom
from isobath.overlap.folders import OverlapRead
from isobath.overlap.reading import Row, name_of, seconds_of_launch
from isobath.records.overlap import OverlapRecord
from isobath.report.wording import count_of
from isobath.units import format_bytes

PARTS = ("blocking call", "non-blocking call", "work", "without overlap", "with overlap",
         "work inside")  # fmt: skip
NONBLOCKING, WITHOUT, WITH = 1, 3, 4


def overlap_cells(read: OverlapRead) -> tuple[Cell, ...]:
    """Two of each row; launches of one number are of one turn."""
    return tuple(
        cell
        for group in read.groups
        for row in group.rows
        for cell in _of_row(row, group.place.mpi or read.plan.mpi)
    )


def _of_row(row: Row, mpi: str) -> Iterator[Cell]:
    first = row.record
    identity: dict[str, Value] = {
        "collective": first.collective,
        "size_bytes": first.size_bytes,
        "progress": first.progress,
        "tests": first.tests,
        "aggregators": first.aggregators,
        "trees": first.trees,
    }
    bound: dict[Bound, str] = {"ranks": count_of(first.ranks, "rank")}
    settings: dict[str, Value] = {
        "mpi": mpi, "threads": first.threads_per_rank, "alignment": first.alignment,
    }  # fmt: skip
    trouble = "more ranks and threads than processors" if first.oversubscribed else ""
    launches = [
        (record, [median(part) for part in seconds_of_launch(record)]) for record in row.records
    ]
    title = f"{first.collective}, {format_bytes(first.size_bytes)}, {name_of(first)}"
    numbers = {"p": first.ranks, "m": first.size_bytes, "threads": first.threads_per_rank}
    subject = f"{first.collective}, {name_of(first)}"
    work: dict[str, Value] = {"work": first.work, "ratio": first.work_ratio}
    yield Cell(
        f"{title}, left of {first.work} x {first.work_ratio:g}", "share", identity | work, bound,
        settings, tuple(_taken(record, parts[WITH] / parts[WITHOUT]) for record, parts in launches),
        trouble, tuple((_zoom(parts),) for _, parts in launches),
    )  # fmt: skip
    yield Cell(
        f"{title}, call beside {first.work} x {first.work_ratio:g}", "seconds", identity | work,
        bound, settings, tuple(_taken(record, parts[NONBLOCKING]) for record, parts in launches),
        trouble,
        numbers=numbers, subject=f"{subject}, call beside {first.work}",
    )  # fmt: skip


def _taken(record: OverlapRecord, value: float) -> Taken:
    return Taken(value, record.run_id, record.launch)


def _zoom(parts: list[float]) -> Zoom:
    named = zip(PARTS, parts, strict=True)
    return Zoom(("part",), {(name,): seconds for name, seconds in named})
