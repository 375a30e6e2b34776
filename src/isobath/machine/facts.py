# SPDX-License-Identifier: Apache-2.0
"""The facts of this machine that decide how a run is laid out."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from isobath.machine.cgroup import CgroupLimits, read_limits
from isobath.units import Bytes


@dataclass(frozen=True)
class Machine:
    """This machine as a process of ours may use it."""

    hostname: str
    cpu_model: str
    cpus: tuple[int, ...]
    """processors this process may run on"""
    numa_cpus: tuple[tuple[int, ...], ...]
    """the same by NUMA node, nodes without any left out; at least one"""
    cpu_limit: float | None
    """processors' worth of time the container allows; absent without a limit"""
    memory_bytes: Bytes
    available_bytes: Bytes
    """what can be allocated now: memory not in use, within the container's limit"""
    memory_limit_bytes: Bytes | None
    """the container's limit; absent without one"""
    shm_bytes: Bytes
    """size of /dev/shm, 0 without it"""
    shm_free_bytes: Bytes
    huge_pages: str
    """setting of transparent huge pages: always, madvise, never, or "absent" """
    load: float
    """processes that wanted to run during the last minute"""

    @property
    def usable_cpus(self) -> int:
        """Threads that can run at once: processors allowed, within the container's quota."""
        limit = len(self.cpus)
        if self.cpu_limit is not None:
            limit = min(limit, max(1, int(self.cpu_limit + 0.5)))
        return max(1, limit)


def read_machine(root: Path = Path("/"), cpus: set[int] | None = None) -> Machine:
    """Reads the facts; ``root`` is a fabricated tree and ``cpus`` an affinity in tests."""
    allowed = os.sched_getaffinity(0) if cpus is None else cpus
    limits = read_limits(root)
    memory = _meminfo(root)
    shm_bytes, shm_free_bytes = _shm(root)
    return Machine(
        hostname=socket.gethostname(),
        cpu_model=_cpu_model(root),
        cpus=tuple(sorted(allowed)),
        numa_cpus=_numa(root, allowed),
        cpu_limit=limits.cpus,
        memory_bytes=memory.get("MemTotal", 0),
        available_bytes=_available(memory, limits),
        memory_limit_bytes=limits.memory_bytes,
        shm_bytes=shm_bytes,
        shm_free_bytes=shm_free_bytes,
        huge_pages=_huge_pages(root),
        load=_load(root),
    )


def parse_cpu_list(text: str) -> set[int]:
    """Processors of a kernel list: ``parse_cpu_list("0-2,5") == {0, 1, 2, 5}``."""
    processors: set[int] = set()
    for part in text.strip().split(","):
        if part:
            first, _, last = part.partition("-")
            processors.update(range(int(first), int(last or first) + 1))
    return processors


def read_text(path: Path) -> str:
    """A small file without its surrounding blanks; empty where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _available(memory: dict[str, Bytes], limits: CgroupLimits) -> Bytes:
    available = memory.get("MemAvailable", memory.get("MemFree", 0))
    if limits.memory_bytes is not None:
        available = min(available, max(0, limits.memory_bytes - (limits.memory_used_bytes or 0)))
    return available


def _meminfo(root: Path) -> dict[str, Bytes]:
    sizes: dict[str, Bytes] = {}
    for line in read_text(root / "proc/meminfo").splitlines():
        name, _, rest = line.partition(":")
        words = rest.split()
        if words and words[0].isdigit():
            sizes[name] = int(words[0]) * (1024 if words[-1] == "kB" else 1)
    return sizes


def _cpu_model(root: Path) -> str:
    for line in read_text(root / "proc/cpuinfo").splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Processor", "cpu model"):
            return value.strip()
    return "unknown"


def _numa(root: Path, allowed: set[int]) -> tuple[tuple[int, ...], ...]:
    nodes = []
    folder = root / "sys/devices/system/node"
    for path in sorted(folder.glob("node[0-9]*"), key=lambda path: int(path.name[4:])):
        cpus = parse_cpu_list(read_text(path / "cpulist")) & allowed
        if cpus:
            nodes.append(tuple(sorted(cpus)))
    return tuple(nodes) or (tuple(sorted(allowed)),)


def _shm(root: Path) -> tuple[Bytes, Bytes]:
    try:
        filesystem = os.statvfs(root / "dev/shm")
    except OSError:
        return 0, 0
    return filesystem.f_blocks * filesystem.f_frsize, filesystem.f_bavail * filesystem.f_frsize


def _huge_pages(root: Path) -> str:
    text = read_text(root / "sys/kernel/mm/transparent_hugepage/enabled")
    _, _, rest = text.partition("[")
    return rest.partition("]")[0] or "absent"


def _load(root: Path) -> float:
    words = read_text(root / "proc/loadavg").split()
    return float(words[0]) if words else 0.0
