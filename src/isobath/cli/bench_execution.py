# SPDX-License-Identifier: Apache-2.0
"""A benchmark from its first launch to its last: each sealed, failures kept."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from isobath.bench.folders import BenchFolder
from isobath.bench.spec import Arm, BenchSpec, run_name
from isobath.cli.bench_preparation import PROGRAM
from isobath.cli.sealed_launch import seal_launch
from isobath.errors import ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, Limits, of_benchmark
from isobath.launch.mpi_library import choose_library
from isobath.launch.plain_run import PlainFiles, PlainOutcome, run_plainly
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord, read_records
from isobath.records.collective import CollectiveRecord
from isobath.records.ending import FailureRecord
from isobath.records.run_records import Verdict
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun, RunFolder, RunPaths
from isobath.study.runner import WORST_FIRST
from isobath.units import format_roughly

CELLS = "cells.json"


@dataclass
class BenchOutcome:
    """How far a benchmark came."""

    done: int = 0
    total: int = 0
    interrupted: bool = False
    codes: set[ExitCode] = field(default_factory=set)

    @property
    def exit_code(self) -> ExitCode:
        """0 where every launch ended well and all data were right."""
        codes = self.codes | ({ExitCode.ENVIRONMENT} if self.interrupted else set())
        return next((code for code in WORST_FIRST if code in codes), ExitCode.DONE)


def run_bench(
    folder: BenchFolder,
    spec: BenchSpec,
    interrupts: Interrupts,
    say: Callable[[str], None],
    after: Callable[[Arm, int], None] | None = None,
    *,
    asked: Asked = NOTHING_ASKED,
) -> BenchOutcome:
    """Every launch that has no sealed folder yet; ends early where that is asked for.

    Args: after is called with each launch of the plan, also with those that were done before.

    Raises: EnvironmentProblem where nothing more can be written.
    """
    left = folder.to_do(spec)
    outcome = BenchOutcome(total=len(spec.arms) * spec.launches)
    outcome.done = outcome.total - len(left)
    for arm, launch in spec.runs():
        sealed = folder.sealed_run(arm, launch)
        if sealed is not None and sealed.summary().exit_code:
            outcome.codes.add(ExitCode(sealed.summary().exit_code))
        if sealed is not None and after is not None:
            after(arm, launch)
    started, began_with = time.monotonic(), outcome.done
    for arm, launch in left:
        if interrupts.wants_end:
            break
        name = run_name(arm.arm, launch)
        folder.set_aside(name)
        sealed, code, words = _launch(folder, spec, arm, launch, interrupts, of_benchmark(asked))
        if interrupts.wants_end and code != ExitCode.DONE:
            folder.set_aside(name)
            break
        outcome.done += 1
        if code != ExitCode.DONE:
            outcome.codes.add(code)
        each = (time.monotonic() - started) / (outcome.done - began_with)
        rest = outcome.total - outcome.done
        about = f"; about {format_roughly(each * rest)} left" if rest else ""
        say(f"[{outcome.done}/{outcome.total}] {_describe(arm, launch)}: {words}{about}")
        if after is not None:
            after(arm, launch)
    outcome.interrupted = interrupts.wants_end and outcome.done < outcome.total
    return outcome


def _describe(arm: Arm, launch: int) -> str:
    forced = ", forced algorithms" if arm.environment else ""
    return f"{arm.mpi}, {count_of(arm.ranks, 'rank')}{forced}, launch {launch}"


def _launch(
    folder: BenchFolder,
    spec: BenchSpec,
    arm: Arm,
    launch: int,
    interrupts: Interrupts,
    limits: Limits,
) -> tuple[RunFolder, ExitCode, str]:
    """One launch: its sealed folder, its exit code and what it came to."""
    run = OpenRun(folder.runs, run_name(arm.arm, launch))
    cells = spec.order(arm, launch)
    wanted = {"cells": [cell.for_program() for cell in cells], "matrices": spec.matrices}
    text = json.dumps(wanted if spec.matrices else wanted["cells"], indent=1)
    (run.path / CELLS).write_text(text + "\n", encoding="utf-8")
    started = datetime.now(UTC)
    line = None
    try:
        line = line_of(spec, arm, launch, run, run.path / CELLS)
        outcome = run_plainly(
            line,
            PlainFiles(run.stdout, run.stderr, run.heartbeat),
            ranks=arm.ranks,
            run_id=run.run_id,
            limits=limits,
            interrupts=interrupts,
        )
    except IsobathError as error:
        outcome = PlainOutcome(error.exit_code, str(error), 0.0)
    return _seal(run, arm, line, outcome, started, len(cells))


def line_of(spec: BenchSpec, arm: Arm, launch: int, run: RunPaths, cells: Path) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    library = choose_library(Installation.here(), arm.mpi)
    stop = spec.stop
    arguments = [
        *("--record", str(run.records), "--run-id", run.run_id, "--cells", str(cells)),
        *("--heartbeat", str(run.heartbeat.absolute())),
        *("--launch", str(launch), "--half-width", f"{stop.half_width:g}"),
        *("--least", str(stop.least), "--most", str(stop.most)),
        *("--budget", f"{stop.budget_seconds:g}"),
    ]
    if spec.stack_seconds and launch == 1:
        arguments += ["--stacks", f"{spec.stack_seconds:g}"]
    if spec.memory_limit_bytes is not None:
        arguments += ["--memory-limit", str(spec.memory_limit_bytes)]
    line = launch_line(
        library, library.program(PROGRAM), arguments,
        ranks=arm.ranks, threads=1, cpus=read_machine().usable_cpus,
    )  # fmt: skip
    return LaunchLine(line.command, line.environment | arm.environment, line.launcher)


def _seal(
    run: OpenRun,
    arm: Arm,
    line: LaunchLine | None,
    outcome: PlainOutcome,
    started: datetime,
    wanted: int,
) -> tuple[RunFolder, ExitCode, str]:
    code, message = outcome.exit_code, outcome.message
    rows: list[AnyRecord] = []
    try:
        if run.records.exists():
            rows = read_records(run.records, drop_torn_line=True)
    except IsobathError as error:
        code, message = ExitCode.INTERNAL, f"the program wrote records that cannot be read: {error}"
    cells = [row for row in rows if isinstance(row, CollectiveRecord)]
    wrong = [row for row in cells if row.data_check == "failed"]
    if code == ExitCode.DONE and len(cells) < wanted:
        code, message = (
            ExitCode.INTERNAL,
            f"{len(cells)} of {count_of(wanted, 'cell')} left a record",
        )
    if wrong:
        code = ExitCode.VIOLATIONS
        message = f"wrong data in {count_of(len(wrong), 'cell')}, first {wrong[0].collective}: "
        message += str(wrong[0].data_check_failure)
    if message and not any(isinstance(row, FailureRecord) for row in rows) and not wrong:
        run.append(_failure(run.run_id, outcome, message, code))
    verdict: Verdict = "violations" if wrong else "validated" if cells else "unvalidated"
    sealed = seal_launch(
        run,
        line,
        mpi=arm.mpi,
        began_and_ended=(started, datetime.now(UTC)),
        code=code,
        message=message,
        verdict=verdict,
        note="a launch of a benchmark; validated means that the data of every cell were right",
    )
    idle = [row for row in cells if row.not_runnable]
    words = count_of(len(cells) - len(idle), "cell")
    words += f", {len(idle)} not runnable" if idle else ""
    return sealed, code, message or words


def _failure(run_id: str, outcome: PlainOutcome, message: str, code: ExitCode) -> FailureRecord:
    return FailureRecord(
        run_id=run_id,
        phase="start",
        elapsed_seconds=outcome.elapsed_seconds,
        message=message,
        exit_code=int(code),
    )
