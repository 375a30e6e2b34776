# SPDX-License-Identifier: Apache-2.0
"""Where set-up keeps things, what is already done (stamps), and the lock against two set-ups at
once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bootstrap_console import Console, SetupError


class Workspace:
    """The folders of one checkout. ``root`` is the source tree, ``prefix`` holds everything that
    set-up writes.
    """

    def __init__(self, root: Path, prefix: Path) -> None:
        self.root = root
        self.prefix = prefix
        self.state = prefix / ".isobath"
        self.venv = prefix / ".venv"
        self.python = self.venv / "bin" / "python"
        self.build = prefix / "build"
        self.sysroot = self.state / "sysroot"
        self.second_mpi = self.state / "second-mpi"
        self.downloads = self.state / "downloads"
        self._stamps_path = self.state / "stamps.json"

    def is_done(self, stage: str, key: str) -> bool:
        """Whether ``stage`` was finished with exactly these inputs."""
        return bool(self._stamps().get(stage) == key)

    def has_done(self, stage: str) -> bool:
        """Whether it was ever finished, with whatever inputs."""
        return stage in self._stamps()

    def stamp(self, stage: str) -> str:
        """What it was last finished with; empty where it never was."""
        return str(self._stamps().get(stage, ""))

    def mark_done(self, stage: str, key: str | None) -> None:
        """Remember (or with None forget) that ``stage`` is finished for ``key``."""
        stamps = self._stamps()
        if key is None:
            stamps.pop(stage, None)
        else:
            stamps[stage] = key
        write_atomically(self._stamps_path, json.dumps(stamps, indent=1, sort_keys=True) + "\n")

    def read_state(self) -> dict[str, Any]:
        """What the command line reads about this machine's MPI libraries and builds, with this
        place in it, wherever the checkout was when it was written.
        """
        state: dict[str, Any] = moved_here(read_json(self.state / "state.json"), self.prefix)
        return state

    def write_state(self, state: dict[str, Any]) -> None:
        """Replace the state, only if it changed."""
        state = {**state, "prefix": str(self.prefix)}
        if state != read_json(self.state / "state.json"):
            write_atomically(
                self.state / "state.json", json.dumps(state, indent=1, sort_keys=True) + "\n"
            )

    def _stamps(self) -> dict[str, Any]:
        return read_json(self._stamps_path)

    def require_writable(self) -> None:
        """Raises: SetupError when set-up has no place to write."""
        try:
            self.state.mkdir(parents=True, exist_ok=True)
            probe = self.state / f"write-test-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise SetupError(
                f"cannot write to {self.state}: {error.strerror}",
                "name one that can be written: ./isobath --prefix DIR, or ISOBATH_PREFIX=DIR",
            ) from error


def read_json(path: Path) -> dict[str, Any]:
    """The object in ``path``; empty when there is none or it is damaged (set-up then starts
    over).
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def moved_here(state: Any, prefix: Path) -> Any:
    """The state of a checkout that was moved or copied: paths below its old place lead to this one.
    src/isobath/launch/installation.py reads it in the same way.
    """
    old = state.get("prefix") or _old_prefix(state)
    if not old or old == str(prefix):
        return state
    return _with_paths(state, old, str(prefix))


def _old_prefix(state: dict[str, Any]) -> str:
    """Of a state that does not tell: builds are in PREFIX/build."""
    for entry in state.get("mpi", {}).values():
        folder = Path(entry.get("build_dir") or entry.get("test_build_dir") or "")
        if folder.parent.name == "build":
            return str(folder.parent.parent)
    return ""


def _with_paths(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _with_paths(inner, old, new) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_paths(inner, old, new) for inner in value]
    if isinstance(value, str) and (value == old or value.startswith(old + "/")):
        return new + value[len(old) :]
    return value


def write_atomically(path: Path, text: str) -> None:
    """Readers see the old content or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


def fingerprint(*parts: str | Path) -> str:
    """SHA-256 over strings and over the contents of files; a missing file counts as such."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, Path):
            content = part.read_bytes() if part.is_file() else b"(missing)"
            digest.update(b"file %s %d\n" % (part.name.encode(), len(content)))
            digest.update(content)
        else:
            digest.update(b"text %d\n" % len(part) + part.encode())
    return digest.hexdigest()


def identity(path: str | Path) -> str:
    """A program as it is now: real path, size and time of change."""
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError:
        return f"{real} (missing)"
    return f"{real} {status.st_size} {status.st_mtime_ns}"


def tree_of(folder: Path, patterns: tuple[str, ...]) -> list[Path]:
    """All files below ``folder`` whose names match, sorted."""
    return sorted({path for pattern in patterns for path in folder.rglob(pattern)})


@contextlib.contextmanager
def lock(workspace: Workspace, console: Console) -> Iterator[None]:
    """One set-up at a time per workspace. A lock whose process is gone is taken over.

    The lock is a folder that appears by rename together with the name of its owner, so it is never
    seen half made.
    """
    folder = workspace.state / "lock"
    mine = workspace.state / f"lock.{os.getpid()}"
    shutil.rmtree(mine, ignore_errors=True)
    mine.mkdir(parents=True)
    (mine / "owner").write_text(_owner(os.getpid()), encoding="utf-8")
    told = False
    try:
        while True:
            try:
                mine.rename(folder)
                break
            except OSError:
                pass
            holder = _holder(folder)
            if holder is not None and _is_gone(holder):
                _take_away(folder, holder, workspace.state / f"lock.stale.{os.getpid()}")
                continue
            if not told and holder is not None:
                host, pid = holder.split()[:2]
                console.say(
                    f"waiting for the set-up that process {pid} on {host} is doing here ({folder})"
                )
                told = True
            time.sleep(0.1)
        _sweep(workspace.state)
        yield
    finally:
        shutil.rmtree(mine, ignore_errors=True)
        if _holder(folder) == _owner(os.getpid()):
            shutil.rmtree(folder, ignore_errors=True)


def _sweep(state: Path) -> None:
    """Takes away what set-ups left that were killed while they waited."""
    for left in state.glob("lock.*"):
        holder = _holder(left)
        if holder and _is_gone(holder):
            shutil.rmtree(left, ignore_errors=True)


def _owner(pid: int) -> str:
    return f"{socket.gethostname()} {pid} {_started(pid)}"


def _started(pid: int) -> str:
    """Start time of a process in clock ticks since boot: tells a process from a later one of the
    same number.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "0"
    return text.rpartition(")")[2].split()[19]


def _holder(folder: Path) -> str | None:
    try:
        return (folder / "owner").read_text(encoding="utf-8")
    except OSError:
        return None


def _is_gone(holder: str) -> bool:
    host, pid, started = [*holder.split(), "", "", ""][:3]
    if not pid.isdigit():
        return True
    if host != socket.gethostname():
        return False
    return _started(int(pid)) != started


def _take_away(folder: Path, holder: str, aside: Path) -> None:
    """Remove the lock of ``holder``; only one of several that try succeeds, and never a newer
    lock.
    """
    try:
        folder.rename(aside)
    except OSError:
        return
    if _holder(aside) != holder:
        with contextlib.suppress(OSError):
            aside.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)
