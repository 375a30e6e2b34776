# SPDX-License-Identifier: Apache-2.0
"""File systems that fill up soon."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def small_disk(folder: Path, size_bytes: int) -> Iterator[Path]:
    """A file system that fills up soon; needs root."""
    folder.mkdir()
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size_bytes}", "tmpfs", str(folder)], check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def may_mount(folder: Path) -> bool:
    """Whether this process is root enough for a file system of its own."""
    if os.geteuid() != 0:
        return False
    try:
        with small_disk(folder, 65536):
            return True
    except (subprocess.CalledProcessError, OSError):
        return False


def free_bytes(disk: Path) -> int:
    """Of a file system."""
    told = os.statvfs(disk)
    return told.f_bavail * told.f_frsize


@contextlib.contextmanager
def filled(disk: Path, left: int) -> Iterator[None]:
    """A file takes all but so many bytes of a disk, in pages, while this lasts."""
    filler = disk / "filler"
    filler.write_bytes(b"x" * max(0, free_bytes(disk) - left))
    try:
        yield
    finally:
        filler.unlink()
