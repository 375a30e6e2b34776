# SPDX-License-Identifier: Apache-2.0
"""What was killed or stopped ends a launch within ten seconds, by the watchdog's own clock: what a
busy machine takes to give us a processor is not in it.
"""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from isobath.launch.heartbeat import Doing, RankState
from isobath.launch.limits import HANG_SECONDS, PATIENCE_SECONDS, Limits
from isobath.launch.processes import descendants, process_state
from isobath.launch.start_up import StartUp
from isobath.launch.supervised import CHECK_SECONDS, POLL_SECONDS
from isobath.launch.watchdog import Trouble, Watchdog
from patience import patience

PROMISED = 10.0

ENDING = PATIENCE_SECONDS + POLL_SECONDS
"""Until all that were sent SIGKILL are gone, at the most."""

HAPPENED = 100.0
"""When it happens, by that clock: just after a look, which is the worst moment."""


@pytest.fixture
def child() -> Iterator[int]:
    """A process that stands for a rank, below this one."""
    environment = os.environ | {"PMI_RANK": "1"}
    process = subprocess.Popen(["/bin/sleep", "1000"], env=environment)
    yield process.pid
    process.kill()
    process.wait()


def comes_to(pid: int, letters: str) -> None:
    deadline = time.monotonic() + patience()
    while process_state(pid) not in letters:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def found_after(look: "Look") -> float:
    """Seconds from what happened until it is told, of looks as often as a launch has them."""
    now = HAPPENED + CHECK_SECONDS + POLL_SECONDS
    while look(now) is None:
        now += CHECK_SECONDS + POLL_SECONDS
        assert now < HAPPENED + HANG_SECONDS
    return now - HAPPENED


class Look:
    """What is found at a time; the first look is before anything happened."""

    def __call__(self, now: float) -> Trouble | None:
        raise NotImplementedError


class LookAtRanks(Look):
    def __init__(self, pid: int) -> None:
        here = RankState(rank=0, pid=os.getpid(), progress=1, phase="reduce")
        self._there = replace(here, rank=1, pid=pid, doing=Doing.WAITING)
        self._here = here
        self._dog = Watchdog(Limits(), started_seconds=0.0)
        assert self(HAPPENED) is None

    def __call__(self, now: float) -> Trouble | None:
        going_on = replace(self._here, progress=round(now * 100))
        return self._dog.check([going_on, self._there], now)


class LookAtStart(Look):
    def __init__(self) -> None:
        self._start_up = StartUp(os.getpid(), 2)
        assert self(HAPPENED) is None

    def __call__(self, now: float) -> Trouble | None:
        others = [RankState(rank=0, pid=os.getpid())]
        return self._start_up.check(others, now, all_will_register=True)


def test_a_stopped_rank(child: int) -> None:
    look = LookAtRanks(child)
    os.kill(child, signal.SIGSTOP)
    comes_to(child, "T")
    assert found_after(look) + ENDING <= PROMISED


def test_a_killed_rank(child: int) -> None:
    look = LookAtRanks(child)
    os.kill(child, signal.SIGKILL)
    comes_to(child, "Z")
    assert found_after(look) + ENDING <= PROMISED


def test_a_rank_that_is_stopped_before_its_first_heartbeat(child: int) -> None:
    assert child in descendants(os.getpid())
    look = LookAtStart()
    os.kill(child, signal.SIGSTOP)
    comes_to(child, "T")
    assert found_after(look) + ENDING <= PROMISED


def test_a_rank_that_is_killed_before_its_first_heartbeat(child: int) -> None:
    assert child in descendants(os.getpid())
    look = LookAtStart()
    os.kill(child, signal.SIGKILL)
    comes_to(child, "Z")
    assert found_after(look) + ENDING <= PROMISED
