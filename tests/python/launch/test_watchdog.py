# SPDX-License-Identifier: Apache-2.0
import os
import signal
import struct
import subprocess
import time
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.heartbeat import HEADER_BYTES, SLOT, Heartbeat, RankState
from isobath.launch.processes import descendants, is_alive, process_state
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.watchdog import Limits, Watchdog, death_in_text, death_of, signal_name


def state(rank: int, pid: int, changed: float, phase: str = "reduce", call: str = "") -> RankState:
    return RankState(rank, pid, 1, changed, 3, 2, phase, call)


def test_heartbeats_are_read_as_written(tmp_path: Path) -> None:
    heart = Heartbeat.create(tmp_path / "h", 2)
    slot = SLOT.pack(7, 1.5, 1, 4711, 3, 2, b"reduce", b"MPI_Allreduce")
    with heart.path.open("r+b") as file:
        file.seek(HEADER_BYTES + 128)
        file.write(slot)

    first, second = heart.read()

    assert heart.path.stat().st_size == 64 + 2 * 128
    assert (first.rank, first.pid, first.search) == (0, 0, -1)
    assert second == RankState(1, 4711, 7, 1.5, 3, 2, "reduce", "MPI_Allreduce")
    assert second.describe() == "rank 1 waits in MPI_Allreduce (phase reduce, search 3, level 2)"


def test_a_stop_is_one_word_in_the_header(tmp_path: Path) -> None:
    heart = Heartbeat.create(tmp_path / "h", 1)
    heart.request_stop()

    assert struct.unpack_from("<8sII", heart.path.read_bytes()) == (b"ISOBHB1\0", 1, 1)


def test_a_file_that_is_no_heartbeat_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "h"
    path.write_bytes(b"something else entirely")
    assert Heartbeat(path, 1).read() == []
    assert Heartbeat(tmp_path / "none", 1).read() == []
    with pytest.raises(EnvironmentProblem, match="cannot write"):
        Heartbeat.create(tmp_path / "no" / "h", 1)


def test_progress_of_one_rank_is_enough() -> None:
    me = os.getpid()
    dog = Watchdog(Limits(hang_seconds=10), started_seconds=0)

    assert dog.check([state(0, me, 1.0), state(1, me, 95.0)], 100.0) is None
    trouble = dog.check([state(0, me, 1.0), state(1, me, 95.0, call="MPI_Barrier")], 106.0)

    assert trouble is not None
    assert trouble.exit_code == ExitCode.TIMEOUT
    assert trouble.rank == 0


def test_where_all_wait_the_one_that_waits_longest_is_named() -> None:
    me = os.getpid()
    dog = Watchdog(Limits(hang_seconds=10), started_seconds=0)

    trouble = dog.check(
        [state(0, me, 5.0, call="MPI_Bcast"), state(1, me, 3.0, call="MPI_Barrier")], 50.0
    )

    assert trouble is not None
    assert (trouble.rank, trouble.last_call) == (1, "MPI_Barrier")


def test_a_dead_rank_counts_only_after_a_while_and_beside_living_ones() -> None:
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    dog = Watchdog(Limits(), started_seconds=0)
    ranks = [state(0, os.getpid(), 1.0), state(1, child.pid, 1.0, call="MPI_Barrier")]

    assert dog.check(ranks, 2.0) is None
    assert dog.check(ranks, 4.0) is None
    trouble = dog.check(ranks, 5.5)

    assert trouble is not None
    assert trouble.rank == 1
    assert "while others go on" in trouble.message
    alone = [state(1, child.pid, 1.0)]
    fresh = Watchdog(Limits(), started_seconds=0)
    assert fresh.check(alone, 2.0) is None
    assert fresh.check(alone, 20.0) is None


@pytest.mark.parametrize(
    ("number", "code"),
    [(9, 3), (15, 3), (7, 3), (11, 4), (6, 4), (8, 4)],
)
def test_signals_lead_to_exit_codes(number: int, code: int) -> None:
    assert death_of(None, number).exit_code == code


@pytest.mark.parametrize(
    ("phase", "call", "code"), [("validate", "MPI_Alltoall", 3), ("", "", 3), ("validate", "", 4)]
)
def test_an_abort_inside_mpi_is_no_defect_of_ours(phase: str, call: str, code: int) -> None:
    state = RankState(0, 4711, 0, 0.0, 3, 0, phase, call)

    assert death_of(state, signal.SIGABRT).exit_code == code


def test_an_unknown_signal_has_its_number() -> None:
    assert signal_name(200) == "signal 200"
    assert signal_name(9) == "SIGKILL"


@pytest.mark.parametrize(
    ("signals", "rank", "number"), [((9, 7), 1, 7), ((9,), 0, 9), ((9, 9), None, 9)]
)
def test_intel_s_words_name_the_process_where_one_can_tell(
    signals: tuple[int, ...], rank: int | None, number: int
) -> None:
    ranks = [RankState(n, 77 + n, 0, 0.0, 3, 0, "fold", "") for n in range(2)]
    text = "".join(
        f"=   RANK {n} PID {77 + n} RUNNING AT here\n=   KILLED BY SIGNAL: {found} (Killed)\n===\n"
        for n, found in enumerate(signals)
    )

    trouble = death_in_text(text, ranks)

    assert trouble is not None
    assert (trouble.rank, trouble.signal) == (rank, number)


def test_words_that_report_no_death_are_none() -> None:
    assert death_in_text("all is well", []) is None
    trouble = death_in_text("EXIT STRING: Killed (signal 9)", [])
    assert trouble is not None
    assert trouble.rank is None


def test_processes_can_be_followed() -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "sleep 60 & wait"])
    try:
        deadline = time.monotonic() + 600
        while len(descendants(child.pid)) < 1 and time.monotonic() < deadline:
            time.sleep(0.01)
        below = descendants(child.pid)
        assert len(below) == 1
        assert is_alive(below[0])
        assert process_state(child.pid) in "SR"
    finally:
        for pid in (*below, child.pid):
            os.kill(pid, 9)
        child.wait()
    assert process_state(child.pid) == ""


def test_shared_memory_in_use_or_there_before_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "before").touch()
    look = SharedMemory.look(tmp_path)
    (tmp_path / "left").touch()
    with (tmp_path / "used").open("wb"):
        removed = look.clean()

    assert removed == ["left"]
    assert {path.name for path in tmp_path.iterdir()} == {"before", "used"}
    assert SharedMemory.look(tmp_path / "none").clean() == []
