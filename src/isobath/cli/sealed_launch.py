# SPDX-License-Identifier: Apache-2.0
"""The end of a launch of a benchmark: its folder is sealed with what it was and how it ended."""

from datetime import datetime

from isobath import __version__
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode
from isobath.launch.launcher import LaunchLine
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.records.run_records import Verdict
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import RunSummary


def seal_launch(
    run: OpenRun,
    line: LaunchLine | None,
    *,
    mpi: str,
    began_and_ended: tuple[datetime, datetime],
    code: ExitCode,
    message: str,
    verdict: Verdict,
    note: str,
) -> RunFolder:
    """Args: line is absent where the launch could not be started; message is empty where all went
    well; note says what the verdict means.
    """
    started, ended = began_and_ended
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=started,
        ended=ended,
        state="complete" if code == ExitCode.DONE else "failed",
        verdict=verdict,
        exit_code=int(code),
        message=message or None,
        command=typed_command(),
        launch_line=line.command if line else (),
        launch_environment=line.environment if line else {},
        notes=(note,),
    )
    environment = read_environment(read_machine())
    facts = {"launch_line": line.text() if line else "", "mpi": mpi, "nodes": [environment]}
    return run.seal(summary, facts)
