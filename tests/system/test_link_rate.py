# SPDX-License-Identifier: Apache-2.0
"""A link of a rate lets nothing through faster: measured by sending, also after a pause.

Only least times are asked for: other work on the machine makes sending slower, never faster.
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from isobath.launch.links import BURST_BYTES, FRAME_BYTES
from isobath.launch.namespaces import Nodes
from isobath.launch.transport import transport_of
from system.node_traces import needs_namespaces, said

pytestmark = needs_namespaces

MESSAGE = 64 * 1024
BITS_PER_SECOND = 400_000

RECEIVE = """
import socket
listening = socket.create_server(("10.73.0.2", 7777))
print("listening", flush=True)
connection, _ = listening.accept()
while connection.recv(1 << 16):
    pass
connection.sendall(b"!")
"""

SEND = f"""
import socket, time
connection = socket.create_connection(("10.73.0.2", 7777), timeout=300)
time.sleep(0.2)
begin = time.perf_counter()
connection.sendall(bytes({MESSAGE}))
connection.shutdown(socket.SHUT_WR)
assert connection.recv(1) == b"!"
print(time.perf_counter() - begin)
"""


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """Two nodes that are there as long as the test."""
    with Nodes(transport_of("rate-limited:400kbit:2nodes")) as nodes:
        yield nodes


def seconds_to_send(nodes: Nodes) -> float:
    receiver = subprocess.Popen(
        nodes.entered(nodes.nodes[1], [sys.executable, "-c", RECEIVE]),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert receiver.stdout is not None
        assert receiver.stdout.readline() == "listening\n"
        return float(said(nodes, 0, sys.executable, "-c", SEND))
    finally:
        receiver.kill()
        receiver.communicate()


def test_a_message_after_a_pause_takes_as_long_as_its_rate_says(nodes: Nodes) -> None:
    least = (MESSAGE - BURST_BYTES) * 8 / BITS_PER_SECOND

    assert seconds_to_send(nodes) >= least > 1.2


def test_what_travels_are_frames_not_what_tcp_hands_over(nodes: Nodes) -> None:
    seconds_to_send(nodes)

    columns = said(nodes, 0, "cat", "/proc/net/dev").splitlines()[-1].split()
    sent_bytes, sent_frames = int(columns[9]), int(columns[10])
    assert sent_bytes > MESSAGE
    assert sent_bytes / sent_frames <= FRAME_BYTES
