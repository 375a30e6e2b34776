# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import fake_mpi
from isobath.errors import EnvironmentProblem, ExitCode
from isobath.launch import shared_memory, supervised
from isobath.launch.engine_run import Files, Outcome, Progress, run_engine
from isobath.launch.installation import Installation
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import Limits
from isobath.launch.mpi_library import choose_library
from isobath.launch.processes import (
    is_alive,
    is_between_programs,
    process_name,
    variables,
)
from isobath.launch.start_up import StartUp
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from patience import patience


class Bench:
    """A fake MPI and a folder for one launch."""

    def __init__(self, folder: Path) -> None:
        fake_mpi.install(folder)
        self.mpi = choose_library(Installation(folder, folder), "fake")
        self.files = Files(
            records=folder / "records.jsonl",
            stdout=folder / "stdout.txt",
            stderr=folder / "stderr.txt",
            heartbeat=folder / "heartbeat.bin",
        )
        self.run_id = f"test-{os.getpid()}-{folder.name}"
        self.interrupts = Interrupts()
        self.seen: list[Progress] = []
        self.limits = Limits(hang_seconds=60)

    def line(self, ranks: int) -> LaunchLine:
        arguments = ["--scale", "12", "--run-id", self.run_id]
        arguments += ["--record", str(self.files.records), "--heartbeat", str(self.files.heartbeat)]
        folder = self.files.records.parent
        arguments += ["--official-reference", str(folder / "reference.txt")]
        arguments += ["--official-spec", str(folder / "spec.txt")]
        program = self.mpi.program("isobath-graph500")
        return launch_line(self.mpi, program, arguments, ranks=ranks, threads=1, cpus=2)

    def run(self, ranks: int = 2, line: LaunchLine | None = None) -> Outcome:
        return run_engine(
            line or self.line(ranks),
            self.files,
            ranks=ranks,
            run_id=self.run_id,
            limits=self.limits,
            watch=self.watch,
            interrupts=self.interrupts,
        )

    def watch(self, progress: Progress) -> None:
        self.seen.append(progress)

    def records(self) -> RunRecords:
        return RunRecords.of(read_records(self.files.records, drop_torn_line=True))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with fake_mpi.nothing_outlives(str(tmp_path)):
        yield Bench(tmp_path)


def outliving_rank() -> int:
    """Started by who ends at once; the shell becomes setsid, and that the program that stays."""
    script = "setsid sleep 600 >/dev/null & echo $!"
    rank = int(subprocess.check_output(["/bin/sh", "-c", script]))
    deadline = time.monotonic() + patience()
    while process_name(rank) != "sleep" or is_between_programs(rank):
        assert time.monotonic() < deadline
        time.sleep(0.001)
    return rank


def test_what_outlives_a_launch_is_ended_and_fails_the_test(tmp_path: Path) -> None:
    outlives = fake_mpi.nothing_outlives(str(tmp_path))
    outlives.__enter__()
    rank = outliving_rank()

    with pytest.raises(AssertionError, match="outlived what started them"):
        outlives.__exit__(None, None, None)

    assert not is_alive(rank)


def test_what_is_just_becoming_another_program_is_ended_and_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first look the kernel tells nothing of it."""
    outlives = fake_mpi.nothing_outlives(str(tmp_path))
    outlives.__enter__()
    rank = outliving_rank()
    told: list[int] = []

    def tells_nothing(pid: int) -> bool:
        return pid == rank and rank not in told

    def of_environment(pid: int) -> dict[str, str]:
        if not tells_nothing(pid):
            return variables(pid)
        told.append(pid)
        return {}

    monkeypatch.setattr(fake_mpi, "is_between_programs", tells_nothing)
    monkeypatch.setattr(fake_mpi, "variables", of_environment)

    with pytest.raises(AssertionError, match="outlived what started them"):
        outlives.__exit__(None, None, None)

    assert told == [rank]
    assert not is_alive(rank)


def test_a_run_ends_well_and_every_record_is_seen_once(bench: Bench) -> None:
    outcome = bench.run()

    assert outcome.exit_code == ExitCode.DONE
    assert outcome.trouble is None
    kinds = [fields["kind"] for progress in bench.seen for fields in progress.records]
    of_searches = ["level", "calls", "search"] * 4
    of_run = ["mpi_time", "message_sizes", "traffic_matrix"]
    assert kinds == ["run", "construction", *of_searches, *of_run, "finish"]
    assert bench.files.stdout.read_text().startswith("SCALE:")
    assert max(progress.search for progress in bench.seen) >= 1


@pytest.mark.parametrize("dialect", ["hydra", "openmpi"])
def test_a_killed_rank_is_named_with_phase_signal_and_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, dialect: str
) -> None:
    monkeypatch.setenv("FAKE_DO", "kill:1:9")
    monkeypatch.setenv("FAKE_DIALECT", dialect)

    outcome = bench.run()

    assert outcome.trouble is not None
    assert outcome.elapsed_seconds < 10
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    trouble = outcome.trouble
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, 9, "validate")
    assert trouble.last_call == "MPI_Allreduce"
    assert trouble.message.startswith("rank 1 was killed by SIGKILL in phase validate")


def test_a_killed_launcher_is_told_as_that(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", "kill-launcher")

    outcome = bench.run()

    assert outcome.trouble is not None
    assert outcome.trouble.message.startswith("the launcher mpiexec was killed by SIGKILL in phase")
    assert (outcome.trouble.rank, outcome.trouble.signal) == (None, signal.SIGKILL)


def test_a_launcher_s_banner_does_not_stay_on_standard_output(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "kill:1:9")

    bench.run()

    assert bench.files.stdout.read_text(encoding="utf-8") == ""
    assert "BAD TERMINATION" in bench.files.stderr.read_text(encoding="utf-8")


def test_a_crash_is_our_defect(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", f"kill:0:{int(signal.SIGSEGV)}")

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.INTERNAL
    assert outcome.trouble is not None
    assert "SIGSEGV" in outcome.trouble.message


def test_a_stopped_rank_ends_the_run_within_ten_seconds(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "stop:1")

    outcome = bench.run()

    assert outcome.elapsed_seconds < 10
    assert outcome.trouble is not None
    assert (outcome.trouble.rank, outcome.trouble.signal) == (1, signal.SIGSTOP)
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert not any(is_alive(pid) for pid in pids(bench))


@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGSTOP, "was stopped by a signal"), (signal.SIGKILL, "was killed by SIGKILL")],
)
@pytest.mark.parametrize("dialect", ["hydra", "openmpi"])
def test_a_rank_stopped_or_killed_before_any_heartbeat_is_named(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, dialect: str, number: signal.Signals, words: str
) -> None:
    seen = bench.files.stdout.with_name("seen")
    look = StartUp.look

    def look_and_tell(start_up: StartUp) -> list[int]:
        pids = look(start_up)
        if len(start_up.ranks) == 2:
            seen.touch()
        return pids

    monkeypatch.setattr(StartUp, "look", look_and_tell)
    monkeypatch.setenv("FAKE_SEEN", str(seen))
    monkeypatch.setenv("FAKE_DO", f"start:1:{int(number)}")
    monkeypatch.setenv("FAKE_DIALECT", dialect)

    outcome = bench.run()

    assert outcome.elapsed_seconds < 10
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    trouble = outcome.trouble
    assert trouble is not None
    assert (trouble.rank, trouble.signal, trouble.phase) == (1, number, "start")
    assert trouble.message.startswith(f"rank 1 {words} in phase start")


def test_a_launcher_stopped_before_any_heartbeat_ends_the_run(bench: Bench) -> None:
    outcome = bench.run(line=LaunchLine(("/bin/sh", "-c", "kill -STOP $$; sleep 600"), {}))

    assert outcome.elapsed_seconds < 10
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert outcome.trouble is not None
    assert outcome.trouble.message.startswith("the launcher sh was stopped by a signal")
    assert outcome.trouble.signal == signal.SIGSTOP


@pytest.mark.parametrize("seconds", ["1", "0.2"])  # the second: between two looks
def test_a_launcher_that_outlives_all_its_ranks_ends_the_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, seconds: str
) -> None:
    monkeypatch.setattr(supervised, "FAREWELL_SECONDS", 1.0)
    rank = f"sleep {seconds} &"
    script = f"sleep 0.2; PMI_RANK=0 {rank} PMI_RANK=1 {rank} sleep 600"

    outcome = bench.run(line=LaunchLine(("/bin/sh", "-c", script), {}))

    assert outcome.elapsed_seconds < 20
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert outcome.trouble is not None
    said = "all ranks have ended, but the launcher sh has not for 1 s"
    assert outcome.trouble.message.startswith(said)


def test_what_a_rank_said_before_it_ended_alone_is_told(bench: Bench) -> None:
    said = "isobath-graph500: rank 1 of 2: no room for messages; free some"
    ranks = f"PMI_RANK=0 sleep 600 & PMI_RANK=1 sh -c 'sleep 0.5; echo \"{said}\" >&2' & wait"

    outcome = bench.run(line=LaunchLine(("/bin/sh", "-c", ranks), {}))

    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert outcome.trouble is not None
    assert outcome.trouble.message == "no room for messages; free some"
    assert outcome.trouble.rank == 1


def test_the_rank_of_who_started_the_laboratory_is_none_of_its_own(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PMI_RANK", "0")
    monkeypatch.setattr(supervised, "FAREWELL_SECONDS", 0.5)
    bench.limits = Limits(hang_seconds=1.0, start_seconds=6.0)

    outcome = bench.run(line=LaunchLine(("/bin/sh", "-c", "sleep 0.5; exec sleep 600"), {}))

    assert outcome.exit_code == ExitCode.TIMEOUT
    assert outcome.trouble is not None
    assert outcome.trouble.message.startswith("no rank started in 6 s")


def pids(bench: Bench) -> list[int]:
    from isobath.launch.heartbeat import Heartbeat

    return [state.pid for state in Heartbeat(bench.files.heartbeat, 2).read()]


def test_a_hang_ends_with_who_waits_where(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_DO", "hang")
    bench.limits = Limits(hang_seconds=1.5)

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.TIMEOUT
    assert outcome.trouble is not None
    message = outcome.trouble.message
    assert "rank 0 computes (phase top_down, search 1, level 0)" in message
    assert "rank 1 waits in MPI_Allreduce (phase reduce, search 1, level 0)" in message
    assert "--hang-seconds" in message
    assert outcome.trouble.rank == 0
    assert not any(is_alive(pid) for pid in pids(bench))


def test_a_rank_that_polls_does_not_hide_one_that_hangs(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "poll")
    bench.limits = Limits(hang_seconds=1.0)

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.TIMEOUT
    assert outcome.trouble is not None
    message = outcome.trouble.message
    assert "rank 0 asks in vain with MPI_Testsome (phase top_down, search 1, level 0)" in message
    assert "rank 1 computes (phase top_down, search 1, level 0)" in message
    assert not any(is_alive(pid) for pid in pids(bench))


def test_a_hang_ends_soon_where_an_end_is_asked_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "hang")
    bench.limits = Limits(stop_seconds=1.0)

    def press_once_it_hangs(progress: Progress) -> None:
        if progress.search == 1:
            bench.interrupts.received = [signal.SIGINT]

    monkeypatch.setattr(bench, "watch", press_once_it_hangs)

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert outcome.interrupted
    assert outcome.trouble is not None
    assert outcome.trouble.message.startswith("asked to stop, but no rank made progress for ")
    assert "rank 1 waits in MPI_Allreduce" in outcome.trouble.message
    assert not any(is_alive(pid) for pid in pids(bench))


def test_a_time_limit_ends_a_run_that_makes_progress(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is several times what a start takes now, so that ranks are at work when it ends."""
    begin = time.monotonic()
    assert bench.run().exit_code == ExitCode.DONE
    limit = 1 + 4 * (time.monotonic() - begin)
    monkeypatch.setenv("FAKE_DO", "slow")
    monkeypatch.setenv("FAKE_SEARCHES", "5000")
    bench.limits = Limits(time_limit=limit)

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.TIMEOUT
    assert outcome.trouble is not None
    assert outcome.trouble.message.startswith(f"it was not over after {limit:.0f} s: rank 0 ")
    assert "--time-limit" in outcome.trouble.message
    assert not any(is_alive(pid) for pid in pids(bench))


def test_ranks_that_never_start_are_a_time_out(bench: Bench) -> None:
    bench.limits = Limits(start_seconds=1.0)
    line = LaunchLine(("/bin/sleep", "600"), {})

    outcome = bench.run(line=line)

    assert outcome.exit_code == ExitCode.TIMEOUT
    assert outcome.trouble is not None
    assert "no rank started" in outcome.trouble.message


def test_the_sentence_of_the_engine_is_handed_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "say:8:scale 40 does not fit; take 22")

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.REFUSED
    assert outcome.trouble is not None
    assert outcome.trouble.message == "scale 40 does not fit; take 22"


def test_an_unknown_status_is_an_environment_problem(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "exit:42")

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert outcome.trouble is not None
    assert "ended with status 42" in outcome.trouble.message


def test_violations_are_no_trouble_of_the_launch(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "violations")

    outcome = bench.run()

    assert outcome.exit_code == ExitCode.VIOLATIONS
    assert outcome.trouble is None
    assert bench.records().verdict == "violations"


def test_leftovers_in_shared_memory_are_removed(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A folder of its own: in /dev/shm the runs of other tests remove what no process has open.
    segments = tmp_path / "segments"
    segments.mkdir()
    monkeypatch.setattr(shared_memory, "FOLDER", segments)
    monkeypatch.setenv("FAKE_SHM", str(segments))
    monkeypatch.setenv("FAKE_DO", "leave-shm")

    outcome = bench.run()

    assert [name.startswith("isobath-test-") for name in outcome.removed_shared_memory] == [True]
    assert not list(segments.iterdir())


def test_the_first_signal_ends_in_order_the_second_at_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_DO", "slow")
    bench.interrupts.received = [signal.SIGINT]

    outcome = bench.run()

    assert outcome.interrupted
    assert outcome.trouble is None
    assert outcome.exit_code == ExitCode.ENVIRONMENT
    assert bench.records().state == "unfinished"
    assert any(progress.stopping for progress in bench.seen)

    bench.interrupts.received = [signal.SIGINT, signal.SIGINT]
    started = time.monotonic()
    outcome = bench.run()

    assert time.monotonic() - started < 3
    assert outcome.interrupted
    assert outcome.trouble is not None
    assert "second signal" in outcome.trouble.message


def test_a_launcher_that_is_not_there_is_named(bench: Bench) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot start /nowhere/mpiexec"):
        bench.run(line=LaunchLine(("/nowhere/mpiexec", "-n", "1"), {}))


def test_signals_are_counted_and_handlers_restored() -> None:
    before = signal.getsignal(signal.SIGTERM)

    with Interrupts() as interrupts:
        os.kill(os.getpid(), signal.SIGTERM)
        assert interrupts.wants_end
        assert not interrupts.wants_end_now
        os.kill(os.getpid(), signal.SIGINT)
        assert interrupts.wants_end_now

    assert signal.getsignal(signal.SIGTERM) == before
