# SPDX-License-Identifier: Apache-2.0
"""isobath bench overlap: does non-blocking communication hide anything here?"""

from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.beside_settings import AsJson, DryRun, Of, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.cli.studies import Ending
from isobath.errors import UsageError
from isobath.kinds.overlap.settings import OVERLAP
from isobath.settings.declaration import WHERE

COMMAND = StudyCommand("bench overlap")

Output = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder to make; default: in studies.", rich_help_panel=WHERE),
]


@takes_settings(OVERLAP)
def overlap(
    context: typer.Context,
    *,
    given: Given,
    of: Of = None,
    resume: Resume = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
    output: Output = None,
) -> int:
    """Measure what non-blocking collectives hide behind fixed work, way by way.

    Prints a table for each number of ranks and size, and one sentence: hidden, or only faster?
    """
    if output is not None and given.options["store"] is not None:
        raise UsageError("--output is the folder itself; leave --store out")
    instead = Instead(of, resume, dry_run)
    return COMMAND.run(context, given, instead, Ending(as_json=json_output), output)
