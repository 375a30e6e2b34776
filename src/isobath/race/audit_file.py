# SPDX-License-Identifier: Apache-2.0
"""audit.jsonl: the byte audit of the runs of a race, lines of JSON; read and written here alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from isobath.errors import EnvironmentProblem
from isobath.files import replace_file
from isobath.records.audit import AuditRecord
from isobath.records.codec import encode


class AuditLine(BaseModel):
    """A line of audit.jsonl: bytes of one phase of one level of one search."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    run_id: str
    search: int
    level: int
    """-1 outside of levels"""
    phase: str
    """ "all" where phases are not told apart"""
    audit_class: str
    expected_bytes: int
    counted_bytes: int
    equal: bool
    low_bytes: int | None = None
    high_bytes: int | None = None


@dataclass(frozen=True)
class AuditRead:
    """What stands in the file."""

    lines: tuple[AuditLine, ...] = ()
    problems: tuple[str, ...] = ()
    """lines that cannot be read, a sentence each"""

    def equal_by_run(self) -> dict[str, bool]:
        """Runs that have been audited, and whether every byte was accounted for."""
        equal: dict[str, bool] = {}
        for line in self.lines:
            is_estimate = line.audit_class == "c"
            equal[line.run_id] = equal.get(line.run_id, True) and (line.equal or is_estimate)
        return equal


@dataclass(frozen=True)
class AuditFile:
    """The file; it need not be there."""

    path: Path

    def read(self) -> AuditRead:
        """A last line that was torn by a kill is left out: its run is audited again.

        Raises: EnvironmentProblem where the file cannot be read.
        """
        texts = self._texts()
        lines, problems = list[AuditLine](), list[str]()
        for number, text in enumerate(texts, start=1):
            try:
                lines.append(AuditLine.model_validate_json(text))
            except ValueError:
                if number < len(texts):
                    problems.append(f"UNREAD: line {number} of {self.path.name}")
        return AuditRead(tuple(lines), tuple(problems))

    def append(self, records: Iterable[AuditRecord]) -> None:
        """Raises: EnvironmentProblem where it cannot be written."""
        text = "".join(encode(record) + "\n" for record in records)
        try:
            with self.path.open("a", encoding="utf-8") as out:
                out.write(text)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self.path}: {error.strerror}; free some space"
            ) from error

    def forget(self, *run_ids: str) -> None:
        """Takes out runs that are done again, and what a kill left of an audit.

        Raises: EnvironmentProblem where the file cannot be written.
        """
        texts = self._texts()
        gone, kept = set(run_ids), texts
        if texts and not texts[-1].endswith("\n"):
            gone.add(_run_of(texts[-1]))
            kept = texts[:-1]
        kept = [text for text in kept if _run_of(text) not in gone]
        if len(kept) == len(texts):
            return
        try:
            replace_file(self.path, "".join(kept))
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self.path}: {error.strerror}; mend the permissions"
            ) from error

    def _texts(self) -> list[str]:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot read {self.path}: {error.strerror}; check its permissions"
            ) from error
        return text.splitlines(keepends=True)


def _run_of(text: str) -> str:
    match = re.search(r'"run_id": ?"([^"]*)"', text)
    return match[1] if match else ""
