# SPDX-License-Identifier: Apache-2.0
"""How bytes travel between ranks: what may be asked for, and what each MPI must be told for it.

Left alone, an MPI finds shared memory wherever two ranks are on one machine, also between two
network namespaces (UCX and libfabric each look for it themselves). So every transport but the
default names TCP to each layer that could choose.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from isobath.errors import UsageError
from isobath.launch.mpi_library import MpiLibrary

Kind = Literal["shared-memory", "tcp", "rate-limited"]

LEAST_NODES, MOST_NODES = 2, 64
DEFAULT_NODES = 2
DEFAULT_BITS_PER_SECOND = 10**9
LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND = 10**5, 10**11
MOST_LATENCY_US = 10**6
RATES = {"gbit": 10**9, "mbit": 10**6, "kbit": 10**3}
LATENCIES_US = {"us": 1, "ms": 1000}
GRAMMAR = "rate-limited[:RATE][:NODES][:LATENCY], for example rate-limited:1gbit:2nodes:50us"


@dataclass(frozen=True)
class Transport:
    """What carries the bytes. More than one node means network namespaces on this machine."""

    kind: Kind = "shared-memory"
    nodes: int = 1
    bits_per_second: int | None = None
    """of every node's link, in each direction; None without a limit"""
    latency_us: int = 0
    """added between two nodes, one way, in microseconds"""

    def text(self) -> str:
        """The shortest words that transport_of understands as this."""
        if self.kind != "rate-limited":
            return self.kind
        words = [self.kind, rate_text(self.bits_per_second), f"{self.nodes}nodes"]
        return ":".join(words + ([f"{self.latency_us}us"] if self.latency_us else []))


SHARED_MEMORY = Transport()


@dataclass(frozen=True)
class LaunchWords:
    """What is added to a launch line: flags of the launcher, and variables of the ranks."""

    flags: tuple[str, ...]
    environment: dict[str, str]


def transport_of(text: str) -> Transport:
    """The transport that ``text`` names: shared-memory, tcp, or rate-limited with its link.

    Of a link any part may be missing: 1gbit, 2nodes and no added latency are the defaults. The rate
    may be the word unlimited.

    Raises: UsageError saying what may be written.
    """
    first, *parts = text.strip().lower().split(":")
    if first in ("shared-memory", "tcp"):
        if parts:
            raise UsageError(f"transport {text}: only rate-limited takes more words; write {first}")
        return Transport("tcp") if first == "tcp" else SHARED_MEMORY
    if first != "rate-limited":
        raise UsageError(f"transport {text}: choose shared-memory, tcp, or {GRAMMAR}")
    properties: dict[str, int | None] = {}
    for part in parts:
        name, value = _part(text, part)
        if name in properties:
            raise UsageError(f"transport {text}: {part} says again what another word said")
        properties[name] = value
    return Transport(
        "rate-limited",
        nodes=properties.get("nodes") or DEFAULT_NODES,
        bits_per_second=properties.get("rate", DEFAULT_BITS_PER_SECOND),
        latency_us=properties.get("latency") or 0,
    )


def rate_text(bits_per_second: int | None) -> str:
    """For example 2.5gbit; unlimited for None."""
    if bits_per_second is None:
        return "unlimited"
    unit = next(name for name, factor in RATES.items() if bits_per_second >= factor)
    number = format((Decimal(bits_per_second) / RATES[unit]).normalize(), "f")
    return f"{number}{unit}"


def tcp_words(mpi: MpiLibrary, *, several_nodes: bool) -> LaunchWords:
    """What makes ``mpi`` send by TCP: between nodes, or between all ranks where there is one."""
    if mpi.family == "openmpi":
        return _openmpi(mpi, several_nodes=several_nodes)
    if mpi.family == "intel":
        fabrics = "shm:ofi" if several_nodes else "ofi"
        return LaunchWords((), {"I_MPI_FABRICS": fabrics, "FI_PROVIDER": "tcp"})
    environment = {
        "MPIR_CVAR_CH4_NETMOD": "ofi",  # where there are both: UCX cannot use lo alone
        "FI_PROVIDER": "tcp",
        "UCX_TLS": "tcp,self",  # for a library that has only UCX
    }
    if not several_nodes:
        environment["MPIR_CVAR_NOLOCAL"] = "1"
    return LaunchWords((), environment)


def _openmpi(mpi: MpiLibrary, *, several_nodes: bool) -> LaunchWords:
    """The messaging layer is named too: UCX would not ask the byte transfer layers.

    So is one-sided communication: of those that are tried first, UCX and shared memory go past TCP,
    and before version 5 the one for remote memory access makes no window on TCP.
    """
    newer = int(mpi.version.partition(".")[0] or 0) >= 5
    local = "sm" if newer else "vader"
    flags = ["--mca", "pml", "ob1", "--mca", "btl", "tcp,self" + f",{local}" * several_nodes]
    flags += ["--mca", "osc", "^sm,ucx" if newer else "pt2pt"]
    if not several_nodes:
        flags += ["--mca", "btl_tcp_if_include", "lo"]
    return LaunchWords(tuple(flags), {})


def _part(text: str, part: str) -> tuple[str, int | None]:
    """Which property of a link a word gives, and its value."""
    if part == "unlimited":
        return "rate", None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([a-z]+)", part)
    number, unit = (Decimal(match[1]), match[2]) if match else (Decimal(0), "")
    if unit in RATES:
        limits = (LEAST_BITS_PER_SECOND, MOST_BITS_PER_SECOND)
        words = f"a rate from {rate_text(limits[0])} to {rate_text(limits[1])}"
        return "rate", _whole(text, number * RATES[unit], limits, words)
    if unit in LATENCIES_US:
        words = "a latency of whole microseconds up to a second"
        return "latency", _whole(text, number * LATENCIES_US[unit], (0, MOST_LATENCY_US), words)
    if unit in ("nodes", "node"):
        words = f"{LEAST_NODES} to {MOST_NODES} nodes"
        return "nodes", _whole(text, number, (LEAST_NODES, MOST_NODES), words)
    raise UsageError(f"transport {text}: what is {part or 'an empty word'}? write {GRAMMAR}")


def _whole(text: str, value: Decimal, limits: tuple[int, int], words: str) -> int:
    if value != int(value) or not limits[0] <= value <= limits[1]:
        raise UsageError(f"transport {text}: it takes {words}")
    return int(value)
