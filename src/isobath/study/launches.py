# SPDX-License-Identifier: Apache-2.0
"""What a kind of study gives its runner: launches in their order, and how one is done."""

import contextlib
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.interrupts import Stop
from isobath.store.folders import OpenRun, RunFolder

if TYPE_CHECKING:
    from isobath.study.folder import StudyFolder


@dataclass(frozen=True)
class Launch:
    """One start of a program, as planned."""

    name: str
    """of its folder, unique in the study: a01-2"""
    words: str
    """in a line of progress: mpich-wheel, 2 ranks, launch 2"""
    alike: tuple[Hashable, ...] = ()
    """what it shares with launches that take about as long, the most telling first: its arm"""
    is_needed: bool = False
    """nothing that follows can be done without it"""
    inside: "tuple[StudyFolder, str] | None" = None
    """where it is sealed, and under which name there, if that is a study inside the study"""

    def place(self, folder: "StudyFolder") -> "tuple[StudyFolder, str]":
        """Whose runs it is one of, and its name there. Args: folder is that of the study."""
        return self.inside or (folder, self.name)


@dataclass(frozen=True)
class Came:
    """What a launch came to."""

    code: ExitCode
    words: str


class Work(ABC):
    """The launches of a study, and how each is done."""

    @abstractmethod
    def launches(self) -> Sequence[Launch]:
        """All of them in their order, also those that are done."""

    @abstractmethod
    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """Does one and seals its folder, also where it goes wrong.

        Raises: EnvironmentProblem where nothing more can be written.
        """

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        """What belongs to a launch and is done once it is sealed, for example its audit; called
        again for launches that were done before. None where there is nothing.
        """
        return None

    def grow(self) -> bool:
        """Adds launches that follow from what was found, once all are done; whether there are any.

        Raises: EnvironmentProblem where the plan cannot be written.
        """
        return False


@dataclass(frozen=True)
class ToldWork(Work):
    """Work of which every launch is told: when it begins, and its command line.

    Args: tell takes a line.
    """

    work: Work
    tell: Callable[[str], None]

    def launches(self) -> Sequence[Launch]:
        """Those of the work."""
        return self.work.launches()

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """Does one, and tells of it. Raises: as the work does."""
        self.tell(f"{launch.name} begins: {launch.words}")
        came = self.work.perform(launch, run, stop)
        with contextlib.suppress(EnvironmentProblem):
            sealed = RunFolder(run.sealed_path)
            line = shlex.join(sealed.summary().launch_line)
            self.tell(f"{launch.name} was {line or 'not started'}; {sealed.path}")
        return came

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        """As the work has it."""
        return self.work.after(launch, sealed, stop)

    def grow(self) -> bool:
        """As the work does."""
        return self.work.grow()
