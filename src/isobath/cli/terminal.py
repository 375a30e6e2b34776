# SPDX-License-Identifier: Apache-2.0
"""Standard output as a terminal of at most 80 columns, and lines on standard error."""

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80


def console() -> "Console":
    """80 columns, narrower where the terminal is; plain text where it is none."""
    from rich.console import Console

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal knows bars
    width = WIDTH
    if sys.stdout.isatty():
        width = min(WIDTH, os.get_terminal_size(sys.stdout.fileno()).columns)
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)


def say(words: str) -> None:
    """A line on standard error."""
    print(f"isobath: {words}", file=sys.stderr, flush=True)
