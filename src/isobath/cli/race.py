# SPDX-License-Identifier: Apache-2.0
"""isobath race: the same graph and keys under every plan."""

import typer

from isobath.cli.beside_settings import AsJson, DryRun, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.cli.studies import Ending
from isobath.kinds.race.settings import RACE

COMMAND = StudyCommand("race")


@takes_settings(RACE)
def race(
    context: typer.Context,
    *,
    given: Given,
    resume: Resume = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Race the published partitionings and ours: the same graph and keys, in random order.

    Every option that takes several values (2,4 or repeated) is a factor; all combinations are run,
    each once. The table goes to standard output.
    """
    instead = Instead(resume=resume, dry_run=dry_run)
    return COMMAND.run(context, given, instead, Ending(as_json=json_output))
