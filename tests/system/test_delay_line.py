# SPDX-License-Identifier: Apache-2.0
"""Latency between made-up nodes by isobath-delay: no frame is early, none overtakes another, what
is lost is counted, and nothing is left.

Only least times are asked for: other work on the machine makes a way longer, never shorter.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from isobath.errors import EnvironmentProblem
from isobath.launch import delay_line
from isobath.launch.delay_line import PROGRAM, DelayLine, delay_program
from isobath.launch.links import BURST_BYTES, FRAME_BYTES
from isobath.launch.namespaces import Nodes, namespace_of
from isobath.launch.processes import descendants, is_alive, mentions
from isobath.launch.transport import transport_of
from patience import patience
from signals import started
from system.laboratory import SOURCES, Laboratory
from system.node_traces import Traces, inhabitants, needs_namespaces, said

pytestmark = needs_namespaces

LATENCY_SECONDS = 0.002
PINGS = 20


def nodes_of(words: str) -> Nodes:
    """Nodes whose latency is added by isobath-delay, also where the kernel could."""
    return Nodes(transport_of(f"rate-limited:{words}"), by_kernel=False)


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """Two nodes that are there as long as the test."""
    with nodes_of("unlimited:2nodes:2ms") as nodes:
        yield nodes


def line_of(nodes: Nodes) -> DelayLine:
    assert nodes.delay_line is not None
    return nodes.delay_line


def listening(nodes: Nodes, number: int, words: str) -> "subprocess.Popen[str]":
    """A program in a node, once it listens: then it says so in a line."""
    program = subprocess.Popen(
        nodes.entered(nodes.nodes[number], [sys.executable, "-c", words]),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "listening\n"
    return program


ECHO = """
import socket
listening = socket.create_server(("10.73.0.2", 7777))
print("listening", flush=True)
connection, _ = listening.accept()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
while received := connection.recv(1):
    connection.sendall(received)
"""

PING = f"""
import socket, time
connection = socket.create_connection(("10.73.0.2", 7777), timeout=300)
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
def ping():
    begin = time.perf_counter()
    connection.sendall(b"?")
    assert connection.recv(1) == b"?"
    return time.perf_counter() - begin
print(min(ping() for _ in range({PINGS})))
"""


def test_a_byte_there_and_back_takes_the_latency_twice(nodes: Nodes) -> None:
    echo = listening(nodes, 1, ECHO)

    least = float(said(nodes, 0, sys.executable, "-c", PING))

    echo.communicate(timeout=patience())
    assert least >= 2 * LATENCY_SECONDS
    nodes.close()
    assert nodes.latency is not None
    facts = nodes.latency.facts()
    assert (facts["by"], facts["microseconds"]) == (PROGRAM, 2000)
    assert (facts["ended_early"], facts["lost_frames"]) == (False, 0)
    assert facts["passed_frames"] >= 2 * PINGS
    assert 0 < facts["processor_seconds"] < patience()
    assert facts["late_us"]["most"] >= facts["late_us"]["median"] >= 0


DATAGRAMS, TURNS = 80, 10

RECEIVE_IN_ORDER = f"""
import socket
receiving = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiving.bind(("10.73.0.2", 7777))
print("listening", flush=True)
numbers = []
for turn in range({TURNS}):
    for _ in range({DATAGRAMS}):
        number, sender = receiving.recvfrom(100)
        numbers.append(int(number))
    receiving.sendto(b"next", sender)
print(numbers == list(range({TURNS * DATAGRAMS})))
"""

SEND_IN_ORDER = f"""
import socket
sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for turn in range({TURNS}):
    for number in range({DATAGRAMS}):
        sending.sendto(str(turn * {DATAGRAMS} + number).encode(), ("10.73.0.2", 7777))
    sending.recv(100)
"""


def test_frames_of_a_node_arrive_in_the_order_in_which_they_were_sent(nodes: Nodes) -> None:
    receiver = listening(nodes, 1, RECEIVE_IN_ORDER)

    said(nodes, 0, sys.executable, "-c", SEND_IN_ORDER)

    assert receiver.communicate(timeout=patience())[0] == "True\n"


LIMIT, SENT = 10, 50

RECEIVE_SOME = """
import socket
receiving = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiving.bind(("10.73.0.2", 7777))
print("listening", flush=True)
_, sender = receiving.recvfrom(100)
receiving.sendto(b"here", sender)
print(receiving.recv(100).decode())
"""

SEND_MANY = f"""
import os, signal, socket, sys
sending = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sending.sendto(b"where are you", ("10.73.0.2", 7777))
sending.recv(100)
os.kill(int(sys.argv[1]), signal.SIGSTOP)
for number in range({SENT}):
    sending.sendto(b"number %d" % number, ("10.73.0.2", 7777))
os.kill(int(sys.argv[1]), signal.SIGCONT)
"""


def test_what_does_not_fit_is_lost_counted_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delay_line, "QUEUE_PACKETS", LIMIT)
    with nodes_of("unlimited:2nodes:1ms") as nodes:
        receiver = listening(nodes, 1, RECEIVE_SOME)

        # It is stopped meanwhile, so that all wait when it looks, on a busy machine as well.
        said(nodes, 0, sys.executable, "-c", SEND_MANY, str(line_of(nodes).process.pid))

        assert receiver.communicate(timeout=patience())[0] == "number 0\n"
    assert nodes.latency is not None
    assert nodes.latency.lost_frames is not None
    assert nodes.latency.lost_frames >= SENT - LIMIT
    assert f"LOST {nodes.latency.lost_frames} frames" in nodes.latency.note()


MESSAGE, BITS_PER_SECOND = 32 * 1024, 400_000

TAKE_FROM_TWO = """
import socket
listening = socket.create_server(("10.73.0.3", 7777))
print("listening", flush=True)
both = [listening.accept()[0] for _ in range(2)]
for connection in both:
    connection.sendall(b"go")
for connection in both:
    while connection.recv(1 << 16):
        pass
for connection in both:
    connection.sendall(b"!")
"""

GIVE = f"""
import socket, time
connection = socket.create_connection(("10.73.0.3", 7777), timeout=300)
assert connection.recv(2) == b"go"
begin = time.perf_counter()
connection.sendall(bytes({MESSAGE}))
connection.shutdown(socket.SHUT_WR)
assert connection.recv(1) == b"!"
print(time.perf_counter() - begin)
"""


def test_links_keep_their_rate_at_both_ends() -> None:
    with nodes_of("400kbit:3nodes:2ms") as nodes:
        receiver = listening(nodes, 2, TAKE_FROM_TWO)
        givers = [
            subprocess.Popen(
                nodes.entered(node, [sys.executable, "-c", GIVE]), stdout=subprocess.PIPE, text=True
            )
            for node in nodes.nodes[:2]
        ]
        seconds = [float(giver.communicate(timeout=patience())[0]) for giver in givers]
        receiver.communicate(timeout=patience())
        columns = said(nodes, 2, "cat", "/proc/net/dev").splitlines()[-1].split()

    # Two send at once to one that takes no more than its rate.
    assert max(seconds) >= (2 * MESSAGE - BURST_BYTES) * 8 / BITS_PER_SECOND > 1.2
    received_bytes, received_frames = int(columns[1]), int(columns[2])
    assert received_bytes / received_frames <= FRAME_BYTES


OPEN_NODES = """
import time
from isobath.launch.namespaces import Nodes, namespace_of
from isobath.launch.transport import transport_of
with Nodes(transport_of("rate-limited:1gbit:2nodes:200us"), by_kernel=False) as nodes:
    print(nodes.delay_line.process.pid, flush=True)
    time.sleep(1000)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_however_we_end_it_ends_too(number: signal.Signals) -> None:
    before = Traces.look()
    ours = started(
        [sys.executable, "-c", OPEN_NODES],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        start_new_session=True,
    )
    assert ours.stdout is not None
    line = int(ours.stdout.readline())
    assert mentions(line, PROGRAM)
    assert line in descendants(ours.pid)
    switch = namespace_of(line)

    os.killpg(ours.pid, number)
    ours.communicate(timeout=patience())

    deadline = time.monotonic() + patience()
    while (is_alive(line) or inhabitants([switch])) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_alive(line)
    assert inhabitants([switch]) == set()
    assert Traces.look() == before


def test_one_that_dies_while_nodes_are_there_is_told_of(nodes: Nodes) -> None:
    line_of(nodes).process.kill()
    line_of(nodes).process.wait()

    nodes.close()

    assert nodes.latency is not None
    assert "IT ENDED BEFORE THE NODES DID" in nodes.latency.note()


def test_without_its_program_nothing_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Traces.look()
    monkeypatch.setattr(delay_line, "known_libraries", lambda installation: [])

    with (
        pytest.raises(EnvironmentProblem, match="isobath-delay, which does it instead, is not"),
        nodes_of("1gbit:2nodes:50us"),
    ):
        pass

    assert Traces.look() == before


def test_without_packet_sockets_it_says_which_capability_it_needs() -> None:
    words = (
        "from isobath.launch.namespaces import Nodes\n"
        "from isobath.launch.transport import transport_of\n"
        "try:\n"
        "    Nodes(transport_of('rate-limited:2nodes:50us'), by_kernel=False).__enter__()\n"
        "except Exception as refused:\n"
        "    print(refused)"
    )
    done = subprocess.run(
        ["setpriv", "--bounding-set", "-net_raw", sys.executable, "-c", words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        check=True,
    )
    (sentence,) = done.stdout.splitlines()
    assert sentence == (
        "this kernel cannot add latency to a link (it has no netem), and what does it instead does "
        "not work (isobath-delay: no packet socket can be had (Operation not permitted); in a "
        "container, start it with --cap-add NET_RAW); leave the latency out of the transport"
    )


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("nowhere0", "nowhere1"), 3, "there is no interface nowhere0; name one that is here"),
        (("lo",), 2, "interfaces: "),
        (("--limit", "0", "lo", "lo"), 2, "--limit: "),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(
    words: tuple[str, ...], code: int, sentence: str
) -> None:
    limit = () if "--limit" in words else ("--limit", "9")
    done = subprocess.run(
        [delay_program(), "--latency-us", "1", *limit, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"isobath-delay: {sentence}")


def test_a_run_keeps_what_added_its_latency(lab: Laboratory) -> None:
    run = lab.run("--scale", "8", "--ranks", "2", "--keys", "2", "--threads", "1",
                  "--transport", "rate-limited:100mbit:2nodes:200us")  # fmt: skip

    facts = run.environment()["latency"]
    assert facts["microseconds"] == 200
    assert facts["by"] in ("netem", PROGRAM)
    assert [note for note in run.summary().notes if "latency of 200 us" in note]
