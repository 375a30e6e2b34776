# SPDX-License-Identifier: Apache-2.0
"""A race on disk: a study with the byte audit of its runs beside them."""

from isobath.race.audit_file import AuditFile
from isobath.race.plan import RaceCell, RacePlan, run_name
from isobath.store.folders import RunFolder
from isobath.study.folder import Header, PlanFile, StudyFolder

PLAN = PlanFile("race", "race", RacePlan, older="race.json", older_id="race_id")


class RaceFolder(StudyFolder):
    """One race."""

    @property
    def audit_file(self) -> AuditFile:
        """Records of the byte audit."""
        return AuditFile(self.path / "audit.jsonl")

    def header(self) -> Header:
        """When and how it was asked for. Raises: EnvironmentProblem where that is damaged."""
        return PLAN.header(self)

    def plan(self) -> RacePlan:
        """Its plan. Raises: EnvironmentProblem where it is missing or damaged."""
        return PLAN.read(self)

    def sealed_run(self, cell: RaceCell, repeat: int) -> RunFolder | None:
        """The run of a cell, or None where it is still to do."""
        return self.sealed(run_name(cell.cell, repeat))
