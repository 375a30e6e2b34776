# SPDX-License-Identifier: Apache-2.0
from datetime import UTC, datetime
from pathlib import Path

import pytest

from isobath.errors import UsageError
from isobath.kinds.overlap.work import OverlapWork
from isobath.overlap.folders import PLAN, OverlapFolder
from isobath.overlap.plan import OverlapArm, OverlapPlan
from isobath.study.runner import to_do


def plan(seed: int = 1, launches: int = 4) -> OverlapPlan:
    arms = tuple(
        OverlapArm(
            arm=f"o{n:02}", modes=("tests",), collectives=(("bcast", "allreduce")[n % 2],),
            ranks=1 + n % 2,
        )
        for n in range(1, 7)
    )  # fmt: skip
    return OverlapPlan(
        mpi="m", threads=1, seed=seed, launches=launches, method=(),
        work="triad", ratios="1", arms=arms,
    )  # fmt: skip


def test_calibrations_come_first_and_every_arm_once_in_each_round_in_another_order() -> None:
    runs = [(arm.arm, launch) for arm, launch in plan().runs()]
    assert runs[:2] == [("c2", 0), ("c1", 0)]
    rounds = [[arm for arm, launch in runs if launch == n] for n in range(1, 5)]
    assert all(sorted(one) == [f"o{n:02}" for n in range(1, 7)] for one in rounds)
    assert len({tuple(one) for one in rounds}) > 1
    assert [launch for _, launch in runs[2:]] == sorted(launch for _, launch in runs[2:])
    assert runs == [(arm.arm, launch) for arm, launch in plan().runs()], "the seed says it"
    assert runs != [(arm.arm, launch) for arm, launch in plan(seed=2).runs()]


def test_a_calibration_has_the_collectives_of_its_number_of_ranks() -> None:
    assert plan().calibration(1).collectives == ("bcast",)
    assert plan().calibration(2).collectives == ("allreduce",)


def test_a_plan_is_written_once_and_read_again(tmp_path: Path) -> None:
    folder = OverlapFolder(tmp_path / "20260101-overlap-1")
    created = datetime(2026, 1, 1, tzinfo=UTC)
    PLAN.begin(folder, plan(), created=created, command=("isobath",))

    assert folder.plan() == plan()
    assert PLAN.header(folder).created == created
    left = to_do(folder, OverlapWork.of(folder).launches())
    assert len(left) == 2 + 4 * 6
    assert [one.name for one in left if one.is_needed] == ["c2-0", "c1-0"]
    with pytest.raises(UsageError, match="is there already"):
        PLAN.begin(folder, plan(), created=created, command=("isobath",))
