# SPDX-License-Identifier: Apache-2.0
"""Options of every command that measures, beside those that come from its settings."""

from typing import Annotated

import typer

from isobath.cli import completion

HOW = "Instead of measuring, and what is printed"

Of = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        autocompletion=completion.studies_of_the_command,
        help="Show a stored study and measure nothing: an id, a path, a tag, or last.",
        rich_help_panel=HOW,
    ),
]
Resume = Annotated[
    str | None,
    typer.Option(
        metavar="ID",
        autocompletion=completion.studies_of_the_command,
        help="Go on with an interrupted study: an id, a path, a tag, or last.",
        rich_help_panel=HOW,
    ),
]
AsJson = Annotated[
    bool,
    typer.Option(
        "--json", help="Print JSON instead of tables, also with --dry-run.", rich_help_panel=HOW
    ),
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run",
        help="Print what would be launched or read, and start nothing.",
        rich_help_panel=HOW,
    ),
]
