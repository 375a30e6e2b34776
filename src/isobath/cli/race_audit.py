# SPDX-License-Identifier: Apache-2.0
"""The byte audit of the runs of a race, as isobath audit makes it, kept in audit.jsonl."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from isobath.cli.audit import LARGEST_WALK, PROGRAM, walk
from isobath.cli.run_preparation import chosen_build
from isobath.errors import EnvironmentProblem, ExitCode, IsobathError
from isobath.launch.installation import Installation
from isobath.launch.mpi_library import choose_library
from isobath.race.audit import OUTSIDE, audit, difference_in_words, differences, why_not
from isobath.race.audit_estimate import estimated_steps, why_no_estimate
from isobath.race.folders import RaceFolder
from isobath.race.results import audited_runs
from isobath.race.spec import RaceCell, RaceSpec
from isobath.records.audit import AuditRecord
from isobath.records.codec import encode
from isobath.store.folders import RunFolder


@dataclass(frozen=True)
class AuditOutcome:
    """What an audit found."""

    words: str
    code: ExitCode
    """0 where all is equal, 1 where not, others where there was no audit"""


class Auditor:
    """Audits runs and appends what it finds to audit.jsonl."""

    def __init__(self, folder: RaceFolder) -> None:
        self._folder = folder
        _drop_torn_run(folder.audit)
        self._known = audited_runs(folder)

    def audit(self, run: RunFolder, cell: RaceCell) -> AuditOutcome:
        """The audit of a run that was completed; one that was made before is not made again.

        Beyond LARGEST_WALK only what closed forms know exactly is compared to the byte.

        Raises: EnvironmentProblem where it cannot be kept.
        """
        known = self._known.get(run.run_id)
        if known is not None:
            words = "audit equal" if known else "AUDIT UNEQUAL, see audit.jsonl"
            return AuditOutcome(words, ExitCode.DONE if known else ExitCode.VIOLATIONS)
        try:
            records = run.records()
            walked = records.run.scale <= LARGEST_WALK
            reason = why_not(records) or ("" if walked else why_no_estimate(records))
            if reason:
                raise EnvironmentProblem(reason)
            expected = walk(records, audit_program(cell)) if walked else estimated_steps(records)
        except IsobathError as error:
            return AuditOutcome(f"not audited: {error}", error.exit_code)
        found = audit(records, expected) or (_nothing_sent(run.run_id),)
        self._append(found)
        wrong = differences(found)
        if wrong:
            words = f"AUDIT UNEQUAL, {difference_in_words(wrong[0])}"
            return AuditOutcome(words, ExitCode.VIOLATIONS)
        exact = all(one.audit_class != "c" for one in found)
        return AuditOutcome("audit equal" if exact else "audit: exact steps equal", ExitCode.DONE)

    def _append(self, records: tuple[AuditRecord, ...]) -> None:
        text = "".join(encode(one) + "\n" for one in records)
        try:
            with self._folder.audit.open("a", encoding="utf-8") as out:
                out.write(text)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self._folder.audit}: {error.strerror}; free some space"
            ) from error


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


def _drop_torn_run(path: Path) -> None:
    """A killed race may leave half an audit of its last run: that run is audited again.

    Raises: EnvironmentProblem where the file cannot be written.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        if not lines or lines[-1].endswith("\n"):
            return
        found = re.search(r'"run_id":"([^"]*)"', lines[-1])
        torn = f'"run_id":"{found[1]}"' if found else None
        kept = [one for one in lines[:-1] if torn is None or torn not in one]
        fresh = path.with_suffix(".new")
        fresh.write_text("".join(kept), encoding="utf-8")
        fresh.replace(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; mend the permissions"
        ) from error


def check_audit_programs(spec: RaceSpec) -> None:
    """Whether every build can be audited. Raises: EnvironmentProblem saying how to do without."""
    for cell in spec.cells:
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
