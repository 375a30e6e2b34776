# SPDX-License-Identifier: Apache-2.0
"""What a regression comes to: a verdict of every cell, guidelines, and one for all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Literal

from isobath.baseline.accepting import accepted_factors
from isobath.baseline.entries import Acceptance, Sitting
from isobath.baseline.gathering import machine_of
from isobath.errors import ExitCode
from isobath.guard.design import Design, Look
from isobath.guard.judging import (
    Verdict,
    judge_archive,
    judge_pairs,
    logarithm,
    reference_of,
)
from isobath.guard.noise import LEAST_SITTINGS, Noise
from isobath.kinds.regress.guideline_checks import BrokenNow, newly_broken
from isobath.kinds.regress.learned import noises_of, valid_sittings, values_by_sitting
from isobath.kinds.regress.reading import MeasuredCell, RegressFound

CellWord = Literal["slower", "faster", "the same", "not slower", "cannot tell", "wrong", "accepted"]

FIRST: tuple[CellWord, ...] = (
    "wrong", "slower", "cannot tell", "accepted", "faster", "not slower", "the same",
)  # fmt: skip
"""In which they are told."""


@dataclass(frozen=True)
class CellResult:
    """A cell with what is said of it."""

    measured: MeasuredCell
    word: CellWord
    verdict: Verdict | None
    reason: str = ""
    """why nothing can be told"""
    accepted: Acceptance | None = None

    @property
    def name(self) -> str:
        """As in the baseline."""
        return self.measured.kept.name


@dataclass(frozen=True)
class Outcome:
    """All of it."""

    found: RegressFound
    cells: tuple[CellResult, ...]
    guidelines: tuple[BrokenNow, ...]
    """newly broken"""

    def of(self, *words: CellWord) -> tuple[CellResult, ...]:
        """Cells of which this is said."""
        return tuple(cell for cell in self.cells if cell.word in words)

    @cached_property
    def exit_code(self) -> ExitCode:
        """The first of 1, 5, 3 and 6 that applies."""
        found = self.found
        if found.wrong or self.of("wrong"):
            return ExitCode.VIOLATIONS
        if self.of("slower") or self.guidelines:
            return ExitCode.REGRESSION
        if found.failed or found.is_altered or not found.turns:
            return ExitCode.ENVIRONMENT
        return ExitCode.INCONCLUSIVE if self.of("cannot tell") else ExitCode.DONE


def is_over(found: RegressFound) -> bool:
    """Nothing more is to be measured: all turns are done, the time is used up, every cell is
    decided, or a result is wrong.
    """
    plan = found.plan
    if is_at_its_end(found) or found.wrong:
        return True
    if plan.purpose != "regression" or found.turns < plan.design.looks[0].turns:
        return False
    return all(cell.word != "cannot tell" for cell in cells_of(found, is_last=False))


def is_at_its_end(found: RegressFound) -> bool:
    """Turns or time are used up. No value of a cell has a part in that, so that the look that falls
    there may spend all that is left; where every cell was decided before, nothing more is spent.
    """
    plan = found.plan
    return found.turns >= plan.turns or found.seconds >= plan.budget_seconds


def outcome_of(found: RegressFound) -> Outcome:
    """Looks that fell due in their order; the last takes what is left of every error."""
    cells = tuple(cells_of(found, is_last=is_at_its_end(found)))
    broken = newly_broken(found) if found.plan.in_turns and not found.wrong else ()
    return Outcome(found, cells, broken)


def cells_of(found: RegressFound, *, is_last: bool) -> list[CellResult]:
    """Every cell that is judged."""
    if found.baseline is None:
        return []
    accepted = accepted_factors(found.baseline)
    sittings = valid_sittings(found.baseline, datetime.now(UTC))
    archive = _Archive(found, sittings) if not found.plan.in_turns else None
    return [_of_cell(found, cell, accepted.get(cell.kept.name), archive, is_last=is_last)
            for cell in found.cells]  # fmt: skip


class _Archive:
    """What launches of now are held against where the old library is gone."""

    def __init__(self, found: RegressFound, sittings: Sequence[Sitting]) -> None:
        assert found.baseline is not None
        self.values = values_by_sitting(found.baseline, sittings)
        self.noises: dict[str, Noise] = noises_of(found.baseline, sittings)
        self.sittings = len(sittings)
        here = {machine_of(one.facts) for sides in found.sides.values() for side in sides
                for one in side.launches.values()}  # fmt: skip
        there = {cell.kept.key.machine for cell in found.cells}
        self.is_foreign = bool(here and there) and not here <= there
        self.across = found.plan.across_machines

    def why_not(self, name: str) -> str:
        """Why nothing can be told against the archive; empty where something can."""
        if self.is_foreign and not self.across:
            return "the baseline is of another machine: --across-machines compares all the same"
        noise = self.noises.get(name)
        if noise is None or self.sittings < LEAST_SITTINGS or noise.sitting_freedom < 1:
            return (
                f"the noise between sittings is not known ({self.sittings} of {LEAST_SITTINGS} "
                "that have not expired): ./isobath calibrate noise"
            )
        return ""


def _of_cell(
    found: RegressFound, cell: MeasuredCell, accepted: Acceptance | None,
    archive: _Archive | None, *, is_last: bool,
) -> CellResult:  # fmt: skip
    if cell.wrong:
        return CellResult(cell, "wrong", None, cell.wrong, accepted)
    factor = accepted.factor if accepted is not None else 1.0
    values = _values(cell, factor, archive)
    reason = cell.trouble or (archive.why_not(cell.kept.name) if archive is not None else "")
    if reason or not values:
        return CellResult(cell, "cannot tell", None, reason or "it was not measured", accepted)

    def judged(turns: int, look: Look) -> Verdict:
        if archive is None:
            return judge_pairs(values[:turns], found.plan.design, look)
        name = cell.kept.name
        reference = reference_of(archive.values[name])
        return judge_archive(
            values[:turns], reference, archive.noises[name], found.plan.design, look
        )

    verdict = None
    for turns, look in due_looks(found.plan.design, len(values), is_last=is_last):
        verdict = judged(turns, look)
        if verdict.is_decided:
            break
    if verdict is None or not verdict.is_decided:
        verdict = judged(len(values), Look(len(values), 0.0))
        why = "launches scatter more than this budget can tell" if is_last else "not yet"
        return CellResult(cell, "cannot tell", verdict, why, accepted)
    word: CellWord = verdict.outcome
    if (
        accepted is not None
        and word != "slower"
        and verdict.ratio * factor > 1 + (found.plan.margin)
    ):
        word = "accepted"
    return CellResult(cell, word, verdict, "", accepted)


def _values(cell: MeasuredCell, factor: float, archive: _Archive | None) -> list[float]:
    """Of pairs the logarithms of their ratios; else times now. In the order of turns."""
    new = cell.by_turn("new")
    if archive is not None:
        return [new[turn].value / factor for turn in sorted(new)]
    old = cell.by_turn("old")
    both = sorted(new.keys() & old.keys())
    return [logarithm(new[turn].value, old[turn].value, factor) for turn in both]


def due_looks(design: Design, turns: int, *, is_last: bool) -> list[tuple[int, Look]]:
    """Looks that have fallen due, with the number of values of each."""
    due = [(look.turns, look) for look in design.looks if look.turns <= turns]
    if is_last and (not due or due[-1][0] < turns):
        last = design.look_at(turns, is_last=True)
        assert last is not None
        due.append((turns, last))
    elif is_last and due:
        last = design.look_at(due[-1][0], is_last=True)
        assert last is not None
        due[-1] = (due[-1][0], last)
    return due
