# SPDX-License-Identifier: Apache-2.0
"""Disturbs a command of the laboratory at a certain place: for tools/make_studies.py."""

import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from isobath.launch.processes import descendants, process_name

POLL_SECONDS = 0.002
LONGEST_SECONDS = 300.0
NO_RANKS = "isobath-audit"


@dataclass(frozen=True)
class Disturbance:
    """What is done, and when."""

    how: Literal["ctrl-c", "kill", "kill rank", "full disk"]
    once: dict[str, str] = field(default_factory=dict)
    """patterns of files, each with a text that has to be in one of them"""
    disk: str = ""
    """of a full disk: the folder that is one of its own"""
    kilobytes: int = 0
    """of that disk"""


def run_disturbed(
    words: list[str],
    prefix: Path,
    environment: dict[str, str],
    disturbance: Disturbance,
    expected: int,
) -> bool:
    """Whether the command came to its place, was disturbed there, and ended as expected."""
    if disturbance.how == "full disk":
        disk = prefix / disturbance.disk
        disk.mkdir()
        size = f"size={disturbance.kilobytes}k"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "disk", str(disk)], check=True)
        return (
            subprocess.run(words, env=environment, cwd=prefix, check=False).returncode == expected
        )
    process = subprocess.Popen(words, env=environment, cwd=prefix)
    try:
        if not _wait(process, prefix, disturbance.once) or not _disturb(process, disturbance.how):
            return False
        return process.wait(LONGEST_SECONDS) == expected
    finally:
        process.kill()
        process.wait()


def _wait(process: "subprocess.Popen[bytes]", prefix: Path, once: dict[str, str]) -> bool:
    """Until each pattern has a file with its text; False where the command ended before."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        if all(_holds(prefix, pattern, text) for pattern, text in once.items()):
            return True
        time.sleep(POLL_SECONDS)
    return False


def _holds(prefix: Path, pattern: str, text: str) -> bool:
    for path in prefix.glob(pattern):
        try:
            if text.encode() in path.read_bytes():
                return True
        except OSError:
            continue  # renamed meanwhile
    return False


def _disturb(process: "subprocess.Popen[bytes]", how: str) -> bool:
    if how != "kill rank":
        process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGINT)
        return True
    while process.poll() is None:
        names = {pid: process_name(pid) for pid in descendants(process.pid)}
        ranks = [pid for pid, name in names.items() if name.startswith("isobath-")]
        for pid in ranks:
            if names[pid] != NO_RANKS:
                _kill(pid)
                return True
        time.sleep(POLL_SECONDS)
    return False


def _kill(pid: int) -> None:
    subprocess.run(["kill", "-KILL", str(pid)], check=True)
