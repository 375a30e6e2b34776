# SPDX-License-Identifier: Apache-2.0
"""Kills at steps of writing: a preloaded library counts what a program changes on the disk.

Most of a short command is the start of an interpreter, which a kill at a random time hits and which
proves nothing. A step is a file that is opened to be written, written, forced to disk, renamed or
removed (guard/killed_steps.cpp); a kill at a write leaves half of it.
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

SOURCE = Path(__file__).resolve().parent / "guard" / "killed_steps.cpp"
COMPILERS = ("g++", "clang++", "c++")

Moment = Literal["before", "within", "after"]
"""Of a kill: nothing was written yet; something, but not all; the command had ended."""


def build_steps(folder: Path) -> Path:
    """The library, to be preloaded. Raises: RuntimeError without a compiler."""
    asked = [os.environ["CXX"]] if os.environ.get("CXX") else list(COMPILERS)
    compiler = next(filter(None, map(shutil.which, asked)), None)
    if compiler is None:
        raise RuntimeError(f"there is no compiler: {', '.join(asked)}")
    library = folder / "libsteps.so"
    words = [compiler, "-std=c++20", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run([*words, "-ldl"], check=True)
    return library


@dataclass(frozen=True)
class Steps:
    """The library and the file that it counts in."""

    library: Path
    count: Path

    def variables(self, kill_at: int | None = None) -> dict[str, str]:
        """For the program; it is killed at that step, from 1. Counts from nothing."""
        self.count.unlink(missing_ok=True)
        told = {"LD_PRELOAD": str(self.library), "STEPS_FILE": str(self.count)}
        told["PYTHONDONTWRITEBYTECODE"] = "1"
        return told if kill_at is None else told | {"STEPS_KILL": str(kill_at)}

    @property
    def done(self) -> int:
        """Steps that were begun."""
        return int.from_bytes(self.count.read_bytes(), "little") if self.count.exists() else 0


def moment_of(step: int, *, was_killed: bool) -> Moment:
    """Where a kill fell that was to be at a step."""
    if not was_killed:
        return "after"
    return "before" if step == 1 else "within"


def told_moments(moments: Iterable[Moment]) -> str:
    """How many fell where."""
    kept = list(moments)
    return (
        f"{kept.count('before')} before the first, {kept.count('within')} within, "
        f"{kept.count('after')} after the last"
    )
