# SPDX-License-Identifier: Apache-2.0
"""Every command of the command line, imported."""

from typing import Any

from isobath.cli.main import command_line


def whole_tree() -> dict[str, Any]:
    """All commands by what is typed after ./isobath: ``run``, ``bench``, ``bench cg``."""
    return _inner(command_line(), "")


def _inner(command: Any, before: str) -> dict[str, Any]:
    if not hasattr(command, "list_commands"):
        return {}
    context = command.make_context("isobath", [], resilient_parsing=True)
    found: dict[str, Any] = {}
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        found |= {before + name: inner} | _inner(inner, f"{before}{name} ")
    return found
