# SPDX-License-Identifier: Apache-2.0
"""What came of it, added to its baseline: a regression, or a sitting of noise."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from isobath.baseline.accepting import Against
from isobath.baseline.chain import Baseline, BaselineFolder, BaselineShelf
from isobath.baseline.entries import CellOutcome, Regression, Sitting
from isobath.baseline.entries import Outcome as Word
from isobath.baseline.gathering import sample_of
from isobath.kinds.regress.held_against import old_library_of, why_foreign
from isobath.kinds.regress.outcome import CellResult, Outcome, is_over
from isobath.kinds.regress.reading import RegressFound, library_of
from isobath.kinds.regress.sittings_kept import told_by
from isobath.kinds.regress.wording import verdict_words
from isobath.study.home import baselines_beside
from isobath.study.shelf import printable

PLACES = {"regression": "regressions", "noise": "sittings"}


def concluded(path: Path, outcome: Outcome) -> tuple[str, ...]:
    """Adds it once, and says so; nothing where it is not over, or the baseline is not here.

    Raises: EnvironmentProblem where it cannot be added.
    """
    reading = outcome.found
    plan = reading.plan
    if not is_over(reading) or reading.baseline is None or not reading.turns:
        return ()
    folder = BaselineShelf(baselines_beside(path)).place(plan.baseline)
    if not _is_same(folder, reading.baseline):
        return (f"the baseline {plan.baseline} is not here any more: nothing is added to it",)
    there = folder.read()
    if any(getattr(entry, "study", "") == reading.folder.study_id for entry in there.entries[1:]):
        return ()
    foreign = why_foreign(reading)
    if foreign:
        return (f"nothing is added to {plan.baseline}: {foreign}",)
    if plan.purpose == "noise":
        trouble = why_no_noise(reading)
        if trouble:
            return (f"nothing is added to {plan.baseline}: {trouble}; that is no noise",)
        folder.append(lambda _: sitting_of(reading))
        return (f"a sitting of noise was added to {plan.baseline}",)
    folder.append(lambda _: regression_of(outcome))
    return ()


def _is_same(folder: BaselineFolder, baseline: Baseline) -> bool:
    return folder.is_there and folder.read().id == baseline.id


def _began(reading: RegressFound) -> tuple[float, float]:
    began = [one.began for sides in reading.sides.values() for side in sides
             for one in side.launches.values()]  # fmt: skip
    return min(began, default=0.0), max(began, default=0.0)


def why_no_noise(reading: RegressFound) -> str:
    """Why a sitting says nothing of how right results scatter; empty where it does."""
    wrong = (*reading.wrong, *(f"{cell.kept.name}: {cell.wrong}" for cell in reading.cells
                               if cell.wrong))  # fmt: skip
    altered = (*reading.problems, "a launch is not as it was sealed") if reading.is_altered else ()
    return next(iter((*wrong, *reading.failed, *reading.unaudited, *altered)), "")


def sitting_of(reading: RegressFound) -> Sitting:
    """Times of every cell, by turn."""
    first, last = _began(reading)
    now = datetime.now(UTC)
    samples = {
        cell.kept.name: tuple(sample_of(one) for _, one in sorted(cell.by_turn("new").items()))
        for cell in reading.cells
    }
    return Sitting(
        previous="", at=now, study=reading.folder.study_id, began=first, ended=last,
        turns=reading.turns, seconds_a_turn=max(1e-6, reading.seconds / reading.turns),
        expires=now + timedelta(days=reading.plan.keep_days), samples=samples,
        facts=told_by(launch.facts for sides in reading.sides.values() for side in sides
                      for launch in side.launches.values()),
    )  # fmt: skip


def regression_of(outcome: Outcome) -> Regression:
    """Verdicts with their ratios: what a trend is made of."""
    reading = outcome.found
    first, _ = _began(reading)
    moved = {one.cell: one.after for one in outcome.moved}
    old = old_library_of(reading) if reading.plan.in_turns else Against()
    return Regression(
        previous="", at=datetime.now(UTC), study=reading.folder.study_id, began=first,
        verdict=printable(verdict_words(outcome)), exit_code=int(outcome.exit_code),
        against="old library" if reading.plan.in_turns else "archive",
        mpi=printable(library_of(reading, "new")),
        cells={one.name: _outcome(one, moved.get(one.name, "")) for one in outcome.cells},
        guidelines=tuple(one.words for one in outcome.guidelines),
        held_against=printable(old.library), held_against_build=old.build,
        variables=tuple(map(printable, reading.plan.variables)),
        across_machines=reading.plan.across_machines,
    )  # fmt: skip


def _outcome(one: CellResult, other: str) -> CellOutcome:
    word: Word = "not slower" if one.word == "accepted" else one.word
    verdict = one.verdict
    if verdict is None:
        return CellOutcome(outcome=word, other_algorithm=other)
    factor = one.accepted.factor if one.accepted else 1.0
    low, high = (None if x is None else x * factor for x in (verdict.low, verdict.high))
    return CellOutcome(
        outcome=word, ratio=verdict.ratio * factor, low=low, high=high, other_algorithm=other
    )
