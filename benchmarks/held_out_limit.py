#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether made-up links have the rate and the latency that are said.

Usage, after ``./isobath setup``, as root (four seconds); ends with 1 where a link is not what it
says:

    .venv/bin/python benchmarks/held_out_limit.py

Streams of 4 KiB and single messages of 32 KiB after a pause both have to see the rate: a link that
lets a burst pass at full speed would flatter every small message of a search. A byte there and back
has to see the latency twice. From times of messages the latency is taken away, there and back; TCP
begins with ten frames all the same and waits for an answer, so that behind a latency only the
stream must reach the rate.
"""

import gzip
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from held_out_cells import RATES

from isobath.launch.delay_line import Latency
from isobath.launch.links import BURST_BYTES
from isobath.launch.namespaces import Nodes, why_not
from isobath.launch.transport import transport_of

PORT = 7777
STREAM, PIECE = 2048 * 1024, 4 * 1024
COLD, TIMES = 32 * 1024, 5
PINGS = 50
PAUSE_SECONDS = 0.2
LEAST = 0.80
"""share of the rate that must be reached: headers take some of it"""

BEYOND_SECONDS = 300e-6
"""What a byte there and back may take longer than the latency says: the way itself, and what adds
the latency."""

CLOCK = 0.01
"""share by which the clock of a process may err"""

RECEIVE = f"""
import socket
listening = socket.create_server(("10.73.0.2", {PORT}))
print("listening", flush=True)
connection, _ = listening.accept()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
for _ in range({PINGS}):
    connection.sendall(connection.recv(1))
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
def ping():
    time.sleep(0.002)
    begin = time.perf_counter()
    connection.sendall(b"?")
    connection.recv(1)
    return time.perf_counter() - begin
pings = sorted(ping() for _ in range({PINGS}))
print(pings[0], pings[{PINGS} // 2], timed({STREAM}, {PIECE}))
print(*(timed({COLD}, {COLD}) for _ in range({TIMES})))
"""


@dataclass(frozen=True)
class Limit:
    """What passed a link, as shares of its rate, and how long a byte took there and back."""

    network: str
    latency_seconds: float
    """as it is said, one way"""
    by: str
    """what adds it, and what that cost; empty where none is added"""
    least_ping: float
    median_ping: float
    stream: float
    cold: tuple[float, ...]

    @property
    def is_slow(self) -> bool:
        """Nothing passes faster than is said: at the most two frames ahead of the rate, which a
        link may send at once after a pause (links.py), and a byte waits for the latency twice.
        """
        is_late = self.least_ping >= 2 * self.latency_seconds
        return is_late and self.stream <= most_of(STREAM) and max(self.cold) <= most_of(COLD)

    @property
    def is_true(self) -> bool:
        """Nothing passes faster than is said, nor much slower."""
        is_prompt = self.median_ping <= 2 * self.latency_seconds + BEYOND_SECONDS
        reached = self.stream if self.latency_seconds else min(self.stream, max(self.cold))
        return self.is_slow and is_prompt and reached >= LEAST

    def __str__(self) -> str:
        cold = f"{100 * min(self.cold):.0f} to {100 * max(self.cold):.0f} %"
        added = f", {1000 * self.latency_seconds:g} ms each way added by {self.by}" * bool(self.by)
        return (
            f"limit {self.network}: a byte there and back takes {1000 * self.median_ping:.3f} ms "
            f"(least {1000 * self.least_ping:.3f}{added}), a stream of 4 KiB passes at "
            f"{100 * self.stream:.0f} % of the rate, cold messages of 32 KiB at {cold}"
        )


def adder_words(latency: Latency | None) -> str:
    """What added a latency; of isobath-delay how late frames were and what it took of the ranks'
    processors.
    """
    if latency is None or latency.late_us is None or not latency.passed_frames:
        return "" if latency is None else latency.by
    each = 1e6 * (latency.processor_seconds or 0) / latency.passed_frames
    late = f"{latency.late_us['median']} us late (99 %: {latency.late_us['p99']})"
    return f"{latency.by}, frames {late}, {each:.0f} us of processor time for each"


def most_of(size: int) -> float:
    """Share of the rate that so many bytes may pass at, the burst of the link being free."""
    return size / (size - BURST_BYTES) + CLOCK


def measured_limit(network: str, bits_per_second: float) -> Limit:
    """Two nodes, sockets, no MPI."""
    transport = transport_of(f"rate-limited:{network}:2nodes")
    with Nodes(transport) as nodes:
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
    least, median, stream, *cold = (float(word) for word in said.split())
    latency = transport.latency_us / 1e6
    rate = bits_per_second / 8
    return Limit(
        network=network,
        latency_seconds=latency,
        by=adder_words(nodes.latency),
        least_ping=least,
        median_ping=median,
        stream=STREAM / (stream - 2 * latency) / rate,
        cold=tuple(COLD / (seconds - 2 * latency) / rate for seconds in cold),
    )


def why_no_latency(latency: str) -> str:
    """Why links cannot be given a latency here, by netem or isobath-delay; empty where they can."""
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


def main() -> int:
    """Prints what passes links without a latency."""
    if problem := why_not(transport_of("rate-limited:100mbit:2nodes")):
        sys.exit(problem)
    limits = [measured_limit(network, rate) for network, rate in RATES.items()]
    for limit in limits:
        slower = (
            "SLOWER than is said, as on a busy machine" if limit.is_slow else "FASTER than is said"
        )
        print(limit if limit.is_true else f"{limit}: {slower}")
    return 0 if all(limit.is_true for limit in limits) else 1


if __name__ == "__main__":
    sys.exit(main())
