# SPDX-License-Identifier: Apache-2.0
"""Studies inside a regression: each planned by the planner of its kind."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from isobath.baseline.chain import Baseline
from isobath.baseline.entries import KeptCell, Member
from isobath.errors import UsageError
from isobath.kinds.regress.plan import (
    MemberPlan,
    NotMeasured,
    RegressFolder,
    RegressPlan,
    Side,
    turn_of,
)
from isobath.kinds.regress.suite import narrowed
from isobath.settings.sources import merge
from isobath.study.folder import StudyFolder
from isobath.study.kinds import KindEntry, entry_named
from isobath.study.planned import Planned, Planning

RACED = "run"
"""Kinds of one launch are repeated as a race of one cell."""

REPEATED = {"race": "repeats"}
"""How often a kind launches everything; others call it launches."""


@dataclass(frozen=True)
class InnerStudy:
    """A study inside, before it is begun."""

    member: MemberPlan
    planned: Planned


def entry_for(kind: str) -> KindEntry | None:
    """The kind that measures it again; None where none can."""
    entry = entry_named("race" if kind == RACED else kind)
    return None if entry is None or entry.has_one_launch else entry


def inner_study(
    member: Member, cells: Sequence[KeptCell], suite: str, *, side: Side, mpi: str, turns: int,
    seed: int, planning: Planning,
) -> InnerStudy:  # fmt: skip
    """The study of one side that measures cells of a member again.

    Raises: UsageError, EnvironmentProblem where that cannot be planned here.
    """
    entry = entry_for(member.kind)
    assert entry is not None
    settings = narrowed(member, cells, suite)
    if member.kind == RACED:
        settings |= _as_race(next(cell for cell in member.cells if cell in cells))
    return planned_study(entry, settings, side=side, mpi=mpi, turns=turns, seed=seed,
                         planning=planning)  # fmt: skip


def told_apart(members: Sequence[Member], able: Sequence[Member]) -> list[tuple[int, str]]:
    """Of each member that is measured its place among all, and a word that no other has.

    Args: able are those of them that are measured.
    """
    places = []
    words: Counter[str] = Counter()
    for member in able:
        entry = entry_for(member.kind)
        assert entry is not None
        words[entry.word] += 1
        number = words[entry.word]
        place = next(place for place, one in enumerate(members) if one is member)
        places.append((place, entry.word if number == 1 else f"{entry.word}-{number}"))
    return places


def planned_study(
    entry: KindEntry, settings: Mapping[str, Any], *, side: Side, mpi: str, turns: int, seed: int,
    planning: Planning,
) -> InnerStudy:  # fmt: skip
    """A study of a kind, launched so often. Raises: UsageError, EnvironmentProblem."""
    asked = dict(settings)
    asked |= {"mpi": [mpi], "seed": seed, REPEATED.get(entry.name, "launches"): turns}
    values = merge(entry.declaration(), options=asked, origin_of=str).values
    planned = entry.plan(values, replace(planning, is_dry=True))
    plan = planned.plan.model_dump(mode="json", by_alias=True, exclude_none=True)
    by_turn = Counter(turn_of(launch.name) for launch in planned.launches)
    made = MemberPlan(side=side, kind=entry.name, word=entry.word,
                      settings=dict(planned.settings), plan=plan,
                      launches=(by_turn[1], by_turn[min(2, turns)]))  # fmt: skip
    return InnerStudy(made, planned)


def _as_race(cell: KeptCell) -> dict[str, Any]:
    """What a run chose for itself, and a race would vary."""
    settings: dict[str, Any] = {"ladder": False}
    bound = dict(cell.bound)
    ranks = re.match(r"\d+", bound.get("ranks", ""))
    keys = re.match(r"\d+", bound.get("keys", ""))
    scale = re.match(r"scale (\d+)", bound.get("graph", ""))
    settings |= {"plan": [bound["plan"]]} if "plan" in bound else {}
    for name, hit in (("ranks", ranks), ("keys", keys)):
        settings |= {name: int(hit[0])} if hit else {}
    return settings | ({"scale": int(scale[1])} if scale else {})


def measurable(
    members: Sequence[Member], cells: Sequence[KeptCell]
) -> tuple[list[Member], list[NotMeasured]]:
    """Members with cells of the suite that can be measured again; what is in the others.

    Raises: UsageError where there is none.
    """
    able: list[Member] = []
    left_out: list[NotMeasured] = []
    for member in members:
        own = tuple(cell.name for cell in member.cells if cell in cells)
        if not own:
            continue
        if entry_for(member.kind) is None:
            left_out.append(NotMeasured(cells=own, why=f"a {member.kind} is not measured again"))
        elif member.settings is None:
            why = f"nobody knows the settings that make the {member.kind} again"
            left_out.append(NotMeasured(cells=own, why=why))
        else:
            able.append(member)
    if not able:
        told = "; ".join(dict.fromkeys(one.why for one in left_out))
        raise UsageError(f"nothing of the suite can be measured again: {told}")
    return able, left_out


@dataclass(frozen=True)
class RegressPlanned(Planned):
    """The plan with the studies inside, which are begun with it."""

    inner: tuple[InnerStudy, ...] = ()
    baseline: Baseline | None = None

    def begin(self, folder: StudyFolder, created: datetime, command: tuple[str, ...]) -> None:
        """Members first: a study is there when its plan is."""
        assert isinstance(self.plan, RegressPlan)
        own = RegressFolder(folder.path)
        if folder.path.exists():
            raise UsageError(f"{folder.path} is there already; name another folder")
        for one in self.inner:
            one.planned.begin(own.member(one.member), created, command)
        if self.baseline is not None:
            own.keep(self.baseline)
        own.write_plan(self.plan, created, command, self.settings)


def settings_kept(values: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Settings that make the same regression again."""
    from isobath.kinds.regress.settings import REGRESS
    from isobath.kinds.settings_of import written_settings

    return written_settings(REGRESS, {**values, "seed": seed})
