# SPDX-License-Identifier: Apache-2.0
"""A regression on disk: its plan, the baseline, and a study inside for each side and kind.

ID/study.json            the plan
ID/baseline.jsonl        the baseline as it was then, as it is exported
ID/members/new-bench/    launches of the library of today, a study of its kind
ID/members/old-bench/    the same of the old library, where it is still here
"""

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from isobath.baseline.chain import Baseline
from isobath.baseline.portable import read_portable, text_of, write_portable
from isobath.errors import EnvironmentProblem
from isobath.guard.design import MARGIN, Design
from isobath.report.wording import count_of
from isobath.study.folder import STUDY, Header, PlanFile, StudyFolder

KIND_NAME = "regress"
BASELINE = "baseline.jsonl"
MEMBERS = "members"

Side = Literal["old", "new"]
Purpose = Literal["regression", "noise", "reference"]
"""Against a baseline; to learn how launches scatter; to become a baseline."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MemberPlan(_Frozen):
    """One study inside."""

    side: Side
    kind: str
    word: str
    """of its kind, with a number where another has it; with the side the name of its folder"""
    settings: dict[str, Any]
    plan: dict[str, Any]
    """of its kind"""
    place: int | None = Field(default=None, ge=0)
    """of what it measures again among the members of the archive. None of what is to become one,
    and in plans of before, which had one of a kind"""
    launches: tuple[int, int] | None = None
    """of the first turn, and of each that follows; plans of before do not say it"""

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.side}-{self.word}"

    def launches_in(self, turn: int) -> int:
        """Without which a turn is not done."""
        return max(1, self.launches[0 if turn == 1 else 1]) if self.launches else 1


class NotMeasured(_Frozen):
    """Cells of the suite that nothing measures again, and why."""

    cells: tuple[str, ...]
    """their names in the baseline"""
    why: str

    @property
    def words(self) -> str:
        """2 cells are left out: a profile is not measured again."""
        number = len(self.cells)
        return f"{count_of(number, 'cell')} {'is' if number == 1 else 'are'} left out: {self.why}"


class RegressPlan(_Frozen):
    """What is measured, how often at most, and what may be claimed of it."""

    purpose: Purpose = "regression"
    baseline: str
    """its name here"""
    baseline_id: str = ""
    """digest of its archive; empty of what is to become one"""
    baseline_head: str = ""
    """digest of the chain as it was when this was planned"""
    suite: str
    cells: tuple[str, ...]
    """names in the baseline, of all that are judged"""
    mpi: dict[Side, str]
    """library of each side, by its id"""
    variables: tuple[str, ...] = ()
    """NAME=VALUE, set for the new side alone: a setting, without which it could not go on"""
    turns: int = Field(ge=1)
    """at most"""
    budget_seconds: float = Field(gt=0)
    margin: float = MARGIN
    across_machines: bool = False
    keep_days: int = Field(default=30, ge=1)
    """of noise: how long it holds"""
    seed: int
    members: tuple[MemberPlan, ...]
    not_measured: tuple[NotMeasured, ...] = ()
    """what the suite names and nothing measures again: of that nothing is known"""

    @property
    def sides(self) -> tuple[Side, ...]:
        """The old one first, where it is measured."""
        return tuple(dict.fromkeys(member.side for member in self.members))

    @property
    def in_turns(self) -> bool:
        """Launches of both libraries are pairs."""
        return len(self.sides) == 2

    @property
    def design(self) -> Design:
        """What may be claimed, fixed before the first launch."""
        return Design(max(1, len(self.cells)), self.turns, margin=self.margin)


PLAN = PlanFile(KIND_NAME, "regression", RegressPlan)


def turn_of(name: str) -> int:
    """Every kind ends the name of a launch with its number: a01-2. 0 of one that is of no turn."""
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


@dataclass(frozen=True)
class RegressFolder(StudyFolder):
    """One regression."""

    path: Path

    def plan(self) -> RegressPlan:
        """Raises: EnvironmentProblem where it is missing or damaged."""
        return PLAN.read(self)

    def member(self, member: MemberPlan) -> StudyFolder:
        """The study inside."""
        return StudyFolder(self.path / MEMBERS / member.name)

    def write_plan(
        self, plan: RegressPlan, created: datetime, command: tuple[str, ...], settings: Any
    ) -> None:
        """Last of all: without it there is no study. Raises: EnvironmentProblem."""
        header = Header(
            kind=KIND_NAME, study_id=self.study_id, created=created, command=command,
            settings=dict(settings), plan=plan.model_dump(mode="json", exclude_none=True),
        )  # fmt: skip
        text = header.model_dump_json(indent=1, by_alias=True, exclude_none=True)
        self.write_durably(STUDY, text)

    def keep(self, baseline: Baseline) -> None:
        """Beside the plan. Raises: EnvironmentProblem where it cannot be written."""
        write_portable(self.path / BASELINE, text_of(baseline))

    def baseline(self) -> Baseline | None:
        """As it was when this was planned; None of what is no regression.

        Raises: EnvironmentProblem where it is not what the plan says.
        """
        plan = self.plan()
        if not plan.baseline_id:
            return None
        found = read_portable(self.path / BASELINE).baseline
        if found.head != plan.baseline_head:
            raise EnvironmentProblem(
                f"{self.path / BASELINE} is not the baseline that this was planned against; begin "
                "a new regression"
            )
        return found

    def made_of(self) -> tuple[str, ...]:
        """Ids of the studies that its baseline was made of, as far as the file tells."""
        try:
            with (self.path / BASELINE).open(encoding="ascii") as lines:
                _, archive = next(lines), json.loads(next(lines))
            return tuple(str(name) for one in archive["members"] for name in one["studies"])
        except (OSError, ValueError, KeyError, TypeError, StopIteration, RecursionError):
            return ()
