# SPDX-License-Identifier: Apache-2.0
"""A benchmark of overlap from its first launch to its last: each sealed, failures kept."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from isobath.cli.bench_execution import BenchOutcome
from isobath.cli.overlap_options import PROGRAM
from isobath.cli.sealed_launch import seal_launch
from isobath.errors import ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, Limits, of_benchmark
from isobath.launch.mpi_library import choose_library
from isobath.launch.plain_run import PlainFiles, PlainOutcome, run_plainly
from isobath.machine.facts import read_machine
from isobath.overlap.folders import OverlapFolder
from isobath.overlap.plan import OverlapArm, OverlapPlan, run_name
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.records.overlap import OverlapRecord
from isobath.records.run_records import Verdict
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun, RunFolder
from isobath.units import format_roughly

CELL_SECONDS = 0.2
"""of one setting in one launch, at the most"""


def run_overlap(
    folder: OverlapFolder,
    plan: OverlapPlan,
    interrupts: Interrupts,
    say: Callable[[str], None],
    *,
    asked: Asked = NOTHING_ASKED,
) -> BenchOutcome:
    """Every launch that has no sealed folder yet or failed; ends early where that is asked for.

    Raises: EnvironmentProblem where nothing more can be written, or a calibrating launch fails.
    """
    left = folder.to_do(plan)
    outcome = BenchOutcome(total=sum(1 for _ in plan.runs()))
    outcome.done = outcome.total - len(left)
    for arm, launch in plan.runs():
        sealed = folder.sealed_run(arm, launch)
        if (arm, launch) not in left and sealed is not None and sealed.summary().exit_code:
            outcome.codes.add(ExitCode(sealed.summary().exit_code))
    started, began_with = time.monotonic(), outcome.done
    for arm, launch in left:
        if interrupts.wants_end:
            break
        name = run_name(arm, launch)
        folder.set_aside(name)
        code, words = _launch(folder, plan, arm, launch, interrupts, of_benchmark(asked))
        if interrupts.wants_end and code != ExitCode.DONE:
            folder.set_aside(name)
            break
        outcome.done += 1
        if code != ExitCode.DONE:
            outcome.codes.add(code)
        rest = outcome.total - outcome.done
        each = (time.monotonic() - started) / (outcome.done - began_with)
        about = f"; about {format_roughly(each * rest)} left" if rest else ""
        say(f"[{outcome.done}/{outcome.total}] {_describe(arm, launch)}: {words}{about}")
        if launch == 0 and code != ExitCode.DONE:
            break  # nothing can be measured without knowing how long calls take
    outcome.interrupted = interrupts.wants_end and outcome.done < outcome.total
    return outcome


def _describe(arm: OverlapArm, launch: int) -> str:
    ranks = f"{arm.ranks} rank" if arm.ranks == 1 else f"{arm.ranks} ranks"
    beside = f" and {arm.aggregators} that aggregate" if arm.aggregators else ""
    what = f"launch {launch}" if launch else "how long calls and work take"
    return f"{', '.join(arm.modes)}, {ranks}{beside}, {what}"


def line_of(
    folder: OverlapFolder, plan: OverlapPlan, arm: OverlapArm, launch: int, run: OpenRun
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    library = choose_library(Installation.here(), plan.mpi)
    if launch == 0:
        swept = ["--work", plan.work, "--ratios", "1"]
    elif arm.is_crowded:
        swept = ["--work", plan.work.split(",")[0], "--ratios", "1"]
    else:
        swept = ["--work", plan.work, "--ratios", plan.ratios]
    words = [*plan.method, *swept, "--budget", f"{CELL_SECONDS:g}",
             "--collectives", ",".join(arm.collectives), "--progress", ",".join(arm.modes),
             "--threads", str(plan.threads), "--aggregators", str(arm.aggregators),
             "--launch", str(launch), "--record", str(run.records), "--run-id", run.run_id,
             "--heartbeat", str(run.heartbeat.absolute()),
             *_references(folder, plan, arm, launch)]  # fmt: skip
    line = launch_line(
        library,
        library.program(PROGRAM),
        words,
        ranks=arm.ranks + arm.aggregators,
        threads=plan.threads,
        cpus=read_machine().usable_cpus,
    )
    return LaunchLine(line.command, line.environment | arm.environment, line.launcher)


def _references(
    folder: OverlapFolder, plan: OverlapPlan, arm: OverlapArm, launch: int
) -> list[str]:
    """How long units of work and calls took in the calibrating launch of as many ranks.

    Units are those of the first of these launches: the same work whatever the number of ranks.
    """
    calibrations = [(one, n) for one, n in plan.runs() if n == 0]
    words: list[str] = []
    for which, (one, number) in enumerate(calibrations):
        if launch == 0 and one == arm:
            break
        sealed = folder.sealed_run(one, number)
        rows = read_records(sealed.path / "records.jsonl") if sealed is not None else []
        calls: dict[str, float] = {}
        units: dict[str, float] = {}
        for row in rows:
            if not isinstance(row, OverlapRecord) or row.parts is None:
                continue
            calls.setdefault(f"{row.collective}:{row.size_bytes}", row.reference_call_nanoseconds)
            units.setdefault(row.work, row.unit_nanoseconds)
        pairs = [("--unit", units)] if which == 0 else []
        pairs += [("--reference", calls)] if one.ranks == arm.ranks else []
        for option, found in pairs:
            for name, nanoseconds in found.items():
                words += [option, f"{name}={nanoseconds!r}"]
    return words


def _launch(
    folder: OverlapFolder,
    plan: OverlapPlan,
    arm: OverlapArm,
    launch: int,
    interrupts: Interrupts,
    limits: Limits,
) -> tuple[ExitCode, str]:
    """One launch, sealed: its exit code and what it came to."""
    run = OpenRun(folder.runs, run_name(arm, launch))
    started = datetime.now(UTC)
    line = None
    try:
        line = line_of(folder, plan, arm, launch, run)
        outcome = run_plainly(
            line,
            PlainFiles(run.stdout, run.stderr, run.heartbeat),
            ranks=arm.ranks + arm.aggregators,
            run_id=run.run_id,
            limits=limits,
            interrupts=interrupts,
        )
    except IsobathError as error:
        outcome = PlainOutcome(error.exit_code, str(error), 0.0)
    sealed, words = _seal(run, plan, line, outcome, started)
    return ExitCode(sealed.summary().exit_code or 0), words


def _seal(
    run: OpenRun,
    plan: OverlapPlan,
    line: LaunchLine | None,
    outcome: PlainOutcome,
    started: datetime,
) -> tuple[RunFolder, str]:
    code, message = outcome.exit_code, outcome.message
    rows: list[AnyRecord] = []
    try:
        if run.records.exists():
            rows = read_records(run.records, drop_torn_line=True)
    except IsobathError as error:
        code, message = ExitCode.INTERNAL, f"the program wrote records that cannot be read: {error}"
    cells = [row for row in rows if isinstance(row, OverlapRecord)]
    wrong = [row for row in cells if row.data_check == "failed"]
    if wrong:
        code = ExitCode.VIOLATIONS
        message = (
            f"wrong data in {count_of(len(wrong), 'setting')}, first {wrong[0].collective} of "
        )
        message += f"{wrong[0].size_bytes} B, {wrong[0].progress}: {wrong[0].data_check_failure}"
    elif code == ExitCode.DONE and not cells:
        code, message = ExitCode.INTERNAL, "no setting left a record"
    if message and not wrong and not any(isinstance(row, FailureRecord) for row in rows):
        run.append(
            FailureRecord(
                run_id=run.run_id,
                phase="start",
                elapsed_seconds=outcome.elapsed_seconds,
                message=message,
                exit_code=int(code),
            )
        )
    verdict: Verdict = "violations" if wrong else "validated" if cells else "unvalidated"
    sealed = seal_launch(
        run,
        line,
        mpi=plan.mpi,
        began_and_ended=(started, datetime.now(UTC)),
        code=code,
        message=message,
        verdict=verdict,
        note="a launch of a benchmark of overlap; validated means that all contents were right",
    )
    return sealed, message or count_of(len(cells), "setting")
