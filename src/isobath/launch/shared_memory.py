# SPDX-License-Identifier: Apache-2.0
"""Leftovers in /dev/shm. An MPI whose ranks were killed leaves its segments behind."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path("/dev/shm")


@dataclass(frozen=True)
class SharedMemory:
    """What was in /dev/shm before a run."""

    folder: Path
    before: frozenset[str]

    @classmethod
    def look(cls, folder: Path | None = None) -> "SharedMemory":
        """Remembers what is there now. Args: folder is FOLDER where none is given."""
        folder = folder or FOLDER
        return cls(folder, frozenset(_names(folder)))

    def clean(self) -> list[str]:
        """Removes what was made since, is ours, and no process uses. Returns the names."""
        fresh = {
            name
            for name in _names(self.folder) - self.before
            if self._is_our_file(self.folder / name)
        }
        removed = []
        for name in sorted(fresh - self._used(fresh) if fresh else fresh):
            try:
                (self.folder / name).unlink()
            except OSError:
                continue
            removed.append(name)
        return removed

    def _is_our_file(self, path: Path) -> bool:
        try:
            return path.is_file() and path.stat().st_uid == os.geteuid()
        except OSError:
            return False

    def _used(self, names: set[str]) -> set[str]:
        """Those that some process has mapped or open."""
        wanted = {str(self.folder / name): name for name in names}
        used: set[str] = set()
        for process in Path("/proc").iterdir():
            if not process.name.isdigit():
                continue
            # In this order: who makes a segment opens it, maps it, and closes it again.
            used |= {wanted[target] for target in _open_files(process) if target in wanted}
            with contextlib.suppress(OSError):
                maps = (process / "maps").read_text(encoding="utf-8", errors="replace")
                used |= {name for path, name in wanted.items() if path in maps}
        return used


def _open_files(process: Path) -> list[str]:
    """What a process of /proc has open; it may open and close files while we look."""
    opened = []
    with contextlib.suppress(OSError):
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                opened.append(os.readlink(link))
    return opened


def _names(folder: Path) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        return set()
