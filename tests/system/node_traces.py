# SPDX-License-Identifier: Apache-2.0
"""Nodes in tests: whether there can be any, and what they leave behind."""

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from isobath.launch.namespaces import Nodes, namespace_of, why_not
from isobath.launch.processes import PROC, descendants, is_alive, mentions
from isobath.launch.transport import transport_of
from needs import reason_without

FAST = transport_of("rate-limited:unlimited:2nodes")
WHY_NOT = why_not(FAST)

# Root without their programs leaves them out; where the machine permits none, no package helps.
LEFT_OUT = reason_without("iproute2") if os.geteuid() == 0 else ""

needs_namespaces = pytest.mark.skipif(
    bool(WHY_NOT), reason=LEFT_OUT or f"no namespaces here: {WHY_NOT}"
)


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


def said(nodes: Nodes, number: int, *command: str) -> str:
    done = subprocess.run(
        nodes.entered(nodes.nodes[number], command), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
