# SPDX-License-Identifier: Apache-2.0
"""Replays of searches as a kind of study: a benchmark of collectives that knows what it replays."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from isobath.bench.measured import read_measured
from isobath.bench.replay import ReplayedPhase
from isobath.errors import EnvironmentProblem
from isobath.kinds.collectives.kind import (
    Collectives,
    CollectivesFound,
    bench_of,
    said_first,
)
from isobath.kinds.replay.model import ReplayFindings
from isobath.kinds.replay.plan import ReplayFolder, ReplayPlan
from isobath.kinds.replay.sections import by_library, said_of, section
from isobath.kinds.section_views import section_view
from isobath.report.wording import count_of
from isobath.study.driver import SILENT, Driver
from isobath.study.kind import Headline, ToDo, View
from isobath.study.tables import TableOf


@dataclass(frozen=True)
class ReplayFound(CollectivesFound):
    """A replay with all that was read of it."""

    plan: ReplayPlan
    phases: tuple[ReplayedPhase, ...]


class Replay(Collectives):
    """bench replay."""

    views: ClassVar[Mapping[str, View[Any]]] = {
        **Collectives.views,
        "summary": section_view(
            "each phase in the run and by itself",
            lambda reading: (section(reading.measured, reading.plan, reading.phases),),
            notices=said_first,
        ),
    }

    findings = ReplayFindings
    tables: ClassVar[Mapping[str, TableOf]] = {
        "phases": TableOf("each phase in the run and by itself", "replay.phases"),
        **Collectives.tables,
    }

    def read(self, path: Path) -> ReplayFound:
        """All launches that are as they were sealed."""
        folder = ReplayFolder(path)
        plan = folder.plan()
        return ReplayFound(folder, read_measured(folder), plan, plan.phases())

    def headline(self, reading: CollectivesFound) -> Headline:
        """Which search, and in how many phases."""
        plain = super().headline(reading)
        assert isinstance(reading, ReplayFound)
        phases = count_of(len(reading.phases), "phase")
        words = f"search {reading.plan.replayed_search} of {reading.plan.replayed}, {phases}"
        return Headline(words, mpi=plain.mpi, is_complete=plain.is_complete)

    def facts(self, reading: CollectivesFound) -> dict[str, Any]:
        """Every cell, and what is replayed: phases with both times, in seconds."""
        assert isinstance(reading, ReplayFound)
        libraries = [
            {
                "mpi": name,
                "finding": said_of(rows, cells),
                "phases": [
                    {
                        "level": row.part.level,
                        "phase": row.part.phase,
                        "bytes": row.part.bytes,
                        "recorded_seconds": row.part.recorded_seconds,
                        "seconds": row.measured.seconds if row.measured else None,
                    }
                    for row in rows
                ],
            }
            for name, rows, cells in by_library(reading.measured, reading.phases)
        ]
        replay = {
            "replayed": reading.plan.replayed,
            "replayed_search": reading.plan.replayed_search,
            "replay": libraries,
        }
        return super().facts(reading) | replay

    def refers_to(self, path: Path) -> tuple[str, ...]:
        """The run whose counts are replayed."""
        try:
            return (ReplayFolder(path).plan().replayed,)
        except EnvironmentProblem:
            return ()

    def html(self, reading: CollectivesFound, page: Path) -> str:
        """As of collectives, with the phases of the search first."""
        from isobath.report.bench_page import bench_page_html

        assert isinstance(reading, ReplayFound)
        first = (section(reading.measured, reading.plan, reading.phases),)
        return bench_page_html(
            bench_of(reading), first=first, heading="What a search sent, by itself"
        )

    def work(self, path: Path, driver: Driver = SILENT) -> ToDo:
        """Needs the MPI libraries of the plan."""
        from isobath.kinds.collectives.work import CollectivesWork

        return ToDo(CollectivesWork(ReplayFolder(path), driver))


KIND = Replay()
