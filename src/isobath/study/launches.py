# SPDX-License-Identifier: Apache-2.0
"""What a kind of study gives its runner: launches in their order, and how one is done."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from isobath.errors import ExitCode
from isobath.launch.interrupts import Stop
from isobath.store.folders import OpenRun, RunFolder


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
