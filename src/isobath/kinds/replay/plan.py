# SPDX-License-Identifier: Apache-2.0
"""The plan of a replay: that of a benchmark of collectives, and what the search did in phases."""

import re
from collections.abc import Mapping
from typing import Any, cast

from pydantic import Field

from isobath.bench.folders import BenchFolder
from isobath.bench.plan import BenchPlan
from isobath.bench.replay import Replay, ReplayedPhase
from isobath.records.phases import PhaseName
from isobath.study.folder import Header, PlanFile

PHASE = re.compile(r"recorded:(s\d+-l(\d+)-(\w+))")
"""Counts of a cell: the name of its matrix, with level and phase."""


class ReplayPlan(BenchPlan):
    """Cells are phases of one search; each has its matrix of bytes between ranks."""

    replayed: str
    """id of the run"""
    replayed_search: int
    """index of the search in it"""
    recorded_seconds: dict[str, float] = Field(default_factory=dict)
    """by matrix what the phase took in the run; plans of before do not tell"""

    def phases(self) -> tuple[ReplayedPhase, ...]:
        """In the order of the search."""
        replayed = []
        for cell in self.arms[0].cells if self.arms else ():
            words = PHASE.fullmatch(cell.counts)
            if words is None or words[1] not in self.matrices:
                continue
            matrix = self.matrices[words[1]]
            replayed.append(
                ReplayedPhase(
                    name=words[1],
                    level=int(words[2]),
                    phase=cast(PhaseName, words[3]),
                    bytes=sum(map(sum, matrix)),
                    recorded_seconds=self.recorded_seconds.get(words[1]),
                    matrix=matrix,
                    cell=cell,
                )
            )
        return tuple(sorted(replayed, key=lambda part: (part.level, part.phase)))


PLAN = PlanFile(
    "bench replay", "replay of a search", ReplayPlan, older="bench.json", older_id="bench_id"
)


class ReplayFolder(BenchFolder):
    """A replay on disk."""

    def header(self) -> Header:
        """When and how it was asked for. Raises: EnvironmentProblem where that is damaged."""
        return PLAN.header(self)

    def plan(self) -> ReplayPlan:
        """Raises: EnvironmentProblem where it is missing or damaged."""
        return self.with_added(PLAN.read(self))


def settings_told(older: Mapping[str, Any]) -> dict[str, Any]:
    """Of a plan of before: which search of which run."""
    return {"run": older.get("replayed"), "search": older.get("replayed_search")}


def recorded_seconds(replay: Replay) -> dict[str, float]:
    """What phases took in the run, by the name of their matrix, where it is known."""
    return {
        part.name: part.recorded_seconds
        for part in replay.phases
        if part.recorded_seconds is not None
    }
