# SPDX-License-Identifier: Apache-2.0
"""The byte audit of the runs of a race, as isobath audit makes it, kept in audit.jsonl."""

from pathlib import Path
from typing import cast

from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.kinds.race.walk import LARGEST_WALK, PROGRAM, walk
from isobath.kinds.run.preparation import chosen_build
from isobath.launch.installation import Installation
from isobath.launch.limits import NOTHING_ASKED, Asked
from isobath.launch.mpi_library import choose_library
from isobath.race.audit import OUTSIDE, audit, difference_in_words, differences, why_not
from isobath.race.audit_estimate import estimated_steps, why_no_estimate
from isobath.race.audit_file import AuditFile
from isobath.race.plan import RaceCell, RacePlan
from isobath.records.audit import AuditRecord
from isobath.records.run_records import RunRecords
from isobath.store.folders import RunFolder
from isobath.study.launches import Came


class Auditor:
    """Audits runs, each once. Its word is 0 where all is equal, 1 where not, others where there
    was no audit.
    """

    def __init__(self, file: AuditFile, asked: Asked = NOTHING_ASKED) -> None:
        self._file = file
        self._asked = asked
        file.forget()
        self._known = file.read().equal_by_run()

    def forget(self, run_id: str) -> None:
        """A run that is done again is audited again."""
        if self._known.pop(run_id, None) is not None:
            self._file.forget(run_id)

    def audit(self, run: RunFolder, cell: RaceCell) -> Came:
        """The audit of a run that was completed; one that was made before is not made again.

        Beyond LARGEST_WALK only what closed forms know exactly is compared to the byte.

        Raises: EnvironmentProblem where it cannot be kept.
        """
        known = self._known.get(run.run_id)
        if known is not None:
            words = "audit equal" if known else "AUDIT UNEQUAL, see audit.jsonl"
            return Came(ExitCode.DONE if known else ExitCode.VIOLATIONS, words)
        try:
            records = run.records()
            walked = records.run.scale <= LARGEST_WALK
            reason = why_no_audit(records)
            if reason:
                raise EnvironmentProblem(reason)
            expected = (
                walk(records, audit_program(cell), self._asked)
                if walked
                else estimated_steps(records)
            )
        except IsobathError as error:
            return Came(error.exit_code, f"not audited: {error}")
        audited = audit(records, expected) or (_nothing_sent(run.run_id),)
        self._file.append(audited)
        wrong = differences(audited)
        if wrong:
            words = f"AUDIT UNEQUAL, {difference_in_words(wrong[0])}"
            return Came(ExitCode.VIOLATIONS, words)
        exact = all(step.audit_class != "c" for step in audited)
        return Came(ExitCode.DONE, "audit equal" if exact else "audit: exact steps equal")


def why_no_audit(records: RunRecords) -> str:
    """Why no audit of a run is possible; empty where one is."""
    walked = records.run.scale <= LARGEST_WALK
    return why_not(records) or ("" if walked else why_no_estimate(records))


def _nothing_sent(run_id: str) -> AuditRecord:
    """Says of a run without a step that it was audited."""
    return AuditRecord(
        run_id=run_id,
        search=0,
        level=OUTSIDE,
        phase="reset",
        audit_class="a",
        expected_bytes=0,
        counted_bytes=0,
        equal=True,
    )


def check_audit_programs(plan: RacePlan) -> None:
    """Whether every build can be audited. Raises: EnvironmentProblem saying how to do without."""
    for cell in plan.cells:
        if cast(int, cell.settings["scale"]) > LARGEST_WALK:
            continue
        try:
            audit_program(cell)
        except EnvironmentProblem as error:
            raise EnvironmentProblem(f"{error}, or leave the audit out: --no-audit") from error


def audit_program(cell: RaceCell) -> Path:
    """isobath-audit of the build that the cell runs.

    Raises: EnvironmentProblem where it is not built.
    """
    library = choose_library(Installation.here(), cast(str | None, cell.settings.get("mpi")))
    build = cell.settings.get("engine_build")
    return chosen_build(library, cast(str | None, build)).program(PROGRAM)
