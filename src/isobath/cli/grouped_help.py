# SPDX-License-Identifier: Apache-2.0
"""Help whose options stand under headings, where a command has many."""

from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer._click.core import Context
    from typer._click.formatting import HelpFormatter

USUAL = "Options"


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
            headings.setdefault(panel or heading, []).append(row)
        for heading, rows in headings.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)
