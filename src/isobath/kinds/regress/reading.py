# SPDX-License-Identifier: Apache-2.0
"""What was measured: every cell of the baseline with its launches of both sides, turn by turn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell
from isobath.baseline.gathering import WRONG, side_from
from isobath.baseline.phases import with_phases
from isobath.compared.launch_facts import launches_of
from isobath.compared.sides import told_by
from isobath.comparison.matching import match
from isobath.comparison.measured import Cell, Launched, Side, Taken
from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.regress.audited import not_equal
from isobath.kinds.regress.plan import MemberPlan, RegressFolder, RegressPlan
from isobath.kinds.regress.plan import Side as SideName
from isobath.store.folders import RunFolder
from isobath.study.kinds import entry_of

BROKEN_RULE = "rule of validation"

PAUSE = 60.0
"""Seconds without a launch, of which a regression that goes on never needs so many."""


@dataclass(frozen=True)
class MeasuredCell:
    """A cell of the baseline, and what was measured of it now."""

    kept: KeptCell
    sides: Mapping[SideName, Cell]
    """what there is by now"""

    @property
    def wrong_sides(self) -> tuple[SideName, ...]:
        """Whose contents were wrong."""
        return tuple(name for name, cell in self.sides.items()
                     if WRONG in cell.trouble or BROKEN_RULE in cell.trouble)  # fmt: skip

    @property
    def wrong(self) -> str:
        """What was wrong with its contents; a wrong answer is never a slow one."""
        return next((self.sides[name].trouble for name in self.wrong_sides), "")

    @property
    def trouble(self) -> str:
        """Why it has no time that counts."""
        return next((cell.trouble for cell in self.sides.values() if cell.trouble), "")

    def by_turn(self, side: SideName) -> dict[int, Taken]:
        """Its times."""
        cell = self.sides.get(side)
        if cell is None or cell.trouble:
            return {}
        return {int(one.launch.rpartition("-")[2]): one for one in cell.taken}


@dataclass(frozen=True)
class RegressFound:
    """A regression with all that was read of it."""

    folder: RegressFolder
    plan: RegressPlan
    baseline: Baseline | None
    cells: tuple[MeasuredCell, ...]
    sides: Mapping[SideName, tuple[Side, ...]]
    """what was measured on each, a side for each kind"""
    wrong_by: Mapping[SideName, tuple[str, ...]]
    """wrong results of each side, one sentence each"""
    failed: tuple[str, ...]
    """launches that could not be done"""
    problems: tuple[str, ...]
    is_altered: bool
    turns: int
    """that are complete on all sides"""
    seconds: float
    """that all launches took, with what lies between them"""
    unaudited: tuple[str, ...] = ()
    """launches without the byte audit that was to be made: their function was not shown"""
    beyond_audit: tuple[str, ...] = ()
    """launches that no audit is possible of, and why"""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Of both sides, those of the library of today first."""
        return (*self.wrong_by.get("new", ()), *self.wrong_by.get("old", ()))

    @cached_property
    def measured_at(self) -> datetime:
        """When its last launch began, which is what decides whether noise still held; of none
        yet the present.
        """
        began = [one.began for sides in self.sides.values() for side in sides
                 for one in side.launches.values()]  # fmt: skip
        return datetime.fromtimestamp(max(began), UTC) if began else datetime.now(UTC)


def library_of(reading: RegressFound, name: SideName) -> str:
    """As it calls itself; its id where no launch knows."""
    facts = [one.facts for side in reading.sides[name] for one in side.launches.values()]
    library = next((one["MPI library"] for one in facts if "MPI library" in one), "")
    return library or reading.plan.mpi[name]


def read_regress(path: Path) -> RegressFound:
    """Raises: EnvironmentProblem where plan or baseline cannot be read."""
    folder = RegressFolder(path)
    plan = folder.plan()
    baseline = folder.baseline()
    sides: dict[SideName, list[Side]] = {name: [] for name in plan.sides}
    problems: list[str] = []
    is_altered = False
    for member in plan.members:
        side, altered = _side_of(folder, member)
        sides[member.side].append(side)
        problems += side.problems
        is_altered = is_altered or altered
    sealed = list(_sealed(folder, plan))
    wrong: dict[SideName, dict[str, None]] = {name: {} for name in plan.sides}
    for one in sealed:
        if one.code == ExitCode.VIOLATIONS:
            wrong[one.side][one.words] = None
    audits = tuple(not_equal(folder, plan))
    for launch in audits:
        if launch.lack == "unequal":
            wrong[launch.side][launch.words] = None
    failed = tuple(f"{one.name}: {one.words}" for one in sealed
                   if one.code not in (ExitCode.DONE, ExitCode.VIOLATIONS))  # fmt: skip
    cells = _matched(plan, baseline, sides) if baseline is not None else ()
    kept = {name: tuple(several) for name, several in sides.items()}
    return RegressFound(
        folder, plan, baseline, tuple(cells), kept,
        {name: tuple(told) for name, told in wrong.items()}, failed, tuple(problems), is_altered,
        turns_done(folder, plan), time_spent([one.span for one in sealed]),
        tuple(launch.words for launch in audits if launch.lack == "missing"),
        tuple(launch.words for launch in audits if launch.lack == "impossible"),
    )  # fmt: skip


def _side_of(folder: RegressFolder, member: MemberPlan) -> tuple[Side, bool]:
    inner = folder.member(member)
    kind = entry_of(member.kind).load()
    try:
        reading = kind.read(inner.path)
        cells = with_phases(kind.cells(reading), least=0.0)
    except EnvironmentProblem as problem:
        return Side(member.side, (), member.kind, (), {}, (str(problem),), True), True
    launches: dict[str, Launched] = launches_of(inner.path, told_by(cells))
    problems = kind.problems(reading)
    altered = kind.is_altered(reading)
    return Side(member.side, (inner.study_id,), member.kind, cells, launches, problems, altered), (
        altered
    )


@dataclass(frozen=True)
class _Sealed:
    name: str
    side: SideName
    code: ExitCode
    words: str
    span: tuple[float, float]
    """when it began and ended"""


def time_spent(spans: Iterable[tuple[float, float]]) -> float:
    """Seconds of launches and between them: who waits for a verdict waits for both.

    Args: spans are beginnings and ends. A gap longer than ``PAUSE`` is none of the regression's: it
        was interrupted then, and resumed.
    """
    spent, last = 0.0, None
    for began, ended in sorted(spans):
        between = began - last if last is not None else 0.0
        spent += between if 0 <= between <= PAUSE else 0.0
        spent += max(0.0, ended - began)
        last = ended if last is None else max(last, ended)
    return spent


def seconds_spent(folder: RegressFolder, plan: RegressPlan) -> float:
    """As ``RegressFound.seconds``, where nothing else is asked."""
    return time_spent([one.span for one in _sealed(folder, plan)])


def _sealed(folder: RegressFolder, plan: RegressPlan) -> Iterator[_Sealed]:
    """All launches that are sealed."""
    for member in plan.members:
        runs = folder.member(member).runs
        for path in sorted(runs.iterdir()) if runs.is_dir() else ():
            run = RunFolder(path)
            if not run.is_sealed:
                continue
            try:
                summary = run.summary()
            except EnvironmentProblem:
                continue  # who reads its times says so
            span = summary.started.timestamp(), summary.ended.timestamp()
            words = f"{plan.mpi[member.side]}, launch {run.run_id}: {summary.message or ''}"
            code = ExitCode(summary.exit_code or 0)
            yield _Sealed(run.run_id, member.side, code, words, span)


def turns_done(folder: RegressFolder, plan: RegressPlan) -> int:
    """Turns of which every launch of every side is sealed."""
    launched: list[dict[int, int]] = []
    for member in plan.members:
        counts: dict[int, int] = {}
        runs = folder.member(member).runs
        for path in runs.iterdir() if runs.is_dir() else ():
            if RunFolder(path).is_sealed:
                turn = int(path.name.rpartition("-")[2])
                counts[turn] = counts.get(turn, 0) + 1
        launched.append(counts)
    turn = 0
    while all(counts.get(turn + 1) for counts in launched):
        turn += 1
    return turn


def _matched(
    plan: RegressPlan, baseline: Baseline, sides: Mapping[SideName, Sequence[Side]]
) -> Iterator[MeasuredCell]:
    """In the order of the baseline."""
    wanted = set(plan.cells)
    for member in baseline.archive.members:
        kept = side_from(member)
        by_cell = {id(cell): own for cell, own in zip(kept.cells, member.cells, strict=True)}
        there: dict[str, dict[SideName, Cell]] = {}
        for name, measured in sides.items():
            for side in measured:
                for pair in match(kept, side).pairs:
                    there.setdefault(by_cell[id(pair.reference)].name, {})[name] = pair.other
        for cell in member.cells:
            if cell.name in wanted:
                yield MeasuredCell(cell, there.get(cell.name, {}))
