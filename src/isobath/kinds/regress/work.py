# SPDX-License-Identifier: Apache-2.0
"""Launches of a regression: a turn has one of everything on both sides, in random order."""

import contextlib
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.regress.outcome import is_over
from isobath.kinds.regress.plan import MemberPlan, RegressFolder, RegressPlan, Side
from isobath.kinds.regress.reading import read_regress, seconds_spent, turns_done
from isobath.kinds.regress.settings import variables_of
from isobath.launch.interrupts import Stop
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.driver import SILENT, Driver
from isobath.study.kinds import entry_of
from isobath.study.launches import Came, Launch, Work


@dataclass(frozen=True, kw_only=True)
class RegressLaunch(Launch):
    """A launch of a study inside."""

    member: MemberPlan
    inner: Launch
    turn: int


def turn_of(name: str) -> int:
    """Every kind ends the name of a launch with its number: a01-2."""
    return int(name.rpartition("-")[2])


class RegressWork(Work):
    """Turn after turn, until every cell is decided, all turns are done or the time is over."""

    def __init__(self, path: Path, driver: Driver = SILENT) -> None:
        self._folder = RegressFolder(path)
        self._driver = driver
        self._plan: RegressPlan = self._folder.plan()
        self._turns = max(1, self._turns_begun())
        self._read: int | None = None
        self._is_wrong = False

    @cached_property
    def _works(self) -> dict[str, Work]:
        found = {}
        for member in self._plan.members:
            path = self._folder.member(member).path
            to_do = entry_of(member.kind).load().work(path, self._driver)
            if to_do is None:
                raise EnvironmentProblem(f"{path} cannot be measured again")
            found[member.name] = to_do.work
        return found

    def _turns_begun(self) -> int:
        """Turns of which a launch is sealed: they are what a resumed regression begins with."""
        turns = [0]
        for member in self._plan.members:
            runs = self._folder.member(member).runs
            if runs.is_dir():
                names = (one.name for one in runs.iterdir() if RunFolder(one).is_sealed)
                turns += [turn_of(name) for name in names]
        return max(turns)

    def launches(self) -> Sequence[RegressLaunch]:
        """Those of the turns that are planned by now."""
        found: list[RegressLaunch] = []
        by_turn = [(member, self._by_turn(member)) for member in self._plan.members]
        for turn in range(1, self._turns + 1):
            rng = random.Random(f"{self._plan.seed}-{turn}")
            sides = list(self._plan.sides)
            rng.shuffle(sides)
            for side in sides:
                own = [(member, launches) for member, launches in by_turn if member.side == side]
                rng.shuffle(own)
                for member, launches in own:
                    found += [self._launch(member, one, turn) for one in launches.get(turn, ())]
        return found

    def _by_turn(self, member: MemberPlan) -> Mapping[int, list[Launch]]:
        found: dict[int, list[Launch]] = {}
        for launch in self._works[member.name].launches():
            found.setdefault(turn_of(launch.name), []).append(launch)
        return found

    def _launch(self, member: MemberPlan, inner: Launch, turn: int) -> RegressLaunch:
        side = f"{member.side}: " if self._plan.in_turns else ""
        return RegressLaunch(
            name=f"{member.name}-{inner.name}",
            words=f"{side}{inner.words}",
            alike=(member.word, *inner.alike),
            is_needed=inner.is_needed,
            inside=(self._folder.member(member), inner.name),
            member=member,
            inner=inner,
            turn=turn,
        )

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """As its kind does, under the variables of its side."""
        assert isinstance(launch, RegressLaunch)
        with variables_of_side(self._plan, launch.member.side):
            came = self._works[launch.member.name].perform(launch.inner, run, stop)
        self._is_wrong = self._is_wrong or came.code == ExitCode.VIOLATIONS
        return came

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        """As its kind does: the byte audit of a search."""
        assert isinstance(launch, RegressLaunch)
        came = self._works[launch.member.name].after(launch.inner, sealed, stop)
        self._is_wrong = self._is_wrong or (came is not None and came.code == ExitCode.VIOLATIONS)
        return came

    def grow(self) -> bool:
        """One more turn, as long as there is something to decide and time to do it."""
        if self._turns >= self._plan.turns:
            return False
        if self._may_be_over() and is_over(read_regress(self._folder.path)):
            return False
        self._turns += 1
        return True

    def _may_be_over(self) -> bool:
        """Whether all that was measured has to be read, which takes longer than a turn: the first
        time (of whatever was done before), where a look has fallen due since then, where something
        is wrong, and where the time is used up.
        """
        done = turns_done(self._folder, self._plan)
        read, self._read = self._read, done
        return (
            read is None
            or any(read < look.turns <= done for look in self._plan.design.looks)
            or self._is_wrong
            or seconds_spent(self._folder, self._plan) >= self._plan.budget_seconds
        )


@contextlib.contextmanager
def variables_of_side(plan: RegressPlan, side: Side) -> Iterator[None]:
    """What is to be set for the library of today alone."""
    wanted = variables_of(plan.variables) if side == "new" else {}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
