# SPDX-License-Identifier: Apache-2.0
"""The byte audit of the launches of a regression: unequal, missing, or not possible at all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.race.auditor import why_no_audit
from isobath.kinds.regress.plan import MemberPlan, RegressFolder, RegressPlan, Side
from isobath.race.folders import RaceFolder
from isobath.store.folders import RunFolder

Lack = Literal["unequal", "missing", "impossible"]


@dataclass(frozen=True)
class NotEqual:
    """A launch whose bytes are not all accounted for."""

    side: Side
    lack: Lack
    words: str


def not_equal(folder: RegressFolder, plan: RegressPlan) -> Iterator[NotEqual]:
    """Launches that were to be audited, and are not found equal."""
    for member in plan.members:
        if member.kind == "race" and member.plan.get("audit"):
            yield from _of_member(RaceFolder(folder.member(member).path), member, plan)


def _of_member(race: RaceFolder, member: MemberPlan, plan: RegressPlan) -> Iterator[NotEqual]:
    equal = race.audit_file.read().equal_by_run()
    for path in sorted(race.runs.iterdir()) if race.runs.is_dir() else ():
        run = RunFolder(path)
        name = f"{plan.mpi[member.side]}, launch {run.run_id}"
        known = equal.get(run.run_id)
        if known is False:
            yield NotEqual(member.side, "unequal", f"{name}: bytes are not accounted for")
        elif known is None and run.is_sealed:
            yield from _without(run, member.side, name)


def _without(run: RunFolder, side: Side, name: str) -> Iterator[NotEqual]:
    """Of a launch that ended well: others are told as failed or wrong."""
    try:
        if run.summary().exit_code != ExitCode.DONE:
            return
        reason = why_no_audit(run.records())
    except EnvironmentProblem:
        return  # who reads its times says so
    if reason:
        yield NotEqual(side, "impossible", f"{name}: not audited: {reason}")
    else:
        yield NotEqual(side, "missing", f"{name}: not audited, so that its function is not known")
