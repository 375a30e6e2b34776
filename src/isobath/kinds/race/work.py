# SPDX-License-Identifier: Apache-2.0
"""The runs of a race: how each is started and audited, and what it came to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from isobath.errors import ExitCode, IsobathError, StoppedError
from isobath.kinds.race.auditor import Auditor
from isobath.kinds.race.wanted import describe, prepare_cell, rough_calibration
from isobath.kinds.run.preparation import PlannedRun
from isobath.kinds.run.session import execute_run
from isobath.launch.interrupts import Stop
from isobath.launch.plain_run import PlainOutcome
from isobath.plan.duration import Calibration
from isobath.race.folders import RaceFolder
from isobath.race.plan import RaceCell, RacePlan, run_name
from isobath.race.results import CellResult
from isobath.records.codec import AnyRecord
from isobath.store.folders import OpenRun, RunFolder
from isobath.study.codes import KEPT
from isobath.study.driver import SILENT, Driver
from isobath.study.folder import command_of
from isobath.study.launches import Came, Launch, Work
from isobath.study.sealing import EndedRun, Judgement, Origin, end_launch
from isobath.units import format_bytes, format_teps

ALIKE = (("plan", "ranks", "scale", "transport"), ("ranks", "scale"), ("scale",))
"""Settings that make two runs take about as long; where nothing is alike, fewer of them."""


@dataclass(frozen=True, kw_only=True)
class RaceLaunch(Launch):
    """One run of a cell."""

    of: RaceCell


class RaceWork(Work):
    """All runs of a race, each followed by its audit.

    Args: calibration is what runs are estimated by; without, a short run comes before the first.
    """

    def __init__(
        self,
        folder: RaceFolder,
        plan: RacePlan,
        driver: Driver = SILENT,
        calibration: Calibration | None = None,
    ) -> None:
        self._folder = folder
        self._plan = plan
        self._driver = driver
        self._calibration = calibration

    @classmethod
    def of(cls, folder: RaceFolder, driver: Driver = SILENT) -> "RaceWork":
        """Of a race on disk. Raises: EnvironmentProblem where its plan cannot be read."""
        return cls(folder, folder.plan(), driver)

    def launches(self) -> Sequence[RaceLaunch]:
        """Every cell in the order that was drawn, then again for each repeat."""
        return [self._launch(cell, repeat) for cell, repeat in self._plan.runs()]

    def _launch(self, cell: RaceCell, repeat: int) -> RaceLaunch:
        again = f", repeat {repeat}" if self._plan.repeats > 1 else ""
        alike = tuple(tuple(cell.settings.get(name) for name in names) for names in ALIKE)
        return RaceLaunch(
            name=run_name(cell.cell, repeat), words=describe(cell) + again, alike=alike, of=cell
        )

    def perform(self, launch: Launch, run: OpenRun, stop: Stop) -> Came:
        """A run as isobath run starts it; one that cannot be started is sealed with its reason.

        Raises: IsobathError where the engine does not even calibrate here: no run would go better.
        """
        assert isinstance(launch, RaceLaunch)
        cell = launch.of
        command = command_of(self._folder)
        if self._auditor is not None:
            self._auditor.forget(launch.name)
        try:
            calibration = self._calibrated(stop)
        except StoppedError:  # the end was asked for while the short run went on
            return Came(ExitCode.ENVIRONMENT, "interrupted")
        try:
            prepared = prepare_cell(
                cell, self._folder.runs, self._driver.say, calibration, self._driver.asked
            )
            ended = execute_run(prepared, run, stop, command, self._driver)
        except IsobathError as error:
            origin = Origin(str(cell.settings.get("mpi", "")), command, (describe(cell),))
            outcome = PlainOutcome(error.exit_code, str(error), 0.0)
            return end_launch(run, None, outcome, origin, _nothing_measured)
        return Came(ended.exit_code, _came_to(ended, prepared))

    def _calibrated(self, stop: Stop) -> Calibration:
        if self._calibration is None:
            self._calibration = rough_calibration(
                self._plan, self._driver.say, stop, self._driver.asked
            )
        return self._calibration

    def after(self, launch: Launch, sealed: RunFolder, stop: Stop) -> Came | None:
        """The audit of a run that was completed."""
        assert isinstance(launch, RaceLaunch)
        if self._auditor is None or sealed.summary().exit_code not in KEPT:
            return None
        return self._auditor.audit(sealed, launch.of)

    @cached_property
    def _auditor(self) -> Auditor | None:
        """Made when the race is locked: it mends what a kill left of audit.jsonl."""
        if not self._plan.audit:
            return None
        return Auditor(self._folder.audit_file, self._driver.asked)


def _nothing_measured(rows: Sequence[AnyRecord]) -> Judgement:
    return Judgement(words="", is_checked=False)


def _came_to(ended: EndedRun, prepared: PlannedRun) -> str:
    """Rate and bytes, or what went wrong."""
    if ended.message or ended.records is None:
        return ended.message or "it left no records"
    result = CellResult.of_runs([ended.records])
    words = []
    if result.teps is not None:
        words.append(format_teps(result.teps.value))
    if result.bytes_per_rank is not None:
        words.append(f"{format_bytes(result.bytes_per_rank.value)} a rank and search")
    if prepared.layout.oversubscribed:
        words.append("oversubscribed")
    return ", ".join(words) or "no search"
