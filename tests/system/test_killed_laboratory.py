# SPDX-License-Identifier: Apache-2.0
"""The laboratory is killed while real ranks search."""

import shutil
import time

from isobath.launch.processes import is_alive
from patience import patience
from system.laboratory import Laboratory
from system.node_traces import FAST, needs_namespaces
from system.running import Running, searching


def test_the_ranks_of_a_killed_laboratory_end(every_lab: Laboratory) -> None:
    killed_while_searching(every_lab)


@needs_namespaces
def test_ranks_on_made_up_nodes_end_with_a_killed_laboratory(lab: Laboratory) -> None:
    killed_while_searching(lab, "--transport", FAST.text())


def killed_while_searching(lab: Laboratory, *words: str) -> None:
    running = Running(lab, *words)
    ranks = [state.pid for state in running.wait_until(searching)]

    running.process.kill()
    running.process.communicate(timeout=patience())

    gone(ranks)
    left = running.run()
    assert not left.is_sealed
    said = lab.isobath("show", left.run_id)
    assert said.code == 3
    assert said.out.startswith("NEVER SEALED")
    shutil.rmtree(left.path)  # other tests look for the last run


def gone(pids: list[int]) -> None:
    """Waits until none of them is alive."""
    deadline = time.monotonic() + patience()
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, "ranks outlive their laboratory"
        time.sleep(0.05)
