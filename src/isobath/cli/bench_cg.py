# SPDX-License-Identifier: Apache-2.0
"""isobath bench cg: does pipelining conjugate gradients pay, and is it the overlap?"""

import typer

from isobath.cli.beside_settings import AsJson, DryRun, Of, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.cli.studies import Ending
from isobath.kinds.cg.settings import CG

COMMAND = StudyCommand("bench cg")


@takes_settings(CG)
def cg(
    context: typer.Context,
    *,
    given: Given,
    of: Of = None,
    resume: Resume = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Conjugate gradients against pipelined ones, on bilinear elements.

    Prints a table for each library, mesh and number of ranks: time of an iteration, what the
    algorithm does and what the overlap does, and where pipelining would break even.
    """
    return COMMAND.run(context, given, Instead(of, resume, dry_run), Ending(as_json=json_output))
