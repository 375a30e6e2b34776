# SPDX-License-Identifier: Apache-2.0
"""Standard output as a terminal of at most 80 columns; notes on standard error."""

import contextlib
import enum
import io
import os
import sys
import textwrap
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80


class Loudness(enum.Enum):
    """How much is said on standard error."""

    QUIET = "quiet"
    """what is wrong, and nothing else"""
    USUAL = "usual"
    VERBOSE = "verbose"
    """also every launch with its command line"""


_loudness = ContextVar("loudness", default=Loudness.USUAL)


@contextlib.contextmanager
def with_loudness(loudness: Loudness = Loudness.USUAL) -> Iterator[None]:
    """Until its end as much is said as here, unless ``set_loudness`` is called in it."""
    token = _loudness.set(loudness)
    try:
        yield
    finally:
        _loudness.reset(token)


def set_loudness(loudness: Loudness) -> None:
    """For the rest of the command."""
    _loudness.set(loudness)


def is_quiet() -> bool:
    """With --quiet: what is wrong is said, and nothing else."""
    return _loudness.get() is Loudness.QUIET


def say(words: str) -> None:
    """A note on standard error; not with --quiet."""
    if not is_quiet():
        warn(words)


def warn(words: str) -> None:
    """What is wrong, on standard error, always."""
    from isobath.cli.places import typed_here  # which makes names plain by this module

    print(f"isobath: {plain(typed_here(words))}", file=sys.stderr, flush=True)


def plain(words: str) -> str:
    """Sentences without what a terminal would obey: names in them are those of files. Further lines
    are indented, so that none of them looks like another sentence of ours.
    """
    lines = words.split("\n")
    return "\n  ".join(
        "".join(letter if letter.isprintable() or letter == "\t" else "?" for letter in line)
        for line in lines
    )


def explain(words: str) -> None:
    """What only who looks closely wants to know: with --verbose."""
    if _loudness.get() is Loudness.VERBOSE:
        warn(words)


def console_into(text: io.StringIO, wide: int = WIDTH) -> "Console":
    """The same for a text that goes to a file: without colours."""
    from rich.console import Console

    return Console(file=text, width=wide, highlight=False, markup=False, emoji=False)


def columns() -> int | None:
    """Of the terminal that standard output is; None where it is none."""
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None


def fitted(words: str, indent: int = 2) -> str:
    """A line for who reads it in a terminal: goes on below where there is no room, between words.
    Into a file or a pipe it stays one line.

    Args: indent is that of the lines below, in columns.
    """
    wide = columns()
    if wide is None:
        return words
    return textwrap.fill(
        words,
        wide,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def width(most: int = WIDTH) -> int:
    """Of tables on standard output: 80, less where the terminal is narrower.

    Args: most is what a wider terminal is used up to.
    """
    return min(most, columns() or WIDTH)


def console(most: int = WIDTH) -> "Console":
    """80 columns, narrower where the terminal is; plain text where it is none.

    Args: most is what a wider terminal is used up to.
    """
    from rich.console import Console

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # not every terminal knows bars
    return Console(file=sys.stdout, width=width(most), highlight=False, markup=False, emoji=False)
