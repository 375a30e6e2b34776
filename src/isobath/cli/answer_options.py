# SPDX-License-Identifier: Apache-2.0
"""Options that say how an answer is written, the same for every command that has one to give."""

from collections.abc import Iterable
from typing import Annotated

import typer
from typer.models import OptionInfo

from isobath.cli import completion
from isobath.cli.table_files import PARQUET

FORMATS = ("text", "json", "csv", PARQUET, "html")


def view_option(views: Iterable[str]) -> OptionInfo:
    """--view of a command with these views; the shell completes their names."""
    names = tuple(views)
    option: OptionInfo = typer.Option(
        "--view",
        metavar="NAME",
        help=f"Part to show: {', '.join(names)}.",
        autocompletion=completion.one_of(names),
    )
    return option


AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help=f"Write the answer as {', '.join(FORMATS)}; csv and parquet take a table (--view).",
        autocompletion=completion.one_of(FORMATS),
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write a file whose ending says the format, .html too.",
    ),
]
