# SPDX-License-Identifier: Apache-2.0
"""The byte audit of a run: what was counted against what had to be sent, step by step.

A step is one phase of one level of one search. What had to be sent comes as lines of isobath-audit,
which walks the same graph (expected_steps), or from closed forms (race/audit_estimate.py).
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from isobath.costmodel.switches import told_switches
from isobath.errors import InternalError
from isobath.records.audit import AuditClass, AuditRecord
from isobath.records.phases import PHASE_NAMES, PhaseName
from isobath.records.run import RunRecord
from isobath.records.run_records import RunRecords

Step: TypeAlias = tuple[int, int, PhaseName]
"""search, level (OUTSIDE outside levels), phase"""

OUTSIDE = -1
SHOWN = 3
"""differences that a verdict names"""


@dataclass(frozen=True)
class Expected:
    """What all ranks together must send in one step."""

    audit_class: AuditClass
    bytes: int
    low: int | None = None
    """ends of an estimate, absent where the number is exact"""
    high: int | None = None


class WalkedLine(BaseModel):
    """A line of isobath-audit."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    search: int
    level: int
    phase: PhaseName
    audit_class: AuditClass
    bytes: int
    bytes_of_rank: tuple[int, ...]


def why_not(records: RunRecords) -> str:
    """Why a run cannot be audited to the byte; empty where it can."""
    if records.run.switches is None:
        return "it was recorded before runs told their switches"
    if not records.calls:
        return "it has no record of its calls, so bytes outside levels are unknown"
    if not records.timed_searches:
        return "it has no timed search"
    return ""


def audit_arguments(run: RunRecord) -> list[str]:
    """Options of isobath-audit that name the graph, the grid and the plan of a run."""
    assert run.switches is not None  # asked by why_not
    words = ["--scale", run.scale, "--edgefactor", run.edgefactor, "--plan", run.plan]
    words += ["--grid", f"{run.grid_rows}x{run.grid_cols}"]
    for name, value in told_switches(run.switches).items():
        words += [f"--{name.replace('_', '-')}", value]
    if run.node_of_rank is not None:
        words += ["--node-map", ",".join(map(str, run.node_of_rank))]
    return [str(word) for word in words]


def audited_searches(records: RunRecords) -> str:
    """The input of isobath-audit: each timed search with the directions of its levels."""
    directions: dict[int, dict[int, str]] = defaultdict(dict)
    for level in records.levels:
        directions[level.search][level.level] = level.direction
    lines = []
    for search in records.timed_searches:
        ways = [way for _, way in sorted(directions[search.index].items())]
        lines.append({"search": search.index, "root": search.root, "directions": ways})
    return "".join(json.dumps(line) + "\n" for line in lines)


def walked_lines(lines: Iterable[str]) -> Iterator[WalkedLine]:
    """What isobath-audit printed. Raises: InternalError for a line that it does not print."""
    for text in lines:
        try:
            yield WalkedLine.model_validate_json(text)
        except ValidationError as error:
            raise InternalError(f"isobath-audit printed what nobody reads: {text!r}") from error


def expected_steps(lines: Iterable[str]) -> dict[Step, Expected]:
    """By search, level and phase. Raises: as walked_lines()."""
    return {
        (line.search, line.level, line.phase): Expected(line.audit_class, line.bytes)
        for line in walked_lines(lines)
    }


def counted_by_levels(records: RunRecords) -> dict[Step, int]:
    """Bytes of the level records of timed searches; outside levels those of the calls."""
    timed = {search.index for search in records.timed_searches}
    bytes_by_step: dict[Step, int] = defaultdict(int)
    for record in records.levels:
        if record.search in timed:
            for phase, sent in record.bytes_sent.items():
                bytes_by_step[record.search, record.level, phase] += sent
    for (search, level, phase), sent in counted_by_calls(records).items():
        if level == OUTSIDE:
            bytes_by_step[search, level, phase] += sent
    return {step: sent for step, sent in bytes_by_step.items() if sent}


def counted_by_calls(records: RunRecords) -> dict[Step, int]:
    """Bytes of the calls that the ledger kept."""
    bytes_by_step: dict[Step, int] = defaultdict(int)
    for calls in records.calls:
        for cell in calls.cells:
            bytes_by_step[calls.search, cell.level, cell.phase] += cell.bytes_sent
    return {step: sent for step, sent in bytes_by_step.items() if sent}


def audit(records: RunRecords, expected: Mapping[Step, Expected]) -> tuple[AuditRecord, ...]:
    """One record for each step in which a byte was due or counted, in the order of the search.

    The run counts twice, in its level records and in its calls; where only one of the two is as
    expected, the other is what stands in the record.
    """
    by_levels, by_calls = counted_by_levels(records), counted_by_calls(records)
    audited = []
    for step in sorted(expected.keys() | by_levels.keys() | by_calls.keys(), key=_order):
        due = expected.get(step, Expected("a", 0))
        counts = (by_levels.get(step, 0), by_calls.get(step, 0))
        counted = next((count for count in counts if not _is_met(due, count)), counts[0])
        audited.append(
            AuditRecord(
                run_id=records.run.run_id,
                search=step[0],
                level=step[1],
                phase=step[2],
                audit_class=due.audit_class,
                expected_bytes=due.bytes,
                counted_bytes=counted,
                low_bytes=due.low,
                high_bytes=due.high,
                equal=_is_met(due, counted),
            )
        )
    return tuple(audited)


def _is_met(due: Expected, counted: int) -> bool:
    if due.low is None or due.high is None:
        return counted == due.bytes
    return due.low <= counted <= due.high


def _order(step: Step) -> tuple[int, int, int]:
    return step[0], step[1], PHASE_NAMES.index(step[2])


def differences(records: Sequence[AuditRecord]) -> tuple[AuditRecord, ...]:
    """Steps with an exact expectation that was not met."""
    return tuple(record for record in records if record.audit_class != "c" and not record.equal)


def verdict(records: Sequence[AuditRecord]) -> str:
    """ "equal", or the first steps that are not, each with its difference."""
    wrong = differences(records)
    if not wrong:
        return "equal"
    words = "; ".join(difference_in_words(record) for record in wrong[:SHOWN])
    more = len(wrong) - SHOWN
    return words + (f"; and {more} more" if more > 0 else "")


def difference_in_words(step: AuditRecord) -> str:
    """Search, level, phase and difference of one step."""
    where = "outside levels" if step.level == OUTSIDE else f"level {step.level}"
    return (
        f"search {step.search}, {where}, phase {step.phase}: {step.counted_bytes:,} bytes counted, "
        f"{step.expected_bytes:,} expected ({step.counted_bytes - step.expected_bytes:+,})"
    )
