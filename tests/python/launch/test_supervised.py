# SPDX-License-Identifier: Apache-2.0
"""A person's own command: signals are handed on, what does not heed them is ended harder."""

import os
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from isobath.launch import supervised
from isobath.launch.heartbeat import Beats
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine
from isobath.launch.limits import Limits
from isobath.launch.processes import is_alive, send
from isobath.launch.profiled_run import FOLDER, run_program, status_of
from isobath.launch.supervised import Ended, Launch, Look, OnInterrupt, supervise


@pytest.fixture(autouse=True)
def little_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervised, "GRACE_SECONDS", 1.0)


class Command:
    """A shell script in the place of a launcher; its ranks write their numbers into files."""

    def __init__(self, folder: Path, script: str, limits: Limits | None = None) -> None:
        self.folder = folder
        self.interrupts = Interrupts()
        line = LaunchLine(("/bin/sh", "-c", script), {"FOLDER": str(folder)})
        self.launch = Launch(
            line,
            limits or Limits(hang_seconds=None),
            self.interrupts,
            OnInterrupt.HAND_ON,
            has_heartbeat=False,
            stdout=folder / "out",
            stderr=folder / "err",
        )

    def run(self, watch: Callable[[], None] = lambda: None) -> Ended:
        def look(_: Look) -> bool:
            watch()
            return False

        return supervise(self.launch, lambda _: Beats(self.folder), look)

    def when(self, file: str, *numbers: signal.Signals) -> Callable[[], None]:
        """Sends signals, in appearance, as soon as that file is there."""

        def press() -> None:
            if (self.folder / file).exists() and not self.interrupts.received:
                self.interrupts.received = list(numbers)

        return press

    def pid(self, file: str) -> int:
        return int((self.folder / file).read_text())


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (signal.SIGINT, "INT"),
        (signal.SIGTERM, "TERM"),
        (signal.SIGHUP, "TERM"),
    ],
)
def test_a_launcher_hears_the_signal_and_has_the_last_word(
    tmp_path: Path, number: signal.Signals, told: str
) -> None:
    script = """
        for s in INT TERM HUP; do trap "echo $s > $FOLDER/told; exit 5" $s; done
        touch $FOLDER/ready; while true; do sleep 0.1; done
    """
    command = Command(tmp_path, script)

    ended = command.run(command.when("ready", number))

    assert (tmp_path / "told").read_text().strip() == told
    assert ended.status == 5
    assert ended.interrupted


def test_what_does_not_heed_a_signal_is_ended_harder_wherever_it_went(tmp_path: Path) -> None:
    """The rank has a session of its own, as under Hydra."""
    script = """
        trap "" TERM
        setsid sh -c 'trap "" TERM; echo $$ > $FOLDER/rank; while true; do sleep 0.1; done' &
        while [ ! -s $FOLDER/rank ]; do sleep 0.1; done
        touch $FOLDER/ready; while true; do sleep 0.1; done
    """
    command = Command(tmp_path, script)

    ended = command.run(command.when("ready", signal.SIGTERM))

    assert ended.status is None
    assert not is_alive(command.pid("rank"))


def test_a_rank_that_is_started_while_we_end_its_launcher_does_not_outlive_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A launcher that could go on after it was looked at would start a rank that nobody knows."""
    script = """
        touch $FOLDER/ready; while [ ! -e $FOLDER/go ]; do sleep 0.01; done
        setsid sleep 600 & echo $! > $FOLDER/late; wait
    """
    late = tmp_path / "late"
    command = Command(tmp_path, script)
    command.launch = replace(command.launch, on_interrupt=OnInterrupt.END)

    def send_late(pids: Iterable[int], number: signal.Signals) -> None:
        (tmp_path / "go").touch()
        deadline = time.monotonic() + 1.0
        while not late.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        send(pids, number)

    monkeypatch.setattr(supervised, "send", send_late)
    try:
        command.run(command.when("ready", signal.SIGTERM))

        assert not late.exists(), "the launcher started a rank after it had been looked at"
    finally:
        if late.exists():
            os.kill(command.pid("late"), signal.SIGKILL)


def test_ranks_that_a_launcher_leaves_behind_are_told_themselves(tmp_path: Path) -> None:
    script = """
        setsid sh -c 'trap "touch $FOLDER/written; exit" TERM; echo $$ > $FOLDER/rank
                      while true; do sleep 0.1; done' &
        while [ ! -s $FOLDER/rank ]; do sleep 0.1; done
        touch $FOLDER/ready; while true; do sleep 0.1; done
    """
    command = Command(tmp_path, script)

    ended = command.run(command.when("ready", signal.SIGTERM))

    assert ended.status == -signal.SIGTERM
    assert (tmp_path / "written").exists(), "it could write what it knows"
    assert not is_alive(command.pid("rank"))


def test_what_a_command_leaves_behind_by_itself_stays(tmp_path: Path) -> None:
    script = "setsid sleep 60 & echo $! > $FOLDER/daemon"
    command = Command(tmp_path, script)
    try:
        assert command.run().status == 0
        assert is_alive(command.pid("daemon"))
    finally:
        os.kill(command.pid("daemon"), signal.SIGKILL)


def test_a_program_that_never_starts_mpi_has_its_limits_too(tmp_path: Path) -> None:
    began = time.monotonic()
    command = Command(tmp_path, "sleep 600", Limits(hang_seconds=1.0))

    ended = command.run()

    assert ended.trouble is not None
    assert ended.trouble.message.startswith("no rank started in 1 s")
    assert time.monotonic() - began < 300


class WantsEnd:
    """Who calls us asks by itself: no signal came."""

    received: ClassVar[list[signal.Signals]] = []
    wants_end = True
    wants_end_now = False


def test_an_end_that_is_asked_for_without_a_signal_is_a_termination(tmp_path: Path) -> None:
    began = time.monotonic()

    ended = run_program(
        ["/bin/sh", "-c", "trap 'exit 9' TERM; sleep 600 & wait"],
        {FOLDER: str(tmp_path)},
        limits=Limits(hang_seconds=None),
        interrupts=WantsEnd(),
    )

    assert ended.interrupted
    assert status_of(ended, WantsEnd()) == 128 + signal.SIGTERM
    assert time.monotonic() - began < 300
