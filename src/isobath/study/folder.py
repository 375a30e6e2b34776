# SPDX-License-Identifier: Apache-2.0
"""Study folders: what was asked for in study.json, and a sealed folder for every launch.

    ID/study.json    the kind, when and how it was asked for, its plan; written first, never changed
    ID/runs/NAME/    a sealed launch; a launch without one is still to do, so a study is resumed
    ID/cut-off/      launches that were interrupted, failed or changed, and were done again
    ID/lock          held by the program that runs the study

A study of one launch (a run, a search, a profile) is the sealed folder of that launch itself.
Studies of before have their plan in a file of their kind (cg.json, ...), without a header.
"""

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from isobath import __version__
from isobath.errors import EnvironmentProblem, UsageError
from isobath.files import replace_file
from isobath.records import strict_json
from isobath.store.disclosed import clean_folder, cleaner_of_this_process, stored_plan
from isobath.store.folders import PARTIAL, RunFolder
from isobath.store.lock import locked

STUDY = "study.json"
RUNS = "runs"
CUT_OFF = "cut-off"

OLDER = ("schema", "kind", "created", "command")
"""What plans of before held beside what is of their kind."""

PlanT = TypeVar("PlanT", bound=BaseModel)
Contents = TypeVar("Contents")


class Header(BaseModel):
    """study.json: everything but the plan is alike in all kinds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_number: Literal[1] = Field(default=1, alias="schema", serialization_alias="schema")
    kind: str
    """as its command: bench cg"""
    study_id: str
    """also the name of the folder, as long as nobody renames it"""
    created: AwareDatetime
    isobath_version: str = __version__
    command: tuple[str, ...]
    """what the person typed; ``library`` where a program asked"""
    settings: dict[str, Any] | None = None
    """that make the same plan again, as a file of settings has them; studies of before have none"""
    plan: dict[str, Any]
    """of the kind"""


@dataclass(frozen=True)
class StudyFolder:
    """One study of several launches on disk."""

    path: Path

    @property
    def study_id(self) -> str:
        """The name of the folder."""
        return self.path.name

    @property
    def runs(self) -> Path:
        """The store of its launches."""
        return self.path / RUNS

    def plan_path(self, older: str = "") -> Path:
        """The file of its plan. Args: older is its name before there was study.json."""
        before = self.path / older
        is_before = bool(older) and before.is_file() and not (self.path / STUDY).is_file()
        return before if is_before else self.path / STUDY

    def sealed(self, name: str) -> RunFolder | None:
        """A launch, or None where it is still to do."""
        folder = RunFolder(self.runs / name)
        return folder if folder.is_sealed else None

    def set_aside(self, name: str) -> None:
        """Moves what is there of a launch out of the way of the one that takes its place.

        Raises: EnvironmentProblem where it cannot be moved.
        """
        for folder in (self.runs / name, self.runs / (name + PARTIAL)):
            if not folder.is_dir():
                continue
            try:
                (self.path / CUT_OFF).mkdir(exist_ok=True)
                aside = self.path / CUT_OFF / f"{folder.name}-{secrets.token_hex(2)}"
                folder.rename(aside)
                clean_folder(aside, cleaner_of_this_process())
            except OSError as error:
                raise EnvironmentProblem(
                    f"cannot move {folder}: {error.strerror}; mend the permissions"
                ) from error

    def locked(self, noun: str) -> AbstractContextManager[None]:
        """One program at a time runs a study. Raises: EnvironmentProblem where another does."""
        return locked(self.path, f"the {noun} {self.study_id}")

    def write_durably(self, name: str, text: str) -> None:
        """A file in one step, on disk before it has its name; the folder is made.

        Raises: EnvironmentProblem where it cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            replace_file(self.path / name, stored_plan(text) + "\n", durably=True)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self.path}: {error.strerror}; name another folder with --store"
            ) from error


@dataclass(frozen=True)
class PlanFile(Generic[PlanT]):
    """How a kind keeps its plan."""

    kind: str
    """as its command: bench cg"""
    noun: str
    """in sentences: benchmark of conjugate gradients"""
    model: type[PlanT]
    older: str = ""
    """name of the file that held the plan before there was study.json; empty where none did"""
    older_id: str = ""
    """what the name of the study was called there"""

    def begin(
        self,
        folder: StudyFolder,
        plan: PlanT,
        *,
        created: datetime,
        command: tuple[str, ...],
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        """Begins a study.

        Raises: UsageError where there is one already, EnvironmentProblem where it cannot be
            written.
        """
        if folder.path.exists():
            raise UsageError(f"{folder.path} is there already; name another folder")
        header = Header(
            kind=self.kind,
            study_id=folder.study_id,
            created=created,
            command=command,
            settings=None if settings is None else dict(settings),
            plan=plan.model_dump(mode="json", by_alias=True, exclude_none=True),
        )
        folder.write_durably(
            STUDY, header.model_dump_json(indent=1, by_alias=True, exclude_none=True)
        )

    def read(self, folder: StudyFolder) -> PlanT:
        """Raises: EnvironmentProblem where the plan is missing or damaged."""
        return self._validated(
            folder, lambda: self.model.model_validate_json(json.dumps(self._header(folder)["plan"]))
        )

    def header(self, folder: StudyFolder) -> Header:
        """When and how it was asked for; of a study of before as far as its file says.

        Raises: EnvironmentProblem where that is missing or damaged.
        """
        return self._validated(
            folder, lambda: Header.model_validate_json(json.dumps(self._header(folder)))
        )

    def _header(self, folder: StudyFolder) -> dict[str, Any]:
        """Raises: OSError, ValueError, KeyError where it cannot be read."""
        path = folder.plan_path(self.older)
        head: dict[str, Any] = strict_json.loads(path.read_bytes())
        if not isinstance(head, dict):
            raise ValueError(path.name)
        if path.name == STUDY:
            if head["kind"] != self.kind:
                raise ValueError(head["kind"])
            return head
        plan = {name: value for name, value in head.items() if name not in (*OLDER, self.older_id)}
        return {
            "schema": 1,
            "kind": self.kind,
            "study_id": head.get(self.older_id, folder.study_id),
            "created": head.get("created"),
            "command": head.get("command", ()),
            "isobath_version": "",
            "plan": plan,
        }

    def _validated(self, folder: StudyFolder, read: Callable[[], Contents]) -> Contents:
        path = folder.plan_path(self.older)
        try:
            return read()
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot read {path}: {error.strerror}; check the path"
            ) from error
        except (ValueError, KeyError, RecursionError) as error:
            raise EnvironmentProblem(
                f"cannot read {path}: the file is damaged; start the {self.noun} again"
            ) from error


def settings_of(folder: StudyFolder) -> dict[str, Any] | None:
    """The settings that make the plan again; None where study.json does not tell."""
    try:
        settings = json.loads((folder.path / STUDY).read_bytes())["settings"]
        return {str(name): value for name, value in settings.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def command_of(folder: StudyFolder) -> tuple[str, ...]:
    """What the person typed; empty where study.json does not tell."""
    try:
        command = json.loads((folder.path / STUDY).read_bytes())["command"]
        return tuple(str(word) for word in command)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ()
