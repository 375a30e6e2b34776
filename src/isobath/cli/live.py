# SPDX-License-Identifier: Apache-2.0
"""What is shown of a launch that goes on: a live line on a terminal, else lines now and then.

With --quiet nothing but that an end was asked for.
"""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from isobath.cli.terminal import is_quiet
from isobath.study.driver import Look
from isobath.units import Seconds, format_roughly

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

FIRST_LINES_SECONDS = 10.0
LATER_LINES_SECONDS = 60.0
SOON_SECONDS = 60.0
"""How long lines come more often."""


class Live:
    """Shows one launch; called with every look at it."""

    def __init__(self, out: TextIO | None = None) -> None:
        self._out = out or sys.stderr
        self._next_line = FIRST_LINES_SECONDS
        self._said_stopping = False
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._out.isatty() and not is_quiet():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=None),
                TextColumn("{task.fields[left]}"),
                console=Console(file=self._out),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("starting", total=1.0, left="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, look: Look) -> None:
        """Takes in one look at the launch."""
        if look.is_stopping and not self._said_stopping:
            self._said_stopping = True
            self._say("finishing the current search; once more (Ctrl-C) ends it at once")
        elapsed, left = look.elapsed_seconds, look.left_seconds
        if self._bar is not None and self._task is not None:
            self._bar.update(
                self._task,
                completed=_share(elapsed, left),
                description=look.words,
                left=f"{format_roughly(elapsed)}{_about(left)}",
            )
        elif elapsed >= self._next_line and not is_quiet():
            soon = elapsed < SOON_SECONDS
            self._next_line = elapsed + (FIRST_LINES_SECONDS if soon else LATER_LINES_SECONDS)
            self._say(f"{format_roughly(elapsed)}: {look.words}{_about(left)}")

    def _say(self, words: str) -> None:
        if self._bar is not None:
            self._bar.console.print(f"isobath: {words}", highlight=False, markup=False)
        else:
            print(f"isobath: {words}", file=self._out, flush=True)


def _share(elapsed: Seconds, left: Seconds | None) -> float:
    if left is None:
        return 0.0
    return elapsed / (elapsed + left) if left > 0 else 1.0


def _about(left: Seconds | None) -> str:
    return "" if left is None else f", about {format_roughly(left)} left"
