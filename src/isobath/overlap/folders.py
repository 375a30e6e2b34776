# SPDX-License-Identifier: Apache-2.0
"""A benchmark of overlap on disk: a study, and all that its launches have brought."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from isobath.overlap.plan import OverlapArm, OverlapPlan, run_name
from isobath.overlap.reading import Group, Place, few_launches, groups_of, rows_of
from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.overlap import OverlapRecord
from isobath.records.placement import HERE, OTHERWISE_PLACED
from isobath.store.launch_reader import LaunchReader
from isobath.study.folder import PlanFile, StudyFolder

PLAN = PlanFile(
    "bench overlap", "benchmark of overlap", OverlapPlan, older="overlap.json", older_id="bench_id"
)


class OverlapFolder(StudyFolder):
    """One benchmark."""

    def plan(self) -> OverlapPlan:
        """Raises: EnvironmentProblem where it is missing or damaged."""
        return PLAN.read(self)


@dataclass(frozen=True)
class OverlapRead:
    """What a benchmark has so far."""

    name: str
    """of the benchmark, as it was given when it began"""
    plan: OverlapPlan
    records: tuple[AnyRecord, ...]
    """of all launches but the calibrating ones"""
    problems: tuple[str, ...]
    """one sentence each: launches that failed, were changed after sealing, or cannot be read"""
    launches_done: int
    """sealed ones, of the plan; calibrating ones count too"""
    is_altered: bool
    """a launch is not as it was sealed"""
    places: Mapping[str, Place] = field(default_factory=dict)
    """where launches were, by the id of their run"""

    @property
    def launches(self) -> int:
        """All that were planned."""
        return sum(1 for _ in self.plan.runs())

    @cached_property
    def cells(self) -> tuple[OverlapRecord, ...]:
        """Every setting of every launch."""
        return tuple(record for record in self.records if isinstance(record, OverlapRecord))

    @cached_property
    def groups(self) -> list[Group]:
        """Rows that are compared."""
        return groups_of(rows_of(self.cells, self.places))

    @property
    def labels(self) -> tuple[str, ...]:
        """What has to be known before any number is believed."""
        done = f"{self.launches_done} of {self.launches} launches are done"
        unfinished = f"UNFINISHED: {done}." if self.launches_done < self.launches else ""
        few = few_launches(self.plan.launches)
        return tuple(label for label in (unfinished, f"{few}." if few else "") if label)


def read_overlap(folder: OverlapFolder) -> OverlapRead:
    """All sealed launches in the order of the arms, each held against its manifest.

    Raises: EnvironmentProblem where the plan cannot be read.
    """
    plan = folder.plan()
    records: list[AnyRecord] = []
    places: dict[str, Place] = {}
    reader, done = LaunchReader(), 0
    for arm, launch in sorted(plan.runs(), key=lambda run: (run[0].arm, run[1])):
        sealed = folder.sealed(run_name(arm, launch))
        if sealed is None:
            continue
        done += 1
        rows = reader.launch(sealed)
        launches = [row for row in rows if isinstance(row, LaunchRecord)]
        places |= {record.run_id: place_of(arm, record) for record in launches}
        if any(not record.is_placed_as(arm.placement) for record in launches):
            reader.problems.append(f"{sealed.run_id}: {OTHERWISE_PLACED}")
        crowded = any(record.is_crowded(arm.placement) for record in launches)
        records += [_marked(row, crowded=crowded) for row in rows] if launch else []
    name = PLAN.header(folder).study_id
    problems = tuple(reader.problems)
    return OverlapRead(name, plan, tuple(records), problems, done, reader.is_altered, places)


def _marked(record: AnyRecord, *, crowded: bool) -> AnyRecord:
    """A setting whose nodes share processors is no result."""
    if not crowded or not isinstance(record, OverlapRecord):
        return record
    return record.model_copy(update={"oversubscribed": True})


def place_of(arm: OverlapArm, launch: LaunchRecord) -> Place:
    """Where ranks of a launch were: nodes as they were obtained."""
    asked = arm.placement
    way = asked.transport.replace(f":{asked.nodes}nodes", "")
    return Place("" if way == HERE.transport else way, launch.nodes, asked.is_pretended)
