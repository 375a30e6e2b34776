# SPDX-License-Identifier: Apache-2.0
"""The real programs hung on purpose: whoever is told to end them does, and says who was where."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from isobath.cli.suites import is_slow_when_oversubscribed
from isobath.launch.heartbeat import Heartbeat, RankState
from isobath.launch.launcher import launch_line
from isobath.launch.processes import descendants, is_alive
from isobath.launch.shared_memory import SharedMemory
from isobath.machine.facts import read_machine
from isobath.records.codec import read_records
from isobath.records.ending import FailureRecord
from system.laboratory import Laboratory

SPARES_OLD_MPICH = True

SOURCE = Path(__file__).with_name("hanging_calls.cpp")
GRAPH500 = "isobath-graph500"
MESSAGES = ("--plan", "two-dim", "--grid", "1x2", "--threads", "1", "--scale", "10", "--keys", "2")
# However slow the machine is, a cell is repeated until its rank hangs or is stopped.
WITHOUT_END = ("--budget", "60", "--least", "1000000", "--most", "1000000")


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {"folder": tmp_path_factory.mktemp("hanging")}


@pytest.fixture
def any_lab(request: pytest.FixtureRequest) -> Laboratory:
    """That of the test: of every MPI, or of the default one."""
    name = "every_lab" if "every_lab" in request.fixturenames else "lab"
    found: Laboratory = request.getfixturevalue(name)
    return found


@pytest.fixture
def hanging(any_lab: Laboratory, builds: dict[str, Path]) -> Path:
    """hanging_calls.cpp, compiled by this MPI's wrapper."""
    name = any_lab.mpi.id
    if name not in builds:
        library = builds["folder"] / f"libhanging-{name}.so"
        words = [any_lab.mpi.mpicxx, "-std=c++20", "-shared", "-fPIC", "-o", str(library)]
        done = subprocess.run([*words, str(SOURCE)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        builds[name] = library
    return builds[name]


@pytest.fixture(autouse=True)
def nothing_left(any_lab: Laboratory) -> Iterator[None]:
    """Whatever ended a launch, none of its ranks is there afterwards, soon."""
    yield
    deadline = time.monotonic() + 30
    while (left := engine_processes(any_lab)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []


def engine_processes(lab: Laboratory) -> list[int]:
    """Processes of this build's programs that hang on purpose."""
    programs = str(lab.mpi.program(GRAPH500).parent)
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_ours = os.readlink(path / "exe").startswith(programs)
            hangs = b"HANG=" in (path / "environ").read_bytes()
        except OSError:
            continue
        if is_ours and hangs and is_alive(int(path.name)):
            found.append(int(path.name))
    return found


class Started:
    """An engine program under its launcher, without the laboratory."""

    def __init__(
        self, lab: Laboratory, program: str, words: tuple[object, ...], **variables: str
    ) -> None:
        line = launch_line(
            lab.mpi,
            lab.mpi.program(program),
            [str(word) for word in words],
            ranks=2,
            threads=1,
            cpus=read_machine().usable_cpus,
        )
        self.process = subprocess.Popen(
            line.command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**lab.environment(), **line.environment, **variables},
        )

    def wait_for(self, heartbeat: Path, words: bytes) -> None:
        """Until every rank shows it."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if heartbeat.exists() and heartbeat.read_bytes().count(words) >= 2:
                return
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            time.sleep(0.05)
        raise AssertionError(f"{words!r} never came")

    def wait_until_it_stands(self, heartbeat: Path, words: bytes) -> None:
        """Until every rank shows it, and nothing changes any more for a second."""
        deadline = time.monotonic() + 120
        before, since = b"", time.monotonic()
        while time.monotonic() < deadline:
            now = heartbeat.read_bytes() if heartbeat.exists() else b""
            if now != before:
                before, since = now, time.monotonic()
            if now.count(words) >= 2 and time.monotonic() - since > 1:
                return
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            time.sleep(0.05)
        raise AssertionError(f"{words!r} never came")

    def end(self, number: signal.Signals) -> tuple[int, str]:
        shared_memory = SharedMemory.look()
        self.process.send_signal(number)
        try:
            _, err = self.process.communicate(timeout=60)
        finally:
            self.process.kill()
        shared_memory.clean()
        return self.process.returncode, err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_ranks_that_hang_end_by_themselves_when_their_launcher_is_told_to(
    every_lab: Laboratory, hanging: Path, tmp_path: Path, number: signal.Signals
) -> None:
    heartbeat, records = tmp_path / "heartbeat", tmp_path / "records"
    words = (*MESSAGES, "--heartbeat", heartbeat, "--record", records)
    variables = {"LD_PRELOAD": str(hanging), "HANG": "messages", "ISOBATH_STOP_SECONDS": "1"}
    started = Started(every_lab, GRAPH500, words, **variables)
    started.wait_for(heartbeat, b"some\0")

    code, err = started.end(number)

    forgets = is_slow_when_oversubscribed(every_lab.mpi)  # MPICH 4's launcher: the code, at times
    assert code != 0 or forgets
    if every_lab.mpi.family != "openmpi":  # which ends its ranks a second after it is told to
        assert code == 3 or forgets, err
        assert re.search(
            r"isobath: rank \d of 2: was asked to stop and made no progress for 1 s: phase "
            r"\w+,.* last call MPI_(Test|Wait)some",
            err,
        ), err
        failures = [one for one in read_records(records) if isinstance(one, FailureRecord)]
        assert all(one.exit_code == 3 and "made no progress" in one.message for one in failures)


IN_PAIRS = ("--plan", "two-dim", "--grid", "1x2", "--threads", "1", "--exchange", "pairwise")


@pytest.mark.parametrize(
    ("program", "words", "at", "where"),
    [
        ("graph500", ("--scale", "10", "--keys", "2", *IN_PAIRS), 17,
         r"phase fold, search 0, level [1-9]"),
        ("search", ("PATH", "--format", "el", "--root", "0", *IN_PAIRS), 17,
         r"phase fold, search 0, level [1-9]"),
        ("collectives", ("--collective", "bcast", "--sizes", "8", *WITHOUT_END), 40,
         "measuring cell 1 of 1, blocking bcast of 8 B"),
        ("overlap", ("--collectives", "allreduce", "--sizes", "16", "--progress", "library",
                     "--work", "triad", "--ratios", "1", "--tests", "0"), 40,
         "measuring warm-up, allreduce of 16 B, library"),
        ("krylov", ("--elements", "64", "--iterations", "40", "--progress", "none"), 5,
         r"measuring cell 1 of \d+, cg of 64 elements, blocking"),
    ],
    ids=["graph500", "search", "collectives", "overlap", "krylov"],
)  # fmt: skip
def test_every_program_says_where_its_ranks_hang_when_it_is_told_to_end(
    lab: Laboratory, hanging: Path, tmp_path: Path, program: str, words: tuple[str, ...], at: int,
    where: str,
) -> None:  # fmt: skip
    """Phase, level and last call of a search, the cell of a benchmark."""
    graph, heartbeat = tmp_path / "path.el", tmp_path / "heartbeat"
    graph.write_text("".join(f"{vertex} {vertex + 1}\n" for vertex in range(8)), encoding="utf-8")
    told = [str(graph) if word == "PATH" else word for word in words]
    variables = {**hung(hanging, "pairs"), "HANG_AT": str(at), "ISOBATH_STOP_SECONDS": "1"}
    started = Started(lab, f"isobath-{program}", (*told, "--heartbeat", heartbeat), **variables)
    started.wait_until_it_stands(heartbeat, b"drecv\0")

    code, err = started.end(signal.SIGTERM)

    # Of two ranks the launcher kills the one that is not gone when the other is, and tells that.
    assert code in (3, 128 + signal.SIGKILL, signal.SIGKILL), err
    sentence = r"isobath: rank \d of 2: was asked to stop and made no progress for 1 s: "
    assert re.search(f"{sentence}{where}\\d*, last call MPI_Sendrecv", err), err


def test_a_hung_run_ends_by_its_limit_and_says_who_is_where(
    every_lab: Laboratory, hanging: Path
) -> None:
    said = every_lab.isobath(
        "run", "--no-report", *MESSAGES, "--hang-seconds", "2", **hung(hanging, "messages")
    )

    assert said.code == 7, said.err
    sentence = " ".join(said.err.split())
    assert "no rank made progress for 2 s: rank 0 " in sentence
    assert re.search(r"rank 1 (waits in|asks in vain with) MPI_(Test|Wait)some", sentence)
    (failure,) = every_lab.runs[-1].records().failures
    assert failure.exit_code == 7


def test_a_hung_calibration_ends_by_its_limit(every_lab: Laboratory, hanging: Path) -> None:
    """Of a layout and plan that no calibration is kept of."""
    words = ("plan", "--plan", "simple", "--ranks", "2", "--threads", "1", "--scale", "10")
    said = every_lab.isobath(*words, "--hang-seconds", "2", **hung(hanging, "messages"))

    assert said.code == 7, said.err
    assert "the calibration failed: no rank made progress for 2 s" in " ".join(said.err.split())


def test_a_hung_run_ends_soon_after_ctrl_c(every_lab: Laboratory, hanging: Path) -> None:
    process = subprocess.Popen(
        every_lab.command("run", "--no-report", *MESSAGES),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=every_lab.environment(**hung(hanging, "messages"), ISOBATH_STOP_SECONDS="1"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    try:
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            # those of this run alone: another library's run may use the same build
            if not {*engine_processes(every_lab)}.isdisjoint(descendants(process.pid)):
                break
            time.sleep(0.05)
        # as soon as a rank tells of itself, so that it is silence and no start that is ended
        beats = every_lab.prefix / "studies"
        while time.monotonic() < deadline:
            if any(beat.stat().st_size for beat in beats.glob("*.partial/heartbeat.bin")):
                break
            time.sleep(0.05)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=90)
    finally:
        process.kill()

    assert process.returncode == 3, err
    assert "asked to stop, but no rank made progress for " in " ".join(err.split())


@pytest.mark.parametrize(
    ("words", "cell", "at"),
    [
        (
            ("collectives", "--collectives", "bcast", "--sizes", "8", "--forms", "blocking",
             "--algorithms", "none", "--no-stacks", *WITHOUT_END),
            "cell 1 of 1, blocking bcast of 8 B",
            40,
        ),
        (
            ("overlap", "--collectives", "allreduce", "--sizes", "16", "--progress", "library",
             "--work", "triad", "--ratios", "1", "--tests", "0"),
            "allreduce of 16 B, library",
            40,
        ),
        (
            ("cg", "--elements", "64", "--iterations", "40", "--progress", "none", "--no-petsc",
             "--no-profile"),
            "cell 1 of ",
            5,
        ),
    ],
    ids=["collectives", "overlap", "cg"],
)  # fmt: skip
def test_a_hung_benchmark_ends_by_its_limit_and_names_its_cell(
    every_lab: Laboratory, hanging: Path, tmp_path: Path, words: tuple[str, ...], cell: str, at: int
) -> None:
    said = every_lab.isobath(
        "bench", *words, "--ranks", "2", "--launches", "1", "--no-report", "--benches", tmp_path,
        "--hang-seconds", "3", **hung(hanging, "pairs"), HANG_AT=str(at),
    )  # fmt: skip

    assert said.code == 7, said.err
    sentence = " ".join(said.err.split())
    assert "no rank made progress for 3 s: rank 0 waits in MPI_Sendrecv (" in sentence
    assert cell in sentence


def test_a_stopped_rank_of_a_benchmark_is_named(every_lab: Laboratory, tmp_path: Path) -> None:
    process = subprocess.Popen(
        every_lab.command(
            "bench", "collectives", "--collectives", "bcast", "--sizes", "1:64K", "--forms",
            "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "1", *WITHOUT_END,
            "--no-report", "--benches", tmp_path,
        ),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=every_lab.environment(HANG="not"),
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        while not (ranks := measuring(tmp_path)) and time.monotonic() < deadline:
            time.sleep(0.05)
        os.kill(ranks[1].pid, signal.SIGSTOP)
        _, err = process.communicate(timeout=90)
    finally:
        process.kill()

    assert process.returncode == 3, err
    assert "rank 1 was stopped by a signal" in " ".join(err.split())


def test_a_benchmark_that_is_told_to_stop_ends_after_its_cell(
    every_lab: Laboratory, tmp_path: Path
) -> None:
    heartbeat = tmp_path / "heartbeat"
    words = ("--elements", "64,66,68,70,72,74,76,78", "--iterations", "40", "--repetitions", "400",
             "--heartbeat", heartbeat, "--record", tmp_path / "records")  # fmt: skip
    started = Started(every_lab, "isobath-krylov", words, HANG="not", ISOBATH_STOP_SECONDS="60")
    started.wait_for(heartbeat, b"cell 2 of ")

    code, err = started.end(signal.SIGTERM)

    forgets = is_slow_when_oversubscribed(every_lab.mpi)  # MPICH 4's launcher: the code, at times
    if every_lab.mpi.family != "openmpi":
        assert code == 3 or forgets, err
        assert re.search(r"isobath: stopped on request after \d+ of \d+ cells", err), err
    assert read_records(tmp_path / "records", drop_torn_line=True)


def measuring(benches: Path) -> list[RankState]:
    """Both ranks of a launch, once both are in a cell."""
    for path in benches.glob("*/runs/*/heartbeat.bin"):
        states = [state for state in Heartbeat(path, 2).read() if state.pid and state.cell]
        if len(states) == 2:
            return states
    return []


def hung(library: Path, what: str) -> dict[str, Any]:
    return {"LD_PRELOAD": str(library), "HANG": what}
