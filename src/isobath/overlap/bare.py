# SPDX-License-Identifier: Apache-2.0
"""Records that isobath-overlap wrote by itself, read as a benchmark of one launch."""

from collections.abc import Iterator, Sequence

from isobath.overlap.folders import OverlapRead, place_of
from isobath.overlap.plan import OverlapArm, OverlapPlan
from isobath.overlap.reading import not_measured
from isobath.records.codec import AnyRecord
from isobath.records.overlap import OverlapRecord
from isobath.study.bare_launch import bare_launch


class _OneLaunch(OverlapPlan):
    """What the program itself was asked for: nobody calibrated, and nothing is repeated."""

    def runs(self) -> Iterator[tuple[OverlapArm, int]]:
        return ((arm, 1) for arm in self.arms)


def overlap_of(rows: Sequence[AnyRecord], notice: str) -> OverlapRead:
    """All rows of the file. Raises: EnvironmentProblem where there is no record of the launch."""
    launch, failures = bare_launch(rows)
    records = [row for row in rows if isinstance(row, OverlapRecord)]
    aggregators = max((record.aggregators for record in records), default=0)
    arm = OverlapArm(
        arm="o01",
        modes=tuple(dict.fromkeys(record.progress for record in records)),
        collectives=tuple(dict.fromkeys(record.collective for record in records)),
        ranks=max(1, launch.ranks - aggregators),
        aggregators=aggregators,
    )
    plan = _OneLaunch(
        mpi=launch.mpi.name,
        threads=launch.threads_per_rank,
        seed=0,
        launches=1,
        method=(),
        work=",".join(dict.fromkeys(record.work for record in records)),
        ratios=",".join(dict.fromkeys(f"{record.work_ratio:g}" for record in records)),
        arms=(arm,),
    )
    return OverlapRead(
        name=launch.run_id,
        plan=plan,
        records=tuple(rows),
        problems=(notice, *failures),
        not_measured=tuple(not_measured(records)),
        launches_done=1,
        launches=1,
        places={launch.run_id: place_of(arm, launch)},
    )
