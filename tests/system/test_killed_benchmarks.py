# SPDX-License-Identifier: Apache-2.0
"""Benchmarks of the real programs: a rank, the launcher, or a process of the launcher is killed."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from isobath.cli.suites import is_slow_when_oversubscribed
from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.launch.processes import descendants, is_alive, process_name
from isobath.records.codec import read_records
from isobath.records.ending import FailureRecord
from patience import patience
from signals import started
from system.laboratory import Laboratory

KINDS = {
    "collectives": ("--collectives", "bcast", "--sizes", "1:64K", "--forms", "blocking",
                    "--algorithms", "none", "--budget", "20", "--half-width", "0.0001", "--most",
                    "1000000"),
    "overlap": ("--collectives", "allreduce", "--sizes", "8:1M", "--progress", "library",
                "--repetitions", "100000", "--ratios", "0.25,0.5,1,2,4"),
    "cg": ("--elements", "64,66,68,70,72,74,76,78", "--iterations", "200", "--repetitions", "400",
           "--progress", "library", "--no-petsc", "--no-profile"),
}  # fmt: skip
"""Each measures for longer than a test waits for it."""

LAUNCHERS = ("mpiexec", "mpirun", "orterun", "prterun")
PROXY = "hydra_pmi_proxy"


@dataclass(frozen=True)
class Benched:
    """A benchmark in the background, both of whose ranks measure."""

    process: subprocess.Popen[str]
    ranks: list[RankState]
    store: Path

    def named(self, *names: str) -> int:
        """The first process below it that is called so: the one that it started itself."""
        below = descendants(self.process.pid)
        return next(pid for pid in below if process_name(pid).startswith(names))

    def end(self) -> tuple[int, str, FailureRecord]:
        """Exit code, what it said, and the one failure that it recorded."""
        _, err = self.process.communicate(timeout=patience())
        assert "Traceback" not in err
        assert not any(is_alive(state.pid) for state in self.ranks)
        rows = [
            row
            for path in self.store.glob("*/runs/*/records.jsonl")
            for row in read_records(path)
            if isinstance(row, FailureRecord)
        ]
        (failure,) = rows
        return self.process.returncode, " ".join(err.split()), failure


def measuring(store: Path) -> list[RankState]:
    for path in store.glob("*/runs/*/heartbeat.bin"):
        states = [state for state in Heartbeat(path, 2).read() if state.pid and state.cell]
        if len(states) == 2:
            return states
    return []


@contextmanager
def benched(lab: Laboratory, kind: str, store: Path) -> Iterator[Benched]:
    words = ("bench", kind, *KINDS[kind], "--ranks", "2", "--launches", "1", "--no-report",
             "--store", store)  # fmt: skip
    process = started(lab.command(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE, env=lab.environment())  # fmt: skip
    try:
        deadline = time.monotonic() + patience()
        while not (ranks := measuring(store)):
            assert process.poll() is None, process.stderr and process.stderr.read()
            assert time.monotonic() < deadline, "the ranks never measured"
            time.sleep(0.02)
        yield Benched(process, ranks, store)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(timeout=patience())


def is_named(lab: Laboratory) -> bool:
    """MPICH before version 5 at times names a rank that it ended itself, Intel MPI names all."""
    return not is_slow_when_oversubscribed(lab.mpi) and lab.mpi.family != "intel"


def kills_a_rank(lab: Laboratory, kind: str, store: Path) -> None:
    with benched(lab, kind, store) as bench:
        victim = bench.ranks[1]
        os.kill(victim.pid, signal.SIGKILL)
        code, err, failure = bench.end()

    assert code == 3, err
    assert re.search(r"was killed by SIGKILL while it measured \w+.*, ", err), err
    if is_named(lab):
        assert f"rank {victim.rank} was killed by SIGKILL" in err
        assert (failure.rank, failure.signal) == (victim.rank, signal.SIGKILL)


def test_a_killed_rank_of_a_benchmark_is_named(lab: Laboratory, tmp_path: Path) -> None:
    kills_a_rank(lab, "collectives", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_rank_of_every_benchmark_is_named(
    every_lab: Laboratory, tmp_path: Path, kind: str
) -> None:
    kills_a_rank(every_lab, kind, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_launcher_of_a_benchmark_is_no_killed_rank(
    every_lab: Laboratory, tmp_path: Path, kind: str
) -> None:
    with benched(every_lab, kind, tmp_path) as bench:
        os.kill(bench.named(*LAUNCHERS), signal.SIGKILL)
        code, err, failure = bench.end()

    assert code == 3, err
    assert re.search(
        r"the launcher mp\S+ was killed by SIGKILL while its ranks measured \w+.*, ", err
    ), err
    assert (failure.rank, failure.signal) == (None, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_proxy_of_the_launcher_is_named(
    every_lab: Laboratory, tmp_path: Path, kind: str
) -> None:
    if every_lab.mpi.family not in ("hydra", "intel"):
        pytest.skip("this launcher starts ranks itself")
    with benched(every_lab, kind, tmp_path) as bench:
        os.kill(bench.named(PROXY), signal.SIGKILL)
        code, err, failure = bench.end()

    assert code == 3, err
    assert "it lost a process of its own, hydra_pmi_proxy" in err
    assert "while its ranks measured " in err
    assert "signal" not in err
    assert (failure.rank, failure.signal) == (None, None)
