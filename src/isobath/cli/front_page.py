# SPDX-License-Identifier: Apache-2.0
"""What isobath --help says: three things to do first, and the groups of commands, on one screen."""

from isobath.cli.commands import GROUPS, Group

FIRST = (
    ("./isobath doctor", "see what works on this machine, and what to mend"),
    ("./isobath run", "run Graph500 at a size that fits; about a minute"),
    ("./isobath show", "look at what came of it; ./isobath report makes a page"),
)

FOOT = """\
./isobath help NAME says more of a group or a command: ./isobath help studies
Options: --version, --install-completion, --show-completion, -h or --help."""


def front_page() -> str:
    """At most 24 lines of 80 columns."""
    lines = ["Three things to do first:"]
    lines += [f"  {command:<18}{words}" for command, words in FIRST]
    lines += ["", "Groups of commands:"]
    for name, group in GROUPS.items():
        if group.is_for_developers:
            lines.append("For developers of Isobath:")
        lines.append(f"  {name:<9}{', '.join(group.commands)}")
        lines.append(f"           {group.line}")
    return "\n".join((*lines, "", FOOT))


def group_page(group: Group) -> str:
    """Every command of a group, a line each."""
    width = max(map(len, group.commands)) + 2
    rows = [f"  {name:<{width}}{entry.line}" for name, entry in group.commands.items()]
    return "\n".join((group.line, "", *rows, "", "./isobath help COMMAND says more."))
