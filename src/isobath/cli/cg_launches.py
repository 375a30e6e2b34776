# SPDX-License-Identifier: Apache-2.0
"""A benchmark of conjugate gradients from its first launch to its last: each sealed."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from isobath.cli.cg_petsc import library_of
from isobath.cli.race_execution import WORST_FIRST
from isobath.cli.sealed_launch import seal_launch
from isobath.errors import ExitCode, IsobathError
from isobath.krylov.spec import PETSC, CgArm, CgFolder, CgSpec, run_name
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import NOTHING_ASKED, Asked, of_benchmark, of_silent_program
from isobath.launch.mpi_library import choose_library
from isobath.launch.petsc import Petsc
from isobath.launch.plain_run import PlainFiles, PlainOutcome, run_plainly
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.records.krylov import KrylovRecord
from isobath.records.run_records import Verdict
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun, RunPaths

OURS = "isobath-krylov"
CELL_SECONDS = 30.0
"""after which no repetition of a cell begins"""
CROWDED_SECONDS = 2.0
CROWDED_REPETITIONS = 2
NOTE = (
    "a launch of a benchmark; validated means that the norms of every cell were right; those of "
    "PETSc are held against ours where the benchmark is read"
)


def run_all(
    folder: CgFolder,
    spec: CgSpec,
    petsc: tuple[Petsc, Path] | None,
    interrupts: Interrupts,
    say: Callable[[str], None],
    *,
    asked: Asked = NOTHING_ASKED,
) -> ExitCode:
    """Every launch in its turn; the worst code of all. One that is cut off is set aside."""
    runs = list(spec.runs())
    codes = {ExitCode.DONE}
    done = 0
    for arm, launch in runs:
        code, words = _launch(folder, spec, arm, launch, petsc, interrupts, asked)
        if interrupts.wants_end and code != ExitCode.DONE:
            folder.set_aside(run_name(arm, launch))
            break
        done += 1
        codes.add(code)
        say(f"[{done}/{len(runs)}] {describe(arm)}, launch {launch}: {words}")
        if interrupts.wants_end:
            break
    if done < len(runs):
        codes.add(ExitCode.ENVIRONMENT)
        say(
            f"interrupted after {done} of {count_of(len(runs), 'launch', 'launches')}; they are "
            f"kept: ./isobath bench cg --of {folder.path.name}"
        )
    return worst_of(codes)


def worst_of(codes: Iterable[ExitCode]) -> ExitCode:
    """What a benchmark ends with, where several things went wrong."""
    found = set(codes)
    return next((code for code in WORST_FIRST if code in found), ExitCode.DONE)


def describe(arm: CgArm) -> str:
    """``mpich-wheel, 2 ranks, library, tests``."""
    modes = ", ".join(arm.modes) or "blocking"
    ranks = "1 rank" if arm.ranks == 1 else f"{arm.ranks} ranks"
    return f"{arm.mpi}, {ranks}, {modes}" + (" (oversubscribed)" if arm.crowded else "")


def line_of(
    spec: CgSpec,
    arm: CgArm,
    launch: int,
    run: RunPaths,
    petsc: tuple[Petsc, Path] | None,
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    cpus = read_machine().usable_cpus
    elements = ",".join(map(str, arm.elements))
    if arm.mpi == PETSC and petsc is not None:
        words = ["-elements", elements, "-iterations", str(spec.iterations),
                 "-repetitions", str(CROWDED_REPETITIONS if arm.crowded else spec.repetitions),
                 "-launch", str(launch), "-seed", str(spec.cell_seed(arm, launch)),
                 "-record", str(run.records), "-run_id", run.run_id,
                 "-oversubscribed", "1" if arm.crowded else "0"]  # fmt: skip
        return launch_line(library_of(petsc[0]), petsc[1], words,
                           ranks=arm.ranks, threads=1, cpus=cpus)  # fmt: skip
    library = choose_library(Installation.here(), arm.mpi)
    methods = "cg,single,gropp,pipelined" if arm.is_base else "gropp,pipelined"
    words = ["--elements", elements, "--iterations", str(spec.iterations), "--methods", methods,
             "--progress", ",".join(arm.modes) or "none",
             "--tests", ",".join(map(str, spec.tests)), "--threads", str(spec.threads),
             "--aggregators", str(arm.aggregators),
             "--repetitions", str(CROWDED_REPETITIONS if arm.crowded else spec.repetitions),
             "--budget", f"{CROWDED_SECONDS if arm.crowded else CELL_SECONDS:g}",
             "--launch", str(launch), "--seed", str(spec.cell_seed(arm, launch)),
             "--record", str(run.records), "--run-id", run.run_id,
             "--heartbeat", str(run.heartbeat.absolute())]  # fmt: skip
    line = launch_line(
        library,
        library.program(OURS),
        words,
        ranks=arm.ranks + arm.aggregators,
        threads=spec.threads,
        cpus=cpus,
    )
    return LaunchLine(line.command, line.environment | arm.environment, line.launcher)


def _launch(
    folder: CgFolder,
    spec: CgSpec,
    arm: CgArm,
    launch: int,
    petsc: tuple[Petsc, Path] | None,
    interrupts: Interrupts,
    asked: Asked,
) -> tuple[ExitCode, str]:
    run = OpenRun(folder.runs, run_name(arm, launch))
    line = None
    try:
        line = line_of(spec, arm, launch, run, petsc)
        outcome = started(line, run, arm, interrupts, asked)
    except IsobathError as error:
        outcome = PlainOutcome(error.exit_code, str(error), 0.0)
    return seal(run, arm, line, outcome)


def started(
    line: LaunchLine, run: OpenRun, arm: CgArm, interrupts: Interrupts, asked: Asked
) -> PlainOutcome:
    """A launch, to its end. PETSc's program has no heartbeat.

    Raises: EnvironmentProblem where it cannot be started or a file cannot be written.
    """
    is_ours = arm.mpi != PETSC
    heartbeat = run.heartbeat if is_ours else None
    return run_plainly(
        line,
        PlainFiles(run.stdout, run.stderr, heartbeat, results=run.records),
        ranks=arm.ranks + arm.aggregators,
        run_id=run.run_id,
        limits=of_benchmark(asked) if is_ours else of_silent_program(asked),
        interrupts=interrupts,
    )


def seal(
    run: OpenRun, arm: CgArm, line: LaunchLine | None, outcome: PlainOutcome
) -> tuple[ExitCode, str]:
    """Ends a launch: its exit code, and what it came to in words."""
    ended = datetime.now(UTC)
    code, message = outcome.exit_code, outcome.message
    rows: list[AnyRecord] = []
    try:
        if run.records.exists():
            rows = read_records(run.records, drop_torn_line=True)
    except IsobathError as error:
        code, message = ExitCode.INTERNAL, f"the program wrote records that cannot be read: {error}"
    cells = [row for row in rows if isinstance(row, KrylovRecord)]
    wrong = [row for row in cells if row.data_check == "failed"]
    if wrong:
        code = ExitCode.VIOLATIONS
        message = f"wrong norms in {count_of(len(wrong), 'cell')}, first {wrong[0].method}: "
        message += str(wrong[0].data_check_failure)
    elif message and not any(isinstance(row, FailureRecord) for row in rows):
        run.append(
            FailureRecord(
                run_id=run.run_id,
                phase="start",
                elapsed_seconds=outcome.elapsed_seconds,
                message=message,
                exit_code=int(code),
            )
        )
    verdict: Verdict = (
        "violations" if wrong else "validated" if _is_checked(cells) else "unvalidated"
    )
    seal_launch(
        run,
        line,
        mpi=arm.mpi,
        began_and_ended=(ended - timedelta(seconds=outcome.elapsed_seconds), ended),
        code=code,
        message=message,
        verdict=verdict,
        note=NOTE,
    )
    return code, message or count_of(len(cells), "cell")


def _is_checked(cells: list[KrylovRecord]) -> bool:
    """Every cell with times was held against plain conjugate gradients, and there is one."""
    measured = [one for one in cells if one.solve is not None]
    return bool(measured) and all(one.data_check == "passed" for one in measured)
