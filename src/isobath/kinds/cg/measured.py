# SPDX-License-Identifier: Apache-2.0
"""All that a benchmark of conjugate gradients has: tables, what is wrong, how far it came."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.kinds.cg.plan import EXAMPLE, PETSC, PLAN, CgPlan, profile_name, run_name
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
from isobath.records.krylov import KrylovRecord
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
        found = []
        if self.launches_done < self.launches:
            found.append(f"UNFINISHED: {self.launches_done} of {self.launches} launches are done.")
        rows = [row for group in self.groups for row in group.rows if row.is_result]
        if any(len(row.records) < LEAST_LAUNCHES for row in rows):
            found.append(
                f"FEW LAUNCHES: fewer than {LEAST_LAUNCHES}; launches differ more than their "
                "repetitions say."
            )
        return tuple(found)


def read_measured(folder: StudyFolder) -> Measured:
    """Everything a benchmark has so far. Raises: EnvironmentProblem where the plan is damaged."""
    plan = PLAN.read(folder)
    reader = LaunchReader()
    found: dict[str, list[tuple[bool, KrylovRecord]]] = {}
    done = 0
    for arm, launch in sorted(plan.runs(), key=lambda one: (one[0].arm, one[1])):
        sealed = folder.sealed(run_name(arm, launch))
        if sealed is None:
            continue
        done += 1
        rows = reader.launch(sealed)
        mine = [(arm.is_base, one) for one in rows if isinstance(one, KrylovRecord)]
        found.setdefault(arm.mpi, []).extend(mine)
    cells = [one for rows in found.values() for _, one in rows]
    own = own_norms(cells)
    shares = _shares(folder, plan, reader)
    groups = [
        group.held_against(own).with_shares(shares.get((group.mpi, group.ranks), {}))
        for mpi, rows in found.items()
        for group in groups_of(mpi, rows)
    ]
    wrong = [*_wrong(cells), *norms_apart(cells)]
    reader.codes |= {ExitCode.VIOLATIONS} if wrong else set()
    return Measured(
        folder.study_id,
        tuple(
            sorted(groups, key=lambda one: (one.elements, one.ranks, one.mpi in (PETSC, EXAMPLE)))
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
    cells = [one for one in rows if isinstance(one, KrylovRecord)]
    own = own_norms(cells)
    groups = [
        one.held_against(own) for one in groups_of(launch.mpi.name, [(True, row) for row in cells])
    ]
    return Measured(
        launch.run_id,
        tuple(sorted(groups, key=lambda one: (one.elements, one.ranks))),
        tuple(_idle(cells)),
        (notice, *failures, *_wrong(cells), *norms_apart(cells)),
        launches_done=1,
        launches=1,
    )


def _shares(
    folder: StudyFolder, plan: CgPlan, reader: LaunchReader
) -> dict[tuple[str, int], dict[str, tuple[Share, ...]]]:
    found = {}
    for arm in plan.profiled_arms():
        sealed = folder.sealed(profile_name(arm))
        rows = reader.records(sealed, "the profile is") if sealed is not None else None
        if rows is not None:
            found[(arm.mpi, arm.ranks)] = shares_of(rows)
    return found


def _wrong(cells: Sequence[KrylovRecord]) -> list[str]:
    return [
        f"{one.method}, {one.progress}: {one.data_check_failure}"
        for one in cells
        if one.data_check == "failed"
    ]


def _idle(cells: Sequence[KrylovRecord]) -> dict[str, None]:
    found = dict.fromkeys(
        f"{one.progress.replace('_', ' ')} {one.not_runnable}" for one in cells if one.not_runnable
    )
    return found | dict.fromkeys(
        f"{one.method}, {one.progress.replace('_', ' ')}, {one.elements} elements: the clock "
        "counts 0 for a solve, so its times are not used"
        for one in cells
        if has_zero_times(one)
    )
