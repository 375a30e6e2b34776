# SPDX-License-Identifier: Apache-2.0
"""Help and version of a checkout in which nothing is set up: front_help.py ROOT [WORD ...].

Prints what the command line itself would, from its table of commands, and makes nothing. Ends with
0, or with 1 where the words are no question for help.
"""

from __future__ import annotations

import sys
from pathlib import Path

HELP = ("--help", "-h")


def main(root: str, words: list[str]) -> int:
    """Returns the exit status."""
    sys.path.insert(0, str(Path(root) / "src"))
    try:
        text = answer(words)
    except ImportError:  # sources that are not whole: set-up says so
        text = ""
    if text:
        print(text)
    return 0 if text else 1


def answer(words: list[str]) -> str:
    """Empty where the words ask for something else."""
    from isobath import __version__
    from isobath.cli.commands import COMMANDS, GROUPS
    from isobath.cli.front_page import front_page, group_page

    if words == ["--version"]:
        return f"isobath {__version__}"
    if words in ([], ["help"]) or words[0] in HELP:
        return front_page()
    asked = words[1:] if words[0] == "help" else _before_dashes(words)
    names = [word for word in asked if not word.startswith("-")]
    if words[0] != "help" and not set(HELP) & set(asked):
        return ""
    if names and names[0] in GROUPS:
        return group_page(GROUPS[names[0]])
    entry = COMMANDS.get(names[0]) if names else None
    if entry is None:
        return ""
    if names[0] == "setup":
        from bootstrap import SETUP_USAGE

        return SETUP_USAGE.rstrip("\n")
    inner = [f"  {name:<13}{one.line}" for name, one in entry.inner.items()]
    more = "All options: docs/reference/options.md"
    again = f"after ./isobath setup: ./isobath help {names[0]}"
    return "\n".join([f"./isobath {names[0]}: {entry.line}", *inner, f"{more}; {again}"])


def _before_dashes(words: list[str]) -> list[str]:
    return words[: words.index("--")] if "--" in words else words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
