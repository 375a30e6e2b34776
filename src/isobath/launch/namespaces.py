# SPDX-License-Identifier: Apache-2.0
"""Nodes on one machine: network namespaces, each with a host name and processors of its own.

Every node has one interface, a veth pair into a bridge that lies in a namespace too; the rate is
that of these pairs. Latency is added by the kernel where it has netem; else isobath-delay stands in
the place of the bridge (delay_line.py). Nothing of it is seen outside, and nothing has a name that
could be left behind: each namespace lives as long as the process that holds it (node_holder.py),
and that one as long as we do.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from isobath.errors import EnvironmentProblem, IsobathError, UsageError
from isobath.launch import node_holder
from isobath.launch.delay_line import PROGRAM as DELAY_PROGRAM
from isobath.launch.delay_line import DelayLine, Latency
from isobath.launch.links import (
    INTERFACE,
    NETEM,
    delay_words,
    has_limit,
    incoming_link,
    outgoing_link,
    whole_frames_on,
)
from isobath.launch.processes import PROC, send
from isobath.launch.transport import Transport
from isobath.records.placement import shared_ranks
from isobath.units import Bytes

ENTER = Path(__file__).with_name("enter_node.sh")
VARIABLE = "ISOBATH_NODE_PROCESSES"

NETWORK = "10.73.0"
"""First three numbers of all addresses; nothing outside the namespaces can reach them."""

INSTEAD = "or use the transport tcp"
TOOLS = {"ip": "iproute2", "tc": "iproute2", "nsenter": "util-linux", "taskset": "util-linux"}
"""Programs that are started, and Debian's packages of them."""

REFUSALS = ("not permitted", "Permission denied")
"""How programs say that a capability is missing."""

SETUP_SECONDS = 20.0
POLL_SECONDS = 0.01


@dataclass(frozen=True)
class Node:
    """One stand-in for a machine."""

    name: str
    """its host name"""
    address: str
    cpus: tuple[int, ...]


@dataclass(frozen=True)
class LinkTraffic:
    """Bytes that passed a node's interface since it is there, with the headers of all protocols."""

    sent_bytes: Bytes
    received_bytes: Bytes


class Nodes:
    """The nodes of a transport. They are there between __enter__ and __exit__.

    Before, the object only describes them: a launch line can be shown without any namespace.
    """

    latency: Latency | None
    """what adds the latency, while nodes are there and afterwards; None where none is added"""
    delay_line: DelayLine | None
    """isobath-delay, while nodes are there and it adds the latency"""

    def __init__(
        self,
        transport: Transport,
        cpus: Sequence[int] | None = None,
        *,
        by_kernel: bool | None = None,
    ) -> None:
        """Args: by_kernel says whether the kernel adds the latency; by default where it can."""
        token = secrets.token_hex(3)
        shares = shared_cpus(sorted(os.sched_getaffinity(0) if cpus is None else cpus), transport)
        self.transport = transport
        self.nodes = tuple(
            Node(f"isobath-{token}-node{number}", f"{NETWORK}.{number + 1}", share)
            for number, share in enumerate(shares)
        )
        self._switch_name = f"isobath-{token}-switch"
        self._holders: dict[str, subprocess.Popen[str]] = {}
        self._by_kernel = by_kernel
        self.latency = None
        self.delay_line = None

    def __enter__(self) -> Self:
        require_tools()
        try:
            self._build()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends what still runs in the namespaces, then the namespaces. May be called twice."""
        ours = {holder.pid for holder in self._holders.values()}
        if self.delay_line is not None:
            ours.add(self.delay_line.process.pid)
        deadline = time.monotonic() + SETUP_SECONDS
        while (left := self._inhabitants() - ours) and time.monotonic() < deadline:
            send(left, signal.SIGKILL)
            time.sleep(POLL_SECONDS)  # again: a launcher may have started more of them meanwhile
        if self.delay_line is not None:
            self.delay_line.close()
            self.delay_line = None
        for holder in self._holders.values():
            holder.kill()
            holder.communicate()
        self._holders.clear()

    def ranks_of_nodes(self, ranks: int) -> list[int]:
        """How many ranks each node gets; the first nodes get those that are over.

        Raises: UsageError where a node would have none.
        """
        count = len(self.nodes)
        if ranks < count:
            raise UsageError(
                f"{ranks} ranks cannot fill the {count} nodes of {self.transport.text()}; "
                f"use at least {count} ranks, or fewer nodes"
            )
        return shared_ranks(ranks, count)

    def host_list(self, ranks: int) -> str:
        """Addresses with their ranks, as launchers take them: 10.73.0.1:2,10.73.0.2:2."""
        counts = self.ranks_of_nodes(ranks)
        pairs = zip(self.nodes, counts, strict=True)
        return ",".join(f"{node.address}:{count}" for node, count in pairs)

    def oversubscribed(self, ranks: int, threads: int) -> bool:
        """Whether some node has more threads than processors, or shares its processors."""
        counts = self.ranks_of_nodes(ranks)
        pairs = zip(self.nodes, counts, strict=True)
        own = {cpu for node in self.nodes for cpu in node.cpus}
        shared = len(own) < sum(len(node.cpus) for node in self.nodes)
        return shared or any(count * threads > len(node.cpus) for node, count in pairs)

    def environment(self) -> dict[str, str]:
        """What enter_node.sh needs to find the nodes."""
        words = [f"{node.address}={self._pid(node)}={cpu_text(node)}" for node in self.nodes]
        return {VARIABLE: " ".join(words)}

    def entered(self, node: Node, command: Sequence[str]) -> tuple[str, ...]:
        """The command that runs ``command`` in a node, on its processors."""
        target = ("nsenter", "--target", self._pid(node), "--net", "--uts")
        return (*target, "taskset", "--cpu-list", cpu_text(node), *command)

    def traffic(self, node: Node) -> LinkTraffic:
        """What passed the node's interface. The nodes must be there."""
        lines = (PROC / self._pid(node) / "net/dev").read_text(encoding="ascii").splitlines()
        columns = next(line for line in lines if line.strip().startswith(f"{INTERFACE}:")).split()
        return LinkTraffic(sent_bytes=int(columns[9]), received_bytes=int(columns[1]))

    def describe(self) -> list[str]:
        """One line per node."""
        return [f"{node.name} {node.address}, processors {cpu_text(node)}" for node in self.nodes]

    def _pid(self, node: Node) -> str:
        holder = self._holders.get(node.name)
        return str(holder.pid) if holder else "PID"

    def _build(self) -> None:
        switch = self._hold(self._switch_name)
        if self.transport.latency_us:
            self.latency = Latency(self._who_delays(switch), self.transport.latency_us)
        has_line = self.latency is not None and self.latency.by == DELAY_PROGRAM
        if not has_line:
            self._in(switch, "ip", "link", "add", "bridge", "type", "bridge")
            self._in(switch, "ip", "link", "set", "bridge", "up")
        to_bridge = () if has_line else ("master", "bridge")
        ports = []
        for number, node in enumerate(self.nodes):
            held = self._hold(node.name)
            port = f"port{number}"
            pair = ("type", "veth", "peer", "name", INTERFACE, "netns", str(held.pid))
            self._in(switch, "ip", "link", "add", port, *pair)
            self._in(switch, "ip", "link", "set", port, *to_bridge, "up")
            self._in(held, "ip", "address", "add", f"{node.address}/24", "dev", INTERFACE)
            self._in(held, "ip", "link", "set", "lo", "up")
            self._in(held, "ip", "link", "set", INTERFACE, "up")
            if has_limit(self.transport) or has_line:
                self._in(held, *whole_frames_on(INTERFACE))
                self._in(switch, *whole_frames_on(port))
            for command in outgoing_link(self.transport, by_kernel=not has_line):
                self._in(held, *command)
            for command in incoming_link(self.transport, port):
                self._in(switch, *command)
            ports.append(port)
        if self.latency is not None and has_line:
            entered = ("nsenter", "--target", str(switch.pid), "--net")
            self.delay_line = DelayLine(entered, ports, self.latency)
        self._await_links()

    def _await_links(self) -> None:
        """Until every interface carries: the kernel says so up to a second after it was set up, and
        before that MPI libraries see a node with nothing but its loopback interface.
        """
        deadline = time.monotonic() + SETUP_SECONDS
        waiting = list(self.nodes)
        while waiting := [node for node in waiting if not self._carries(node)]:
            if time.monotonic() > deadline:
                raise EnvironmentProblem(
                    f"the interface of {waiting[0].name}, a network namespace, did not begin to "
                    f"carry within {SETUP_SECONDS:.0f} s; {INSTEAD}"
                )
            time.sleep(POLL_SECONDS)

    def _carries(self, node: Node) -> bool:
        """Whether the kernel says that a node's interface is up and its other end too."""
        shown = ("nsenter", "--target", self._pid(node), "--net", "ip", "-brief", "link", "show")
        done = subprocess.run(
            [*shown, "dev", INTERFACE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout.split()[1:2] == ["UP"]

    def _who_delays(self, switch: "subprocess.Popen[str]") -> str:
        """The kernel where it can, which an interface that nobody uses shows; else our program."""
        if self._by_kernel is None:
            words = ("tc", "qdisc", "add", "dev", "lo", "root", *delay_words(self.transport))
            said = self._refusal(switch, words)
            if said and "unknown" not in said:
                raise self._does_not_work(words, said)
            self._by_kernel = not said
        return NETEM if self._by_kernel else DELAY_PROGRAM

    def _hold(self, name: str) -> "subprocess.Popen[str]":
        """A new namespace. A session of its own: a Ctrl-C on the terminal is not for it."""
        holder = subprocess.Popen(
            [sys.executable, "-I", "-S", node_holder.__file__, name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._holders[name] = holder
        said = holder.stdout.readline().strip() if holder.stdout else ""
        if said != node_holder.READY:
            raise not_permitted(said or "the holder ended")
        return holder

    def _in(self, holder: "subprocess.Popen[str]", *command: str) -> None:
        said = self._refusal(holder, command)
        if said:
            raise self._does_not_work(command, said)

    def _refusal(self, holder: "subprocess.Popen[str]", command: Sequence[str]) -> str:
        """Runs a command in a namespace. Returns its complaint; empty where it has none."""
        entered = ["nsenter", "--target", str(holder.pid), "--net", *command]
        done = subprocess.run(
            entered, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return ""
        return ((done.stderr or done.stdout).strip().splitlines()[:1] or ["it said nothing"])[0]

    def _does_not_work(self, command: Sequence[str], said: str) -> EnvironmentProblem:
        if any(words in said for words in REFUSALS):
            return not_permitted(said)
        return EnvironmentProblem(
            f"this machine's network namespaces do not work ({' '.join(command)}: {said}); "
            f"the kernel needs bridge, veth and sch_tbf, {INSTEAD}"
        )

    def _inhabitants(self) -> set[int]:
        """Processes in our namespaces."""
        ours = {namespace_of(holder.pid) for holder in self._holders.values()} - {None}
        ours.discard(namespace_of(os.getpid()))  # a holder that got none is still in ours
        if not ours:
            return set()
        pids = [int(path.name) for path in PROC.iterdir() if path.name.isdigit()]
        return {pid for pid in pids if namespace_of(pid) in ours}


@contextlib.contextmanager
def nodes_for(transport: Transport) -> Iterator[Nodes | None]:
    """The nodes of a transport while a run goes on; None where it needs no namespaces.

    Raises: EnvironmentProblem where they cannot be made; nothing is left of them then.
    """
    if transport.nodes == 1:
        yield None
        return
    with Nodes(transport) as nodes:
        yield nodes


def require_tools() -> None:
    """What namespaces need, before anything is made. Raises: EnvironmentProblem."""
    if os.geteuid() != 0:
        raise EnvironmentProblem(
            f"several nodes on one machine are network namespaces, which need root; "
            f"start isobath as root, {INSTEAD}"
        )
    missing = next((tool for tool in TOOLS if shutil.which(tool) is None), None)
    if missing:
        raise EnvironmentProblem(
            f"network namespaces need the program {missing}, which is not here; "
            f"apt-get install {TOOLS[missing]}, {INSTEAD}"
        )


def not_permitted(said: str) -> EnvironmentProblem:
    """Root here is not root enough, as in most containers."""
    return EnvironmentProblem(
        f"this machine permits no network namespaces ({said}); in a container, start it with "
        f"--cap-add SYS_ADMIN --cap-add NET_ADMIN, {INSTEAD}"
    )


def why_not(transport: Transport) -> str:
    """Makes the nodes once: empty where that works, else one sentence with its remedy."""
    try:
        with nodes_for(transport):
            return ""
    except IsobathError as error:
        return str(error)


def who_delays(transport: Transport) -> str:
    """Makes the nodes once: what adds the latency, netem or isobath-delay.

    Raises: EnvironmentProblem where nothing can, or there can be no nodes.
    """
    with Nodes(transport) as nodes:
        return nodes.latency.by if nodes.latency is not None else ""


def shared_cpus(cpus: Sequence[int], transport: Transport) -> list[tuple[int, ...]]:
    """Processors of each node: equal parts; one each in turn where there are fewer than nodes."""
    count, nodes = len(cpus), transport.nodes
    if count < nodes:
        return [(cpus[number % count],) for number in range(nodes)]
    return [
        tuple(cpus[number * count // nodes : (number + 1) * count // nodes])
        for number in range(nodes)
    ]


def cpu_text(node: Node) -> str:
    """For example 0,1."""
    return ",".join(map(str, node.cpus))


def namespace_of(pid: int) -> int | None:
    """The number of a process's network namespace; None where it is gone or not ours to see."""
    try:
        return (PROC / str(pid) / "ns/net").stat().st_ino
    except OSError:
        return None
