# SPDX-License-Identifier: Apache-2.0
"""The launches of a benchmark of collectives: what starts each, and what it came to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from isobath.bench.folders import BenchFolder
from isobath.bench.plan import Arm, BenchPlan, run_name
from isobath.errors import EnvironmentProblem
from isobath.kinds.collectives.imb import launch_imb, output_of
from isobath.kinds.collectives.refining import refine
from isobath.kinds.judging import judged_by_data
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import choose_library
from isobath.launch.namespaces import Nodes
from isobath.machine.facts import read_machine
from isobath.records.codec import AnyRecord
from isobath.records.collective import CollectiveRecord
from isobath.report.wording import count_of
from isobath.store.folders import OpenRun, RunFolder, RunPaths
from isobath.study.driver import SILENT, Driver
from isobath.study.engine_launch import EngineLaunch
from isobath.study.folder import command_of
from isobath.study.launches import Came, Launch, Work
from isobath.study.sealing import Judgement, Origin
from isobath.units import size_words

PROGRAM = "isobath-collectives"
CELLS = "cells.json"
NOTE = "a launch of a benchmark; validated means that the data of every cell were right"


@dataclass(frozen=True, kw_only=True)
class CollectivesLaunch(Launch):
    """One launch of an arm; ``number`` counts from 1."""

    of: Arm
    number: int


class CollectivesWork(Work):
    """All launches of a benchmark, each followed by one of IMB where that is asked for.

    Args: rounds is how often sizes are added at switch points.
    """

    def __init__(self, folder: BenchFolder, driver: Driver = SILENT, rounds: int = 0) -> None:
        self._folder = folder
        self._driver = driver
        self._rounds = rounds
        self._plan = folder.plan()

    def launches(self) -> Sequence[CollectivesLaunch]:
        """Every arm has its turn before the first has its next."""
        return launches_of(self._plan)

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """Runs our program, then seals."""
        assert isinstance(launch, CollectivesLaunch)
        arm, number = launch.of, launch.number
        output_of(self._folder, arm, number).unlink(missing_ok=True)
        wanted = len(self._plan.order(arm, number))

        def line(run: OpenRun, nodes: Nodes | None) -> LaunchLine:
            _write_cells(run.path / CELLS, self._plan, arm, number)
            return line_of(self._plan, arm, number, run, run.path / CELLS, nodes)

        origin = Origin(arm.mpi, command_of(self._folder), (NOTE,))
        return EngineLaunch(
            arm.ranks, arm.placement, line, lambda rows: judge(rows, wanted), origin
        ).perform(run, stop, self._driver.asked)

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        """A launch of IMB in turns with ours."""
        assert isinstance(launch, CollectivesLaunch)
        if launch.of.mpi not in self._plan.cross_check:
            return None
        return launch_imb(
            self._folder, self._plan, launch.of, launch.number, stop, self._driver.asked
        )

    def grow(self) -> bool:
        """Sizes at switch points, as often as was asked for."""
        if self._rounds < 1 or not refine(self._folder, self._driver.say):
            return False
        self._rounds -= 1
        self._plan = self._folder.plan()
        return True


def launches_of(plan: BenchPlan) -> list[CollectivesLaunch]:
    """All launches of a plan, in their order."""
    return [
        CollectivesLaunch(
            name=run_name(arm.arm, number),
            words=_describe(arm, number),
            alike=(arm.arm,),
            of=arm,
            number=number,
        )
        for arm, number in plan.runs()
    ]


def _describe(arm: Arm, launch: int) -> str:
    forced = ", forced algorithms" if arm.environment else ""
    place = arm.placement.words()
    where = f" on {place}" if place else ""
    return f"{arm.mpi}, {count_of(arm.ranks, 'rank')}{where}{forced}, launch {launch}"


def _write_cells(path: Path, plan: BenchPlan, arm: Arm, launch: int) -> None:
    """What the program is to measure, in its order. Raises: EnvironmentProblem."""
    cells = [cell.for_program() for cell in plan.order(arm, launch)]
    wanted = {"cells": cells, "matrices": plan.matrices} if plan.matrices else cells
    try:
        path.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {path}: {error.strerror}; free some space"
        ) from error


def line_of(
    plan: BenchPlan,
    arm: Arm,
    launch: int,
    run: RunPaths,
    cells: Path,
    nodes: Nodes | None = None,
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    library = choose_library(Installation.here(), arm.mpi)
    stop = plan.stop
    arguments = [
        *("--record", str(run.records), "--run-id", run.run_id, "--cells", str(cells)),
        *("--heartbeat", str(run.heartbeat.absolute())),
        *("--launch", str(launch), "--half-width", f"{stop.half_width:g}"),
        *("--least", str(stop.least), "--most", str(stop.most)),
        *("--budget", f"{stop.budget_seconds:g}"),
    ]
    if plan.stack_seconds and launch == 1:
        arguments += ["--stacks", f"{plan.stack_seconds:g}"]
    if plan.memory_limit_bytes is not None:
        arguments += ["--memory-limit", str(plan.memory_limit_bytes)]
    return launch_line(
        library, library.program(PROGRAM), arguments,
        ranks=arm.ranks, threads=1, cpus=read_machine().usable_cpus,
        placement=arm.placement, nodes=nodes, variables=arm.environment,
    )  # fmt: skip


def _words_of(row: CollectiveRecord) -> str:
    by = f" by {row.algorithm}" if row.algorithm_source == "own" else ""
    return f"{row.collective}{by} of {size_words(row.size_bytes)}"


def judge(rows: Sequence[AnyRecord], wanted: int) -> Judgement:
    """Data decide: those of every cell were held against what they should be.

    Args: wanted is the number of cells that were asked for.
    """
    cells = [row for row in rows if isinstance(row, CollectiveRecord)]
    idle = [row for row in cells if row.not_runnable]
    words = count_of(len(cells) - len(idle), "cell")
    words += f", {len(idle)} not runnable" if idle else ""
    missing = f"{len(cells)} of {count_of(wanted, 'cell')} left a record"
    judged = judged_by_data(cells, "cell", _words_of)
    return replace(judged, words=words, missing=missing if len(cells) < wanted else "")
