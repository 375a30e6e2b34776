# SPDX-License-Identifier: Apache-2.0
"""Folders of benchmarks of overlap: overlap.json and one sealed run folder for each launch.

A launch without its sealed folder, or that failed, is still to do; that is how a benchmark is
resumed.
"""

import secrets
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from isobath.errors import ExitCode, UsageError
from isobath.overlap.plan import OverlapArm, OverlapPlan, run_name
from isobath.records.codec import AnyRecord
from isobath.store.folders import RunFolder
from isobath.store.launch_reader import LaunchReader
from isobath.store.studies import locked, read_plan, set_aside, write_durably

PLAN = "overlap.json"


def make_overlap_id(now: datetime | None = None) -> str:
    """Sorts by time, unique on this machine: ``20261121-081500-overlap-3fa9``."""
    started = now or datetime.now(UTC)
    return f"{started:%Y%m%d-%H%M%S}-overlap-{secrets.token_hex(2)}"


@dataclass(frozen=True)
class OverlapFolder:
    """One benchmark on disk."""

    path: Path

    @property
    def runs(self) -> Path:
        """The store of its launches."""
        return self.path / "runs"

    def plan(self) -> OverlapPlan:
        """Raises: EnvironmentProblem where overlap.json is missing or damaged."""
        return read_plan(self.path / PLAN, OverlapPlan.model_validate_json, "benchmark")

    def write_plan(self, plan: OverlapPlan) -> None:
        """Begins the benchmark. Raises: UsageError where there is one, EnvironmentProblem."""
        if self.path.exists():
            raise UsageError(f"{self.path} is there already; name another folder with --output")
        text = plan.model_dump_json(indent=1, by_alias=True, exclude_none=True)
        write_durably(self.path, PLAN, text, option="--output")

    def sealed_run(self, arm: OverlapArm, launch: int) -> RunFolder | None:
        """A launch, or None where it is still to do."""
        folder = RunFolder(self.runs / run_name(arm, launch))
        return folder if folder.is_sealed else None

    def to_do(self, plan: OverlapPlan) -> list[tuple[OverlapArm, int]]:
        """What is left or failed, in its order. Wrong data are no failure, but a finding."""
        return [(arm, n) for arm, n in plan.runs() if not self._is_done(arm, n)]

    def _is_done(self, arm: OverlapArm, launch: int) -> bool:
        sealed = self.sealed_run(arm, launch)
        if sealed is None:
            return False
        return sealed.summary().exit_code in (None, ExitCode.DONE, ExitCode.VIOLATIONS)

    def set_aside(self, name: str) -> None:
        """Moves what was cut off out of the way. Raises: EnvironmentProblem where it cannot be."""
        set_aside(self.path, self.runs, name)

    def locked(self) -> AbstractContextManager[None]:
        """One program at a time runs it. Raises: EnvironmentProblem where another does."""
        return locked(self.path, f"the benchmark {self.path.name}")


@dataclass(frozen=True)
class OverlapRead:
    """What a benchmark has so far."""

    plan: OverlapPlan
    records: tuple[AnyRecord, ...]
    """of all launches but the calibrating ones"""
    problems: tuple[str, ...]
    """one sentence each: launches that failed, were changed after sealing, or cannot be read"""
    launches_done: int
    """sealed ones, of the plan; calibrating ones count too"""
    is_altered: bool
    """a launch is not as it was sealed"""


def read_overlap(folder: OverlapFolder) -> OverlapRead:
    """All sealed launches in the order of the arms, each held against its manifest.

    Raises: EnvironmentProblem where overlap.json cannot be read.
    """
    plan = folder.plan()
    records: list[AnyRecord] = []
    reader, done = LaunchReader(), 0
    for arm, launch in sorted(plan.runs(), key=lambda one: (one[0].arm, one[1])):
        sealed = folder.sealed_run(arm, launch)
        if sealed is None:
            continue
        done += 1
        rows = reader.launch(sealed)
        records += rows if launch else []
    return OverlapRead(plan, tuple(records), tuple(reader.problems), done, reader.is_altered)


def list_overlaps(benches: Path) -> list[Path]:
    """Folders of benchmarks of overlap, the newest last."""
    return sorted(path.parent for path in benches.glob(f"*/{PLAN}"))


def find_overlap(benches: Path, wanted: str) -> OverlapFolder | None:
    """The benchmark that a path, an id or its unique beginning names; None for none."""
    if (Path(wanted) / PLAN).is_file():
        return OverlapFolder(Path(wanted).resolve())
    there = list_overlaps(benches)
    name = wanted.rstrip("/")
    found = [path for path in there if path.name == name]
    found = found or [path for path in there if name and path.name.startswith(name)]
    return OverlapFolder(found[0]) if len(found) == 1 else None
