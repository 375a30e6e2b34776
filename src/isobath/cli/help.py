# SPDX-License-Identifier: Apache-2.0
"""isobath help: the front page, a group of commands, or all options of a command."""

from typing import Annotated

import typer

from isobath.cli.commands import COMMANDS, GROUPS
from isobath.cli.front_page import group_page
from isobath.errors import UsageError
from isobath.settings.values import nearest

INNER = {inner: name for name, entry in COMMANDS.items() for inner in entry.inner}
"""Commands of groups, by which they are found without it."""


def _complete(incomplete: str) -> list[tuple[str, str]]:
    lines = {name: group.line for name, group in GROUPS.items()}
    lines |= {name: entry.line for name, entry in COMMANDS.items()}
    return [(name, line) for name, line in lines.items() if name.startswith(incomplete)]


Words = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[GROUP|COMMAND]...",
        help="What to explain: a group of commands (studies) or a command (bench cg).",
        autocompletion=_complete,
    ),
]


def explain(context: typer.Context, words: Words = None) -> int:
    """Explain a command, or a group of commands. Without a word: what there is to begin with."""
    root = context.find_root()
    if words and len(words) == 1 and words[0] in GROUPS:
        print(group_page(GROUPS[words[0]]))
        return 0
    if words and words[0] in INNER and words[0] not in COMMANDS:
        words = [INNER[words[0]], *words]
    if words and words[0] not in COMMANDS:
        raise UsageError(_no_such(words[0]))
    command = root.command
    with command.make_context("isobath", [*(words or ()), "--help"]) as inner:
        command.invoke(inner)
    return 0


def _no_such(word: str) -> str:
    near = nearest(word, [*GROUPS, *COMMANDS])
    there = f"did you mean {near}?" if near else f"there are {', '.join((*GROUPS, *COMMANDS))}"
    return f"there is no command {word} and no group of that name; {there}"
