# SPDX-License-Identifier: Apache-2.0
"""isobath audit: whether a run sent exactly the bytes that its searches need."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.limit_options import HangSeconds, TimeLimit
from isobath.cli.store_options import Store
from isobath.cli.terminal import fitted
from isobath.errors import EnvironmentProblem, ExitCode, UsageError
from isobath.kinds.race.walk import LARGEST_WALK, PROGRAM, walk
from isobath.launch.installation import Installation
from isobath.launch.limits import Asked
from isobath.launch.mpi_library import choose_library
from isobath.race.audit import audit as audit_run
from isobath.race.audit import (
    difference_in_words,
    differences,
    verdict,
    why_not,
)
from isobath.race.audit_estimate import estimated_steps, why_no_estimate
from isobath.records.audit import AuditRecord
from isobath.records.codec import encode
from isobath.records.run_records import RunRecords
from isobath.report.run_data import doubt_of
from isobath.store.folders import RunFolder
from isobath.study.folder import RUNS
from isobath.study.home import shelf
from isobath.units import format_bytes

SUMMARY_INDENT = 11
"""of what goes on below the words behind a class, in columns"""

CLASSES = {
    "a": "bitmaps and control, closed forms",
    "b": "tuples and compressed steps, counted by a serial walk",
    "c": "estimates",
}

Run = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="The run to audit: a folder, an id or its beginning, or last.",
        autocompletion=completion.studies_of("run", "search"),
    ),
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library whose build has isobath-audit.",
    ),
]
WalkTo = Annotated[
    int,
    typer.Option(
        min=0, max=31, metavar="SCALE", help="Largest scale whose graph is searched again serially."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write the audit records to this file, a JSON line each."),
]


def audit(
    run: Run = "last",
    *,
    store: Store = None,
    mpi: Mpi = None,
    walk_to: WalkTo = LARGEST_WALK,
    output: Output = None,
    hang_seconds: HangSeconds = None,
    time_limit: TimeLimit = None,
) -> int:
    """Account for every byte that a run sent: search by search, level by level, phase by phase.

    The graph of the run is generated again and walked serially. Beyond --walk-to closed forms
    take its place, exact for bitmaps and control. Ends with 0 where all is equal, with 1 where
    a byte is not, with 6 where that cannot be told.
    """
    asked = Asked(hang_seconds, time_limit)
    folder = _run_folder(store, run)
    doubt = doubt_of(folder)
    if doubt:
        print(f"isobath: {doubt}", file=sys.stderr)
    records = folder.records()
    walked = records.run.scale <= walk_to
    reason = why_not(records) or ("" if walked else why_no_estimate(records))
    if reason:
        print(fitted(f"cannot tell: {folder.run_id} was not audited, because {reason}"))
        return ExitCode.INCONCLUSIVE
    expected = walk(records, program(mpi), asked) if walked else estimated_steps(records)
    audited = audit_run(records, expected)
    if output is not None:
        _write(output, audited)
    for line in summary(records, audited):
        print(fitted(line, SUMMARY_INDENT))
    return code_of(audited)


def _run_folder(store: str | None, run: str) -> RunFolder:
    try:
        return RunFolder(shelf(store).find(run, ("run", "search")).path)
    except UsageError:
        race = _race_called(run)
        if race is None:
            raise
    raise UsageError(
        f"{run} is a race, whose runs were audited as they ended (./isobath show {race.name}); "
        f"name one of its runs to audit it again: {race / RUNS}/c001-1"
    )


def _race_called(name: str) -> Path | None:
    try:
        return shelf().find(name, ("race",)).path
    except UsageError:
        return None


def program(mpi: str | None) -> Path:
    """isobath-audit of a build. Raises: EnvironmentProblem where it is not built."""
    return choose_library(Installation.here(), mpi).program(PROGRAM)


def code_of(audited: Sequence[AuditRecord]) -> ExitCode:
    """0 where every byte was to be told and is equal, 1 where one differs, 6 else."""
    if differences(audited):
        return ExitCode.VIOLATIONS
    if any(step.audit_class == "c" for step in audited):
        return ExitCode.INCONCLUSIVE
    return ExitCode.DONE


def summary(records: RunRecords, audited: Sequence[AuditRecord]) -> list[str]:
    """The verdict first, then what it covers by class, then estimates that were not met."""
    searches = len(records.timed_searches)
    estimates = [step for step in audited if step.audit_class == "c"]
    first = verdict(audited)
    if first == "equal" and estimates:
        first = "cannot tell: all exact steps are equal, the others are estimates"
    lines = [f"{first}  ({records.run.run_id}, {searches} searches)"]
    for name, meaning in CLASSES.items():
        steps = [step for step in audited if step.audit_class == name]
        if steps:
            met = sum(step.equal for step in steps)
            counted = format_bytes(sum(step.counted_bytes for step in steps))
            word = "inside" if name == "c" else "equal"
            lines.append(
                f"  class {name}  {met:,} of {len(steps):,} steps {word}, {counted}: {meaning}"
            )
    outside = [step for step in estimates if not step.equal]
    lines += [f"  outside its estimate: {difference_in_words(step)}" for step in outside]
    return lines


def _write(path: Path, audited: Sequence[AuditRecord]) -> None:
    if path.exists():
        raise UsageError(f"{path} exists; name another file, or remove it first")
    try:
        path.write_text("".join(encode(step) + "\n" for step in audited), encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(f"cannot write {path}: {error.strerror}") from error
