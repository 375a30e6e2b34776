# SPDX-License-Identifier: Apache-2.0
"""One run from its launch to its sealed folder."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from isobath.errors import ExitCode
from isobath.kinds.run.calibration import refine
from isobath.kinds.run.engine_arguments import arguments_of, engine_line
from isobath.kinds.run.plainest import run_plainest
from isobath.kinds.run.preparation import PlannedRun
from isobath.kinds.run.progress import RunProgress
from isobath.kinds.run.settings import RUN
from isobath.kinds.settings_of import kept_settings
from isobath.launch.engine_run import Files, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine
from isobath.launch.memory_limits import limits_for_environment
from isobath.launch.namespaces import Nodes
from isobath.launch.placement import opened
from isobath.machine.environment import read_environment
from isobath.store.folders import OpenRun, RunPaths
from isobath.store.run_summary import Setting
from isobath.study.driver import SILENT, Driver
from isobath.study.sealing import EndedRun, Origin, end_run


def line_for(prepared: PlannedRun, run: RunPaths, nodes: Nodes | None = None) -> LaunchLine:
    """What starts this run, on the nodes of its placement."""
    settings, layout = prepared.settings, prepared.layout
    return engine_line(
        prepared.mpi,
        settings,
        layout,
        arguments_of(run, settings, layout, prepared.scale),
        prepared.placement,
        nodes,
    )


def execute_run(
    prepared: PlannedRun,
    run: OpenRun,
    stop: Stop,
    command: tuple[str, ...],
    driver: Driver = SILENT,
) -> EndedRun:
    """Launches, watches and seals. A run that goes wrong is sealed too, with its reason.

    Args: command is what the person typed.
    Raises: EnvironmentProblem where nothing could be started or the folder cannot be sealed.
    """
    assert prepared.duration is not None, "of a dry run"
    started = datetime.now(UTC)
    environment = read_environment(prepared.machine)
    environment |= limits_for_environment(Installation.here().state_folder, prepared.machine)
    files = Files(
        records=run.records, stdout=run.stdout, stderr=run.stderr, heartbeat=run.heartbeat
    )
    with opened(prepared.placement) as nodes, driver.watching() as watch:
        line = line_for(prepared, run, nodes)
        progress = RunProgress(
            run, searches=prepared.searches, expected=prepared.duration, watch=watch
        )
        outcome = run_engine(
            line,
            files,
            ranks=prepared.layout.ranks,
            run_id=run.run_id,
            limits=prepared.limits,
            watch=progress,
            interrupts=stop,
        )
    if prepared.settings.plainest:
        with opened(prepared.placement) as nodes:
            run_plainest(prepared, run, outcome, nodes, stop, driver)
    origin = _origin(prepared, command)
    ended = end_run(run, line, outcome, origin, started=started, environment=environment)
    if ended.records is not None and ended.exit_code == ExitCode.DONE:
        refine(
            Installation.here(),
            prepared.machine,
            prepared.mpi,
            prepared.layout,
            prepared.settings,
            ended.records,
            outcome.elapsed_seconds,
        )
    return ended


def _settings(prepared: PlannedRun) -> dict[str, Setting]:
    return {
        spec.name: Setting(
            value=getattr(prepared.settings, spec.name), origin=prepared.origins[spec.name]
        )
        for spec in fields(prepared.settings)
    }


def settings_of(prepared: PlannedRun) -> dict[str, Any]:
    """What makes this run again."""
    return kept_settings(RUN, _settings(prepared))


def _origin(prepared: PlannedRun, command: tuple[str, ...]) -> Origin:
    return Origin(prepared.mpi.facts(), command, prepared.notes, _settings(prepared))
