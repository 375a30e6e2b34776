# SPDX-License-Identifier: Apache-2.0
"""All that a benchmark of conjugate gradients has: tables, what is wrong, how far it came."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.kinds.cg.plan import PETSC, PLAN, CgPlan, profile_name, run_name
from isobath.kinds.cg.reading import (
    Group,
    groups_of,
    has_zero_times,
    norms_apart,
    own_norms,
)
from isobath.kinds.cg.shares import Share, shares_of
from isobath.records.codec import AnyRecord
from isobath.records.krylov import KrylovRecord
from isobath.records.placement import OTHERWISE_PLACED
from isobath.store.launch_reader import LaunchReader
from isobath.study.bare_launch import bare_launch
from isobath.study.folder import StudyFolder
from isobath.study.labels import LEAST_LAUNCHES
from isobath.study.read_launches import LaunchesRead, read_launches


@dataclass(frozen=True, kw_only=True)
class Measured(LaunchesRead):
    """A benchmark with all that was read of it."""

    groups: tuple[Group, ...]
    codes: frozenset[ExitCode] = frozenset()
    """of launches, of damaged folders, of norms"""

    @property
    def fewest_launches(self) -> int:
        """Of the rows that are results."""
        rows = [row for group in self.groups for row in group.rows if row.is_result]
        return min((len(row.records) for row in rows), default=LEAST_LAUNCHES)


def read_measured(folder: StudyFolder) -> Measured:
    """Everything a benchmark has so far. Raises: EnvironmentProblem where the plan is damaged."""
    plan = PLAN.read(folder)
    reader = LaunchReader()
    by_library: dict[str, list[tuple[bool, KrylovRecord]]] = {}
    done = 0
    for launch in read_launches(folder, plan.runs(), run_name, reader):
        done += 1
        if launch.is_otherwise_placed:
            reader.problems.append(f"{launch.run_id}: {OTHERWISE_PLACED}")
        mine = [(launch.arm.is_base, row) for row in launch.rows if isinstance(row, KrylovRecord)]
        by_library.setdefault(launch.arm.where, []).extend(mine)
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
        name=folder.study_id,
        groups=tuple(
            sorted(groups, key=lambda run: (run.elements, run.ranks, run.mpi.startswith(PETSC)))
        ),
        not_measured=(*plan.left_out, *_idle(cells)),
        problems=(*reader.problems, *wrong),
        codes=frozenset(reader.codes - {ExitCode.DONE}),
        launches_done=done,
        launches=sum(1 for _ in plan.runs()),
        is_altered=reader.is_altered,
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
        name=launch.run_id,
        groups=tuple(sorted(groups, key=lambda group: (group.elements, group.ranks))),
        not_measured=tuple(_idle(cells)),
        problems=(notice, *failures, *_wrong(cells), *norms_apart(cells)),
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
