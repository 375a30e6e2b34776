# SPDX-License-Identifier: Apache-2.0
"""From a line to an entry: no larger than real ones are, spelled as Isobath does, or a sentence."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pydantic import ValidationError

from isobath.baseline.entries import (
    ENTRY,
    SCHEMA,
    Acceptance,
    Archive,
    Regression,
    Sitting,
    UnfitError,
    line_of,
)
from isobath.errors import EnvironmentProblem
from isobath.records import strict_json
from isobath.study.shelf import printable
from isobath.units import format_bytes

Any_: TypeAlias = Archive | Acceptance | Sitting | Regression

LARGEST_ENTRY = 1 << 26
"""bytes; one of 20,000 cells and 20 launches has 27 MB"""

LARGEST = 1 << 27
"""bytes of a whole chain, on disk as in a file"""

MARKS, MOST_MARKS = ",[{\\", 3_000_000
"""What no value is without, and how many there may be in one entry (in a chain twice as many); one
of 20,000 cells and 20 launches has 2.8 million. A short text of empty lists would take dozens of
times its size in memory."""

UNKNOWN = ("extra_forbidden", "union_tag_invalid")
"""What pydantic calls a field, and a role, that it does not know."""

NOT_SHOWN = (
    "{what} has characters that cannot be shown (of control, ends of lines), so nothing of it is "
    "taken; measure without them, or get it again from who made it"
)


def check_size(lines: Sequence[str], where: str) -> None:
    """Before anything of it is read. Raises: EnvironmentProblem for what is too large."""
    marks = 0
    for line in lines:
        of_line = sum(map(line.count, MARKS))
        marks += of_line
        if len(line) > LARGEST_ENTRY or of_line > MOST_MARKS:
            raise EnvironmentProblem(
                f"{where} has an entry that is too large to be one of a baseline: more than "
                f"{format_bytes(LARGEST_ENTRY)} or {MOST_MARKS} values; measure less, or get it "
                "again from who made it"
            )
    if sum(map(len, lines)) > LARGEST or marks > 2 * MOST_MARKS:
        raise EnvironmentProblem(
            f"{where} is too large to be a baseline: more than {format_bytes(LARGEST)} or "
            f"{2 * MOST_MARKS} values; begin a new baseline, or get it again from who made it"
        )


def entry_of(line: str, where: str) -> Any_:
    """What a line says. Raises: EnvironmentProblem, in words that begin with ``where``."""
    try:
        entry = ENTRY.validate_json(line)
        spelled = line_of(entry)
    except (ValueError, UnfitError, RecursionError) as error:
        raise _not_read(line, where, error) from error
    if spelled != line:
        raise EnvironmentProblem(f"{where} is not spelled as Isobath writes it; get it again")
    return entry


def _not_read(line: str, where: str, error: Exception) -> EnvironmentProblem:
    """Damaged, or written by a newer Isobath: by its number, or by fields that nobody knows yet."""
    newer = f"{where} was written by a newer Isobath"
    try:
        told = strict_json.loads(line)
    except ValueError as damage:
        return EnvironmentProblem(f"{where} is damaged: {_why(damage)}; get it again")
    number = told.get("schema") if isinstance(told, dict) else None
    if isinstance(number, int) and number > SCHEMA:
        return EnvironmentProblem(
            f"{newer} (schema {number}, this one reads {SCHEMA}); update Isobath"
        )
    unknown = _unknown(error)
    if unknown:
        return EnvironmentProblem(f"{newer}: this one does not know its {unknown}; update Isobath")
    return EnvironmentProblem(f"{where} is damaged: {_why(error)}; get it again")


def _faults(error: BaseException | None) -> list[tuple[str, str, str]]:
    """Of the first thing that is not what it should be: sort, field and words of each."""
    if isinstance(error, UnfitError):
        return _faults(error.__cause__)
    if not isinstance(error, ValidationError):
        return []
    told = error.errors(include_url=False, include_input=False, include_context=False)
    return [(fault["type"], str(fault["loc"][-1]) if fault["loc"] else "role", fault["msg"])
            for fault in told]  # fmt: skip


def _unknown(error: Exception) -> str:
    """Fields or a role that nobody knows, where nothing else is wrong."""
    faults = _faults(error)
    if not all(sort in UNKNOWN for sort, _, _ in faults):
        return ""
    return _short(", ".join(dict.fromkeys(field for _, field, _ in faults)))


def _why(error: Exception) -> str:
    faults = _faults(error)
    return _short(f"{faults[0][1]}: {faults[0][2]}" if faults else str(error))


def _short(words: str) -> str:
    first = printable(" ".join(words.split()))
    return first if len(first) < 160 else f"{first[:160]}..."


def check_cells(entries: Iterable[Any_], where: str) -> None:
    """Names are unique, and samples are of launches that there are."""
    for entry in entries:
        if not isinstance(entry, Archive):
            continue
        names = [cell.name for cell in entry.cells]
        if len(set(names)) < len(names):
            raise EnvironmentProblem(f"{where} names two cells alike; get it again")
        for member in entry.members:
            used = {sample.launch for cell in member.cells for sample in cell.samples}
            if not used <= member.launches.keys():
                raise EnvironmentProblem(f"{where} has times of no launch; get it again")
