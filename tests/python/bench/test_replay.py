# SPDX-License-Identifier: Apache-2.0
"""A search's traffic as cells: which calls, along what, and what is said of both times."""

import re
from pathlib import Path
from typing import Any

import pytest

from bench.made_up import HEADER, record
from isobath.bench.measured import Measured, MeasuredCell
from isobath.bench.plan import Arm
from isobath.bench.replay import AS_CALLS, Replay, compared, replay_of
from isobath.cli.main import main
from isobath.errors import UsageError
from isobath.kinds.replay.plan import ReplayPlan, recorded_seconds
from isobath.kinds.replay.sections import section, sentence
from isobath.records.codec import AnyRecord
from isobath.records.communication import TrafficMatrixRecord
from isobath.records.run_records import RunRecords
from isobath.view.terminal import printed
from records.examples import RUN_ID, level_record, run_record, search_record
from store.test_folders import sealed

NOTHING = ((0,) * 4,) * 3
"""of ranks 1 to 3"""


def matrix(search: int, level: int, phase: str, bytes_sent: int, **more: Any) -> AnyRecord:
    return TrafficMatrixRecord.model_validate(
        {
            "run_id": RUN_ID,
            "part": "search",
            "phase": phase,
            "kernel": "bfs",
            "search": search,
            "level": level,
            "ranks": 4,
            "unit": "rank",
            "bytes": ((0, bytes_sent, 0, 0), *NOTHING),
            "messages": ((0, 1, 0, 0), *NOTHING),
            **more,
        }
    )


def records(*rows: AnyRecord, ranks: int = 4) -> RunRecords:
    run = run_record().model_copy(update={"ranks": ranks, "grid_rows": 2, "grid_cols": 2})
    levels = [
        level_record(search, level).model_copy(update={"phases": {"fold": 0.25, "expand": 0.125}})
        for search in range(3)
        for level in range(2)
    ]
    searches = [search_record(index, seconds=0.001 * (3 - index)) for index in range(3)]
    return RunRecords.of([run, *searches, *levels, *rows])


MATRICES = tuple(
    matrix(search, level, phase, size)
    for search in range(3)
    for level, phase, size in (
        (0, "expand", 8),
        (1, "fold", 100),
        (1, "count", 0),
        (0, "reduce", 8),
    )
)


def test_phases_become_the_calls_that_they_amount_to() -> None:
    found = replay_of(records(*MATRICES))

    assert found.search.index == 1  # of the median time
    assert [(one.level, one.phase, one.bytes) for one in found.phases] == [
        (0, "expand", 8),
        (1, "fold", 100),
    ]
    expand, fold = (one.cell for one in found.phases)
    assert (expand.collective, expand.along, expand.together) == ("allgatherv", "col", True)
    assert (fold.collective, fold.along, fold.shape) == ("alltoallv", "row", "2x2")
    assert [one.recorded_seconds for one in found.phases] == [0.125, 0.25]
    for one in found.phases:
        assert one.cell.counts == f"recorded:{one.name}"
        assert found.matrices()[one.name][0][1] == one.bytes
    assert {one.phase for one in found.phases} <= set(AS_CALLS)


def test_a_search_is_named_by_its_index() -> None:
    assert replay_of(records(*MATRICES), 2).search.index == 2
    with pytest.raises(UsageError, match="there are 0 to 2"):
        replay_of(records(*MATRICES), 7)


def test_what_cannot_be_replayed_is_said() -> None:
    with pytest.raises(UsageError, match="--peer-records"):
        replay_of(records())
    with pytest.raises(UsageError, match="one rank"):
        replay_of(records(*MATRICES, ranks=1))
    with pytest.raises(UsageError, match="--peer-records"):
        replay_of(records(matrix(0, 0, "expand", 8, unit="node")))
    with pytest.raises(UsageError, match="sent nothing"):
        replay_of(records(matrix(0, 0, "expand", 0)), 0)


def plan_of(found: Replay) -> ReplayPlan:
    cells = tuple(one.cell for one in found.phases)
    arm = Arm(arm="a01", mpi="m", family="hydra", ranks=found.ranks, cells=cells)
    return ReplayPlan(
        preset="replay",
        replayed=RUN_ID,
        replayed_search=found.search.index,
        recorded_seconds=recorded_seconds(found),
        matrices=found.matrices(),
        seed=1,
        launches=1,
        cpus=2,
        arms=(arm,),
    )


def test_the_plan_keeps_every_phase() -> None:
    found = replay_of(records(*MATRICES))
    assert found.phases

    read = ReplayPlan.model_validate_json(plan_of(found).model_dump_json(by_alias=True))

    assert read.phases() == found.phases


@pytest.mark.parametrize("width", [80, 60])
def test_the_table_fits_the_terminal(width: int) -> None:
    found = replay_of(records(*MATRICES))
    rows = compared(found.phases, ())
    plan = plan_of(found)
    measured = Measured(HEADER, plan, (), (), (), 0)

    parts = printed([section(measured, plan, plan.phases())], width)

    lines = [line for part in parts for line in part.plain.splitlines()]
    assert any("expand" in line for line in lines)
    assert max(map(len, lines)) <= width
    assert sentence(rows).startswith("No phase has both times")
    assert "No phase has both times" in "\n".join(lines)


def test_a_run_that_was_changed_is_not_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = sealed(tmp_path, "20260101-000000-s12-aaaa")
    path = run.path / "records.jsonl"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(b"}\n", b" }\n", 1))

    assert main(["bench", "replay", str(run.path), "--dry-run"]) == 3
    assert "is not as it was sealed" in capsys.readouterr().err


def test_of_several_libraries_each_has_its_finding() -> None:
    found = replay_of(records(*MATRICES))
    plan = plan_of(found)
    arms = [
        plan.arms[0].model_copy(update={"arm": f"a0{number}", "mpi": mpi})
        for number, mpi in enumerate(("quick", "slow"), start=1)
    ]
    cells = tuple(
        MeasuredCell(phase.cell, arm, (record(phase.cell, seconds, 1, 4),))  # type: ignore[arg-type]
        for arm, seconds in zip(arms, (1e-6, 2e-6), strict=True)
        for phase in found.phases
    )
    several = plan.model_copy(update={"arms": tuple(arms)})

    lead = section(Measured(HEADER, several, cells, (), (), 2), several, plan.phases()).lead

    assert re.fullmatch(r"Under quick: Of 375 ms .* Under slow: Of 375 ms .*", lead), lead
    alone = Measured(HEADER, plan, cells[: len(found.phases)], (), (), 1)
    assert "Under" not in section(alone, plan, plan.phases()).lead
