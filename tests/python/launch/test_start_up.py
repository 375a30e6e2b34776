# SPDX-License-Identifier: Apache-2.0
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest

from isobath.errors import ExitCode
from isobath.launch.heartbeat import RankState
from isobath.launch.processes import descendants, process_name, process_state
from isobath.launch.start_up import StartUp, rank_of
from patience import patience

RANKS = "PMI_RANK=0 sleep 600 & PMI_RANK=1 sleep 600 & sleep 600 & wait"
"""A launcher with two ranks and another process."""


def is_sleep(pid: int) -> bool:
    return process_name(pid) == "sleep"


@contextlib.contextmanager
def launched(command: str, sleeping: int) -> Iterator[int]:
    environment = {key: value for key, value in os.environ.items() if "RANK" not in key}
    process = subprocess.Popen(["/bin/sh", "-c", command], env=environment)
    deadline = time.monotonic() + patience()
    while sum(is_sleep(pid) for pid in descendants(process.pid)) < sleeping:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    yield process.pid
    for pid in (*descendants(process.pid), process.pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def launcher() -> Iterator[int]:
    with launched(RANKS, sleeping=3) as pid:
        yield pid


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    while process_state(pid) != "T":
        time.sleep(0.01)


def child(launcher: int, rank: int | None) -> int:
    return next(pid for pid in descendants(launcher) if rank_of(pid) == rank)


def test_a_stopped_rank_counts_after_a_while(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    pid = child(launcher, 1)

    assert start_up.check([], 1.0, all_will_register=True) is None
    stop(pid)
    assert start_up.check([], 2.0, all_will_register=True) is None
    assert start_up.check([], 4.0, all_will_register=True) is None
    trouble = start_up.check([], 5.5, all_will_register=True)

    assert trouble is not None
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, signal.SIGSTOP, "start")
    assert trouble.exit_code == ExitCode.ENVIRONMENT
    assert trouble.message.startswith("rank 1 was stopped by a signal in phase start")


def test_one_that_goes_on_or_has_a_heartbeat_is_left_alone(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    pid = child(launcher, 0)

    stop(pid)
    assert start_up.check([], 1.0, all_will_register=True) is None
    assert start_up.check([RankState(rank=0, pid=pid)], 9.0, all_will_register=True) is None
    assert start_up.check([], 10.0, all_will_register=True) is None
    os.kill(pid, signal.SIGCONT)
    while process_state(pid) == "T":
        time.sleep(0.01)
    assert start_up.check([], 20.0, all_will_register=True) is None


def test_another_stopped_process_is_named_by_its_program(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    pid = child(launcher, None)

    stop(pid)
    assert start_up.check([], 1.0, all_will_register=True) is None
    trouble = start_up.check([], 4.0, all_will_register=True)

    assert trouble is not None
    assert trouble.rank is None
    assert trouble.message.startswith(f"sleep (process {pid}), which starts ranks, was stopped")


def test_ranks_that_are_gone_keep_their_names(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    start_up.look()
    pid = child(launcher, 1)

    os.kill(pid, signal.SIGKILL)
    while rank_of(pid) is not None:
        time.sleep(0.01)
    start_up.look()

    assert {(state.rank, state.pid) for state in start_up.ranks} >= {(1, pid)}
    assert rank_of(pid) is None


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    while rank_of(pid) is not None:
        time.sleep(0.01)


def test_a_rank_that_is_gone_counts_after_a_while(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    start_up.look()
    pid = child(launcher, 1)

    kill(pid)
    assert start_up.check([], 2.0, all_will_register=True) is None
    assert start_up.check([], 4.0, all_will_register=True) is None
    trouble = start_up.check([], 5.5, all_will_register=True)

    assert trouble is not None
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, None, "start")
    assert trouble.exit_code == ExitCode.ENVIRONMENT
    assert trouble.message.startswith("rank 1 ended in phase start while others go on")


def test_a_rank_without_a_heartbeat_may_end_where_none_has_one(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    start_up.look()

    kill(child(launcher, 1))
    assert start_up.check([], 2.0, all_will_register=False) is None
    assert start_up.check([], 9.0, all_will_register=False) is None


def test_a_rank_that_had_a_heartbeat_is_watched_by_others(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    start_up.look()
    pid = child(launcher, 1)

    kill(pid)
    registered = [RankState(rank=1, pid=pid)]
    assert start_up.check(registered, 2.0, all_will_register=True) is None
    assert start_up.check(registered, 9.0, all_will_register=True) is None


def test_where_all_are_gone_the_launcher_says_why(launcher: int) -> None:
    start_up = StartUp(launcher, 2)
    start_up.look()

    kill(child(launcher, 1))
    kill(child(launcher, 0))
    assert start_up.check([], 2.0, all_will_register=True) is None
    assert start_up.check([], 9.0, all_will_register=True) is None


def test_one_of_several_processes_of_a_rank_may_end() -> None:
    two = "PMI_RANK=0 sleep 600 & PMI_RANK=1 /bin/sh -c 'sleep 600; sleep 601' & wait"
    with launched(two, sleeping=2) as launcher:
        start_up = StartUp(launcher, 2)
        start_up.look()

        kill(next(pid for pid in descendants(launcher) if rank_of(pid) == 1 and is_sleep(pid)))
        assert start_up.check([], 2.0, all_will_register=True) is None
        assert start_up.check([], 9.0, all_will_register=True) is None


def test_a_number_beyond_the_ranks_is_none_of_them(launcher: int) -> None:
    start_up = StartUp(launcher, 1)
    start_up.look()

    kill(child(launcher, 1))

    assert [state.rank for state in start_up.ranks] == [0]
    assert start_up.check([], 2.0, all_will_register=True) is None
    assert start_up.check([], 9.0, all_will_register=True) is None
