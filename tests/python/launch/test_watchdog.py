# SPDX-License-Identifier: Apache-2.0
import os
import signal
import struct
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch.heartbeat import HEADER_BYTES, SLOT, Beats, Doing, Heartbeat, RankState
from isobath.launch.limits import Limits
from isobath.launch.processes import descendants, is_alive, process_state
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.watchdog import Trouble, Watchdog, death_in_text, death_of, signal_name
from patience import patience


def state(rank: int, progress: int, doing: Doing = Doing.COMPUTING, call: str = "") -> RankState:
    """A living rank: this process."""
    return RankState(
        rank=rank,
        pid=os.getpid(),
        progress=progress,
        search=3,
        level=2,
        doing=doing,
        phase="reduce",
        last_call=call,
    )


def test_heartbeats_are_read_as_written(tmp_path: Path) -> None:
    heart = Heartbeat.create(tmp_path / "h", 2)
    slot = SLOT.pack(7, 1, 4711, 3, 2, Doing.WAITING, 0, b"reduce", b"MPI_Allreduce", b"")
    with heart.path.open("r+b") as file:
        file.seek(HEADER_BYTES + 256)
        file.write(slot)

    first, second = heart.read()

    assert heart.path.stat().st_size == 64 + 2 * 256
    assert (first.rank, first.pid, first.search) == (0, 0, -1)
    assert (second.rank, second.pid, second.progress) == (1, 4711, 7)
    assert second.describe() == "rank 1 waits in MPI_Allreduce (phase reduce, search 3, level 2)"


def test_a_benchmark_and_a_foreign_program_say_where_they_are() -> None:
    cell = "cell 3 of 24, blocking allreduce of 4096 B"
    there = RankState(rank=0, pid=1, phase="start", last_call="MPI_Sendrecv", cell=cell)
    assert there.describe() == f"rank 0 computes, last call MPI_Sendrecv ({cell})"
    foreign = RankState(rank=1, pid=1, doing=Doing.ASKING, last_call="MPI_Iprobe")
    assert foreign.describe() == "rank 1 asks in vain with MPI_Iprobe"


def test_every_process_of_a_profiled_program_has_a_file_of_its_own(tmp_path: Path) -> None:
    for rank, pid in ((1, 20), (0, 30), (0, 10)):  # two worlds may both have a rank 0
        heart = Heartbeat.create(tmp_path / f"beat-{rank}-{pid}.bin", 1)
        slot = SLOT.pack(5, rank, pid, -1, 0, Doing.WAITING, 0, b"", b"MPI_Recv", b"")
        with heart.path.open("r+b") as file:
            file.seek(HEADER_BYTES)
            file.write(slot)

    states = Beats(tmp_path).read()

    assert [(one.rank, one.pid) for one in states] == [(0, 10), (0, 30), (1, 20)]
    assert states[0].describe() == "rank 0 waits in MPI_Recv"


def test_a_stop_is_one_word_in_the_header(tmp_path: Path) -> None:
    heart = Heartbeat.create(tmp_path / "h", 1)
    heart.request_stop()

    assert struct.unpack_from("<8sII", heart.path.read_bytes()) == (b"ISOBHB2\0", 1, 1)


def test_a_file_that_is_no_heartbeat_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "h"
    path.write_bytes(b"something else entirely")
    assert Heartbeat(path, 1).read() == []
    assert Heartbeat(tmp_path / "none", 1).read() == []
    with pytest.raises(EnvironmentProblem, match="cannot write"):
        Heartbeat.create(tmp_path / "no" / "h", 1)


def watched(
    *histories: list[RankState], seconds: int = 40, limits: Limits | None = None
) -> tuple[Trouble | None, int]:
    """What is found, and when, where each rank goes through its states, one a second."""
    dog = Watchdog(limits or Limits(hang_seconds=10), started_seconds=0)
    for now in range(seconds):
        ranks = [states[min(now, len(states) - 1)] for states in histories]
        trouble = dog.check(ranks, float(now))
        if trouble is not None:
            return trouble, now
    return None, seconds


def progressing(rank: int, doing: Doing = Doing.COMPUTING, call: str = "") -> list[RankState]:
    return [state(rank, count, doing, call) for count in range(100)]


def test_a_run_hangs_where_every_rank_is_silent() -> None:
    trouble, when = watched(
        [*progressing(0)[:5], state(0, 4, Doing.WAITING, "MPI_Bcast")],
        [*progressing(1)[:3], state(1, 2, Doing.WAITING, "MPI_Barrier")],
    )

    assert trouble is not None
    assert trouble.exit_code == ExitCode.TIMEOUT
    assert when == 14, "ten seconds after the last of them made progress"
    assert (trouble.rank, trouble.last_call) == (1, "MPI_Barrier"), "the first that fell silent"


def test_a_rank_that_polls_is_silent_and_hides_nobody() -> None:
    asks = [state(0, 4, Doing.ASKING if now % 2 else Doing.WAITING, "MPI_Testsome") for now in
            range(100)]  # fmt: skip
    trouble, when = watched(asks, [state(1, 7)])

    assert trouble is not None
    assert when == 10
    assert "rank 0 waits in MPI_Testsome" in trouble.message
    assert trouble.rank == 1, "who computes is blamed before who waits"


@pytest.mark.parametrize("doing", [Doing.WAITING, Doing.ASKING, Doing.RESTING])
def test_who_waits_for_one_that_goes_on_is_left_alone(doing: Doing) -> None:
    """Others may compute, read a file or measure for as long as they make progress."""
    trouble, _ = watched([state(0, 1, doing, "MPI_Bcast")], progressing(1))

    assert trouble is None


def test_a_rank_that_computes_in_silence_is_named_though_others_go_on() -> None:
    trouble, when = watched(
        [state(0, 1, call="MPI_Isend")], progressing(1, Doing.WAITING, "MPI_Recv")
    )

    assert trouble is not None
    assert when == 10
    assert trouble.message.startswith("rank 0 made no progress for 10 s while others went on: ")
    assert "rank 0 computes, last call MPI_Isend" in trouble.message
    assert trouble.rank == 0


def test_a_long_phase_is_no_hang_below_the_limit() -> None:
    """All wait for one that computes: told from a hang by the limit of this run alone."""
    computes = [*[state(0, 1)] * 30, *progressing(0)[2:]]
    waits = [*[state(1, 5, Doing.WAITING, "MPI_Allreduce")] * 31, *progressing(1)[6:]]

    assert watched(computes, waits, limits=Limits(hang_seconds=31))[0] is None
    trouble, when = watched(computes, waits, limits=Limits(hang_seconds=29))
    assert trouble is not None
    assert when == 29


def test_without_limits_nobody_is_ended() -> None:
    limits = Limits(hang_seconds=None)

    assert watched([state(0, 1)], [state(1, 1)], limits=limits, seconds=2000)[0] is None


def test_a_time_limit_holds_for_those_that_go_on_too() -> None:
    trouble, when = watched(progressing(0), limits=Limits(time_limit=20))

    assert trouble is not None
    assert when == 20
    assert trouble.exit_code == ExitCode.TIMEOUT
    assert "--time-limit" in trouble.message


def test_after_a_request_to_stop_silence_counts_sooner_and_from_then_on() -> None:
    dog = Watchdog(Limits(hang_seconds=500, stop_seconds=3), started_seconds=0)
    silent = [state(0, 1), state(1, 1, Doing.WAITING, "MPI_Barrier")]

    assert dog.check(silent, 100.0) is None
    assert dog.check(silent, 102.0, stop_asked=100.0) is None
    trouble = dog.check(silent, 103.0, stop_asked=100.0)

    assert trouble is not None
    assert trouble.exit_code == ExitCode.ENVIRONMENT
    assert trouble.message.startswith("asked to stop, but no rank made progress for 3 s: rank 0 ")
    going_on = [state(0, 2), state(1, 1, Doing.WAITING, "MPI_Barrier")]
    assert dog.check(going_on, 104.0, stop_asked=100.0) is None


def test_a_dead_rank_counts_only_after_a_while_and_beside_living_ones() -> None:
    child = subprocess.Popen(["/bin/true"])
    child.wait()
    dog = Watchdog(Limits(), started_seconds=0)
    dead = replace(state(1, 1, Doing.WAITING, "MPI_Barrier"), pid=child.pid)
    ranks = [state(0, 1), dead]

    assert dog.check(ranks, 2.0) is None
    assert dog.check(ranks, 4.0) is None
    trouble = dog.check(ranks, 5.5)

    assert trouble is not None
    assert trouble.rank == 1
    assert "while others go on" in trouble.message
    fresh = Watchdog(Limits(), started_seconds=0)
    assert fresh.check([dead], 2.0) is None
    assert fresh.check([dead], 20.0) is None


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
    doing = Doing.WAITING if call else Doing.COMPUTING
    state = RankState(rank=0, pid=4711, search=3, doing=doing, phase=phase, last_call=call)

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
    ranks = [RankState(rank=n, pid=77 + n, search=3, phase="fold") for n in range(2)]
    text = "".join(
        f"=   RANK {n} PID {77 + n} RUNNING AT here\n=   KILLED BY SIGNAL: {found} (Killed)\n===\n"
        for n, found in enumerate(signals)
    )

    trouble = death_in_text(text, ranks)

    assert trouble is not None
    assert (trouble.rank, trouble.signal) == (rank, number)


def test_a_rank_that_died_before_anyone_saw_it_is_named_by_open_mpi() -> None:
    text = "mpirun noticed that process rank 1 with PID 77 on node a exited on\nsignal 9 (Killed)."

    trouble = death_in_text(text, [])

    assert trouble is not None
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, 9, "start")


def test_words_that_report_no_death_are_none() -> None:
    assert death_in_text("all is well", []) is None
    trouble = death_in_text("EXIT STRING: Killed (signal 9)", [])
    assert trouble is not None
    assert trouble.rank is None


def test_processes_can_be_followed() -> None:
    child = subprocess.Popen(["/bin/sh", "-c", "sleep 60 & wait"])
    try:
        deadline = time.monotonic() + patience()
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
