# SPDX-License-Identifier: Apache-2.0
"""The second launch of an official run: the same keys in the plainest reading of the rules."""

import shutil
from dataclasses import replace

from isobath.errors import ExitCode, IsobathError
from isobath.kinds.run.engine_arguments import engine_arguments, engine_line
from isobath.kinds.run.preparation import PlannedRun
from isobath.kinds.run.progress import RunProgress
from isobath.kinds.run.settings import RunSettings
from isobath.launch.ending import failure_record, is_known_better
from isobath.launch.engine_run import Files, Outcome, run_engine
from isobath.launch.interrupts import Stop
from isobath.launch.namespaces import Nodes
from isobath.launch.watchdog import Trouble
from isobath.records.codec import encode
from isobath.store.folders import OpenRun
from isobath.study.driver import Driver

ENDING = "-plainest"
"""of the id of the second launch: ranks and records are told by it"""


def plainest_settings(settings: RunSettings) -> RunSettings:
    """Those of the second launch: kernel 2, nothing informed by degree, nothing prepared."""
    return replace(
        settings,
        kernel="bfs",
        sssp_plan=None,
        sssp_prune=None,
        sssp_delta=None,
        relabel="off",
        leaves="in",
        likely_parents="off",
        hubs="off",
        plainest=False,
    )


def run_plainest(
    prepared: PlannedRun,
    run: OpenRun,
    official: Outcome,
    nodes: Nodes | None,
    stop: Stop,
    driver: Driver,
) -> None:
    """Launches it after an official run that ended well, and lays its records into the folder.

    Whatever becomes of it, the official run stands: why there is no second figure is recorded.
    """
    if official.exit_code != ExitCode.DONE or official.interrupted or stop.wants_end:
        return
    driver.say("the official searches are done; the same keys in the plainest reading follow")
    folder = run.path / "plainest"
    try:
        folder.mkdir()
        _launch(prepared, run, nodes, stop, driver)
    except (IsobathError, OSError) as error:
        _record(run, Trouble(f"{error}", ExitCode.ENVIRONMENT), 0.0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _launch(
    prepared: PlannedRun, run: OpenRun, nodes: Nodes | None, stop: Stop, driver: Driver
) -> None:
    assert prepared.duration is not None, "of a dry run"
    settings = plainest_settings(prepared.settings)
    run_id, folder = run.run_id + ENDING, run.path / "plainest"
    arguments = engine_arguments(
        settings, prepared.layout, prepared.scale, run_id=run_id, folder=folder
    )
    files = Files(
        records=folder / "records.jsonl",
        stdout=folder / "stdout.txt",
        stderr=folder / "stderr.txt",
        heartbeat=folder / "heartbeat.bin",
    )
    try:
        with driver.watching() as watch:
            outcome = run_engine(
                engine_line(
                    prepared.mpi, settings, prepared.layout, arguments, prepared.placement, nodes
                ),
                files,
                ranks=prepared.layout.ranks,
                run_id=run_id,
                limits=prepared.limits,
                watch=RunProgress(
                    run, searches=prepared.searches, expected=prepared.duration, watch=watch
                ),
                interrupts=stop,
            )
    finally:
        for source, target in ((files.records, run.plainest), (files.stderr, run.plainest_stderr)):
            if source.exists():
                source.replace(target)
    trouble = outcome.trouble
    if trouble and ("failure" not in outcome.kinds or is_known_better(trouble)):
        _record(run, trouble, outcome.elapsed_seconds)


def _record(run: OpenRun, trouble: Trouble, elapsed_seconds: float) -> None:
    """Adds why it ended, after what the engine managed to write."""
    record = failure_record(run.run_id + ENDING, trouble, elapsed_seconds)
    text = run.plainest.read_bytes() if run.plainest.exists() else b""
    complete = text[: text.rfind(b"\n") + 1]
    run.plainest.write_bytes(complete + encode(record).encode() + b"\n")
