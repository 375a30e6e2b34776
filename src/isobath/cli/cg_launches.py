# SPDX-License-Identifier: Apache-2.0
"""A benchmark of conjugate gradients from its first launch to its last: each sealed."""

import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from isobath import __version__
from isobath.cli.cg_petsc import library_of
from isobath.cli.race_execution import WORST_FIRST
from isobath.errors import ExitCode, IsobathError
from isobath.krylov.spec import PETSC, CgArm, CgFolder, CgSpec, run_name
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import choose_library
from isobath.launch.petsc import Petsc
from isobath.launch.plain_run import PlainOutcome, run_plainly
from isobath.machine.environment import read_environment
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.records.krylov import KrylovRecord
from isobath.records.run_records import Verdict
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun
from isobath.store.run_summary import RunSummary

OURS = "isobath-krylov"
CELL_SECONDS = 30.0
"""after which no repetition of a cell begins"""
CROWDED_SECONDS = 2.0
CROWDED_REPETITIONS = 2
LONGEST_LAUNCH_SECONDS = 4 * 3600.0


def run_all(
    folder: CgFolder,
    spec: CgSpec,
    petsc: tuple[Petsc, Path] | None,
    interrupts: Interrupts,
    say: Callable[[str], None],
) -> ExitCode:
    """Every launch in its turn; the worst code of all."""
    runs = list(spec.runs())
    codes = {ExitCode.DONE}
    for number, (arm, launch) in enumerate(runs, 1):
        code, words = _launch(folder, spec, arm, launch, petsc, interrupts)
        codes.add(code)
        say(f"[{number}/{len(runs)}] {describe(arm)}, launch {launch}: {words}")
        if interrupts.wants_end:
            codes.add(ExitCode.ENVIRONMENT)
            break
    return next((code for code in WORST_FIRST if code in codes), ExitCode.DONE)


def describe(arm: CgArm) -> str:
    """``mpich-wheel, 2 ranks, library, tests``."""
    modes = ", ".join(arm.modes) or "blocking"
    ranks = "1 rank" if arm.ranks == 1 else f"{arm.ranks} ranks"
    return f"{arm.mpi}, {ranks}, {modes}" + (" (oversubscribed)" if arm.crowded else "")


def line_of(
    spec: CgSpec,
    arm: CgArm,
    launch: int,
    records: Path,
    run_id: str,
    petsc: tuple[Petsc, Path] | None,
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    cpus = read_machine().usable_cpus
    elements = ",".join(map(str, arm.elements))
    if arm.mpi == PETSC and petsc is not None:
        words = ["-elements", elements, "-iterations", str(spec.iterations),
                 "-repetitions", str(CROWDED_REPETITIONS if arm.crowded else spec.repetitions),
                 "-launch", str(launch), "-seed", str(spec.cell_seed(arm, launch)),
                 "-record", str(records), "-run_id", run_id,
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
             "--record", str(records), "--run-id", run_id]  # fmt: skip
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
) -> tuple[ExitCode, str]:
    run = OpenRun(folder.runs, run_name(arm, launch))
    line = None
    try:
        line = line_of(spec, arm, launch, run.records, run.run_id, petsc)
        outcome = run_plainly(
            line,
            run.stdout,
            run.stderr,
            limit_seconds=LONGEST_LAUNCH_SECONDS,
            interrupts=interrupts,
        )
    except IsobathError as error:
        outcome = PlainOutcome(error.exit_code, str(error), 0.0)
    return seal(run, arm, line, outcome)


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
    verdict: Verdict = "violations" if wrong else "validated" if cells else "unvalidated"
    summary = RunSummary(
        run_id=run.run_id,
        isobath_version=__version__,
        started=ended - timedelta(seconds=outcome.elapsed_seconds),
        ended=ended,
        state="complete" if code == ExitCode.DONE else "failed",
        verdict=verdict,
        exit_code=int(code),
        message=message or None,
        command=("isobath", *sys.argv[1:]),
        launch_line=line.command if line else (),
        launch_environment=line.environment if line else {},
        notes=("a launch of a benchmark; validated means that the norms of every cell were right",),
    )
    facts = {"launch_line": line.text() if line else "", "mpi": arm.mpi,
             "nodes": [read_environment(read_machine())]}  # fmt: skip
    run.seal(summary, facts)
    return code, message or count_of(len(cells), "cell")
