# SPDX-License-Identifier: Apache-2.0
"""All that a benchmark of conjugate gradients has: tables, what is wrong, how far it came."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.kinds.cg.plan import PETSC, PLAN, CgPlan, profile_name, run_name
from isobath.kinds.cg.reading import (
    LEAST_LAUNCHES,
    Group,
    groups_of,
    has_zero_times,
    norms_apart,
    own_norms,
)
from isobath.kinds.cg.shares import Share, shares_of
from isobath.records.codec import AnyRecord
from isobath.records.collective import LaunchRecord
from isobath.records.krylov import KrylovRecord
from isobath.records.placement import OTHERWISE_PLACED
from isobath.store.launch_reader import LaunchReader
from isobath.study.bare_launch import bare_launch
from isobath.study.folder import StudyFolder


@dataclass(frozen=True)
class Measured:
    """A benchmark with all that was read of it."""

    name: str
    """of the study"""
    groups: tuple[Group, ...]
    not_measured: tuple[str, ...]
    problems: tuple[str, ...]
    """one sentence each"""
    codes: frozenset[ExitCode] = frozenset()
    """of launches, of damaged folders, of norms"""
    launches_done: int = 0
    launches: int = 0
    """all that were planned"""
    is_damaged: bool = False
    """a folder is not what was sealed"""

    @property
    def labels(self) -> tuple[str, ...]:
        """What has to be known before any number is believed."""
        sentences = []
        if self.launches_done < self.launches:
            sentences.append(
                f"UNFINISHED: {self.launches_done} of {self.launches} launches are done."
            )
        rows = [row for group in self.groups for row in group.rows if row.is_result]
        if any(len(row.records) < LEAST_LAUNCHES for row in rows):
            sentences.append(
                f"FEW LAUNCHES: fewer than {LEAST_LAUNCHES}; launches differ more than their "
                "repetitions say."
            )
        return tuple(sentences)


def read_measured(folder: StudyFolder) -> Measured:
    """Everything a benchmark has so far. Raises: EnvironmentProblem where the plan is damaged."""
    plan = PLAN.read(folder)
    reader = LaunchReader()
    by_library: dict[str, list[tuple[bool, KrylovRecord]]] = {}
    done = 0
    for arm, launch in sorted(plan.runs(), key=lambda run: (run[0].arm, run[1])):
        sealed = folder.sealed(run_name(arm, launch))
        if sealed is None:
            continue
        done += 1
        rows = reader.launch(sealed)
        launches = [row for row in rows if isinstance(row, LaunchRecord)]
        if any(not record.is_placed_as(arm.placement) for record in launches):
            reader.problems.append(f"{sealed.run_id}: {OTHERWISE_PLACED}")
        crowded = any(record.is_crowded(arm.placement) for record in launches)
        mine = [
            (arm.is_base, row.model_copy(update={"oversubscribed": True}) if crowded else row)
            for row in rows
            if isinstance(row, KrylovRecord)
        ]
        by_library.setdefault(arm.where, []).extend(mine)
    cells = [record for rows in by_library.values() for _, record in rows]
    own = own_norms(cells)
    shares = _shares(folder, plan, reader)
    groups = [
        group.held_against(own).with_shares(shares.get((group.mpi, group.ranks), {}))
        for mpi, rows in by_library.items()
        for group in groups_of(mpi, rows)
    ]
    wrong = [*_wrong(cells), *norms_apart(cells)]
    reader.codes |= {ExitCode.VIOLATIONS} if wrong else set()
    return Measured(
        folder.study_id,
        tuple(
            sorted(
                groups, key=lambda group: (group.elements, group.ranks, group.mpi.startswith(PETSC))
            )
        ),
        (*plan.left_out, *_idle(cells)),
        (*reader.problems, *wrong),
        frozenset(reader.codes - {ExitCode.DONE}),
        done,
        sum(1 for _ in plan.runs()),
        reader.is_altered,
    )


def measured_of(rows: Sequence[AnyRecord], notice: str) -> Measured:
    """Records that isobath-krylov wrote by itself, as a benchmark of one launch.

    Raises: EnvironmentProblem where there is no record of the launch.
    """
    launch, failures = bare_launch(rows)
    cells = [row for row in rows if isinstance(row, KrylovRecord)]
    own = own_norms(cells)
    groups = [
        group.held_against(own)
        for group in groups_of(launch.mpi.name, [(True, row) for row in cells])
    ]
    return Measured(
        launch.run_id,
        tuple(sorted(groups, key=lambda group: (group.elements, group.ranks))),
        tuple(_idle(cells)),
        (notice, *failures, *_wrong(cells), *norms_apart(cells)),
        launches_done=1,
        launches=1,
    )


def _shares(
    folder: StudyFolder, plan: CgPlan, reader: LaunchReader
) -> dict[tuple[str, int], dict[str, tuple[Share, ...]]]:
    shares = {}
    for arm in plan.profiled_arms():
        sealed = folder.sealed(profile_name(arm))
        rows = reader.records(sealed, "the profile is") if sealed is not None else None
        if rows is not None:
            shares[(arm.where, arm.ranks)] = shares_of(rows)
    return shares


def _wrong(cells: Sequence[KrylovRecord]) -> list[str]:
    return [
        f"{cell.method}, {cell.progress}: {cell.data_check_failure}"
        for cell in cells
        if cell.data_check == "failed"
    ]


def _idle(cells: Sequence[KrylovRecord]) -> dict[str, None]:
    idle = dict.fromkeys(
        f"{cell.progress.replace('_', ' ')} {cell.not_runnable}"
        for cell in cells
        if cell.not_runnable
    )
    return idle | dict.fromkeys(
        f"{cell.method}, {cell.progress.replace('_', ' ')}, {cell.elements} elements: the clock "
        "counts 0 for a solve, so its times are not used"
        for cell in cells
        if has_zero_times(cell)
    )
