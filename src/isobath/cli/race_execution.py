# SPDX-License-Identifier: Apache-2.0
"""A race from its first run to its last: each run sealed, failures kept, the audit beside them."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from isobath import __version__
from isobath.cli.race_audit import Auditor, AuditOutcome
from isobath.cli.race_preparation import describe, prepare_cell
from isobath.cli.race_time import TimeLeft
from isobath.cli.run_preparation import PreparedRun
from isobath.cli.run_session import FinishedRun, execute_run
from isobath.disclosure.words import typed_command
from isobath.errors import ExitCode, IsobathError
from isobath.launch.interrupts import Interrupts
from isobath.plan.duration import Calibration
from isobath.race.folders import RaceFolder
from isobath.race.results import CellResult
from isobath.race.spec import RaceCell, RaceSpec, run_name
from isobath.records.ending import FailureRecord
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.run_summary import RunSummary
from isobath.units import format_bytes, format_roughly, format_teps

WORST_FIRST = (
    ExitCode.VIOLATIONS,
    ExitCode.INTERNAL,
    ExitCode.TIMEOUT,
    ExitCode.ENVIRONMENT,
    ExitCode.REFUSED,
    ExitCode.USAGE,
)
"""What a race ends with, where several things went wrong."""


@dataclass
class RaceOutcome:
    """How far a race came, and what went wrong."""

    done: int = 0
    total: int = 0
    interrupted: bool = False
    codes: set[ExitCode] = field(default_factory=set)
    """of runs and audits that did not end well"""

    @property
    def exit_code(self) -> ExitCode:
        """0 where every run was validated and every byte accounted for."""
        codes = self.codes | ({ExitCode.ENVIRONMENT} if self.interrupted else set())
        return next((code for code in WORST_FIRST if code in codes), ExitCode.DONE)


class RaceExecution:
    """Runs what is left of a race, in its order.

    Args: calibration is what runs are estimated by until some have been measured.
    """

    def __init__(
        self,
        spec: RaceSpec,
        folder: RaceFolder,
        *,
        calibration: Calibration | None,
        auditor: Auditor | None,
        say: Callable[[str], None],
    ) -> None:
        self._spec = spec
        self._folder = folder
        self._calibration = calibration
        self._auditor = auditor
        self._say = say
        self._time_left = TimeLeft()
        self._outcome = RaceOutcome(total=len(spec.cells) * spec.repeats)

    def run(self, interrupts: Interrupts) -> RaceOutcome:
        """Every run that has no sealed folder yet; ends early where that is asked for.

        Raises: EnvironmentProblem where nothing more can be written.
        """
        self._count_finished()
        left = self._folder.to_do(self._spec)
        for place, (cell, repeat) in enumerate(left):
            if interrupts.wants_end:
                break
            name = run_name(cell.cell, repeat)
            self._folder.set_aside(name)
            begin = time.monotonic()
            sealed, code, words = self._one(cell, name, interrupts)
            if interrupts.wants_end and code != ExitCode.DONE:
                self._folder.set_aside(name)
                break
            self._outcome.done += 1
            words += self._after(sealed, cell, code)
            self._time_left.measured(cell, time.monotonic() - begin)
            after = self._time_left.of([cell for cell, _ in left[place + 1 :]])
            about = f"; about {format_roughly(after)} left" if after else ""
            number = f"[{self._outcome.done}/{self._outcome.total}]"
            self._say(f"{number} {describe(cell)}: {words}{about}")
        self._outcome.interrupted = (
            interrupts.wants_end and self._outcome.done < self._outcome.total
        )
        return self._outcome

    def _count_finished(self) -> None:
        """Takes in the runs of an earlier sitting, and audits what was cut off before its audit."""
        for cell, repeat in self._spec.runs():
            sealed = self._folder.sealed_run(cell, repeat)
            if sealed is None:
                continue
            self._outcome.done += 1
            self._after(sealed, cell, ExitCode(sealed.summary().exit_code))

    def _one(
        self, cell: RaceCell, name: str, interrupts: Interrupts
    ) -> tuple[RunFolder, ExitCode, str]:
        """One run: its sealed folder, its exit code and what it came to."""
        try:
            prepared = prepare_cell(cell, self._folder.runs, self._say, self._calibration)
            open_run = OpenRun(self._folder.runs, name)
            finished = execute_run(prepared, open_run, interrupts)
        except IsobathError as error:
            sealed = seal_failure(self._folder, cell, name, error)
            return sealed, error.exit_code, str(error)
        return finished.folder, finished.exit_code, _came_to(finished, prepared)

    def _after(self, sealed: RunFolder, cell: RaceCell, code: ExitCode) -> str:
        """The audit of a run, and its part of the outcome; what is to be said of the audit."""
        if code != ExitCode.DONE:
            self._outcome.codes.add(code)
        if self._auditor is None or code not in (ExitCode.DONE, ExitCode.VIOLATIONS):
            return ""
        found: AuditOutcome = self._auditor.audit(sealed, cell)
        if found.code != ExitCode.DONE:
            self._outcome.codes.add(found.code)
        return f"; {found.words}"


def seal_failure(folder: RaceFolder, cell: RaceCell, name: str, error: IsobathError) -> RunFolder:
    """Keeps a run that could not be started, with its reason.

    Raises: EnvironmentProblem where that cannot be written either.
    """
    folder.set_aside(name)
    run = OpenRun(folder.runs, name)
    now = datetime.now(UTC)
    run.append(
        FailureRecord(
            run_id=name,
            phase="start",
            elapsed_seconds=0.0,
            message=str(error),
            exit_code=int(error.exit_code),
        )
    )
    summary = RunSummary(
        run_id=name,
        isobath_version=__version__,
        started=now,
        ended=now,
        state="failed",
        verdict="unvalidated",
        exit_code=int(error.exit_code),
        message=str(error),
        command=typed_command(),
        notes=(describe(cell),),
    )
    return run.seal(summary, {})


def _came_to(finished: FinishedRun, prepared: PreparedRun) -> str:
    """Rate and bytes, or what went wrong."""
    if finished.message or finished.records is None:
        return finished.message or "it left no records"
    result = CellResult.of_runs([finished.records])
    words = []
    if result.teps is not None:
        words.append(format_teps(result.teps.value))
    if result.bytes_per_rank is not None:
        words.append(f"{format_bytes(result.bytes_per_rank.value)} a rank and search")
    if prepared.layout.oversubscribed:
        words.append("oversubscribed")
    return ", ".join(words) or "no search"
