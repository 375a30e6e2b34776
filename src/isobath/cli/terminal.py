# SPDX-License-Identifier: Apache-2.0
"""Standard output as a terminal of at most 80 columns."""

import io
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80


def console_into(text: io.StringIO) -> "Console":
    """The same for a text that goes to a file: 80 columns, no colours."""
    from rich.console import Console

    return Console(file=text, width=WIDTH, highlight=False, markup=False, emoji=False)


def console() -> "Console":
    """80 columns, narrower where the terminal is; plain text where it is none."""
    from rich.console import Console

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal knows bars
    width = WIDTH
    if sys.stdout.isatty():
        width = min(WIDTH, os.get_terminal_size(sys.stdout.fileno()).columns)
    return Console(file=sys.stdout, width=width, highlight=False, markup=False, emoji=False)
