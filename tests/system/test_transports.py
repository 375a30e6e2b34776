# SPDX-License-Identifier: Apache-2.0
"""What crosses nodes is TCP and keeps to its link; searches across them are right."""

import os
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from isobath.launch.engine_run import Files, Outcome, Progress, run_engine
from isobath.launch.interrupts import Interrupts
from isobath.launch.launcher import LaunchLine, launch_line
from isobath.launch.limits import Limits
from isobath.launch.links import BURST_BYTES
from isobath.launch.mpi_library import MpiLibrary
from isobath.launch.namespaces import Nodes, namespace_of, nodes_for
from isobath.launch.placement import placed_by
from isobath.launch.processes import PROC, mentions
from isobath.launch.shared_memory import SharedMemory
from isobath.launch.transport import Transport, transport_of
from isobath.machine.facts import read_machine
from isobath.records.codec import read_records
from isobath.records.run_records import RunRecords
from patience import patience
from system.laboratory import PROGRAM, Laboratory, ranks_for
from system.node_traces import FAST, Traces, holders_below, inhabitants, needs_namespaces, said


@needs_namespaces
def test_latency_is_added_whatever_the_kernel_can(lab: Laboratory, tmp_path: Path) -> None:
    slow = transport_of("rate-limited:1gbit:2nodes:5ms")

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
            mpi,
            program,
            arguments,
            ranks=2,
            threads=1,
            cpus=2,
            placement=placed_by(transport.text()),
            nodes=nodes,
        )
        before = sent_bytes(nodes)
        said = first_line(line)
        sent = sent_bytes(nodes) - before
    seconds, put, turn, ranks = said.split()
    return Measured(float(seconds), float(put), float(turn), int(ranks), sent)


def first_line(line: LaunchLine) -> str:
    """What the ranks print once they have done all but MPI_Finalize.

    In that call the MPICH 4.0.2 of Debian 12 may stand for ever after one-sided communication by
    TCP, one rank behind a barrier that another does not reach without it: they are ended, as the
    laboratory ends a launch that lingers after its last record.
    """
    with subprocess.Popen(
        line.command,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **line.environment},
        start_new_session=True,
    ) as launcher:
        assert launcher.stdout is not None
        watch = threading.Timer(300, os.killpg, (launcher.pid, signal.SIGKILL))
        watch.start()
        try:
            return launcher.stdout.readline()
        finally:
            watch.cancel()
            try:
                status = launcher.wait(timeout=10)
            except subprocess.TimeoutExpired:
                end_ranks(launcher)
            else:
                assert status == 0


def end_ranks(launcher: "subprocess.Popen[str]") -> None:
    """The launcher hands SIGTERM on to its ranks; what is left is killed."""
    launcher.terminate()
    try:
        launcher.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(launcher.pid, signal.SIGKILL)


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


@needs_namespaces
def test_what_crosses_two_nodes_crosses_their_link(every_lab: Laboratory, tmp_path: Path) -> None:
    payload = 2 * 20 * 10**6

    measured = link_speed(every_lab.mpi, FAST, tmp_path, megabytes=20)

    assert measured.node_ranks == 1
    # TCP adds headers and the launcher its control, never another copy
    assert payload <= measured.sent_bytes <= 1.1 * payload + 200_000


@needs_namespaces
def test_a_link_is_no_faster_than_its_limit(every_lab: Laboratory, tmp_path: Path) -> None:
    limited = transport_of("rate-limited:100mbit:2nodes")
    bits = 8 * 10 * 10**6

    measured = link_speed(every_lab.mpi, limited, tmp_path, megabytes=10)

    at_once = 8 * 2 * BURST_BYTES  # full in the beginning, at the node and at the switch
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
        placement=placed_by(transport.text()),
        nodes=nodes,
    )


@pytest.mark.parametrize(
    "text", [pytest.param("rate-limited:1gbit:2nodes", marks=needs_namespaces), "tcp"]
)
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


@needs_namespaces
def test_a_rank_killed_in_another_node_ends_the_run(every_lab: Laboratory, tmp_path: Path) -> None:
    before, shared_memory = Traces.look(), SharedMemory.look()
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
        assert launcher.wait(timeout=patience()) != 0
    shared_memory.clean()  # an MPI whose ranks were killed leaves its segments
    assert inhabitants(numbers) == set()
    assert Traces.look() == before


def other_node(nodes: Nodes) -> int | None:
    """The namespace of the second node."""
    return int(said(nodes, 1, "stat", "--dereference", "--format", "%i", "/proc/self/ns/net"))


def rank_in(namespace: int | None) -> int:
    """Waits for the engine's process in a namespace."""
    deadline = time.monotonic() + patience()
    while time.monotonic() < deadline:
        for pid in (int(path.name) for path in PROC.iterdir() if path.name.isdigit()):
            if namespace_of(pid) == namespace and mentions(pid, f"bin/{PROGRAM}\0"):
                return pid
        time.sleep(0.02)
    raise AssertionError("the rank never came")
