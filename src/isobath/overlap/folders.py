# SPDX-License-Identifier: Apache-2.0
"""A benchmark of overlap on disk: a study, and all that its launches have brought."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from isobath.overlap.plan import OverlapArm, OverlapPlan, run_name
from isobath.overlap.reading import Group, Place, groups_of, not_measured, rows_of
from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.overlap import OverlapRecord
from isobath.records.placement import HERE, OTHERWISE_PLACED
from isobath.store.launch_reader import LaunchReader
from isobath.study.folder import PlanFile, StudyFolder
from isobath.study.read_launches import LaunchesRead, read_launches

PLAN = PlanFile(
    "bench overlap", "benchmark of overlap", OverlapPlan, older="overlap.json", older_id="bench_id"
)


class OverlapFolder(StudyFolder):
    """One benchmark."""

    def plan(self) -> OverlapPlan:
        """Raises: EnvironmentProblem where it is missing or damaged."""
        return PLAN.read(self)


@dataclass(frozen=True, kw_only=True)
class OverlapRead(LaunchesRead):
    """What a benchmark has so far."""

    plan: OverlapPlan
    records: tuple[AnyRecord, ...]
    """of all launches but the calibrating ones, which count as done ones too"""
    places: Mapping[str, Place] = field(default_factory=dict)
    """where launches were, by the id of their run"""

    @cached_property
    def cells(self) -> tuple[OverlapRecord, ...]:
        """Every setting of every launch."""
        return tuple(record for record in self.records if isinstance(record, OverlapRecord))

    @cached_property
    def groups(self) -> list[Group]:
        """Rows that are compared; those that differ in their library alone are neighbours."""
        groups = groups_of(rows_of(self.cells, self.places))
        order = list(dict.fromkeys(group.but_library for group in groups))
        return sorted(groups, key=lambda group: order.index(group.but_library))

    @property
    def fewest_launches(self) -> int:
        """Of each way to make progress."""
        return self.plan.launches


def read_overlap(folder: OverlapFolder) -> OverlapRead:
    """All sealed launches in the order of the arms, each held against its manifest.

    Raises: EnvironmentProblem where the plan cannot be read.
    """
    plan, reader = folder.plan(), LaunchReader()
    records: list[AnyRecord] = []
    places: dict[str, Place] = {}
    done = 0
    for launch in read_launches(folder, plan.runs(), run_name, reader):
        done += 1
        mpi = plan.library_of(launch.arm) if len(plan.libraries) > 1 else ""
        places[launch.run_id] = Place(mpi=mpi)  # where the launch does not tell
        places |= {row.run_id: place_of(launch.arm, row, mpi) for row in launch.own}
        if launch.is_otherwise_placed:
            reader.problems.append(f"{launch.run_id}: {OTHERWISE_PLACED}")
        records += launch.rows if launch.number else ()
    cells = (row for row in records if isinstance(row, OverlapRecord))
    return OverlapRead(
        name=PLAN.header(folder).study_id,
        plan=plan,
        records=tuple(records),
        problems=tuple(reader.problems),
        not_measured=tuple(not_measured(cells)),
        launches_done=done,
        launches=sum(1 for _ in plan.runs()),
        is_altered=reader.is_altered,
        places=places,
    )


def place_of(arm: OverlapArm, launch: LaunchRecord, mpi: str = "") -> Place:
    """Where ranks of a launch were: nodes as they were obtained; mpi where several are compared."""
    asked = arm.placement
    way = asked.transport.replace(f":{asked.nodes}nodes", "")
    return Place("" if way == HERE.transport else way, launch.nodes, asked.is_pretended, mpi)
