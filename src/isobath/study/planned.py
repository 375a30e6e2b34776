# SPDX-License-Identifier: Apache-2.0
"""A study before its first launch: what it will be. Nothing is made and nothing was started."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from isobath.launch.interrupts import Stop
from isobath.study.driver import Driver
from isobath.study.folder import PlanFile, StudyFolder
from isobath.study.ids import make_id
from isobath.study.kind import ToDo
from isobath.study.launches import Launch
from isobath.study.shelf import Shelf


def _silent(_: str) -> None:
    """Who is told nothing."""


@dataclass(frozen=True)
class Planning:
    """What a kind may need beside settings to make a plan."""

    store: Path
    """folder that the study will lie in"""
    shelf: Shelf
    """where the studies lie that settings name"""
    say: Callable[[str], None] = _silent
    """is told what goes on"""
    warn: Callable[[str], None] = _silent
    """is told what is doubtful, however quiet it is to be"""
    stop: Stop | None = None
    """may ask for an end"""
    is_dry: bool = False
    """nothing may be started"""


@dataclass(frozen=True)
class Planned:
    """What commands and the library make studies of."""

    plan_file: PlanFile[Any]
    plan: BaseModel
    settings: Mapping[str, Any]
    """what was asked for, with what was drawn and chosen: they make the same plan again"""
    launches: Sequence[Launch]
    notes: tuple[str, ...] = ()
    """said before the first launch, a sentence each"""
    work: Callable[[StudyFolder, Driver], ToDo] | None = None
    """how it is done, where more is known now than stands in the plan"""

    def begin(self, folder: StudyFolder, created: datetime, command: tuple[str, ...]) -> None:
        """Writes the plan. Raises: UsageError, EnvironmentProblem where it cannot be written."""
        self.plan_file.begin(
            folder, self.plan, created=created, command=command, settings=self.settings
        )

    def begin_in(self, store: Path, word: str, command: tuple[str, ...]) -> StudyFolder:
        """The same in a folder of its own. Args: word is that of its kind, in the id."""
        created = datetime.now(UTC)
        folder = StudyFolder(store / make_id(word, created))
        self.begin(folder, created, command)
        return folder

    def to_do(self, folder: StudyFolder, driver: Driver) -> ToDo | None:
        """Its launches; None where the kind reads them from the folder."""
        return self.work(folder, driver) if self.work is not None else None
