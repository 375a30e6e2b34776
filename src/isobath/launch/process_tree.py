# SPDX-License-Identifier: Apache-2.0
"""What a launcher has started, remembered also where the launcher is gone and others took over."""

import signal
import time

from isobath.launch.processes import descendants, is_alive, process_state, send, start_time

EARLY_SECONDS = 10.0
RARE_SECONDS = 5.0
"""Looking at all processes costs some milliseconds: often only while ranks are started."""

HOLD_SECONDS = 3.0
"""A process that is stopped stops at once, unless it waits for a disk."""

HOLD_POLL_SECONDS = 0.001


class ProcessTree:
    """Processes with the time at which each began: a number that was given again is another."""

    def __init__(self, root_pid: int) -> None:
        self._root_pid = root_pid
        self._began: dict[int, str] = {}
        self._first: float | None = None
        self._next = 0.0

    def look(self) -> None:
        """Remembers all that are below the root now."""
        for pid in descendants(self._root_pid):
            self.add(pid)

    def hold(self) -> None:
        """Stops the root and all below it, until no look shows another.

        What is stopped starts nothing, so that a rank that is just being started is seen too.
        """
        held: set[int] = set()
        while fresh := {self._root_pid, *self.alive()} - held:
            send(fresh, signal.SIGSTOP)
            deadline = time.monotonic() + HOLD_SECONDS
            while any(map(_runs, fresh)) and time.monotonic() < deadline:
                time.sleep(HOLD_POLL_SECONDS)
            held |= fresh
            self.look()

    def look_at_times(self, now_seconds: float) -> None:
        """The same, often in the beginning and rarely later."""
        self._first = self._first if self._first is not None else now_seconds
        if now_seconds >= self._next:
            self.look()
            early = now_seconds - self._first < EARLY_SECONDS
            self._next = now_seconds if early else now_seconds + RARE_SECONDS

    def knows(self, pid: int) -> bool:
        """Whether the process is remembered; 0 is nobody's number."""
        return not pid or pid in self._began

    def add(self, pid: int) -> None:
        """Remembers a process that is known from elsewhere."""
        if not self.knows(pid):
            began = start_time(pid)
            if began:
                self._began[pid] = began

    def alive(self) -> set[int]:
        """Those that are still there."""
        return {
            pid for pid, began in self._began.items() if is_alive(pid) and start_time(pid) == began
        }


def _runs(pid: int) -> bool:
    """Whether it may still start something."""
    return is_alive(pid) and process_state(pid) not in ("T", "t")
