# SPDX-License-Identifier: Apache-2.0
"""The launches of a benchmark of overlap: what starts each, and what it came to."""

from collections.abc import Sequence
from dataclasses import dataclass

from isobath.kinds.judging import judged_by_data
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Stop
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import choose_library
from isobath.launch.namespaces import Nodes
from isobath.machine.facts import read_machine
from isobath.overlap.folders import OverlapFolder
from isobath.overlap.plan import OverlapArm, OverlapPlan, is_alike, run_name
from isobath.records.codec import AnyRecord, read_records
from isobath.records.overlap import OverlapRecord
from isobath.store.folders import OpenRun
from isobath.study.driver import SILENT, Driver
from isobath.study.engine_launch import EngineLaunch
from isobath.study.folder import command_of
from isobath.study.launches import Came, Launch, Work
from isobath.study.sealing import Judgement, Origin

CELL_SECONDS = 0.2
"""of one setting in one launch, at the most"""

PROGRAM = "isobath-overlap"
NOTE = "a launch of a benchmark of overlap; validated means that all contents were right"


@dataclass(frozen=True, kw_only=True)
class OverlapLaunch(Launch):
    """One launch of an arm; number 0 measures how long calls and work take."""

    of: OverlapArm
    number: int


class OverlapWork(Work):
    """All launches of a benchmark, the calibrating ones first."""

    def __init__(self, folder: OverlapFolder, plan: OverlapPlan, driver: Driver = SILENT) -> None:
        self._folder = folder
        self._plan = plan
        self._driver = driver

    @classmethod
    def of(cls, folder: OverlapFolder, driver: Driver = SILENT) -> "OverlapWork":
        """Of a benchmark on disk. Raises: EnvironmentProblem where its plan cannot be read."""
        return cls(folder, folder.plan(), driver)

    def launches(self) -> Sequence[OverlapLaunch]:
        """In the order of the plan."""
        return launches_of(self._plan)

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """Runs our program, then seals."""
        assert isinstance(launch, OverlapLaunch)
        arm = launch.of
        return EngineLaunch(
            arm.ranks + arm.aggregators,
            arm.placement,
            lambda run, nodes: line_of(self._folder, self._plan, arm, launch.number, run, nodes),
            judge,
            Origin(self._plan.library_of(arm), command_of(self._folder), (NOTE,)),
        ).perform(run, stop, self._driver.asked)


def launches_of(plan: OverlapPlan) -> list[OverlapLaunch]:
    """All launches; nothing can be measured without knowing how long calls take."""
    return [
        OverlapLaunch(
            name=run_name(arm, number),
            words=_describe(plan, arm, number),
            alike=(arm.arm, number == 0),
            is_needed=number == 0,
            of=arm,
            number=number,
        )
        for arm, number in plan.runs()
    ]


def judge(rows: Sequence[AnyRecord]) -> Judgement:
    """Contents decide: those of every setting were held against what they should be."""
    cells = [row for row in rows if isinstance(row, OverlapRecord)]
    return judged_by_data(cells, "setting", _name_of)


def _name_of(row: OverlapRecord) -> str:
    return f"{row.collective} of {row.size_bytes} B, {row.progress}"


def _describe(plan: OverlapPlan, arm: OverlapArm, launch: int) -> str:
    ranks = f"{arm.ranks} rank" if arm.ranks == 1 else f"{arm.ranks} ranks"
    beside = f" and {arm.aggregators} that aggregate" if arm.aggregators else ""
    what = f"launch {launch}" if launch else "how long calls and work take"
    place = arm.placement.words()
    where = f" on {place}" if place else ""
    under = f" under {plan.library_of(arm)}" if len(plan.libraries) > 1 else ""
    return f"{', '.join(arm.modes)}, {ranks}{beside}{where}{under}, {what}"


def line_of(
    folder: OverlapFolder,
    plan: OverlapPlan,
    arm: OverlapArm,
    launch: int,
    run: OpenRun,
    nodes: Nodes | None = None,
) -> LaunchLine:
    """What starts a launch. Raises: EnvironmentProblem where the MPI or its build is gone."""
    library = choose_library(Installation.here(), plan.library_of(arm))
    if launch == 0:
        swept = ["--work", plan.work, "--ratios", "1"]
    elif arm.is_crowded:
        swept = ["--work", plan.work.split(",")[0], "--ratios", "1"]
    else:
        swept = ["--work", plan.work, "--ratios", plan.ratios]
    words = [*plan.method, *swept, "--budget", f"{CELL_SECONDS:g}",
             "--collectives", ",".join(arm.collectives), "--progress", ",".join(arm.modes),
             "--threads", str(plan.threads), "--aggregators", str(arm.aggregators),
             "--launch", str(launch), "--record", str(run.records), "--run-id", run.run_id,
             "--heartbeat", str(run.heartbeat.absolute()),
             *_references(folder, plan, arm, launch)]  # fmt: skip
    return launch_line(
        library,
        library.program(PROGRAM),
        words,
        ranks=arm.ranks + arm.aggregators,
        threads=plan.threads,
        cpus=read_machine().usable_cpus,
        placement=arm.placement,
        nodes=nodes,
        variables=arm.environment,
    )


def _references(
    folder: OverlapFolder, plan: OverlapPlan, arm: OverlapArm, launch: int
) -> list[str]:
    """How long units of work and calls took in the calibrating launch of as many ranks.

    Units are those of the first of these launches: the same work whatever the number of ranks.
    """
    calibrations = [(calibrated, n) for calibrated, n in plan.runs() if n == 0]
    words: list[str] = []
    for which, (other, number) in enumerate(calibrations):
        if launch == 0 and other == arm:
            break
        sealed = folder.sealed(run_name(other, number))
        rows = read_records(sealed.path / "records.jsonl") if sealed is not None else []
        calls: dict[str, float] = {}
        units: dict[str, float] = {}
        for row in rows:
            if not isinstance(row, OverlapRecord) or row.parts is None:
                continue
            calls.setdefault(f"{row.collective}:{row.size_bytes}", row.reference_call_nanoseconds)
            units.setdefault(row.work, row.unit_nanoseconds)
        pairs = [("--unit", units)] if which == 0 else []
        pairs += [("--reference", calls)] if is_alike(other, arm) else []
        for option, times in pairs:
            for name, nanoseconds in times.items():
                words += [option, f"{name}={nanoseconds!r}"]
    return words
