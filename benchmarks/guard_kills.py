#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills while something is written: is anything lost, is anything believed that is not whole?

    .venv/bin/python benchmarks/guard_kills.py                100 kills, 25 of each command
    .venv/bin/python benchmarks/guard_kills.py --kills 8 --seed 2
    .venv/bin/python benchmarks/guard_kills.py --real         5 kills of regress, on the real MPI

regress, baseline export, import and accept run with the fake MPI of the tests in a checkout of
their own. Each is killed (SIGKILL, with all it started) at a step that is drawn from those by which
it changes files when it is undisturbed (guard_steps.py; this needs a C++ compiler), a kill at a
write leaving half of it. Its line says how many kills fell before the first step, within, and after
the last (the command ended first: it took fewer steps than before). Afterwards the baseline has
what it had, or all that was to come; the exported file is not there or whole; the imported baseline
is not there or whole, and never counts as made here; and the same command done again, or resume,
ends as if nothing had been. Ends with 1 where one thing is otherwise. With --real the checkout that
this one is, or ISOBATH_PREFIX names, measures for real, into a store of its own, and the moment is
drawn from the time that it takes, so that ranks are at work; none may be left running when its
launcher was killed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

ROOT = Path(__file__).resolve().parent.parent
for folder in ("src", "tests", "tests/python"):
    sys.path.insert(0, str(ROOT / folder))

from guard_steps import Moment, Steps, build_steps, moment_of, told_moments  # noqa: E402

import fake_mpi  # noqa: E402
from isobath.baseline.chain import BaselineShelf  # noqa: E402
from isobath.baseline.importing import OURS, origin_of  # noqa: E402
from isobath.baseline.portable import read_portable  # noqa: E402
from isobath.errors import IsobathError  # noqa: E402

BENCH = ("bench", "collectives", "--collectives", "allreduce", "--sizes", "8", "--forms",
         "blocking", "--algorithms", "none", "--ranks", "2", "--launches", "2", "--no-report",
         "-q")  # fmt: skip
UPDATED = "updated"
"""The library after its update, in which a collective is slower."""

SLOWER = ("regress", "mpi", "--suite", "full", "--turns", "10", "--no-report", "-q", "--mpi",
          UPDATED)  # fmt: skip
SLOWER_CODE = 5
REAL = ("regress", "mpi", "--suite", "full", "--turns", "10", "--no-report", "-q", "--variables",
        "GUARD_KILLS=1")  # fmt: skip
"""A variable that nothing knows: both sides are the same library."""

REAL_KILLS = 5
LEFT_SECONDS = 20.0
"""within which ranks of a killed launcher have to end"""

COMMANDS = ("regress", "export", "import", "accept")
KILLS = 100
THEIRS = "theirs.jsonl"
"""a baseline of somebody else, beside the checkouts"""

Killed = TypeVar("Killed", bool, Moment)
"""What is said of a kill."""


@dataclass
class Checkout:
    """One with the fake MPI, a baseline and a regression that found a slower cell."""

    prefix: Path
    regress: ClassVar[Sequence[str]] = SLOWER
    baselines: ClassVar[str] = "baselines"
    codes: ClassVar[Sequence[int]] = (SLOWER_CODE,)
    """with which that may end"""

    def prepare(self) -> Checkout:
        """Raises: RuntimeError where the MPI does not do."""
        self.prefix.mkdir()
        self.install()
        known: Sequence[tuple[Sequence[str], Sequence[int]]] = (
            (BENCH, (0,)), (("baseline", "set", "mpi", "last"), (0,)), (self.regress, self.codes),
        )  # fmt: skip
        for words, codes in known:
            if self.isobath(*words) not in codes:
                raise RuntimeError(f"isobath {' '.join(words)} did not end with {codes}")
        return self

    def install(self) -> None:
        """What programs are launched."""
        fake_mpi.install(self.prefix)
        fake_mpi.update(self.prefix, UPDATED, FAKE_SLOWER="allreduce:1.5")

    @property
    def studies(self) -> Path:
        """Where they lie."""
        return self.prefix / "studies"

    def left_running(self) -> list[int]:
        """Processes of it that outlive their launcher; they are ended."""
        return []

    def environment(self) -> dict[str, str]:
        """That knows no other checkout."""
        kept = {name: value for name, value in os.environ.items() if name[:8] != "ISOBATH_"}
        return kept | {"ISOBATH_PREFIX": str(self.prefix), "PYTHONPATH": str(ROOT / "src")}

    def start(self, *words: object, **variables: str) -> subprocess.Popen[bytes]:
        """A command in a session of its own, so that all it starts can be killed."""
        command = [sys.executable, "-m", "isobath", *map(str, words)]
        return subprocess.Popen(
            command, env=self.environment() | variables, start_new_session=True, cwd=self.prefix,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def isobath(self, *words: object) -> int:
        """Its exit code."""
        return self.start(*words).wait()

    def killed_at(self, step: int, steps: Steps, *words: object) -> Moment:
        """Where the kill fell; the library that is preloaded kills the command's session."""
        code = self.start(*words, **steps.variables(step)).wait()
        return moment_of(step, was_killed=code == -signal.SIGKILL)

    def killed(self, after: float, *words: object) -> bool:
        """Whether the kill came before the end."""
        process = self.start(*words)
        time.sleep(after)
        was_running = process.poll() is None
        if was_running:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return was_running

    @property
    def shelf(self) -> BaselineShelf:
        """Baselines of it."""
        return BaselineShelf(self.prefix / self.baselines)

    def entries(self, name: str = "mpi") -> int:
        """Of a baseline; 0 where there is none. Raises: IsobathError where it is not whole."""
        place = self.shelf.place(name)
        return len(place.read().entries) if place.is_there else 0

    def copy(self, place: Path) -> Checkout:
        """To be killed in; the fake MPI stays where it is."""
        shutil.copytree(self.prefix, place, symlinks=True)
        return type(self)(place)


@dataclass
class RealCheckout(Checkout):
    """The programs of the checkout at hand, and a store of its own."""

    regress: ClassVar[Sequence[str]] = REAL
    baselines: ClassVar[str] = "studies/baselines"
    codes: ClassVar[Sequence[int]] = (0, 5, 6)

    def environment(self) -> dict[str, str]:
        """The installation is where it was, studies are here."""
        return dict(os.environ) | {
            "ISOBATH_PREFIX": os.environ.get("ISOBATH_PREFIX", str(ROOT)),
            "ISOBATH_STORE": str(self.studies),
            "PYTHONPATH": str(ROOT / "src"),
        }

    def install(self) -> None:
        """It is built already."""
        self.studies.mkdir()

    def left_running(self) -> list[int]:
        """Those that have its store in their environment."""
        mark = f"ISOBATH_STORE={self.studies}".encode() + b"\0"
        end = time.monotonic() + LEFT_SECONDS
        while (left := [pid for pid in _processes() if mark in _environment_of(pid)]) and (
            time.monotonic() < end
        ):
            time.sleep(0.2)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return left


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _environment_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


@dataclass
class Trial:
    """One kill of one command."""

    here: Checkout
    file: Path
    """a baseline of somebody else"""
    faults: list[str] = field(default_factory=list)

    def words(self, command: str) -> Sequence[object]:
        """What is killed."""
        accept = ("baseline", "accept", "mpi", "allreduce 8", "--reason", "it is safer")
        every: Mapping[str, Sequence[object]] = {
            "regress": self.here.regress,
            "export": ("baseline", "export", "mpi", self.here.prefix / "out.jsonl"),
            "import": ("baseline", "import", self.file, "--name", "theirs"),
            "accept": accept,
        }
        return every[command]

    def check(self, *, holds: bool, words: str) -> None:
        """Notes what is not so."""
        if not holds:
            self.faults.append(words)

    def run(self, command: str, kill: Callable[[Checkout, Sequence[object]], Killed]) -> Killed:
        """Kills, looks, does it again, looks again; what kill said."""
        before = self.here.entries()
        told = kill(self.here, self.words(command))
        left = self.here.left_running()
        self.check(holds=not left, words=f"{command}: {len(left)} processes were left")
        try:
            getattr(self, f"after_{command}")(before)
        except IsobathError as error:
            self.faults.append(f"{command}: {error}")
        return told

    def after_regress(self, before: int) -> None:
        """Resumed, it ends as one that nobody disturbed, and is in the baseline once."""
        self.check(holds=self.here.entries() in (before, before + 1), words="regress: the baseline")
        studies = sorted(self.here.studies.glob("*-regress-*"))[1:]
        begun = [one for one in studies if (one / "study.json").is_file()]
        again = ("resume", begun[-1].name, "--no-report") if begun else self.here.regress
        codes = self.here.codes
        self.check(holds=self.here.isobath(*again) in (0, *codes), words="regress: resume")
        shown = self.here.isobath("show", "last:regress")
        self.check(holds=shown in codes, words=f"regress: ends with {shown} when resumed")
        self.check(holds=self.here.entries() == before + 1, words="regress: it is there once")

    def after_export(self, before: int) -> None:
        """No file, or a whole one."""
        out = self.here.prefix / "out.jsonl"
        if out.exists():
            self.check(holds=len(read_portable(out).baseline.entries) == before, words="export")
        self.check(holds=self.here.isobath(*self.words("export")) == 0, words="export again")
        self.check(holds=len(read_portable(out).baseline.entries) == before, words="export whole")

    def after_import(self, before: int) -> None:
        """Nothing, or all of it, and never as made here."""
        whole = len(read_portable(self.file).baseline.entries)
        there = self.here.entries("theirs")
        self.check(holds=there in (0, whole), words=f"import: {there} of {whole} entries")
        place = self.here.shelf.place("theirs")
        self.check(holds=not there or origin_of(place) != OURS, words="import: as made here")
        self.check(holds=self.here.isobath("baseline", "list") == 0, words="import: list")
        self.check(holds=self.here.isobath(*self.words("import")) == 0, words="import again")
        self.check(holds=self.here.entries("theirs") == whole, words="import: not whole")
        self.check(holds=origin_of(place) != OURS, words="import: as made here")
        self.check(holds=self.here.entries() == before, words="import: another baseline")

    def after_accept(self, before: int) -> None:
        """Accepted, or not; once more it is."""
        self.check(holds=self.here.entries() in (before, before + 1), words="accept")
        self.check(holds=self.here.isobath(*self.words("accept")) == 0, words="accept again")
        self.check(holds=bool(self.here.shelf.find("mpi").read().accepted), words="accept: lost")


def tried_in_steps(command: str, kills: int, rng: random.Random, made: Checkout) -> list[str]:
    """Faults of all kills of a command; prints where they fell."""
    place = made.prefix.parent
    steps = Steps(place / "libsteps.so", place / "steps")
    whole = made.copy(place / f"{command}-whole")
    whole.start(*Trial(whole, place / THEIRS).words(command), **steps.variables()).wait()
    taken = steps.done
    shutil.rmtree(whole.prefix)

    def kill(here: Checkout, words: Sequence[object]) -> Moment:
        return here.killed_at(rng.randint(1, max(1, taken)), steps, *words)

    moments, faults = tried(command, kills, made, kill)
    print(f"{command}: {kills} kills at {taken} steps of writing, {told_moments(moments)}; "
          f"{len(faults)} faults", flush=True)  # fmt: skip
    return faults


def tried_in_time(command: str, kills: int, rng: random.Random, made: Checkout) -> list[str]:
    """The same at moments of the time that the command takes."""
    place = made.prefix.parent
    whole = made.copy(place / f"{command}-whole")
    began = time.monotonic()
    whole.isobath(*Trial(whole, place / THEIRS).words(command))
    takes = time.monotonic() - began

    def kill(here: Checkout, words: Sequence[object]) -> bool:
        return here.killed(rng.uniform(0, takes), *words)

    in_time, faults = tried(command, kills, made, kill)
    print(f"{command}: {kills} kills within {takes:.1f} s, {sum(in_time)} before its end, "
          f"{len(faults)} faults", flush=True)  # fmt: skip
    return faults


def tried(
    command: str, kills: int, made: Checkout,
    kill: Callable[[Checkout, Sequence[object]], Killed],
) -> tuple[list[Killed], list[str]]:  # fmt: skip
    """What was said of each kill, and all faults."""
    place = made.prefix.parent
    told: list[Killed] = []
    faults: list[str] = []
    for number in range(kills):
        trial = Trial(made.copy(place / f"{command}-{number}"), place / THEIRS)
        told.append(trial.run(command, kill))
        faults += trial.faults
        shutil.rmtree(trial.here.prefix)
    return told, faults


def main(words: Sequence[str] | None = None) -> int:
    """All four commands."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, help="of all commands together")
    parser.add_argument("--real", action="store_true", help="regress alone, on the real MPI")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(words)
    rng = random.Random(asked.seed)
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="isobath-kills-") as place:
        kind, commands, usual, trying = (
            (RealCheckout, COMMANDS[:1], REAL_KILLS, tried_in_time) if asked.real
            else (Checkout, COMMANDS, KILLS, tried_in_steps)
        )  # fmt: skip
        if not asked.real:
            build_steps(Path(place))
        made = kind(Path(place) / "made").prepare()
        made.isobath("baseline", "export", "mpi", Path(place) / THEIRS)
        for command in commands:
            number = max(1, (asked.kills or usual) // len(commands))
            faults += trying(command, number, rng, made)
    for fault in faults:
        print(f"FAULT: {fault}")
    print(
        "nothing lost, nothing believed that is not whole" if not faults else "NOT AS IT HAS TO BE"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
