# SPDX-License-Identifier: Apache-2.0
"""The end of a launch: its records are judged, a failure gets its record, the folder its seal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from isobath import __version__
from isobath.errors import ExitCode, IsobathError
from isobath.launch.launcher import LaunchLine
from isobath.launch.plain_run import PlainOutcome
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.records.run_records import Verdict
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import RunSummary
from isobath.study.launches import Came


@dataclass(frozen=True)
class Judgement:
    """What the records of a launch say."""

    words: str
    """where all is well: 12 cells"""
    is_checked: bool
    """there are contents, and all of them were found right"""
    wrong: str = ""
    """wrong contents, in a sentence"""
    missing: str = ""
    """what a launch that ended well should have left, in a sentence"""


@dataclass(frozen=True)
class Origin:
    """What a launch was, whatever came of it."""

    mpi: str
    """id of the library"""
    command: tuple[str, ...]
    """what the person typed"""
    note: str
    """what the verdict means"""


def end_launch(
    run: OpenRun,
    line: LaunchLine | None,
    outcome: PlainOutcome,
    origin: Origin,
    judge: Callable[[Sequence[AnyRecord]], Judgement],
) -> Came:
    """Args: line is absent where the launch could not be started.

    Raises: EnvironmentProblem where the folder cannot be written.
    """
    code, message = outcome.exit_code, outcome.message
    rows: list[AnyRecord] = []
    try:
        if run.records.exists():
            rows = read_records(run.records, drop_torn_line=True)
    except IsobathError as error:
        code, message = ExitCode.INTERNAL, f"the program wrote records that cannot be read: {error}"
    found = judge(rows)
    if found.wrong:
        code, message = ExitCode.VIOLATIONS, found.wrong
    elif code == ExitCode.DONE and found.missing:
        code, message = ExitCode.INTERNAL, found.missing
    if message and not found.wrong and not any(isinstance(one, FailureRecord) for one in rows):
        run.append(
            FailureRecord(
                run_id=run.run_id,
                phase="start",
                elapsed_seconds=outcome.elapsed_seconds,
                message=message,
                exit_code=int(code),
            )
        )
    checked: Verdict = "validated" if found.is_checked else "unvalidated"
    seal_launch(
        run,
        line,
        origin,
        elapsed_seconds=outcome.elapsed_seconds,
        code=code,
        message=message,
        verdict="violations" if found.wrong else checked,
    )
    return Came(code, message or found.words)


def seal_launch(
    run: OpenRun,
    line: LaunchLine | None,
    origin: Origin,
    *,
    elapsed_seconds: float,
    code: ExitCode,
    message: str,
    verdict: Verdict,
) -> RunFolder:
    """Seals what is there. Args: message is empty where all went well."""
    ended = datetime.now(UTC)
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=ended - timedelta(seconds=elapsed_seconds),
        ended=ended,
        state="complete" if code == ExitCode.DONE else "failed",
        verdict=verdict,
        exit_code=int(code),
        message=message or None,
        command=origin.command,
        launch_line=line.command if line else (),
        launch_environment=line.environment if line else {},
        notes=(origin.note,),
    )
    environment = read_environment(read_machine())
    facts = {"launch_line": line.text() if line else "", "mpi": origin.mpi, "nodes": [environment]}
    return run.seal(summary, facts)
