# SPDX-License-Identifier: Apache-2.0
"""Limits of the container or batch job, cgroup v1 and v2."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isobath.units import Bytes

UNLIMITED = 1 << 60
"""cgroup v1 says "no limit" by the largest page count, a little below 2^63."""


@dataclass(frozen=True)
class CgroupLimits:
    """The tightest limits along the path of this process's groups; absent where there is none."""

    memory_bytes: Bytes | None = None
    memory_used_bytes: Bytes | None = None
    """used in the group that sets memory_bytes, page cache that can be dropped left out"""
    cpus: float | None = None


def read_limits(root: Path = Path("/")) -> CgroupLimits:
    """Limits of this process; ``root`` is a fabricated tree in tests."""
    memory: tuple[Bytes, Bytes] | None = None
    cpus: float | None = None
    for controllers, folder in _folders(root):
        if controllers is None or "memory" in controllers:
            memory = _tighter_memory(memory, folder, v2=controllers is None)
        if controllers is None or "cpu" in controllers:
            allowed = _cpus(folder, v2=controllers is None)
            if allowed is not None:
                cpus = allowed if cpus is None else min(cpus, allowed)
    if memory is None:
        return CgroupLimits(cpus=cpus)
    return CgroupLimits(memory[0], memory[1], cpus)


def _folders(root: Path) -> Iterator[tuple[set[str] | None, Path]]:
    """Every folder that limits this process, with its controllers (None for version 2).

    Inside a container the path of a group as the host sees it need not exist; then only its upper
    part does, at the least the mount itself.
    """
    mount = root / "sys/fs/cgroup"
    for line in _text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        names, _, group = rest.partition(":")
        controllers = None if number == "0" and not names else set(names.split(","))
        bases = [mount, mount / "unified"] if controllers is None else [mount / names]
        if controllers is not None:
            bases += [mount / name for name in controllers]
        for base in bases:
            folder = base
            yield controllers, folder
            for part in Path(group.lstrip("/")).parts:
                folder = folder / part
                yield controllers, folder


def _tighter_memory(
    known: tuple[Bytes, Bytes] | None, folder: Path, *, v2: bool
) -> tuple[Bytes, Bytes] | None:
    limit = _number(folder / ("memory.max" if v2 else "memory.limit_in_bytes"))
    if limit is None or not 0 < limit < UNLIMITED or (known is not None and known[0] <= limit):
        return known
    used = _number(folder / ("memory.current" if v2 else "memory.usage_in_bytes")) or 0
    key = "inactive_file " if v2 else "total_inactive_file "
    for line in _text(folder / "memory.stat").splitlines():
        if line.startswith(key):
            used = max(0, used - int(line[len(key) :]))
    return limit, used


def _cpus(folder: Path, *, v2: bool) -> float | None:
    if v2:
        words = _text(folder / "cpu.max").split()
    else:
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
        words = [_text(folder / name).strip() for name in names]
    if len(words) != 2 or not all(word.isdigit() for word in words):
        return None
    quota, period = map(int, words)
    return quota / period if quota > 0 and period > 0 else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    word = _text(path).strip()
    return int(word) if word.isdigit() else None
