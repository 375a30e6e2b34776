# SPDX-License-Identifier: Apache-2.0
"""Processes as /proc shows them; ending a tree of them."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path

GONE = ""
"""State of a process that does not exist."""

PROC = Path("/proc")

BEGAN_WITH_NOTHING = 0x00200000 | 0x00000004
"""Flags in /proc/PID/stat of those that are the kernel's own, or end: PF_KTHREAD, PF_EXITING."""

EXEC_SECONDS = 0.1
EXEC_POLL_SECONDS = 0.001
"""To become another program takes a process much less, and so long it is looked at again."""

MOST_BYTES = 4096
"""More than the line of a process can have."""

SURE_LOOKS = 3
"""Whoever tells nothing so often has nothing to tell: it may have become another program between a
look and the question whether it is becoming one, and then yet another.
"""


def process_state(pid: int) -> str:
    """One letter as in ps: R, S, D, T (stopped), Z (dead), ...; GONE where there is none."""
    fields = _stat(pid)
    return fields[0] if fields else GONE


def is_alive(pid: int) -> bool:
    """Whether the process exists and is not merely waiting to be collected."""
    return process_state(pid) not in (GONE, "Z", "X")


def start_time(pid: int) -> str:
    """When the process began, in ticks since the machine did; empty where there is none."""
    fields = _stat(pid)
    return fields[19] if len(fields) > 19 else ""


def descendants(pid: int) -> list[int]:
    """All processes below ``pid``, children before grandchildren."""
    children: dict[int, list[int]] = {}
    for name in os.listdir(PROC):
        if name.isdigit():
            fields = _stat(int(name))
            if len(fields) > 1:
                children.setdefault(int(fields[1]), []).append(int(name))
    pids = [pid]
    for parent in pids:
        pids.extend(children.get(parent, []))
    return pids[1:]


def mentions(pid: int, word: str) -> bool:
    """Whether ``word`` is in the command line of the process: guards against reused numbers."""
    return word.encode() in _begun_with(pid, "cmdline")


def process_name(pid: int) -> str:
    """Name of the program, cut after 15 characters as the kernel does."""
    try:
        return (PROC / str(pid) / "comm").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def variables(pid: int) -> dict[str, str]:
    """Environment that the process began with; empty where it is gone or not ours."""
    text = _begun_with(pid, "environ").decode(errors="replace")
    return {name: value for name, _, value in (word.partition("=") for word in text.split("\0"))}


def is_between_programs(pid: int) -> bool:
    """Whether the process is just becoming another program: it lives, and the kernel tells neither
    command line nor environment. Of its own threads it never does.
    """
    if _has_nothing_to_tell(pid) or not is_alive(pid):
        return False
    try:
        return not (PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return False


def send(pids: Iterable[int], number: signal.Signals) -> None:
    """Sends a signal; processes that are gone do not matter."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _begun_with(pid: int, name: str) -> bytes:
    """A file of what the process began with, and where nothing is told because it is just becoming
    another program, what it is shortly after. Empty where it is gone or not ours.
    """
    deadline = time.monotonic() + EXEC_SECONDS
    looks = 0
    while True:
        looks += 1
        try:
            told = (PROC / str(pid) / name).read_bytes()
        except OSError:
            return b""
        if told or _has_nothing_to_tell(pid):
            return told
        becomes = is_between_programs(pid)
        if (looks >= SURE_LOOKS and not becomes) or time.monotonic() >= deadline:
            return told
        if becomes:
            time.sleep(EXEC_POLL_SECONDS)


def _has_nothing_to_tell(pid: int) -> bool:
    """Whether it is a thread of the kernel's own, ends, or is gone: then it will not tell later."""
    fields = _stat(pid)
    return len(fields) <= 6 or bool(int(fields[6]) & BEGAN_WITH_NOTHING)


def _stat(pid: int) -> list[str]:
    """Fields of /proc/PID/stat from the state on; the name before may hold anything.

    Of all processes, many times while ranks are started, which share the processors with us: by way
    of Path and of text it takes twice as long.
    """
    try:
        with open(f"{PROC}/{pid}/stat", "rb", buffering=0) as file:
            line = file.read(MOST_BYTES)
    except OSError:
        return []
    return line.rpartition(b")")[2].decode("ascii", errors="replace").split()
