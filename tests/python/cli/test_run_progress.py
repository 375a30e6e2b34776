# SPDX-License-Identifier: Apache-2.0
import io
import json
from pathlib import Path

from isobath.cli.live import Live
from isobath.kinds.run.progress import RunProgress
from isobath.launch.engine_run import Progress
from isobath.plan.duration import Duration
from isobath.store.folders import OpenRun

PLANNED = Duration(
    startup=2.0, generation=10.0, construction=20.0, search=0.5, validation=0.5, searches=64
)


def lines(folder: Path, *looks: Progress) -> list[str]:
    out = io.StringIO()
    with Live(out) as watch:
        progress = RunProgress(OpenRun(folder, "a-run"), searches=64, expected=PLANNED, watch=watch)
        for look in looks:
            progress(look)
    return out.getvalue().splitlines()


def test_ranks_that_do_not_start_as_planned_leave_no_estimate(tmp_path: Path) -> None:
    said = lines(tmp_path, Progress(10.0, "start", -1), Progress(60.0, "start", -1))

    assert said == ["isobath: 10 s: starting", "isobath: 60 s: starting"]


def test_other_phases_have_one(tmp_path: Path) -> None:
    said = lines(tmp_path, Progress(10.0, "generate", -1))

    assert said == ["isobath: 10 s: generating edges, about 86 s left"]


def test_the_status_says_no_number_where_there_is_no_estimate(tmp_path: Path) -> None:
    run = OpenRun(tmp_path, "a-run")
    progress = RunProgress(run, searches=64, expected=PLANNED, watch=Live(io.StringIO()))

    progress(Progress(1.0, "start", -1))
    assert json.loads(run.status.read_text())["left_seconds"] == 95.0
    late = Progress(30.0, "start", -1)
    assert progress.status(late, progress.left_seconds(late))["left_seconds"] is None
