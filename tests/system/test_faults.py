# SPDX-License-Identifier: Apache-2.0
"""What goes wrong around a run: killed and stopped ranks, signals, full disks."""

import contextlib
import os
import pty
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.launch.processes import is_alive
from isobath.store.folders import PARTIAL, RunFolder
from system.laboratory import Laboratory

LONG = ("run", "--no-report", "--scale", "14", "--keys", "2000", "--threads", "1")


class Running:
    """A run in the background whose ranks can be seen."""

    def __init__(self, lab: Laboratory, *words: object, ranks: int = 2) -> None:
        self.lab = lab
        self.ranks = ranks
        self.before = {run.run_id for run in lab.runs}
        self.process = subprocess.Popen(
            lab.command(*LONG, "--ranks", ranks, *words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=lab.environment(),
        )

    def states(self) -> list[RankState]:
        for path in (self.lab.prefix / "runs").glob(f"*{PARTIAL}/heartbeat.bin"):
            if path.parent.name.removesuffix(PARTIAL) not in self.before:
                return [s for s in Heartbeat(path, self.ranks).read() if s.pid]
        return []

    def wait_until(self, holds: Callable[[list[RankState]], bool]) -> list[RankState]:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            states = self.states()
            if len(states) == self.ranks and holds(states):
                return states
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            time.sleep(0.01)
        raise AssertionError("the ranks never got there")

    def end(self, within: float) -> tuple[int, str, RunFolder]:
        _, err = self.process.communicate(timeout=within)
        assert "Traceback" not in err
        (run,) = [run for run in self.lab.runs if run.run_id not in self.before]
        return self.process.returncode, err, run


@pytest.fixture
def calibrated(lab: Laboratory) -> Laboratory:
    for ranks in (1, 2, 4):
        lab.isobath("run", "--scale", 10, "--ranks", ranks, "--threads", 1, "--dry-run")
    return lab


def searching(states: list[RankState]) -> bool:
    return all(state.search >= 1 for state in states)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGBUS])
def test_a_killed_rank_ends_the_run_within_ten_seconds(
    calibrated: Laboratory, number: signal.Signals
) -> None:
    running = Running(calibrated)
    victim = running.wait_until(searching)[1]

    os.kill(victim.pid, number)
    code, err, run = running.end(within=10)

    assert code == (4 if number == signal.SIGSEGV else 3)
    assert f"rank {victim.rank} was killed by {number.name} in phase" in err
    records = run.records()
    assert run.is_sealed
    assert records.state == "failed"
    (failure,) = [f for f in records.failures if f.signal is not None]
    assert (failure.rank, failure.signal) == (victim.rank, int(number))
    assert len(records.searches) >= 1
    left = run.environment()["removed_shared_memory"]
    assert not [name for name in left if Path("/dev/shm", name).exists()]


@pytest.mark.parametrize("phase", ["generate", "deliver_arcs", "sort_rows", "components"])
def test_a_rank_may_be_killed_before_the_first_search(calibrated: Laboratory, phase: str) -> None:
    order = ["generate", "deliver_arcs", "sort_rows", "components"]
    running = Running(calibrated, "--scale", "18", "--force")

    def has_come_to(states: list[RankState]) -> bool:
        return any(s.phase in order[order.index(phase) :] or s.search >= 0 for s in states)

    victim = running.wait_until(has_come_to)[0]
    os.kill(victim.pid, signal.SIGKILL)
    code, err, run = running.end(within=10)

    assert code == 3
    assert f"rank {victim.rank} was killed by SIGKILL" in err
    assert run.is_sealed
    assert run.summary().state == "failed"


def test_a_stopped_rank_ends_the_run_within_ten_seconds(calibrated: Laboratory) -> None:
    running = Running(calibrated)
    victim = running.wait_until(searching)[1]

    os.kill(victim.pid, signal.SIGSTOP)
    code, err, run = running.end(within=10)

    assert code == 3
    assert f"rank {victim.rank} was stopped by a signal in phase" in err
    (failure,) = run.records().failures
    assert (failure.rank, failure.signal) == (victim.rank, int(signal.SIGSTOP))
    assert not is_alive(victim.pid)


def test_a_rank_that_never_comes_back_is_a_hang(calibrated: Laboratory) -> None:
    """With the stopped rank hidden from the watchdog only the lack of progress shows."""
    running = Running(calibrated, "--scale", "22", "--ranks", 1, "--hang-seconds", "1", ranks=1)

    code, err, run = running.end(within=120)

    assert code == 7, err
    assert "no rank made progress for" in err
    assert "rank 0 computes (phase" in err
    assert run.records().failures[0].exit_code == 7 if run.text("records.jsonl") else True


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_seals_what_is_complete(calibrated: Laboratory, number: signal.Signals) -> None:
    running = Running(calibrated)
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


def test_ctrl_c_on_a_terminal_once_and_twice(calibrated: Laboratory) -> None:
    """The engine is in a session of its own: the terminal's signal reaches only the laboratory."""
    for times in (1, 2):
        before = {run.run_id for run in calibrated.runs}
        with terminal(calibrated.command(*LONG, "--ranks", 2), calibrated) as (process, screen):
            watcher = Running.__new__(Running)
            watcher.lab, watcher.ranks, watcher.before = calibrated, 2, before
            watcher.process = process
            states = watcher.wait_until(searching)
            began = time.monotonic()
            for _ in range(times):
                os.write(screen, b"\x03")
                time.sleep(0.2)
            shown = read_all(screen)
            assert process.wait(timeout=30) == 3
        took = time.monotonic() - began
        (run,) = [run for run in calibrated.runs if run.run_id not in before]
        assert run.is_sealed
        assert run.summary().state == "unfinished"
        assert b"search" in shown or b"finishing" in shown
        assert not any(is_alive(state.pid) for state in states)
        if times == 2:
            assert took < 5


@contextlib.contextmanager
def terminal(command: list[str], lab: Laboratory) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A process whose controlling terminal is a pseudo-terminal of ours."""
    screen, other = pty.openpty()
    process = subprocess.Popen(
        ["setsid", "--ctty", *command],  # a session of its own, the terminal its controlling one
        stdin=other,
        stdout=other,
        stderr=other,
        env=lab.environment(TERM="xterm"),
        text=True,
    )
    os.close(other)
    try:
        yield process, screen
    finally:
        os.close(screen)
        if process.poll() is None:
            process.kill()
            process.wait()


def read_all(screen: int) -> bytes:
    shown = b""
    while True:
        try:
            content = os.read(screen, 65536)
        except OSError:  # the other end is closed
            return shown
        if not content:
            return shown
        shown += content


@contextlib.contextmanager
def small_disk(folder: Path, size_bytes: int) -> Iterator[Path]:
    """A file system that fills up soon; needs root."""
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size_bytes}", "tmpfs", str(folder)], check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def may_mount(folder: Path) -> bool:
    """Whether this process is root enough for a file system of its own."""
    if os.geteuid() != 0:
        return False
    try:
        with small_disk(folder, 65536):
            return True
    except (subprocess.CalledProcessError, OSError):
        return False


def test_a_full_disk_loses_nothing_that_was_sealed(calibrated: Laboratory, tmp_path: Path) -> None:
    words = ["run", "--no-report", "--scale", "10", "--threads", "1"]
    if may_mount(tmp_path / "probe"):
        with small_disk(tmp_path / "disk", 2 << 20) as disk:
            store = disk / "runs"
            assert calibrated.isobath(*words, "--keys", "4", "--store", store).code == 0
            kept = next(store.iterdir())
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            (disk / "filler").write_bytes(b"x" * (free - 200_000))
            done = calibrated.isobath(*words, "--keys", "2000", "--store", store)
            check_full(done.code, done.err, kept)
            (disk / "filler").unlink()
            assert calibrated.isobath(*words, "--keys", "4", "--store", store).code == 0
    else:
        store = tmp_path / "runs"
        assert calibrated.isobath(*words, "--keys", "4", "--store", store).code == 0
        kept = next(store.iterdir())
        command = calibrated.command(*words, "--keys", "2000", "--store", store)
        limited = subprocess.run(
            ["bash", "-c", 'ulimit -f 100; exec "$@"', "-", *command],
            capture_output=True,
            text=True,
            env=calibrated.environment(),
            check=False,
        )
        check_full(limited.returncode, limited.stderr, kept)


def check_full(code: int, err: str, kept: Path) -> None:
    assert code == 3, err
    assert "Traceback" not in err
    assert "space" in err or "too large" in err, err
    assert RunFolder(kept).verify() == []


def test_a_store_that_cannot_be_written_is_refused_at_once(calibrated: Laboratory) -> None:
    done = calibrated.isobath("run", "--scale", "10", "--store", "/proc/runs")

    assert done.code == 3
    assert "--store" in done.err


def test_what_cannot_fit_is_refused(calibrated: Laboratory) -> None:
    done = calibrated.isobath("run", "--scale", "43")

    assert done.code == 8
    assert "the largest scale that fits is" in done.err
