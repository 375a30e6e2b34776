# SPDX-License-Identifier: Apache-2.0
"""One run from its launch to its sealed folder."""

from dataclasses import dataclass, fields
from datetime import UTC, datetime

from isobath import __version__
from isobath.cli.calibration import refine
from isobath.cli.engine_arguments import arguments_of, engine_line
from isobath.cli.run_preparation import PreparedRun
from isobath.cli.run_progress import RunProgress
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode, IsobathError
from isobath.launch.ending import failure_record, is_known_better, judge, state_of
from isobath.launch.engine_run import Files, Outcome, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.memory_limits import limits_for_environment
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import Nodes, nodes_for
from isobath.launch.transport import transport_of
from isobath.machine.environment import read_environment
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from isobath.store.folders import OpenRun, RunFolder, RunPaths
from isobath.store.run_summary import RunSummary, Setting


@dataclass(frozen=True)
class FinishedRun:
    """A sealed run and what is to be said of it."""

    folder: RunFolder
    records: RunRecords | None
    """absent where the run ended before its first record, or the records are damaged"""
    exit_code: ExitCode
    message: str | None
    """one sentence where the run did not complete well"""


def line_for(prepared: PreparedRun, run: RunPaths, nodes: Nodes | None = None) -> LaunchLine:
    """What starts this run, on the nodes of its transport."""
    settings, layout = prepared.settings, prepared.layout
    return engine_line(
        prepared.mpi, settings, layout, arguments_of(run, settings, layout, prepared.scale), nodes
    )


def execute_run(prepared: PreparedRun, run: OpenRun, interrupts: Interrupts) -> FinishedRun:
    """Launches, watches and seals. A run that goes wrong is sealed too, with its reason.

    Raises: EnvironmentProblem where nothing could be started or the folder cannot be sealed.
    """
    started = datetime.now(UTC)
    environment = read_environment(prepared.machine)
    environment |= limits_for_environment(Installation.here().state_folder, prepared.machine)
    progress = RunProgress(run, searches=prepared.searches, expected=prepared.duration)
    files = Files(
        records=run.records, stdout=run.stdout, stderr=run.stderr, heartbeat=run.heartbeat
    )
    with nodes_for(transport_of(prepared.settings.transport)) as nodes, progress:
        line = line_for(prepared, run, nodes)
        outcome = run_engine(
            line,
            files,
            ranks=prepared.layout.ranks,
            run_id=run.run_id,
            limits=prepared.limits,
            watch=progress,
            interrupts=interrupts,
        )
    return _seal(prepared, run, line, environment, outcome, started)


def _seal(
    prepared: PreparedRun,
    run: OpenRun,
    line: LaunchLine,
    environment: dict[str, object],
    outcome: Outcome,
    started: datetime,
) -> FinishedRun:
    trouble = outcome.trouble
    if trouble and ("failure" not in outcome.kinds or is_known_better(trouble)):
        run.append_cause(failure_record(run.run_id, trouble, outcome.elapsed_seconds))
    code, state, message = (
        outcome.exit_code,
        state_of(outcome),
        trouble.message if trouble else None,
    )
    records = None
    try:
        records = RunRecords.of(read_records(run.records))
    except IsobathError as error:
        if trouble is None:
            code, state = ExitCode.INTERNAL, "failed"
            message = f"the engine wrote records that cannot be read: {error}"
    if records is not None and trouble is None:
        code, state, message = judge(records, code, interrupted=outcome.interrupted)
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=started,
        ended=datetime.now(UTC),
        state=state,
        verdict=records.verdict if records else "unvalidated",
        exit_code=int(code),
        message=message,
        command=typed_command(),
        launch_line=line.command,
        launch_environment=line.environment,
        notes=prepared.notes,
        settings={
            spec.name: Setting(
                value=getattr(prepared.settings, spec.name), origin=prepared.origins[spec.name]
            )
            for spec in fields(prepared.settings)
        },
    )
    facts = {
        "launch_line": line.text(),
        "mpi": _mpi_facts(prepared.mpi),
        "nodes": [environment],
        "removed_shared_memory": list(outcome.removed_shared_memory),
    }
    if records is not None and records.verdict == "unvalidated" and records.timed_searches:
        run.mark_unvalidated()
    folder = run.seal(summary, facts)
    if records is not None and code == ExitCode.DONE:
        refine(
            Installation.here(),
            prepared.machine,
            prepared.mpi,
            prepared.layout,
            prepared.settings,
            records,
            outcome.elapsed_seconds,
        )
    return FinishedRun(folder, records, code, message)


def _mpi_facts(mpi: MpiLibrary) -> dict[str, str]:
    """Which library it was, and how it was reached: by its own build, or by the standard ABI."""
    found = {"id": mpi.id, "kind": mpi.kind, "version": mpi.version, "abi": mpi.abi}
    return found | ({"folder": str(mpi.place.folder)} if mpi.place else {})
