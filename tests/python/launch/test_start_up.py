# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest

from isobath.errors import ExitCode
from isobath.launch.processes import descendants, process_name, process_state
from isobath.launch.start_up import StartUp, rank_of
from patience import patience

RANKS = "PMI_RANK=0 sleep 600 & PMI_RANK=1 sleep 600 & sleep 600 & wait"
"""A launcher with two ranks and another process."""


@pytest.fixture
def launcher() -> Iterator[int]:
    environment = {key: value for key, value in os.environ.items() if "RANK" not in key}
    process = subprocess.Popen(["/bin/sh", "-c", RANKS], env=environment)
    deadline = time.monotonic() + patience()
    while sum(process_name(pid) == "sleep" for pid in descendants(process.pid)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    yield process.pid
    for pid in (*descendants(process.pid), process.pid):
        os.kill(pid, signal.SIGKILL)
    process.wait()


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    while process_state(pid) != "T":
        time.sleep(0.01)


def child(launcher: int, rank: int | None) -> int:
    return next(pid for pid in descendants(launcher) if rank_of(pid) == rank)


def test_a_stopped_rank_counts_after_a_while(launcher: int) -> None:
    start_up = StartUp(launcher)
    pid = child(launcher, 1)

    assert start_up.check(set(), 1.0) is None
    stop(pid)
    assert start_up.check(set(), 2.0) is None
    assert start_up.check(set(), 4.0) is None
    trouble = start_up.check(set(), 5.5)

    assert trouble is not None
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, signal.SIGSTOP, "start")
    assert trouble.exit_code == ExitCode.ENVIRONMENT
    assert trouble.message.startswith("rank 1 was stopped by a signal in phase start")


def test_one_that_goes_on_or_has_a_heartbeat_is_left_alone(launcher: int) -> None:
    start_up = StartUp(launcher)
    pid = child(launcher, 0)

    stop(pid)
    assert start_up.check(set(), 1.0) is None
    assert start_up.check({pid}, 9.0) is None
    assert start_up.check(set(), 10.0) is None
    os.kill(pid, signal.SIGCONT)
    while process_state(pid) == "T":
        time.sleep(0.01)
    assert start_up.check(set(), 20.0) is None


def test_another_stopped_process_is_named_by_its_program(launcher: int) -> None:
    start_up = StartUp(launcher)
    pid = child(launcher, None)

    stop(pid)
    assert start_up.check(set(), 1.0) is None
    trouble = start_up.check(set(), 4.0)

    assert trouble is not None
    assert trouble.rank is None
    assert trouble.message.startswith(f"sleep (process {pid}), which starts ranks, was stopped")


def test_ranks_that_are_gone_keep_their_names(launcher: int) -> None:
    start_up = StartUp(launcher)
    start_up.look()
    pid = child(launcher, 1)

    os.kill(pid, signal.SIGKILL)
    while rank_of(pid) is not None:
        time.sleep(0.01)
    start_up.look()

    assert {(state.rank, state.pid) for state in start_up.ranks} >= {(1, pid)}
    assert rank_of(pid) is None
