# SPDX-License-Identifier: Apache-2.0
"""Progress of a run: a live line on a terminal, else a plain line now and then; status.json."""

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from isobath.launch.engine_run import Progress
from isobath.plan.duration import Duration
from isobath.store.folders import OpenRun
from isobath.units import Seconds, format_roughly

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

STATUS_SECONDS = 5.0
FIRST_LINES_SECONDS = 10.0
LATER_LINES_SECONDS = 60.0
SOON_SECONDS = 60.0
"""How long lines come more often."""

WORDS = {
    "start": "starting",
    "generate": "generating edges",
    "check_construction": "checking the construction",
    "sample_keys": "sampling search keys",
    "write": "writing results",
    "finish": "finishing",
}


class RunProgress:
    """Shows and stores how far a run is; called with every look at it."""

    def __init__(
        self,
        run: OpenRun,
        *,
        searches: int,
        expected: Duration,
        out: TextIO | None = None,
    ) -> None:
        self._run = run
        self._searches = searches
        self._expected = expected
        self._out = out or sys.stderr
        self._done = 0
        self._first_search_at: Seconds | None = None
        self._next_status = 0.0
        self._next_line = FIRST_LINES_SECONDS
        self._said_stopping = False
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        if self._out.isatty():
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

    def __call__(self, progress: Progress) -> None:
        """Takes in one look at the run."""
        for fields in progress.records:
            self._count(fields, progress.elapsed_seconds)
        left = self.left_seconds(progress)
        words = self._words(progress)
        if progress.stopping and not self._said_stopping:
            self._said_stopping = True
            self._say("finishing the current search; once more (Ctrl-C) ends it at once")
        if self._bar is not None and self._task is not None:
            elapsed = progress.elapsed_seconds
            self._bar.update(
                self._task,
                completed=_share(elapsed, left),
                description=words,
                left=f"{format_roughly(elapsed)}{_about(left)}",
            )
        elif progress.elapsed_seconds >= self._next_line:
            soon = progress.elapsed_seconds < SOON_SECONDS
            step = FIRST_LINES_SECONDS if soon else LATER_LINES_SECONDS
            self._next_line = progress.elapsed_seconds + step
            took = format_roughly(progress.elapsed_seconds)
            self._say(f"{took}: {words}{_about(left)}")
        now = time.monotonic()
        if now >= self._next_status:
            self._next_status = now + STATUS_SECONDS
            self._run.write_status(self.status(progress, left))

    def status(self, progress: Progress, left: Seconds | None) -> dict[str, Any]:
        """What status.json says."""
        return {
            "run_id": self._run.run_id,
            "pid": os.getpid(),
            "state": "stopping" if progress.stopping else "running",
            "phase": progress.phase,
            "searches_done": self._done,
            "searches": self._searches,
            "elapsed_seconds": round(progress.elapsed_seconds, 1),
            "left_seconds": None if left is None else round(left, 1),
            "updated": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }

    def left_seconds(self, progress: Progress) -> Seconds | None:
        """Estimate of what is left: the plan's before the first search, the measured rate after.

        None while the ranks take longer to start than planned: they may hang.
        """
        elapsed = progress.elapsed_seconds
        if progress.phase == "start" and elapsed > self._expected.startup:
            return None
        if self._first_search_at is None or self._done == 0:
            return max(0.0, self._expected.total - elapsed)
        per_search = (elapsed - self._first_search_at) / self._done
        return per_search * max(0, self._searches - self._done)

    def _count(self, fields: dict[str, Any], elapsed: Seconds) -> None:
        if fields.get("kind") == "run":
            return
        if fields.get("kind") == "construction" or fields.get("warmup") is True:
            self._first_search_at = elapsed
        elif fields.get("kind") == "search":
            if self._first_search_at is None:
                self._first_search_at = elapsed
            self._done += 1

    def _words(self, progress: Progress) -> str:
        if progress.phase in WORDS:
            return WORDS[progress.phase]
        if self._first_search_at is None and progress.search < 0:
            return "constructing the graph"
        return f"search {min(self._done + 1, self._searches)} of {self._searches}"

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
