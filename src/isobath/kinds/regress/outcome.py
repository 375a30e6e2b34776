# SPDX-License-Identifier: Apache-2.0
"""What a regression comes to: a verdict of every cell, guidelines, and one for all."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from math import expm1, inf, log1p
from typing import Literal

from isobath.baseline.accepting import acceptance_for, accepted_against
from isobath.baseline.chain import Baseline
from isobath.baseline.entries import Acceptance
from isobath.errors import ExitCode
from isobath.guard.design import Look, due_looks
from isobath.guard.judging import (
    Verdict,
    clock_step,
    judge_archive,
    judge_pairs,
    logarithm,
    reference_of,
)
from isobath.guard.noise import LEAST_SITTINGS, Noise
from isobath.kinds.regress.guideline_checks import BrokenNow, newly_broken
from isobath.kinds.regress.held_against import against_of, why_foreign
from isobath.kinds.regress.learned import (
    Apart,
    apart_of,
    noises_of,
    values_by_sitting,
)
from isobath.kinds.regress.moved import MovedDecision, moved_decisions
from isobath.kinds.regress.plan import NotMeasured, Side
from isobath.kinds.regress.reading import MeasuredCell, RegressFound
from isobath.kinds.regress.sittings_kept import left_out_sittings, valid_sittings

CellWord = Literal["slower", "faster", "the same", "not slower", "cannot tell", "wrong", "accepted"]

TOO_COARSE = "all times are one and the same: the clock is too coarse to tell them apart"

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
    """why nothing can be told; of what is slower why an acceptance is no excuse"""
    accepted: Acceptance | None = None
    """that holds against what this was held against"""

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
    moved: tuple[MovedDecision, ...]
    """decisions that are surely other ones than when the baseline was measured"""

    def of(self, *words: CellWord) -> tuple[CellResult, ...]:
        """Cells of which this is said."""
        return tuple(cell for cell in self.cells if cell.word in words)

    @property
    def not_measured(self) -> tuple[NotMeasured, ...]:
        """Cells of the suite that nothing measured: a regression says nothing of them."""
        plan = self.found.plan
        return plan.not_measured if plan.purpose == "regression" else ()

    @cached_property
    def wrong_sides(self) -> tuple[Side, ...]:
        """Whose results are wrong, the old library first."""
        cells = {side for cell in self.of("wrong") for side in cell.measured.wrong_sides}
        return tuple(side for side in self.found.plan.sides
                     if self.found.wrong_by.get(side) or side in cells)  # fmt: skip

    @cached_property
    def apart(self) -> Apart | None:
        """Sittings that launches are held against; None where they were taken in turns."""
        reading = self.found
        if (
            reading.baseline is None
            or reading.plan.in_turns
            or reading.plan.purpose != "regression"
        ):
            return None
        return _apart(reading.baseline, reading.measured_at)

    @cached_property
    def exit_code(self) -> ExitCode:
        """The first of 1, 5, 3 and 6 that applies."""
        reading = self.found
        if reading.wrong or self.of("wrong"):
            return ExitCode.VIOLATIONS
        if self.of("slower") or self.guidelines or self.moved:
            return ExitCode.REGRESSION
        if reading.failed or reading.unaudited or reading.is_altered or not reading.turns:
            return ExitCode.ENVIRONMENT
        is_open = self.of("cannot tell") or self.not_measured
        return ExitCode.INCONCLUSIVE if is_open else ExitCode.DONE


def is_over(reading: RegressFound) -> bool:
    """Nothing more is to be measured: all turns are done, the time is used up, every cell is
    decided, a result is wrong, or these are not the nodes of the baseline.
    """
    plan = reading.plan
    if is_at_its_end(reading) or reading.wrong or why_foreign(reading):
        return True
    if plan.purpose != "regression" or reading.turns < plan.design.looks[0].turns:
        return False
    return all(cell.word != "cannot tell" for cell in cells_of(reading, is_last=False))


def is_at_its_end(reading: RegressFound) -> bool:
    """Turns or time are used up. No value of a cell has a part in that, so that the look that falls
    there may spend all that is left; where every cell was decided before, nothing more is spent.
    """
    plan = reading.plan
    return reading.turns >= plan.turns or reading.seconds >= plan.budget_seconds


def outcome_of(reading: RegressFound) -> Outcome:
    """Looks that fell due in their order; the last takes what is left of every error."""
    is_last = is_at_its_end(reading)
    cells = tuple(cells_of(reading, is_last=is_last))
    is_held = reading.baseline is not None and reading.plan.purpose == "regression"
    if reading.wrong or not is_held or why_foreign(reading):
        return Outcome(reading, cells, (), ())
    broken = newly_broken(reading, is_last=is_last)
    return Outcome(reading, cells, broken, moved_decisions(reading))


def cells_of(reading: RegressFound, *, is_last: bool) -> list[CellResult]:
    """Every cell that is judged; none of a sitting, which is held against nothing."""
    if reading.baseline is None or reading.plan.purpose != "regression":
        return []
    archive = _Archive(reading) if not reading.plan.in_turns else None
    foreign = why_foreign(reading)
    return [_of_cell(reading, cell, archive, foreign, is_last=is_last) for cell in reading.cells]


def _apart(baseline: Baseline, now: datetime) -> Apart:
    return apart_of(valid_sittings(baseline, now), left_out_sittings(baseline, now))


class _Archive:
    """What launches of now are held against where the old library is gone."""

    def __init__(self, reading: RegressFound) -> None:
        assert reading.baseline is not None
        sittings = valid_sittings(reading.baseline, reading.measured_at)
        self.values = values_by_sitting(reading.baseline, sittings)
        self.noises: dict[str, Noise] = noises_of(reading.baseline, sittings)
        self.apart = _apart(reading.baseline, reading.measured_at)

    def why_not(self, name: str) -> str:
        """Why nothing can be told against the archive; empty where something can."""
        noise = self.noises.get(name)
        if noise is None or self.apart.separate < LEAST_SITTINGS or noise.sitting_freedom < 1:
            return (
                f"the noise between sittings is not known ({self.apart.words()}, of "
                f"{LEAST_SITTINGS} that have not expired): ./isobath calibrate noise"
            )
        return ""


def _of_cell(
    reading: RegressFound, cell: MeasuredCell, archive: _Archive | None, foreign: str, *,
    is_last: bool,
) -> CellResult:  # fmt: skip
    assert reading.baseline is not None
    accepted, no_excuse = acceptance_for(reading.baseline, cell.kept, against_of(reading, cell))
    if cell.wrong:
        return CellResult(cell, "wrong", None, cell.wrong, accepted)
    if foreign:
        return CellResult(cell, "cannot tell", None, foreign, accepted)
    factor = accepted.factor if accepted is not None else 1.0
    values = _values(cell, factor, archive)
    reason = cell.trouble or (archive.why_not(cell.kept.name) if archive is not None else "")
    if reason or not values:
        return CellResult(cell, "cannot tell", None, reason or "it was not measured", accepted)

    step = _step(cell, archive)
    if step == inf:
        return CellResult(cell, "cannot tell", None, TOO_COARSE, accepted)

    def judged(turns: int, look: Look) -> Verdict:
        if archive is None:
            return judge_pairs(values[:turns], reading.plan.design, look, step)
        name = cell.kept.name
        reference = reference_of(archive.values[name])
        return judge_archive(
            values[:turns], reference, archive.noises[name], reading.plan.design, look, step
        )

    verdict = None
    for turns, look in due_looks(reading.plan.design, len(values), is_last=is_last):
        verdict = judged(turns, look)
        if verdict.is_decided:
            break
    if verdict is None or not verdict.is_decided:
        verdict = judged(len(values), Look(len(values), 0.0))
        what = "launches" if archive is None else "sittings"
        why = f"{what} scatter more than this budget can tell" if is_last else "not yet"
        if step > log1p(reading.plan.margin) / 2:
            why = f"times come in steps of {expm1(step):.0%}: the clock is too coarse"
        return CellResult(cell, "cannot tell", verdict, why, accepted)
    word: CellWord = verdict.outcome
    if (
        accepted is not None
        and word != "slower"
        and verdict.ratio * factor > 1 + (reading.plan.margin)
    ):
        word = "accepted"
    why = _no_excuse(reading, cell, no_excuse) if word == "slower" and no_excuse else ""
    return CellResult(cell, word, verdict, why, accepted)


def _step(cell: MeasuredCell, archive: _Archive | None) -> float:
    """Of the clock, as all times of a cell show it."""
    sides: tuple[Side, ...] = ("new",) if archive is not None else ("old", "new")
    times = [taken.value for side in sides for taken in cell.by_turn(side).values()]
    if archive is not None:
        times += [time for sitting in archive.values[cell.kept.name] for time in sitting]
    return clock_step(times) if len(times) > 2 else 0.0


def _no_excuse(reading: RegressFound, cell: MeasuredCell, acceptance: Acceptance) -> str:
    """Ratios to one library say nothing of those to another."""
    assert reading.baseline is not None
    name = reading.baseline.name
    against = accepted_against(reading.baseline, cell.kept, acceptance).words(name)
    now = against_of(reading, cell).words(name)
    return (
        f"accepted as {acceptance.factor:.2f} times as long as {against}, and held against {now} "
        "here: accept it again where that is meant too"
    )


def _values(cell: MeasuredCell, factor: float, archive: _Archive | None) -> list[float]:
    """Of pairs the logarithms of their ratios; else times now. In the order of turns."""
    new = cell.by_turn("new")
    if archive is not None:
        return [new[turn].value / factor for turn in sorted(new)]
    old = cell.by_turn("old")
    both = sorted(new.keys() & old.keys())
    return [logarithm(new[turn].value, old[turn].value, factor) for turn in both]
