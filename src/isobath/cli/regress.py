# SPDX-License-Identifier: Apache-2.0
"""isobath regress: what a baseline holds, measured again and held against it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from isobath.cli.beside_settings import HOW, AsJson, DryRun, Of, Resume
from isobath.cli.declared import Given, takes_settings
from isobath.cli.measuring import Instead, StudyCommand
from isobath.cli.places import shown
from isobath.cli.studies import Ending
from isobath.cli.table_files import put
from isobath.cli.terminal import say
from isobath.kinds.regress.facts import junit_text
from isobath.kinds.regress.settings import REGRESS
from isobath.study.kind import Kind

Junit = Annotated[
    str | None,
    typer.Option(
        "--junit", metavar="FILE", rich_help_panel=HOW, help="Write JUnit's XML to this file."
    ),
]


@dataclass(frozen=True)
class RegressEnding(Ending):
    """Also what other programs read."""

    junit: str | None = None

    def show(self, kind: Kind[Any], path: Path, reading: Any) -> None:
        """The verdict; JUnit's file where it is wanted."""
        super().show(kind, path, reading)
        if self.junit is not None:
            put(junit_text(reading), self.junit)
            say(f"JUnit {shown(Path(self.junit))}")


COMMAND = StudyCommand("regress")


@takes_settings(REGRESS)
def regress(
    context: typer.Context,
    *,
    given: Given,
    of: Of = None,
    resume: Resume = None,
    junit: Junit = None,
    dry_run: DryRun = False,
    json_output: AsJson = False,
) -> int:
    """Measure again what a baseline holds: what got wrong, slower or stayed as it was.

    Ends with 0, 1 (wrong results), 5 (slower, or other), 3 (could not measure) or 6 (cannot tell).
    """
    ending = RegressEnding(as_json=json_output, junit=junit)
    return COMMAND.run(context, given, Instead(of, resume, dry_run), ending)
