# SPDX-License-Identifier: Apache-2.0
"""Help whose options stand under headings, where a command has many."""

import re
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer._click.core import Context
    from typer._click.formatting import HelpFormatter

USUAL = "Options"


NUMBER = r"-?[\d.]+"


def _in_words(row: tuple[str, str]) -> tuple[str, str]:
    """Without types of Python behind a name, and ranges as people write them."""
    name, words = row
    words = re.sub(rf"({NUMBER})<=x<=({NUMBER})", r"\1 to \2", words)
    words = re.sub(rf"x>=({NUMBER})", r"at least \1", words)
    return re.sub(r" <[\w\[\]]+>$", "", name), words


class GroupedCommand(TyperCommand):
    """A command whose options are listed by their ``rich_help_panel``, the others first."""

    def format_options(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Writes one list for each heading, all in the order in which they were declared."""
        headings: dict[str, list[tuple[str, str]]] = {"Arguments": [], USUAL: []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is None:
                continue
            heading = "Arguments" if parameter.param_type_name == "argument" else USUAL
            panel: Any = getattr(parameter, "rich_help_panel", None)
            headings.setdefault(panel or heading, []).append(_in_words(row))
        for heading, rows in headings.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
