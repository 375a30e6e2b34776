# SPDX-License-Identifier: Apache-2.0
"""Whether made-up links have the rate that is said, and whether this kernel can add latency.

Streams of 4 KiB and single messages of 32 KiB after a pause both have to see the rate: a link that
lets a burst pass at full speed would flatter every small message of a search.
"""

import gzip
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from isobath.launch.namespaces import BURST_BYTES, Nodes, why_not
from isobath.launch.transport import transport_of

PORT = 7777
STREAM, PIECE = 512 * 1024, 4 * 1024
COLD, TIMES = 32 * 1024, 5
PAUSE_SECONDS = 0.2
LEAST = 0.80
"""share of the rate that must be reached: headers take some of it"""

CLOCK = 0.01
"""share by which the clock of a process may err"""

RECEIVE = f"""
import socket
listening = socket.create_server(("10.73.0.2", {PORT}))
print("listening", flush=True)
connection, _ = listening.accept()
sizes = [{STREAM}] + [{COLD}] * {TIMES}
for size in sizes:
    while size > 0:
        size -= len(connection.recv(1 << 16))
    connection.sendall(b"!")
"""

SEND = f"""
import socket, time
connection = socket.create_connection(("10.73.0.2", {PORT}), timeout=300)
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
def timed(size, piece):
    time.sleep({PAUSE_SECONDS})
    begin = time.perf_counter()
    for _ in range(size // piece):
        connection.sendall(bytes(piece))
    assert connection.recv(1) == b"!"
    return time.perf_counter() - begin
print(timed({STREAM}, {PIECE}), *(timed({COLD}, {COLD}) for _ in range({TIMES})))
"""


@dataclass(frozen=True)
class Limit:
    """What passed a link, as shares of its rate."""

    network: str
    stream: float
    cold: tuple[float, ...]

    @property
    def is_true(self) -> bool:
        """Both see the rate: neither passes faster than two frames ahead of it, which a link may
        send at once after a pause (namespaces.py), and it can be reached.
        """
        is_slow = self.stream <= most_of(STREAM) and max(self.cold) <= most_of(COLD)
        return is_slow and min(self.stream, max(self.cold)) >= LEAST

    def __str__(self) -> str:
        cold = f"{100 * min(self.cold):.0f} to {100 * max(self.cold):.0f} %"
        return (
            f"limit {self.network}: a stream of 4 KiB passes at {100 * self.stream:.0f} % of the "
            f"rate, cold messages of 32 KiB at {cold}"
        )


def most_of(size: int) -> float:
    """Share of the rate that so many bytes may pass at, the burst of the link being free."""
    return size / (size - BURST_BYTES) + CLOCK


def measured_limit(network: str, bits_per_second: float) -> Limit:
    """Two nodes, sockets, no MPI."""
    with Nodes(transport_of(f"rate-limited:{network}:2nodes")) as nodes:
        first, second = nodes.nodes
        receiver = subprocess.Popen(
            nodes.entered(second, [sys.executable, "-c", RECEIVE]),
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert receiver.stdout is not None
            assert receiver.stdout.readline() == "listening\n"
            said = subprocess.run(
                nodes.entered(first, [sys.executable, "-c", SEND]),
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        finally:
            receiver.kill()
            receiver.communicate()
    stream, *cold = (float(word) for word in said.split())
    rate = bits_per_second / 8
    return Limit(network, STREAM / stream / rate, tuple(COLD / one / rate for one in cold))


def why_no_latency(latency: str) -> str:
    """Why links cannot be given a latency here; empty where they can."""
    refused = why_not(transport_of(f"rate-limited:100mbit:2nodes:{latency}"))
    configured = _kernel_words(Path("/proc/config.gz"))
    return f"{refused} {configured}".strip() if refused else ""


def _kernel_words(path: Path) -> str:
    try:
        text = gzip.decompress(path.read_bytes()).decode("ascii", "replace")
    except (OSError, EOFError):
        return ""
    said = [line for line in text.splitlines() if "CONFIG_NET_SCH_NETEM" in line]
    return f"({path}: {said[0].lstrip('# ')})" if said else f"({path} does not name netem)"
