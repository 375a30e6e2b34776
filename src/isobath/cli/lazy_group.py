# SPDX-License-Identifier: Apache-2.0
"""Commands that are imported when they are called: help and completion of names import none."""

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from isobath.cli.commands import COMMANDS, Entry
from isobath.cli.front_page import front_page
from isobath.cli.grouped_help import GroupedCommand
from isobath.cli.loudness import add_loudness
from isobath.errors import UsageError
from isobath.settings.values import nearest

if TYPE_CHECKING:
    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter
    from typer._click.shell_completion import CompletionItem


class LazyGroup(TyperGroup):
    """A group that knows its commands from the table of commands alone.

    Args: entries are its commands by name; the others are of TyperGroup.
    """

    entries: Mapping[str, Entry] = COMMANDS

    def list_commands(self, ctx: "Context") -> list[str]:
        """All names, none imported."""
        return list(self.entries)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Imports it; None where there is no such command."""
        if cmd_name in self.entries and cmd_name not in self.commands:
            self.commands[cmd_name] = load_command(cmd_name, self.entries[cmd_name])
        return self.commands.get(cmd_name)

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Nothing typed is a question what there is."""
        return super().parse_args(ctx, args or ([] if ctx.resilient_parsing else ["--help"]))

    def resolve_command(
        self, ctx: "Context", args: list[str]
    ) -> "tuple[str | None, Command | None, list[str]]":
        """Raises: UsageError naming the nearest, where there is no such command."""
        name = args[0]
        if not ctx.resilient_parsing and name not in self.entries and not name.startswith("-"):
            raise UsageError(no_such_command(ctx.command_path.removeprefix("isobath"), name,
                                             self.entries))  # fmt: skip
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: "Context", incomplete: str) -> "list[CompletionItem]":
        """Names with their lines."""
        from typer._click.core import Command
        from typer._click.shell_completion import CompletionItem

        names = [name for name in self.entries if name.startswith(incomplete)]
        completions = [CompletionItem(name, help=self.entries[name].line) for name in names]
        return completions + Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """A line for each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.line) for name, entry in self.entries.items()])


class FrontGroup(LazyGroup):
    """The whole command line, whose help is the front page."""

    def get_help(self, ctx: "Context") -> str:
        """One screen."""
        return front_page()


def _group_of(inner: Mapping[str, Entry]) -> type[LazyGroup]:
    """A group that has these commands."""
    return type("InnerGroup", (LazyGroup,), {"entries": inner})


def no_such_command(group: str, name: str, entries: Mapping[str, Entry]) -> str:
    """A sentence that names the nearest, also among the commands of groups."""
    inner = {word: f"{outer} {word}" for outer, entry in COMMANDS.items() for word in entry.inner}
    near = nearest(name, [*entries, *inner])
    if near in entries:
        hint = f"did you mean ./isobath{group} {near}?"
    elif near:
        hint = f"did you mean ./isobath {inner[near]}?"
    else:
        hint = f"./isobath{group} --help names all there are"
    return f"there is no command ./isobath{group} {name}; {hint}"


def load_command(name: str, entry: Entry) -> "Command":
    """The command of an entry; imports what it needs."""
    app = typer.Typer(
        add_completion=False, rich_markup_mode=None, cls=_group_of(entry.inner), help=entry.words
    )
    if entry.inner:
        app.callback()(_nothing)
    else:
        module, _, function = entry.place.partition(":")
        callback: Any = getattr(importlib.import_module(module), function)
        settings = {"allow_interspersed_args": not entry.has_command}
        app.command(name, cls=GroupedCommand, short_help=entry.line, context_settings=settings)(
            callback
        )
    command = typer.main.get_command(app)
    if entry.has_loudness:
        add_loudness(command)
    return command


def _nothing() -> None:
    """A group does nothing by itself."""
