# SPDX-License-Identifier: Apache-2.0
"""isobath bench: a group of commands; only the one that is asked for is imported."""

import importlib

import typer

from isobath.cli.grouped_help import GroupedCommand

COMMANDS = {
    "collectives": ("isobath.cli.bench_collectives:collectives", "What every collective costs."),
    "replay": ("isobath.cli.bench_replay:replay", "What a search sent, measured by itself."),
    "cg": ("isobath.cli.bench_cg:cg", "Does pipelining conjugate gradients pay?"),
    "overlap": ("isobath.cli.bench_overlap:overlap", "Hidden, or only faster?"),
}
"""Where each command lives, and its line in the help."""


def application(words: list[str]) -> typer.Typer:
    """The group with the wanted command, or with all of them where help needs them.

    Args: words follow ``bench`` on the command line.
    """
    app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help=explain.__doc__)
    app.callback()(explain)
    wanted = words[0] if words and words[0] in COMMANDS else None
    for name in [wanted] if wanted else COMMANDS:
        place, line = COMMANDS[name]
        module, _, function = place.partition(":")
        command = getattr(importlib.import_module(module), function)
        app.command(name, cls=GroupedCommand, short_help=line)(command)
    return app


def explain() -> None:
    """Measure the MPI library of this machine.

    Begin with: ./isobath bench collectives
    """
