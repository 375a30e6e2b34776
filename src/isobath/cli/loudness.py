# SPDX-License-Identifier: Apache-2.0
"""--quiet and --verbose of every command that measures, declared once."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from isobath.cli.terminal import Loudness, set_loudness
from isobath.errors import UsageError

if TYPE_CHECKING:
    from typer._click.core import Command


def _quiet(context: typer.Context, wanted: bool) -> None:
    _choose(context, Loudness.QUIET, wanted)


def _verbose(context: typer.Context, wanted: bool) -> None:
    _choose(context, Loudness.VERBOSE, wanted)


def _choose(context: typer.Context, loudness: Loudness, wanted: bool) -> None:
    if not wanted:
        return
    other = context.meta.setdefault(__name__, loudness)
    if other is not loudness:
        raise UsageError("--quiet and --verbose want the opposite; leave one of them out")
    set_loudness(loudness)


def _declared(
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            callback=_quiet,
            expose_value=False,
            help="Say on standard error what is wrong, and nothing else.",
        ),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose",
            callback=_verbose,
            expose_value=False,
            help="Say also how every launch was started, and where it lies.",
        ),
    ] = False,
) -> None:
    """Never called: its options are what it is for."""


def add_loudness(command: "Command") -> None:
    """Gives a command both options, before its help."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command()(_declared)
    options: list[Any] = list(typer.main.get_command(app).params)
    command.params.extend(options)
