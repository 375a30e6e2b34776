# SPDX-License-Identifier: Apache-2.0
"""Benchmarks with times that are given, for what is said of them."""

from datetime import UTC, datetime

from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.plan import Arm, BenchPlan, Cell, Family, ForcedAlgorithm
from isobath.records.collective import CollectiveRecord
from isobath.study.folder import Header
from records.examples import collective_record

NOISE = (0.99, 1.0, 1.01)


HEADER = Header(
    kind="bench collectives", study_id="b", created=datetime(2026, 1, 1, tzinfo=UTC),
    command=("isobath",), plan={},
)  # fmt: skip
"""Of a benchmark that was never on disk."""


def record(cell: Cell, seconds: float, launch: int, ranks: int, **fields: object) -> object:
    times = tuple(round(1e9 * seconds * NOISE[n % 3]) for n in range(31))
    made = collective_record(launch=launch)
    shared = {"ranks": ranks, "size_bytes": cell.size_bytes, "form": cell.form,
              "bytes_per_rank": cell.size_bytes, "wire_bytes": (ranks - 1) * cell.size_bytes,
              "collective": cell.collective, "counts": cell.counts}  # fmt: skip
    entries, exits = made.entry_nanoseconds, made.exit_nanoseconds
    assert entries is not None
    assert exits is not None
    starts = tuple(1_000_000_000 * n for n in range(32))
    ends = tuple(start + time for start, time in zip(starts, (1, *times), strict=True))
    shared |= {"entry_nanoseconds": (starts,) * ranks, "exit_nanoseconds": (ends,) * ranks,
               "context_switches": ()}  # fmt: skip
    return CollectiveRecord.model_validate(made.model_dump() | shared | fields)


def measured_of(
    times: dict[tuple[str, int, str], float],
    *,
    family: Family = "hydra",
    ranks: int = 2,
    counts: str = "uniform",
    oversubscribed: bool = False,
) -> Measured:
    """Of seconds by collective, size and algorithm ("" for the default); three equal launches."""
    cells = []
    arm = Arm(arm="a01", mpi=f"{family}-library", family=family, ranks=ranks, cells=())
    for (name, size, algorithm), seconds in times.items():
        forced = None
        if algorithm:
            value = algorithm.split()[-1]
            forced = ForcedAlgorithm(name=algorithm, variable=f"V_{name}", value=value)
        cell = Cell(collective=name, size_bytes=size, shape=str(ranks), algorithm=forced,
                    counts=counts)  # fmt: skip
        rows = [
            record(cell, seconds, launch, ranks, oversubscribed=oversubscribed)
            for launch in (1, 2, 3)
        ]
        cells.append(MeasuredCell(cell, arm, tuple(rows)))  # type: ignore[arg-type]
    plan = BenchPlan(
        preset="small", seed=1, launches=3, cpus=ranks, arms=(arm,),
    )  # fmt: skip
    return Measured(HEADER, plan, tuple(cells), (), (), 3)
