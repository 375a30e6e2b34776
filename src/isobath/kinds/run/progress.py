# SPDX-License-Identifier: Apache-2.0
"""How far a run is and how long it will take: for who watches, and for status.json."""

import os
import time
from typing import Any

from isobath.launch.engine_run import Progress
from isobath.plan.duration import Duration
from isobath.store.folders import OpenRun
from isobath.study.driver import Look, Watch
from isobath.units import Seconds

STATUS_SECONDS = 5.0

WORDS = {
    "start": "starting",
    "generate": "generating edges",
    "check_construction": "checking the construction",
    "sample_keys": "sampling search keys",
    "write": "writing results",
    "finish": "finishing",
}


class RunProgress:
    """Stores how far a run is and hands it on; called with every look at it."""

    def __init__(self, run: OpenRun, *, searches: int, expected: Duration, watch: Watch) -> None:
        self._run = run
        self._searches = searches
        self._expected = expected
        self._watch = watch
        self._done = 0
        self._first_search_at: Seconds | None = None
        self._next_status = 0.0

    def __call__(self, progress: Progress) -> None:
        """Takes in one look at the run."""
        for fields in progress.records:
            self._count(fields, progress.elapsed_seconds)
        left = self.left_seconds(progress)
        words = self._words(progress)
        self._watch(Look(words, progress.elapsed_seconds, left, progress.stopping))
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
