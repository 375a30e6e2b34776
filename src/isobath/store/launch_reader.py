# SPDX-License-Identifier: Apache-2.0
"""One policy of seals: a launch that is not as it was sealed is left out of every number, named
first, and whoever shows the study ends with 3.
"""

from dataclasses import dataclass, field

from isobath.errors import ExitCode, IsobathError
from isobath.records.codec import AnyRecord, read_records
from isobath.records.ending import FailureRecord
from isobath.store.folders import RunFolder, sentence_of

READ = ("records.jsonl", "run.json")
"""What is read of a launch. A change of another file is named too, but spoils no number."""


def doubts_of(sealed: RunFolder, what: str = "the launch is") -> tuple[list[str], bool]:
    """What is not as it was sealed, in a sentence; and whether no number of it can be believed.

    Raises: EnvironmentProblem where a file cannot be read.
    """
    differences = sealed.differences()
    is_spoiled = any(name in differences for name in READ) or "foreign" in differences.values()
    if not differences:
        return [], False
    words = ", ".join(sentence_of(name, how) for name, how in differences.items())
    ending = f"; {what} left out of every number" if is_spoiled else ""
    return [f"{sealed.run_id}: {words}{ending}"], is_spoiled


@dataclass
class LaunchReader:
    """Reads sealed launches one after the other; keeps what is wrong with them."""

    problems: list[str] = field(default_factory=list)
    """one sentence each"""
    codes: set[ExitCode] = field(default_factory=set)
    """how launches ended; 3 where one is not as it was sealed"""
    left_out: list[str] = field(default_factory=list)
    """names of launches whose records are not those that were sealed"""
    is_altered: bool = False
    """a file of some launch is not as it was sealed"""

    def launch(self, sealed: RunFolder) -> list[AnyRecord]:
        """Its records, how it ended noted; none where they are not those that were sealed."""
        rows = self.records(sealed, "the launch is")
        if rows is None:
            return []
        self.problems += [
            f"{sealed.run_id}: {row.message}" for row in rows if isinstance(row, FailureRecord)
        ]
        self.codes.add(ExitCode(sealed.summary().exit_code or 0))
        return rows

    def records(self, sealed: RunFolder, what: str) -> list[AnyRecord] | None:
        """Those that were sealed; None, and one sentence, where they are not.

        Args: what begins the end of that sentence, for example ``the launch is``.
        """
        try:
            doubts, is_spoiled = doubts_of(sealed, what)
            if doubts:
                self._alter(sealed, doubts, is_spoiled=is_spoiled)
            if is_spoiled:
                return None
            sealed.summary()
            return read_records(sealed.path / "records.jsonl")
        except IsobathError as error:
            self._alter(sealed, [f"{sealed.run_id}: {error}"], is_spoiled=True)
            return None

    def _alter(self, sealed: RunFolder, sentences: list[str], *, is_spoiled: bool) -> None:
        self.problems += sentences
        self.codes.add(ExitCode.ENVIRONMENT)
        self.left_out += [sealed.run_id] if is_spoiled else []
        self.is_altered = True
