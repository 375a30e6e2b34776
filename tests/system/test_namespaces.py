# SPDX-License-Identifier: Apache-2.0
"""Network namespaces as nodes: they are apart, and nothing of them is left, whatever happens."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.launch.namespaces import Nodes, namespace_of
from isobath.launch.processes import is_alive
from isobath.launch.transport import transport_of
from patience import patience
from signals import started
from system.laboratory import SOURCES
from system.node_traces import FAST, Traces, holders_below, inhabitants, needs_namespaces, said

pytestmark = needs_namespaces


def test_nodes_are_apart_and_reach_each_other_and_nothing_else() -> None:
    before = Traces.look()
    with Nodes(transport_of("rate-limited:unlimited:3nodes")) as nodes:
        names = [said(nodes, number, "cat", "/proc/sys/kernel/hostname") for number in range(3)]
        assert names == [node.name for node in nodes.nodes]
        assert len(set(names)) == 3
        for number in range(3):
            routes = said(nodes, number, "ip", "route").splitlines()
            assert [route.split()[0] for route in routes] == ["10.73.0.0/24"]
        for other in nodes.nodes[1:]:
            assert greeted(nodes, other.address)
        during = Traces.look()
        assert len(during.holders) == 4  # of the switch too
        assert replace(during, holders=before.holders) == before
    assert Traces.look() == before


def greeted(nodes: Nodes, address: str) -> bool:
    """Whether a connection from the first node to an address is answered (here: refused)."""
    words = f"import socket; socket.create_connection(('{address}', 9), timeout=200)"
    done = subprocess.run(
        nodes.entered(nodes.nodes[0], [sys.executable, "-c", words]),
        capture_output=True,
        text=True,
        check=False,
    )
    return "ConnectionRefusedError" in done.stderr


def test_two_sets_of_nodes_do_not_meet() -> None:
    with Nodes(FAST) as first, Nodes(FAST) as second:
        everybody = [node.name for node in (*first.nodes, *second.nodes)]
        assert len(set(everybody)) == 4
        with_first = second.traffic(second.nodes[1])
        assert greeted(first, first.nodes[1].address)
        assert second.traffic(second.nodes[1]).sent_bytes - with_first.sent_bytes < 1000


class SomeError(Exception):
    pass


def fail_while_somebody_is_inside(started: list[subprocess.Popen[bytes]]) -> None:
    with Nodes(FAST) as nodes:
        inside = subprocess.Popen(nodes.entered(nodes.nodes[1], ["sleep", "1000"]))
        started.append(inside)
        while namespace_of(inside.pid) == namespace_of(os.getpid()):
            time.sleep(0.01)
        raise SomeError


def test_a_failure_inside_leaves_nothing_not_even_what_runs_there() -> None:
    before = Traces.look()
    started: list[subprocess.Popen[bytes]] = []

    with pytest.raises(SomeError):
        fail_while_somebody_is_inside(started)

    assert started[0].wait(timeout=200) == -signal.SIGKILL
    assert Traces.look() == before


@pytest.mark.parametrize("calls", [0, 1, 2, 5, 9])
def test_a_tool_that_fails_half_way_leaves_nothing(
    calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Traces.look()
    real = subprocess.run(["sh", "-c", "command -v ip"], capture_output=True, text=True, check=True)
    fake = tmp_path / "ip"
    fake.write_text(
        f'#!/bin/sh\necho x >> {tmp_path}/calls\n[ "$(wc -l < {tmp_path}/calls)" -gt {calls} ] && '
        f'{{ echo "RTNETLINK answers: No" >&2; exit 2; }}\nexec {real.stdout.strip()} "$@"\n'
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    with pytest.raises(EnvironmentProblem, match="RTNETLINK answers: No"), Nodes(FAST):
        pass

    assert Traces.look() == before


@pytest.mark.parametrize("capability", ["sys_admin", "net_admin"])
def test_root_without_a_capability_is_told_which_ones(capability: str) -> None:
    without = ["setpriv", "--bounding-set", f"-{capability}", "--inh-caps", f"-{capability}"]
    asked = "from system.node_traces import FAST, why_not; print(why_not(FAST))"
    done = subprocess.run(
        [*without, sys.executable, "-c", asked],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{SOURCES}:{Path(__file__).parents[1]}"},
        check=True,
    )
    (sentence,) = done.stdout.splitlines()
    assert sentence.startswith("this machine permits no network namespaces (")
    assert "not permitted); in a container, start it with --cap-add SYS_ADMIN" in sentence


OPEN_NODES = """
import time
from isobath.launch.namespaces import Nodes
from isobath.launch.transport import transport_of
with Nodes(transport_of("rate-limited:1gbit:2nodes")):
    print("open", flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_however_we_end_the_namespaces_end_too(number: signal.Signals) -> None:
    before = Traces.look()
    ours = started(
        [sys.executable, "-c", OPEN_NODES],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        start_new_session=True,
    )
    assert ours.stdout is not None
    assert ours.stdout.readline() == "open\n"
    held = holders_below(ours.pid)
    numbers = {namespace_of(pid) for pid in held}
    assert len(numbers) == 3

    os.killpg(ours.pid, number)  # as a terminal does it
    ours.communicate(timeout=patience())

    deadline = time.monotonic() + patience()
    while any(is_alive(pid) for pid in held) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert inhabitants(numbers) == set()
    assert Traces.look() == before
