# SPDX-License-Identifier: Apache-2.0
"""Records that isobath-collectives wrote by itself, read as a benchmark of one launch."""

from collections.abc import Sequence

from isobath.bench.measured import Measured, MeasuredCell, in_order
from isobath.bench.plan import Arm, BenchPlan, Cell, Family, ForcedAlgorithm, StopRule
from isobath.records.codec import AnyRecord
from isobath.records.collective import CollectiveRecord, LaunchRecord
from isobath.study.bare_launch import bare_launch
from isobath.study.folder import Header

BY_HAND = "by hand"
"""in the place of a preset"""

STOP_OPTIONS = {
    "--half-width": "half_width",
    "--least": "least",
    "--most": "most",
    "--budget": "budget_seconds",
}
ENGINE_BUDGET = 10.0
"""seconds of a cell where the command line of the program names none"""


def measured_of(rows: Sequence[AnyRecord], notice: str) -> Measured:
    """All cells of the file. Raises: EnvironmentProblem where there is no record of the launch."""
    launch, failures = bare_launch(rows)
    records = [row for row in rows if isinstance(row, CollectiveRecord)]
    cells = [_cell_of(row) for row in records]
    arm = Arm(
        arm="a01",
        mpi=launch.mpi.name,
        family=_family(launch),
        version=launch.mpi.library_version.splitlines()[0],
        ranks=launch.ranks,
        cells=tuple(cells),
    )
    by_cell: dict[Cell, list[CollectiveRecord]] = {}
    for cell, record in zip(cells, records, strict=True):
        by_cell.setdefault(cell, []).append(record)
    nodes = launch.node_of_rank
    measured = (MeasuredCell(cell, arm, tuple(rows), nodes) for cell, rows in by_cell.items())
    header = Header(
        kind="bench collectives",
        study_id=launch.run_id,
        created=launch.started,
        command=launch.argv,
        plan={},
    )
    return Measured(
        header,
        _plan(launch, arm),
        in_order(measured),
        (launch,),
        (notice, *failures),
        1,
        launch_of_arm={arm.arm: launch},
    )


def _plan(launch: LaunchRecord, arm: Arm) -> BenchPlan:
    return BenchPlan(
        preset=BY_HAND,
        seed=0,
        launches=1,
        stop=_stop_rule(launch.argv),
        cpus=sum(host.cores for host in launch.hosts) or 1,
        arms=(arm,),
    )


def _stop_rule(argv: Sequence[str]) -> StopRule:
    """As the command line has it, else as the program has it."""
    named = dict(zip(argv, (*argv[1:], ""), strict=True))
    said = {field: named[option] for option, field in STOP_OPTIONS.items() if option in named}
    return StopRule.model_validate({"budget_seconds": ENGINE_BUDGET} | said)


def _family(launch: LaunchRecord) -> Family:
    version = launch.mpi.library_version
    if "Open MPI" in version:
        return "openmpi"
    return "intel" if "Intel" in version else "hydra"


def _cell_of(row: CollectiveRecord) -> Cell:
    forced = None
    if row.algorithm_source == "own":
        name = row.algorithm or row.call
        forced = ForcedAlgorithm(name=name, variable="", value="", is_own=True)
    elif row.algorithm_variable:
        name, _, value = row.algorithm_variable.partition("=")
        forced = ForcedAlgorithm(
            name=row.algorithm or value or name, variable=name, value=value, in_process=True
        )
    return Cell(
        collective=row.collective,
        form=row.form,
        size_bytes=row.size_bytes,
        shape=row.shape,
        along=row.along,
        together=row.together,
        counts=row.counts,
        datatype=row.datatype,
        operation=row.operation,
        root_rank=row.root_rank,
        buffers=row.buffers,
        cadence=row.cadence,
        alignment=row.alignment,
        arrival=row.arrival,
        algorithm=forced,
    )
