# SPDX-License-Identifier: Apache-2.0
"""The lock against two set-ups at once."""

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import bootstrap_workspace as workspace_module
from bootstrap_console import Console
from bootstrap_workspace import Workspace, lock


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, tmp_path)


def leave_lock(workspace: Workspace, owner: str) -> Path:
    folder = workspace.state / "lock"
    folder.mkdir(parents=True)
    (folder / "owner").write_text(owner)
    return folder


def test_a_lock_is_gone_afterwards(workspace: Workspace, console: Console) -> None:
    with lock(workspace, console):
        assert (workspace.state / "lock" / "owner").read_text().split()[1] == str(os.getpid())

    assert list(workspace.state.iterdir()) == []
    assert not console.has_log


def test_what_killed_waiting_set_ups_left_is_taken_away(
    workspace: Workspace, console: Console
) -> None:
    gone = workspace.state / "lock.4194304"
    waiting = workspace.state / "lock.1"
    for folder, owner in ((gone, f"{socket.gethostname()} 4194304 1"), (waiting, "elsewhere 1 1")):
        folder.mkdir(parents=True)
        (folder / "owner").write_text(owner)

    with lock(workspace, console):
        pass

    assert list(workspace.state.iterdir()) == [waiting]


def test_the_lock_of_a_process_that_is_gone_is_taken_over(
    workspace: Workspace, console: Console
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    leave_lock(workspace, f"{socket.gethostname()} {ended.pid} 12345")

    with lock(workspace, console):
        pass

    assert list(workspace.state.iterdir()) == []


def test_a_process_with_the_number_of_the_owner_but_a_later_start_is_not_the_owner(
    workspace: Workspace, console: Console
) -> None:
    leave_lock(workspace, f"{socket.gethostname()} {os.getpid()} 1")

    with lock(workspace, console):
        pass


def test_a_living_owner_is_waited_for_and_named(workspace: Workspace, console: Console) -> None:
    owner = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    folder = leave_lock(
        workspace, f"{socket.gethostname()} {owner.pid} {workspace_module._started(owner.pid)}"
    )
    entered = threading.Event()

    def wait_for_it() -> None:
        with lock(workspace, console):
            entered.set()

    waiting = threading.Thread(target=wait_for_it)
    waiting.start()
    while not console.has_log:
        time.sleep(0.01)
    assert not entered.is_set()
    assert folder.exists()
    owner.communicate(b"\n")
    waiting.join(timeout=60)

    assert entered.is_set()
    assert f"process {owner.pid}" in console.log_path.read_text()


def test_the_lock_of_another_machine_is_not_taken(workspace: Workspace, console: Console) -> None:
    folder = leave_lock(workspace, "elsewhere 1 1")
    entered = threading.Event()

    def wait_for_it() -> None:
        with lock(workspace, console):
            entered.set()

    waiting = threading.Thread(target=wait_for_it)
    waiting.start()
    while not console.has_log:
        time.sleep(0.01)
    assert not entered.is_set()
    (folder / "owner").unlink()
    folder.rmdir()
    waiting.join(timeout=60)

    assert entered.is_set()


def test_many_threads_of_takers_enter_one_by_one(tmp_path: Path) -> None:
    """Ten processes add one to a file under the lock; none is lost."""
    counter = tmp_path / "counter"
    counter.write_text("0")
    tools = Path(workspace_module.__file__).parent
    script = (
        f"import sys; sys.path.insert(0, {str(tools)!r})\n"
        "from pathlib import Path\n"
        "from bootstrap_console import Console\n"
        "from bootstrap_workspace import Workspace, lock\n"
        f"root = Path({str(tmp_path)!r})\n"
        "with lock(Workspace(root, root), Console(root / 'log')):\n"
        "    file = root / 'counter'\n"
        "    file.write_text(str(int(file.read_text()) + 1))\n"
    )
    takers = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(10)]

    assert [taker.wait(timeout=120) for taker in takers] == [0] * 10
    assert counter.read_text() == "10"
