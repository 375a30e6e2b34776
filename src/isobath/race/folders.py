# SPDX-License-Identifier: Apache-2.0
"""Race folders: race.json, one sealed run folder per run, and the audit beside them.

A run without its sealed folder is still to do; that is how a race is resumed.
"""

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from isobath.errors import EnvironmentProblem, UsageError
from isobath.race.spec import RaceCell, RaceSpec, run_name
from isobath.store.folders import RunFolder
from isobath.store.studies import locked, read_plan, set_aside, write_durably

SPEC = "race.json"


def make_race_id(now: datetime | None = None) -> str:
    """Sorts by time, unique on this machine: ``20261121-081500-race-3fa9``."""
    started = now or datetime.now(UTC)
    return f"{started:%Y%m%d-%H%M%S}-race-{secrets.token_hex(2)}"


@dataclass(frozen=True)
class RaceFolder:
    """One race on disk."""

    path: Path

    @property
    def race_id(self) -> str:
        """The name of the folder."""
        return self.path.name

    @property
    def runs(self) -> Path:
        """The store of its runs."""
        return self.path / "runs"

    @property
    def audit(self) -> Path:
        """Records of the byte audit, JSON lines."""
        return self.path / "audit.jsonl"

    def spec(self) -> RaceSpec:
        """Contents of race.json. Raises: EnvironmentProblem where it is missing or damaged."""
        return read_plan(self.path / SPEC, RaceSpec.model_validate_json, "race")

    def write_spec(self, spec: RaceSpec) -> None:
        """Begins the race. Raises: EnvironmentProblem where the folder cannot be written."""
        text = spec.model_dump_json(indent=1, by_alias=True, exclude_none=True)
        try:
            self.runs.mkdir(parents=True)
        except OSError as error:
            raise EnvironmentProblem(
                f"cannot write {self.path}: {error.strerror}; name another folder with --races"
            ) from error
        write_durably(self.path, SPEC, text, option="--races")

    def sealed_run(self, cell: RaceCell, repeat: int) -> RunFolder | None:
        """The run of a cell, or None where it is still to do."""
        folder = RunFolder(self.runs / run_name(cell.cell, repeat))
        return folder if folder.is_sealed else None

    def to_do(self, spec: RaceSpec) -> list[tuple[RaceCell, int]]:
        """What is left of the race, in its order."""
        return [(cell, n) for cell, n in spec.runs() if self.sealed_run(cell, n) is None]

    def set_aside(self, name: str) -> None:
        """Moves what was cut off out of the way. Raises: EnvironmentProblem where it cannot be."""
        set_aside(self.path, self.runs, name)

    def locked(self) -> AbstractContextManager[None]:
        """One program at a time runs a race. Raises: EnvironmentProblem where another does."""
        return locked(self.path, f"the race {self.race_id}")


def list_races(races: Path) -> list[RaceFolder]:
    """All races of a folder, oldest first."""
    if not races.is_dir():
        return []
    found = [RaceFolder(path) for path in races.iterdir() if (path / SPEC).is_file()]
    return sorted(found, key=lambda race: race.race_id)


def find_race(races: Path, wanted: str) -> RaceFolder | None:
    """The race that a path, an id or the unique beginning of an id names; None where none is."""
    path = Path(wanted)
    if (path / SPEC).is_file():
        return RaceFolder(path.resolve())
    name = wanted.rstrip("/")
    there = list_races(races)
    found = [race for race in there if race.race_id == name]
    found = found or [race for race in there if name and race.race_id.startswith(name)]
    return found[0] if len(found) == 1 else None


def resolve_race(races: Path, wanted: str) -> RaceFolder:
    """The same, also for "last". Raises: UsageError naming what there is."""
    there = list_races(races)
    if not there and not (Path(wanted) / SPEC).is_file():
        raise UsageError(f"there is no race in {races}; make one with ./isobath race")
    found = there[-1] if wanted == "last" else find_race(races, wanted)
    if found is None:
        latest = ", ".join(race.race_id for race in there[-3:])
        raise UsageError(f"no race is called {wanted} in {races}; the latest are {latest}")
    return found
