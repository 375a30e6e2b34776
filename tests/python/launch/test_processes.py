# SPDX-License-Identifier: Apache-2.0
"""What the kernel tells of a process, in a /proc of our own: while it becomes another program that
is nothing.
"""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from isobath.launch import processes
from isobath.launch.processes import is_between_programs, mentions, variables
from isobath.launch.start_up import rank_of
from patience import patience

PID = 7
A_USER_S, A_KERNEL_S, ENDING = 0x00400000, 0x00200000 | 0x00400040, 0x00400004


@pytest.fixture
def becomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[bytes, bytes], list[None]]:
    """A process that is just becoming another program, and has become it after two looks."""
    monkeypatch.setattr(processes, "PROC", tmp_path)
    show(tmp_path, flags=A_USER_S)

    def set_up(command: bytes, environment: bytes) -> list[None]:
        waited: list[None] = []

        def wait(_: float) -> None:
            waited.append(None)
            if len(waited) == 2:
                show(tmp_path, command, environment)

        monkeypatch.setattr(time, "sleep", wait)
        return waited

    return set_up


def show(
    folder: Path, command: bytes = b"", environment: bytes = b"", *, flags: int = A_USER_S,
    state: str = "R",
) -> None:  # fmt: skip
    """Fields of stat as in proc(5), the name among them."""
    of_process = folder / str(PID)
    of_process.mkdir(exist_ok=True)
    fields = f"{PID} (a) b) {state} 1 7 7 0 -1 {flags} " + "0 " * 12 + "4321 0"
    (of_process / "stat").write_text(fields, encoding="ascii")
    (of_process / "cmdline").write_bytes(command)
    (of_process / "environ").write_bytes(environment)


def test_a_rank_is_known_though_it_is_looked_at_while_it_becomes_one(
    becomes: Callable[[bytes, bytes], list[None]],
) -> None:
    waited = becomes(b"rank\0--run-id\0mine\0", b"PMI_RANK=3\0FOLDER=/here\0")

    assert is_between_programs(PID)
    assert rank_of(PID) == 3
    assert len(waited) == 2
    assert not is_between_programs(PID)
    assert variables(PID)["FOLDER"] == "/here"


def test_its_command_line_too(becomes: Callable[[bytes, bytes], list[None]]) -> None:
    waited = becomes(b"rank\0--run-id\0mine\0", b"")

    assert mentions(PID, "mine")
    assert len(waited) == 2


def test_a_rank_is_known_that_has_become_one_since_it_was_looked_at(
    becomes: Callable[[bytes, bytes], list[None]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    waited = becomes(b"", b"")

    def asked_too_late(pid: int) -> bool:
        show(tmp_path, b"rank\0", b"PMI_RANK=3\0")
        return is_between_programs(pid)

    monkeypatch.setattr(processes, "is_between_programs", asked_too_late)

    assert rank_of(PID) == 3
    assert not waited


def test_who_was_given_no_environment_is_not_waited_for(
    becomes: Callable[[bytes, bytes], list[None]], tmp_path: Path
) -> None:
    waited = becomes(b"", b"")
    show(tmp_path, b"env\0-i\0")

    assert rank_of(PID) is None
    assert not waited


@pytest.mark.parametrize(("flags", "state"), [(A_KERNEL_S, "I"), (A_USER_S, "Z"), (ENDING, "R")])
def test_who_never_tells_anything_is_not_waited_for(
    becomes: Callable[[bytes, bytes], list[None]], tmp_path: Path, flags: int, state: str
) -> None:
    waited = becomes(b"", b"")
    show(tmp_path, flags=flags, state=state)

    assert not is_between_programs(PID)
    assert rank_of(PID) is None
    assert not mentions(PID, "mine")
    assert not waited


def test_who_does_not_get_on_is_left_alone(
    becomes: Callable[[bytes, bytes], list[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = becomes(b"", b"")
    monkeypatch.setattr(processes, "EXEC_SECONDS", 0.0)

    assert rank_of(PID) is None
    assert not waited


def test_the_kernel_of_this_machine_tells_it_so() -> None:
    """Of a program that is one for long, and of one that is gone."""
    process = subprocess.Popen(["/bin/sleep", "600"], env={"PMI_RANK": "5"})
    try:
        deadline = time.monotonic() + patience()
        while is_between_programs(process.pid):  # Popen may return so early
            assert time.monotonic() < deadline
        assert rank_of(process.pid) == 5
        assert mentions(process.pid, "600")
        assert not is_between_programs(process.pid)
    finally:
        process.kill()
    process.wait()
    assert not is_between_programs(process.pid)
    assert not is_between_programs(os.getpid())
    assert not mentions(process.pid, "600")
    assert rank_of(process.pid) is None
