# SPDX-License-Identifier: Apache-2.0
"""What goes wrong around a run: killed and stopped ranks, signals, full disks."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from isobath.cli.suites import is_slow_when_oversubscribed
from isobath.launch.heartbeat import RankState
from isobath.launch.processes import descendants, is_alive, process_name
from isobath.launch.start_up import rank_of
from isobath.records.codec import read_records
from isobath.records.ending import FailureRecord
from isobath.store.folders import RunFolder
from patience import patience
from system.laboratory import Laboratory
from system.running import Running, searching
from system.small_disk import filled, may_mount, small_disk

SPARES_OLD_MPICH = True

SOON = 120.0
"""Seconds on a machine that may have other work: long before anybody would call it a hang. The ten
seconds that we promise are held by the watchdog's own clock: tests/python/launch/test_soon.py."""


def names_its_dead(lab: Laboratory) -> bool:
    """MPICH before version 5 at times names a rank that it ended itself, Intel MPI names all."""
    return not is_slow_when_oversubscribed(lab.mpi) and lab.mpi.family != "intel"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGBUS])
def test_a_killed_rank_ends_the_run_soon(every_lab: Laboratory, number: signal.Signals) -> None:
    running = Running(every_lab)
    victim = running.wait_until(searching)[1]

    os.kill(victim.pid, number)
    code, err, run = running.end(within=SOON)

    assert code == 3
    assert " was killed by SIG" in err
    records = run.records()
    assert run.is_sealed
    assert records.state == "failed"
    (failure,) = records.failures
    if names_its_dead(every_lab):
        assert f"rank {victim.rank} was killed by {number.name} in phase" in err
        assert (failure.rank, failure.signal) == (victim.rank, int(number))
    assert len(records.searches) >= 1
    left = run.environment()["removed_shared_memory"]
    assert not [name for name in left if Path("/dev/shm", name).exists()]


@pytest.mark.parametrize("phase", ["generate", "deliver_arcs", "sort_rows", "components"])
def test_a_rank_may_be_killed_before_the_first_search(every_lab: Laboratory, phase: str) -> None:
    order = ["generate", "deliver_arcs", "sort_rows", "components"]
    running = Running(every_lab, "--scale", "18", "--force")

    def has_come_to(states: list[RankState]) -> bool:
        return any(s.phase in order[order.index(phase) :] or s.search >= 0 for s in states)

    victim = running.wait_until(has_come_to)[0]
    os.kill(victim.pid, signal.SIGKILL)
    code, err, run = running.end(within=SOON)

    assert code == 3
    who = f"rank {victim.rank}" if names_its_dead(every_lab) else "rank"
    assert re.search(rf"{who}.* was killed by SIG", err)
    assert run.is_sealed
    assert run.summary().state == "failed"


@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGKILL, "was killed by SIGKILL"), (signal.SIGSTOP, "was stopped by a signal")],
)
def test_a_rank_may_be_killed_or_stopped_as_soon_as_it_is_there(
    every_lab: Laboratory, number: signal.Signals, words: str
) -> None:
    if every_lab.mpi.family == "intel" and number == signal.SIGKILL:
        pytest.skip("Intel MPI waits for a rank that died before MPI_Init")
    running = Running(every_lab)
    victim = first_process_of(running, rank=1)
    time.sleep(0.1)  # the laboratory looks for new ranks twenty times a second

    os.kill(victim, number)
    code, err, run = running.end(within=SOON)

    assert code == 3
    assert run.is_sealed
    records = read_records(run.path / "records.jsonl")
    (failure,) = [record for record in records if isinstance(record, FailureRecord)]
    if number == signal.SIGSTOP:
        assert f"rank 1 {words} in phase" in err
        assert (failure.rank, failure.signal) == (1, int(number))
    else:  # the launcher ends the others at once, at times before anybody looked who was first
        assert failure.exit_code == 3
        assert failure.message.partition("./isobath")[0] in err
    assert not is_alive(victim)


def first_process_of(running: Running, rank: int) -> int:
    """Waits for a rank's process; it has hardly begun to start its MPI."""
    deadline = time.monotonic() + patience()
    while time.monotonic() < deadline:
        for pid in descendants(running.process.pid):
            if rank_of(pid) == rank:
                return pid
    running.stop()
    raise AssertionError(f"rank {rank} never came")


def test_a_stopped_rank_ends_the_run_soon(every_lab: Laboratory) -> None:
    running = Running(every_lab)
    victim = running.wait_until(searching)[1]

    os.kill(victim.pid, signal.SIGSTOP)
    code, err, run = running.end(within=SOON)

    assert code == 3
    assert f"rank {victim.rank} was stopped by a signal in phase" in err
    (failure,) = run.records().failures
    assert (failure.rank, failure.signal) == (victim.rank, int(signal.SIGSTOP))
    assert not is_alive(victim.pid)


def test_a_killed_proxy_of_the_launcher_is_no_killed_rank(lab: Laboratory) -> None:
    """Hydra's mpiexec tells that it lost its proxy when the ranks have ended: the run is short."""
    if lab.mpi.family != "hydra":
        pytest.skip("this launcher starts ranks itself")
    running = Running(lab, "--keys", "100")
    states = running.wait_until(searching)
    below = descendants(running.process.pid)
    (proxy,) = [pid for pid in below if process_name(pid).startswith("hydra_pmi_proxy")]

    os.kill(proxy, signal.SIGKILL)
    code, err, run = running.end(within=patience())

    assert code == 3
    assert "it lost a process of its own, hydra_pmi_proxy" in " ".join(err.split())
    assert "killed by" not in err
    (failure,) = run.records().failures
    assert (failure.rank, failure.signal) == (None, None)
    assert run.is_sealed
    assert not any(is_alive(state.pid) for state in states)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_seals_what_is_complete(every_lab: Laboratory, number: signal.Signals) -> None:
    running = Running(every_lab)
    running.wait_until(searching)

    running.process.send_signal(number)
    code, err, run = running.end(within=30)

    assert code == 3
    assert "interrupted after" in err
    assert run.is_sealed
    assert run.verify() == []
    records = run.records()
    assert records.state == "unfinished"
    assert records.finish is not None
    assert records.finish.searches_completed == len(records.timed_searches)
    assert all(s.validation and s.validation.passed for s in records.timed_searches)


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_on_a_terminal(every_lab: Laboratory, times: int) -> None:
    """The engine is in a session of its own: the terminal's signal reaches only the laboratory.

    The second Ctrl-C may find the run searching, sealing or winding up: it ends the same way.
    """
    for pause in (0.0, 0.1, 0.2, 0.4)[: 1 if times == 1 else None]:
        with terminal(every_lab) as (running, screen):
            states = running.wait_until(searching)
            for _ in range(times):
                screen.type(b"\x03")
                time.sleep(pause)
            assert running.process.wait(timeout=patience()) == 3
        run = running.run()
        assert run.is_sealed
        assert run.verify() == []
        assert run.summary().state == "unfinished"
        assert b"search" in screen.shown
        assert not any(is_alive(state.pid) for state in states)


class Screen:
    """Our side of a pseudo-terminal, read all the time: who writes to a full one waits."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._reader = threading.Thread(target=self._read)
        self.shown = b""
        self._reader.start()

    def type(self, keys: bytes) -> None:
        with contextlib.suppress(OSError):  # the other end is closed: too late to be heard
            os.write(self._descriptor, keys)

    def close(self) -> None:
        self._reader.join()
        os.close(self._descriptor)

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # the other end is closed
            while content := os.read(self._descriptor, 65536):
                self.shown += content


@contextlib.contextmanager
def terminal(lab: Laboratory) -> Iterator[tuple[Running, Screen]]:
    """A run whose controlling terminal is a pseudo-terminal of ours."""
    ours, theirs = pty.openpty()
    # a session of its own, the terminal its controlling one
    running = Running(lab, wrapper=("setsid", "--ctty"), terminal=theirs)
    os.close(theirs)
    screen = Screen(ours)
    try:
        yield running, screen
    finally:
        running.stop()
        screen.close()


def test_a_full_disk_loses_nothing_that_was_sealed(lab: Laboratory, tmp_path: Path) -> None:
    words = ["run", "--no-report", "--scale", "10", "--threads", "1"]
    if may_mount(tmp_path / "probe"):
        with small_disk(tmp_path / "disk", 2 << 20) as disk:
            store = disk / "runs"
            assert lab.isobath(*words, "--keys", "4", "--store", store).code == 0
            kept = next(store.iterdir())
            with filled(disk, left=200_000):
                done = lab.isobath(*words, "--keys", "2000", "--store", store)
                check_full(done.code, done.err, kept)
            assert lab.isobath(*words, "--keys", "4", "--store", store).code == 0
    else:
        store = tmp_path / "runs"
        assert lab.isobath(*words, "--keys", "4", "--store", store).code == 0
        kept = next(store.iterdir())
        command = lab.command(*words, "--keys", "2000", "--store", store)
        limited = subprocess.run(
            ["bash", "-c", 'ulimit -f 100; exec "$@"', "-", *command],
            capture_output=True,
            text=True,
            env=lab.environment(),
            check=False,
        )
        check_full(limited.returncode, limited.stderr, kept)


def check_full(code: int, err: str, kept: Path) -> None:
    assert code == 3, err
    assert "Traceback" not in err
    assert "space" in err or "too large" in err, err
    assert RunFolder(kept).verify() == []
