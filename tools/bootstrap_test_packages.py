# SPDX-License-Identifier: Apache-2.0
"""What tests need of the system: one list (tests/packages.toml), installed where root may do that.

What is missing afterwards is left out by name, which the command line and the tests ask here.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bootstrap_debian as debian
from bootstrap_console import CommandFailed, Console
from bootstrap_workspace import Workspace

LIST = Path("tests") / "packages.toml"
LISTS = ("packages", "programs", "modules", "broken_on")

LEFT_OUT = "left_out"
"""Key in state.json: what set-up could not provide, for the tests of everything."""


@dataclass(frozen=True)
class SystemPackage:
    """A part of the system without which some tests cannot run."""

    name: str
    packages: tuple[str, ...]
    """Debian's"""
    programs: tuple[str, ...]
    purpose: str
    mpi: str = ""
    """the kind of MPI that it is, if it is one"""
    broken_on: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    """that pkg-config must know"""
    only_slow: bool = False
    """wanted by ./isobath test --slow alone: never installed by us, never missed without it"""
    for_threads: bool = False
    """the compiler of the sanitizer of threads, which the engine's tests need too"""

    @property
    def works_here(self) -> bool:
        """Whether this system's package is any good."""
        facts = debian.os_release()
        return f"{facts.get('ID')} {facts.get('VERSION_ID')}" not in self.broken_on

    @property
    def is_here(self) -> bool:
        """Whether every program and module of it is found."""
        return all(map(found, self.programs)) and all(map(knows_module, self.modules))

    @property
    def cure(self) -> str:
        """What a person types."""
        return f"apt-get install {' '.join(self.packages)}"


def found(word: str) -> str:
    """The path of the first program of ``a|b|$VARIABLE`` that is there; empty where none is."""
    for name in word.split("|"):
        program = os.environ.get(name[1:], "") if name.startswith("$") else name
        path = shutil.which(program) if program else None
        if path:
            return path
    return ""


def knows_module(name: str) -> bool:
    """Whether pkg-config knows a library by this name."""
    config = shutil.which("pkg-config")
    if config is None:
        return False
    return subprocess.run([config, "--exists", name], check=False).returncode == 0


def packages_of(root: Path) -> list[SystemPackage]:
    """The list of this checkout; empty where there is none, as beside an installed program."""
    try:
        text = (root / LIST).read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return [_package(entry) for entry in tomllib.loads(text).get("package", [])]


def _package(entry: dict[str, Any]) -> SystemPackage:
    words = {key: tuple(entry.get(key, ())) for key in LISTS}
    return SystemPackage(
        name=entry["name"],
        purpose=entry["for"],
        mpi=entry.get("mpi", ""),
        only_slow=entry.get("only_slow", False),
        for_threads=entry.get("for_threads", False),
        **words,
    )


def missing(packages: Iterable[SystemPackage]) -> list[SystemPackage]:
    """Those that are not here and would work."""
    return [one for one in packages if one.works_here and not one.is_here]


def ensure_test_packages(workspace: Workspace, console: Console, *, only_mpi: bool) -> None:
    """Install what is missing where root may, one after the other: one that apt does not know
    keeps none of the others away. ``only_mpi``: the engine's tests need nothing else, but for what
    bootstrap_threads.py looks after.
    """
    wanted_here = [one for one in packages_of(workspace.root) if not one.only_slow]
    absent = [one for one in missing(wanted_here) if one.mpi or not only_mpi]
    if not absent or not debian.may_install():
        return
    wanted = "; ".join(f"{one.name} for {one.purpose}" for one in absent)
    console.say(f"tests need what is not here: {wanted}")
    for one in absent:
        try:
            debian.install(console, list(one.packages))
        except CommandFailed as failure:
            console.say(f"{one.name} stays away, its tests are left out: {failure.first_error()}")


def note_left_out(workspace: Workspace) -> None:
    """Write into state.json which MPI libraries the engine could not be tested under, and why."""
    state = workspace.read_state()
    known = [entry for entry in state.get("mpi", {}).values() if "folder" not in entry]
    left_out = []
    for one in packages_of(workspace.root):
        if not one.mpi or not one.works_here:
            continue
        entries = [entry for entry in known if entry.get("kind") == one.mpi]
        if not entries:
            left_out.append({"name": one.name, "cure": one.cure})
        elif not any(entry.get("healthy") for entry in entries):
            left_out.append({"name": one.name, "cure": str(entries[0].get("reason", ""))})
    state[LEFT_OUT] = left_out
    workspace.write_state(state)
