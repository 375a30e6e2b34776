# SPDX-License-Identifier: Apache-2.0
"""Network namespaces as nodes: what crosses them is TCP, limited, and nothing of them is left."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from isobath.errors import EnvironmentProblem
from isobath.launch.engine_run import Files, Outcome, Progress, run_engine
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import Nodes, namespace_of, nodes_for, why_not
from isobath.launch.processes import PROC, descendants, is_alive, mentions
from isobath.launch.transport import Transport, transport_of
from isobath.launch.watchdog import Limits
from isobath.machine.facts import read_machine
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from system.laboratory import PROGRAM, SOURCES, Laboratory, ranks_for

FAST = transport_of("rate-limited:unlimited:2nodes")
WHY_NOT = why_not(FAST)

pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=f"no namespaces here: {WHY_NOT}")


@dataclass(frozen=True)
class Traces:
    """What nodes of this process could leave behind. Other programs may have namespaces too."""

    holders: frozenset[int]
    interfaces: frozenset[str]
    mounts: frozenset[str]

    @classmethod
    def look(cls) -> "Traces":
        mounts = Path("/proc/mounts").read_text().splitlines()
        return cls(
            frozenset(holders_below(os.getpid())),
            frozenset(os.listdir("/sys/class/net")),
            frozenset(line for line in mounts if "netns" in line or "nsfs" in line),
        )


def holders_below(pid: int) -> set[int]:
    return {one for one in descendants(pid) if mentions(one, "node_holder.py") and is_alive(one)}


def inhabitants(numbers: Iterable[int | None]) -> set[int]:
    """Processes in the network namespaces of these numbers."""
    wanted = set(numbers)
    pids = (int(path.name) for path in PROC.iterdir() if path.name.isdigit())
    return {pid for pid in pids if namespace_of(pid) in wanted}


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


def said(nodes: Nodes, number: int, *command: str) -> str:
    done = subprocess.run(
        nodes.entered(nodes.nodes[number], command), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def greeted(nodes: Nodes, address: str) -> bool:
    """Whether a connection from the first node to an address is answered (here: refused)."""
    words = f"import socket; socket.create_connection(('{address}', 9), timeout=20)"
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

    assert started[0].wait(timeout=20) == -signal.SIGKILL
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
    ours = subprocess.Popen(
        [sys.executable, "-c", OPEN_NODES],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        start_new_session=True,
    )
    assert ours.stdout is not None
    assert ours.stdout.readline() == "open\n"
    held = holders_below(ours.pid)
    numbers = {namespace_of(pid) for pid in held}
    assert len(numbers) == 3

    os.killpg(ours.pid, number)  # as a terminal does it
    ours.communicate(timeout=60)

    deadline = time.monotonic() + 60
    while any(is_alive(pid) for pid in held) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert inhabitants(numbers) == set()
    assert Traces.look() == before


def test_latency_is_added_or_refused_in_one_sentence(lab: Laboratory, tmp_path: Path) -> None:
    slow = transport_of("rate-limited:1gbit:2nodes:5ms")
    refusal = why_not(slow)
    if refusal:
        assert refusal.startswith("this kernel cannot add latency to a link")
        assert holders_below(os.getpid()) == set()
        return
    measured = link_speed(lab.mpi, slow, tmp_path, megabytes=1)
    assert measured.seconds_of_turn >= 2 * 0.005


@dataclass(frozen=True)
class Measured:
    """What link_speed.cpp found, and what passed the first node's interface meanwhile."""

    seconds: float
    """of a message"""
    seconds_of_put: float
    """of as many bytes by one-sided communication"""
    seconds_of_turn: float
    node_ranks: int
    sent_bytes: int


def link_speed(
    mpi: MpiLibrary, transport: Transport, folder: Path, *, megabytes: int, turns: int = 10
) -> Measured:
    """Runs link_speed.cpp on two ranks; counts at veth, or at lo on one node."""
    program = folder / "link_speed"
    program.write_bytes(built(mpi.mpicxx))
    program.chmod(0o755)
    arguments = [str(megabytes * 10**6), str(turns)]
    with nodes_for(transport) as nodes:
        line = launch_line(
            mpi, program, arguments, ranks=2, threads=1, cpus=2, transport=transport, nodes=nodes
        )
        before = sent_bytes(nodes)
        done = subprocess.run(
            line.command,
            capture_output=True,
            text=True,
            env={**os.environ, **line.environment},
            timeout=120,
            check=False,
        )
        sent = sent_bytes(nodes) - before
    assert done.returncode == 0, done.stderr
    seconds, put, turn, ranks = done.stdout.split()
    return Measured(float(seconds), float(put), float(turn), int(ranks), sent)


@cache
def built(wrapper: str) -> bytes:
    """link_speed.cpp, compiled by an MPI's wrapper."""
    source = Path(__file__).with_name("link_speed.cpp")
    with tempfile.TemporaryDirectory(prefix="isobath-test-") as folder:
        program = Path(folder) / "link_speed"
        subprocess.run([wrapper, "-O1", str(source), "-o", str(program)], check=True)
        return program.read_bytes()


def sent_bytes(nodes: Nodes | None) -> int:
    if nodes is None:
        return int(Path("/sys/class/net/lo/statistics/tx_bytes").read_text())
    return nodes.traffic(nodes.nodes[0]).sent_bytes


def test_what_crosses_two_nodes_crosses_their_link(every_lab: Laboratory, tmp_path: Path) -> None:
    payload = 2 * 20 * 10**6

    measured = link_speed(every_lab.mpi, FAST, tmp_path, megabytes=20)

    assert measured.node_ranks == 1
    # TCP adds headers and the launcher its control, never another copy
    assert payload <= measured.sent_bytes <= 1.1 * payload + 200_000


def test_a_link_is_no_faster_than_its_limit(every_lab: Laboratory, tmp_path: Path) -> None:
    limited = transport_of("rate-limited:100mbit:2nodes")
    bits = 8 * 10 * 10**6

    measured = link_speed(every_lab.mpi, limited, tmp_path, megabytes=10)

    at_once = 8 * 2 * 65536  # the bucket is full in the beginning, at the node and at the switch
    least = (bits - at_once) / limited_rate(limited)
    assert measured.seconds >= least
    assert measured.seconds_of_put >= least


def limited_rate(transport: Transport) -> int:
    assert transport.bits_per_second is not None
    return transport.bits_per_second


def test_tcp_on_one_machine_goes_through_its_loopback(
    every_lab: Laboratory, tmp_path: Path
) -> None:
    measured = link_speed(every_lab.mpi, transport_of("tcp"), tmp_path, megabytes=20)

    assert measured.sent_bytes >= 2 * 20 * 10**6


def search(
    lab: Laboratory, folder: Path, transport: Transport, *, ranks: int
) -> tuple[Outcome, RunRecords, Nodes | None]:
    """A validated run of the engine, watched as the laboratory watches every run."""
    files = Files(
        records=folder / "records.jsonl",
        stdout=folder / "stdout.txt",
        stderr=folder / "stderr.txt",
        heartbeat=folder / "heartbeat.bin",
    )
    run_id = f"nodes-{os.getpid()}-{ranks}"
    arguments = ["--scale", "12", "--keys", "4", "--threads", "1", "--run-id", run_id]
    arguments += ["--record", str(files.records), "--heartbeat", str(files.heartbeat)]
    with nodes_for(transport) as nodes, Interrupts() as interrupts:
        line = engine_line(lab, arguments, transport, nodes, ranks)
        outcome = run_engine(
            line,
            files,
            ranks=ranks,
            run_id=run_id,
            limits=Limits(hang_seconds=120, start_seconds=60),
            watch=ignore,
            interrupts=interrupts,
        )
    assert outcome.trouble is None, files.stderr.read_text()
    return outcome, RunRecords.of(read_records(files.records)), nodes


def ignore(progress: Progress) -> None:
    """Nobody looks."""


def engine_line(
    lab: Laboratory, arguments: list[str], transport: Transport, nodes: Nodes | None, ranks: int
) -> LaunchLine:
    return launch_line(
        lab.mpi,
        lab.mpi.program(PROGRAM),
        arguments,
        ranks=ranks,
        threads=1,
        cpus=read_machine().usable_cpus,
        transport=transport,
        nodes=nodes,
    )


@pytest.mark.parametrize("text", ["rate-limited:1gbit:2nodes", "tcp"])
@pytest.mark.parametrize("wanted", [2, 4])
def test_searches_are_validated_and_name_their_nodes(
    every_lab: Laboratory, tmp_path: Path, wanted: int, text: str
) -> None:
    ranks = min(wanted, max(ranks_for(every_lab.mpi)))
    before = Traces.look()

    _, records, nodes = search(every_lab, tmp_path, transport_of(text), ranks=ranks)

    assert records.verdict == "validated"
    assert len(records.timed_searches) == 4
    hosts = [host.hostname for host in records.run.hosts]
    bound = [one.hostname for one in records.run.binding]
    if nodes is None:
        assert hosts == [os.uname().nodename]
    else:
        assert hosts == [node.name for node in nodes.nodes]
        assert bound == [host for host in hosts for _ in range(ranks // 2)]
        sets = {one.hostname: one.cpus for one in records.run.binding}
        assert len(set(sets.values())) == (2 if len(os.sched_getaffinity(0)) > 1 else 1)
    assert Traces.look() == before


def test_a_rank_killed_in_another_node_ends_the_run(every_lab: Laboratory, tmp_path: Path) -> None:
    before = Traces.look()
    with Nodes(FAST) as nodes:
        line = engine_line(every_lab, ["--scale", "14", "--keys", "5000"], FAST, nodes, ranks=2)
        launcher = subprocess.Popen(
            line.command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **line.environment},
        )
        numbers = [namespace_of(pid) for pid in holders_below(os.getpid())]
        os.kill(rank_in(other_node(nodes)), signal.SIGKILL)
        assert launcher.wait(timeout=60) != 0
    assert inhabitants(numbers) == set()
    assert Traces.look() == before


def other_node(nodes: Nodes) -> int | None:
    """The namespace of the second node."""
    return int(said(nodes, 1, "stat", "--dereference", "--format", "%i", "/proc/self/ns/net"))


def rank_in(namespace: int | None) -> int:
    """Waits for the engine's process in a namespace."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for pid in (int(path.name) for path in PROC.iterdir() if path.name.isdigit()):
            if namespace_of(pid) == namespace and mentions(pid, f"bin/{PROGRAM}\0"):
                return pid
        time.sleep(0.02)
    raise AssertionError("the rank never came")
