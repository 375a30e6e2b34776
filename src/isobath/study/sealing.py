# SPDX-License-Identifier: Apache-2.0
"""The end of a launch: its records are judged, a failure gets its record, the folder its seal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from isobath import __version__
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.launch.ending import failure_record, is_known_better, judge, state_of
from isobath.launch.engine_run import Outcome
from isobath.launch.launcher import LaunchLine
from isobath.launch.library_build import build_of_id, file_of_id
from isobath.launch.plain_run import PlainOutcome
from isobath.launch.selection_tables import SelectionTables, selection_tables
from isobath.launch.watchdog import Trouble
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord, RunState
from isobath.records.run_records import RunRecords, Verdict
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import RunSummary, Setting
from isobath.study.launches import Came

LIBRARY = ("library",)
"""What stands for the words of a person where a program asked."""


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

    mpi: str | Mapping[str, str]
    """the library: its id, or what else is known of it; empty where it is not known"""
    command: tuple[str, ...]
    """what the person typed"""
    notes: tuple[str, ...] = ()
    """what was chosen, and what the verdict means"""
    settings: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True)
class HowItEnded:
    """What becomes part of run.json."""

    started: datetime
    ended: datetime
    state: RunState
    verdict: Verdict
    exit_code: int
    message: str | None
    """one sentence where not all went well"""


@dataclass(frozen=True)
class EndedRun:
    """Searches of the engine that are sealed, and what is to be said of them."""

    folder: RunFolder
    records: RunRecords | None
    """absent where they ended before the first record, or the records are damaged"""
    exit_code: ExitCode
    message: str | None
    """one sentence where they did not complete well"""


def end_launch(
    run: OpenRun,
    line: LaunchLine | None,
    outcome: PlainOutcome,
    origin: Origin,
    judge_records: Callable[[Sequence[AnyRecord]], Judgement],
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
    judged = judge_records(rows)
    if judged.wrong:
        code, message = ExitCode.VIOLATIONS, judged.wrong
    elif code == ExitCode.DONE and judged.missing:
        code, message = ExitCode.INTERNAL, judged.missing
    trouble = outcome.trouble
    if trouble is not None and is_known_better(trouble) and not judged.wrong:
        run.append_cause(failure_record(run.run_id, trouble, outcome.elapsed_seconds))
    elif message and not judged.wrong and not any(isinstance(row, FailureRecord) for row in rows):
        cause = trouble if trouble and trouble.message == message else Trouble(message, code)
        run.append(failure_record(run.run_id, cause, outcome.elapsed_seconds))
    checked: Verdict = "validated" if judged.is_checked else "unvalidated"
    verdict: Verdict = "violations" if judged.wrong else checked
    seal_launch(
        run,
        line,
        origin,
        elapsed_seconds=outcome.elapsed_seconds,
        code=code,
        message=message,
        verdict=verdict,
    )
    return Came(code, message or judged.words)


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
    how = HowItEnded(
        started=ended - timedelta(seconds=elapsed_seconds),
        ended=ended,
        state="complete" if code == ExitCode.DONE else "failed",
        verdict=verdict,
        exit_code=int(code),
        message=message or None,
    )
    return seal(run, line, origin, how)


def end_run(
    run: OpenRun,
    line: LaunchLine,
    outcome: Outcome,
    origin: Origin,
    *,
    started: datetime,
    environment: Mapping[str, object],
) -> EndedRun:
    """Seals searches of the engine, also those that went wrong, with the reason.

    Args: environment is that of the machine, as it was read for this run.
    Raises: EnvironmentProblem where the folder cannot be written.
    """
    trouble = outcome.trouble
    if trouble and ("failure" not in outcome.kinds or is_known_better(trouble)):
        run.append_cause(failure_record(run.run_id, trouble, outcome.elapsed_seconds))
    code, state = outcome.exit_code, state_of(outcome)
    message = trouble.message if trouble else None
    records = None
    try:
        records = RunRecords.of(read_records(run.records))
    except IsobathError as error:
        if trouble is None:
            code, state = ExitCode.INTERNAL, "failed"
            message = f"the engine wrote records that cannot be read: {error}"
    if records is not None and trouble is None:
        code, state, message = judge(records, code, interrupted=outcome.interrupted)
    verdict: Verdict = records.verdict if records else "unvalidated"
    if records is not None and verdict == "unvalidated" and records.timed_searches:
        run.mark_unvalidated()
    how = HowItEnded(started, datetime.now(UTC), state, verdict, int(code), message)
    facts = {"nodes": [environment], "removed_shared_memory": list(outcome.removed_shared_memory)}
    return EndedRun(seal(run, line, origin, how, facts), records, code, message)


def seal_result(
    run: OpenRun,
    name: str,
    text: str,
    origin: Origin,
    how: HowItEnded,
    facts: Mapping[str, object] | None = None,
) -> RunFolder:
    """Seals a study that is one file, for which no program was started.

    Raises: EnvironmentProblem where it cannot be written; nothing is left then.
    """
    try:
        (run.path / name).write_text(f"{text}\n", encoding="utf-8")
        return seal(run, None, origin, how, facts)
    except OSError as error:
        run.drop()
        raise EnvironmentProblem(
            f"cannot write {run.path}: {error.strerror}; name another folder with --store"
        ) from error
    except BaseException:  # whoever stops it, too
        run.drop()
        raise


def seal(
    run: OpenRun,
    line: LaunchLine | None,
    origin: Origin,
    how: HowItEnded,
    facts: Mapping[str, object] | None = None,
) -> RunFolder:
    """The one place where a folder of a launch gets its run.json and its seal.

    Args: facts become part of environment.json; without ``nodes`` the machine is read now.
    """
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=how.started,
        ended=how.ended,
        state=how.state,
        verdict=how.verdict,
        exit_code=how.exit_code,
        message=how.message,
        command=origin.command,
        launch_line=line.command if line else (),
        launch_environment=line.environment if line else {},
        notes=(*origin.notes, *([line.latency.note()] if line and line.latency else [])),
        settings=dict(origin.settings),
    )
    known: dict[str, object] = {"launch_line": line.text() if line else ""}
    known |= {"mpi": origin.mpi} if origin.mpi else {}
    known |= {"latency": line.latency.facts()} if line and line.latency else {}
    build = _build_of(origin) if line is not None else ""
    known |= {"mpi_build": build} if build else {}
    tables = _tables_of(origin) if build else SelectionTables()
    known |= {"mpi_selection": tables.digests} if tables.digests else {}
    known |= {"mpi_switches": tables.switches} if tables.switches else {}
    known |= facts or {}
    if "nodes" not in known:
        known["nodes"] = [read_environment(read_machine())]
    return run.seal(summary, known)


def _name_of(origin: Origin) -> str:
    return origin.mpi if isinstance(origin.mpi, str) else origin.mpi.get("id", "")


def _build_of(origin: Origin) -> str:
    name = _name_of(origin)
    return build_of_id(name) if name else ""


def _tables_of(origin: Origin) -> SelectionTables:
    path = file_of_id(_name_of(origin))
    return selection_tables(path) if path is not None else SelectionTables()
