# SPDX-License-Identifier: Apache-2.0
"""isobath bench replay: the traffic of a search, level by level, measured by itself."""

import typer

from isobath.cli.beside_settings import AsJson, DryRun, Of, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.cli.studies import Ending
from isobath.cli.terminal import console
from isobath.kinds.replay.plan import ReplayPlan
from isobath.kinds.replay.sections import planned as planned_phases
from isobath.kinds.replay.settings import REPLAY
from isobath.study.planned import Planned
from isobath.view.terminal import printed


def _show_phases(planned: Planned) -> None:
    """What is replayed, on standard output."""
    assert isinstance(planned.plan, ReplayPlan)
    out = console()
    for part in printed([planned_phases(planned.plan.phases())], out.width):
        out.print(part, soft_wrap=True)


COMMAND = StudyCommand("bench replay", details=_show_phases)


@takes_settings(REPLAY)
def replay(
    context: typer.Context,
    *,
    given: Given,
    of: Of = None,
    resume: Resume = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Measure what a search sent, by itself: each phase of each level as one collective.

    The run must keep who sent to whom: ./isobath run --ranks 4 --peer-records. Buffers are written
    and read around every call as a search does (dirty).
    """
    return COMMAND.run(context, given, Instead(of, resume, dry_run), Ending(as_json=json_output))
