# SPDX-License-Identifier: Apache-2.0
"""What isobath race prints: before, while and after the runs."""

from dataclasses import dataclass
from pathlib import Path

from isobath.cli.places import (
    races_folder,
    reports_folder,
    shown,
    typed_race,
)
from isobath.cli.race_audit import Auditor, check_audit_programs
from isobath.cli.race_design import Wish
from isobath.cli.race_execution import RaceExecution
from isobath.cli.race_preparation import check_cells, describe, plan_race, rough_calibration
from isobath.cli.run_output import say
from isobath.cli.studies import Ending, show_found, try_report
from isobath.errors import ExitCode
from isobath.kinds.race.kind import KIND
from isobath.launch.interrupts import Interrupts
from isobath.plan.duration import Calibration
from isobath.race.folders import RaceFolder, resolve_race
from isobath.race.spec import RaceSpec
from isobath.units import format_bytes


@dataclass(frozen=True)
class Places:
    """Where a race and its report go."""

    races: Path
    reports: Path
    with_report: bool

    @classmethod
    def of(cls, races: str | None, reports: str | None, *, with_report: bool) -> "Places":
        """The folders named, else those of this checkout."""
        return cls(races_folder(races), reports_folder(reports), with_report)


def start(places: Places, wish: Wish, command: tuple[str, ...], *, dry_run: bool) -> int:
    """A new race, from its design to its table; returns the exit code.

    Raises: IsobathError where a cell cannot be run; nothing has been started then.
    """
    spec = plan_race(wish, command)
    folder = RaceFolder(places.races / spec.race_id)
    calibration = rough_calibration(spec, say)
    prepared = check_cells(spec, folder.runs, calibration)
    if spec.audit:
        check_audit_programs(spec)
    if dry_run:
        return _show_plan(spec, folder)
    most = max(prepared, key=lambda one: one.memory.peak_bytes)
    say(
        f"{len(spec.cells) * spec.repeats} runs of {len(spec.cells)} cells in random order (seed "
        f"{spec.seed}), at most {format_bytes(most.memory.peak_bytes)} of memory at a time"
    )
    folder.write_spec(spec)
    return _perform(places, spec, folder, calibration)


def go_on(places: Places, wanted: str, *, dry_run: bool) -> int:
    """What is left of a race; returns the exit code. Raises: IsobathError as ``start``."""
    folder = resolve_race(places.races, wanted)
    spec = folder.spec()
    left = folder.to_do(spec)
    if dry_run:
        return _show_plan(spec, folder)
    total = len(spec.cells) * spec.repeats
    if left:
        say(f"race {spec.race_id}: {total - len(left)} of {total} runs are done, going on")
    else:
        say(f"race {spec.race_id} is complete: all {total} runs are done")
    return _perform(places, spec, folder, rough_calibration(spec, say) if left else None)


def _show_plan(spec: RaceSpec, folder: RaceFolder) -> int:
    """``--dry-run``: every run in its order."""
    for place, (cell, repeat) in enumerate(folder.to_do(spec), start=1):
        again = f", repeat {repeat}" if spec.repeats > 1 else ""
        print(f"{place:>4}  {cell.cell}  {describe(cell)}{again}")
    print(f"race folder: {shown(folder.path)}")
    return int(ExitCode.DONE)


def _perform(
    places: Places, spec: RaceSpec, folder: RaceFolder, calibration: Calibration | None
) -> int:
    with folder.locked(), Interrupts() as interrupts:
        auditor = Auditor(folder) if spec.audit else None
        outcome = RaceExecution(
            spec, folder, calibration=calibration, auditor=auditor, say=say
        ).run(interrupts)
        code = int(outcome.exit_code)
        if outcome.done:
            found = KIND.read(folder.path)
            show_found(KIND, folder.path, found)
            print(f"race    {shown(folder.path)}")
            if places.with_report and not interrupts.wants_end_now:
                ending = Ending(reports=str(places.reports))
                written = int(try_report(KIND, folder.path, found, ending))
                code = code or written
        if outcome.interrupted:
            say(
                f"interrupted after {outcome.done} of {outcome.total} runs; they are kept: go on "
                f"with ./isobath race --resume {typed_race(folder)}"
            )
        say(f"race {shown(folder.path)}")
        say(f"next: ./isobath show {typed_race(folder)}")
    return code
