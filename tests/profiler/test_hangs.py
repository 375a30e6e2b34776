# SPDX-License-Identifier: Apache-2.0
"""A profiled program that hangs: ended by a limit or a signal, with its ranks."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from isobath.launch.heartbeat import Beats
from isobath.launch.processes import is_alive
from isobath.store.folders import list_runs
from profiler.conftest import Profiler, environment


def ranks_of(program: Path) -> list[int]:
    """Processes of a program, by its own file: launchers and proxies only name it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(path) == str(program) and is_alive(int(path.parent.name)):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_a_limit_says_which_rank_hangs_in_which_call(every: Profiler) -> None:
    program = every.build("hangs.c")

    done = every.run(program, options=("--hang-seconds", "2"))

    assert done.code == 7, done.err
    words = " ".join(done.err.split())
    assert "no rank made progress for 2 s: " in words
    assert "rank 1 waits in MPI_Recv" in words
    assert "rank 0 waits in MPI_Iprobe" in words or "rank 0 asks in vain with MPI_Iprobe" in words
    assert ranks_of(program) == []
    assert done.profile is not None, "what was recorded until then is kept"
    assert any(cell.call == "allreduce" for cell in done.profile.cells)


def test_a_time_limit_ends_a_program_whatever_it_does(standard: Profiler) -> None:
    program = standard.build("hangs.c")

    done = standard.run(program, options=("--time-limit", "4"))

    assert done.code == 7, done.err
    assert "it was not over after 4 s" in " ".join(done.err.split())
    assert ranks_of(program) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_is_handed_on_and_no_rank_is_left(
    standard: Profiler, number: signal.Signals
) -> None:
    program = standard.build("hangs.c")
    before = {run.run_id for run in list_runs(standard.store)}
    command = [sys.executable, "-m", "isobath", "profile", "--store", str(standard.store), "--",
               *standard.family.launcher, "-n", "2", str(program)]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        cwd=standard.folder,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # noqa: PLW1509
    )
    try:
        deadline = time.monotonic() + 60
        while not hung(2) and time.monotonic() < deadline:
            time.sleep(0.05)

        process.send_signal(number)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()

    assert "Traceback" not in err
    assert process.returncode not in (0, -int(number)), "it ended by itself, as the program did"
    assert ranks_of(program) == []
    (stored,) = [run for run in list_runs(standard.store) if run.run_id not in before]
    assert stored.summary().state == "failed"


def hung(ranks: int) -> bool:
    """Whether so many ranks of a profile that is going on have come to where they hang."""
    folder = Path(environment()["ISOBATH_PREFIX"]) / ".isobath" / "profiles"
    calls = ("MPI_Recv", "MPI_Iprobe")
    return any(
        sum(state.last_call in calls for state in Beats(one).read()) >= ranks
        for one in folder.glob("*")
    )
