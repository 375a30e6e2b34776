#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The guard against libraries that really became wrong, slower, or other: each on this machine.

Usage, after ``./isobath setup``:

    .venv/bin/python benchmarks/guard_real.py wrong    one bit of call 10,000 of a suite is flipped
    .venv/bin/python benchmarks/guard_real.py update   another release of MPICH, then ours
    .venv/bin/python benchmarks/guard_real.py slower   20 regressions without a change, 10 with one
    .venv/bin/python benchmarks/guard_real.py walk     what a new user does, in under 10 minutes
    .venv/bin/python benchmarks/guard_real.py intel --folder DIR   another library, one binary

wrong preloads guard/spoiled_calls.cpp into the library of today: on rank 1, bit 0 of the last byte
that its ten-thousandth MPI_Alltoall received is another, and nothing else; regress has to end with
1 and name call, size, rank and place. update measures a baseline under the release of
requirements-second-mpi.lock (./isobath test installs it) and holds the wheel against it, in turns.
walk is the tutorial (docs/how-to/after-an-update.md): baseline of the quick suite under that
release, a sitting of noise, regress under the wheel, the page; it prints the minutes of each and
says no where all take ten or nobody finds the old library. intel holds the Intel MPI that is
installed in a folder (ADR 0023) against the wheel, in turns. slower counts what regress says of the
quick suite within two minutes: nothing changed (20), MPI_Allreduce takes a fourth longer (5,
preloaded), a worse algorithm of bcast is forced (5, a control variable). So few say no percentage.

On two idle cores wrong takes about 2 minutes, walk less than 10, intel about 5, update up to 13,
slower up to 65: less where every cell is decided early. Without --store all of it is in a folder
that is gone afterwards. With one, a proof that was cut off goes on by the same command: every
finished regression of slower is a line of --log, with the load of the machine before it, every
finished step of walk a line of walk.jsonl, and a baseline that is there is not measured again.
Another proof takes another store. Ends with 1 where something was not as it has to be.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.launch.installation import Installation  # noqa: E402
from isobath.launch.mpi_library import MpiLibrary, choose_library  # noqa: E402

SOURCE = ROOT / "benchmarks" / "guard" / "spoiled_calls.cpp"
SECOND = "second-mpi"
CALL = 10_000
PLAIN = ("--forms", "blocking", "--algorithms", "none", "--ranks", "2", "--no-report", "-q")
UNCHANGED, PRELOADED, FORCED = "unchanged", "preloaded", "forced"
TIMES = {UNCHANGED: 20, PRELOADED: 5, FORCED: 5}
WORSE = "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb"
NAME = "guarded"
MINUTES = 10


@dataclass(frozen=True)
class Laboratory:
    """The command line of this checkout, and a store of its own."""

    store: Path

    def isobath(self, *words: object, codes: Iterable[int] = (0,)) -> str:
        """What it printed. Raises: SystemExit where it ends otherwise."""
        done = subprocess.run(
            [ROOT / "isobath", *map(str, words), "--store", str(self.store)],
            stdout=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
        if done.returncode not in codes:
            sys.exit(f"isobath {' '.join(map(str, words))} ended with {done.returncode}")
        return done.stdout

    def regress(self, *words: object) -> dict[str, Any]:
        """Its findings, whatever they are."""
        out = self.isobath("regress", NAME, *words, "--no-report", "-q", "--json",
                           codes=(0, 1, 5, 6))  # fmt: skip
        found: dict[str, Any] = json.loads(out)
        return found

    def keep(self, *words: object) -> None:
        """Makes the baseline, where no run of before did. Args: words are those of set."""
        if not (self.store / "baselines" / NAME).is_dir():
            self.isobath("baseline", "set", NAME, *words)

    def bench(self, *words: object) -> None:
        """Makes the baseline of a benchmark, where no run of before did."""
        if not (self.store / "baselines" / NAME).is_dir():
            self.isobath("bench", "collectives", *words, *PLAIN)
            self.isobath("baseline", "set", NAME, "last:bench")


def built(folder: Path) -> Path:
    """spoiled_calls.cpp, compiled by the wrapper of the default MPI."""
    wrapper = choose_library(Installation.here(), None).mpicxx
    library = folder / "libspoiled.so"
    words = [wrapper, "-std=c++20", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)]
    subprocess.run(words, check=True)
    return library


def lines_of(log: Path) -> list[dict[str, Any]]:
    """What is done already. A line that a kill cut off is none."""
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def add_line(log: Path, row: Mapping[str, Any]) -> None:
    """One more, in the place of one that was cut off."""
    whole = "".join(json.dumps(one) + "\n" for one in [*lines_of(log), row])
    new = log.with_name(f".{log.name}.new")
    new.write_text(whole, encoding="utf-8")
    new.replace(log)


def as_variables(values: Mapping[str, object]) -> str:
    """As --variables takes them."""
    return ",".join(f"{name}={value}" for name, value in values.items())


def wrong(lab: Laboratory, _: argparse.Namespace) -> bool:
    """One bit of one call."""
    words = ("--sizes", "8,4096", "--launches", "2", "--least", "3000", "--most", "3000")
    lab.bench("--collectives", "alltoall", *words)
    count = lab.store / "calls"
    count.unlink(missing_ok=True)
    spoiled = {"LD_PRELOAD": built(lab.store), "SPOILED_CALL": "MPI_Alltoall",
               "SPOILED_FLIP": CALL, "SPOILED_COUNT": count}  # fmt: skip
    found = lab.regress("--suite", "full", "--turns", "4", "--variables", as_variables(spoiled))
    calls = int.from_bytes(count.read_bytes(), "little")
    print(found["verdict"])
    print(f"{calls} calls in all; exit code {found['exit_code']}")
    told = ("alltoall of", "rank 1", "element", "after repetition")
    return found["exit_code"] == 1 and calls > CALL and all(one in found["verdict"] for one in told)


def set_up(folder: Path, how: str) -> MpiLibrary:
    """A library that lies in a folder. Args: how says what puts it there."""
    if not folder.is_dir():
        sys.exit(f"{folder} is missing: {how}")
    subprocess.run([ROOT / "isobath", "setup", "--mpi", str(folder)], check=True)
    return choose_library(Installation.here(), str(folder))


def both_releases() -> tuple[MpiLibrary, MpiLibrary]:
    """The one before, and the wheel's."""
    second = Installation.here().state_folder / SECOND
    before = set_up(second, "./isobath test installs it")
    return before, choose_library(Installation.here(), "wheel")


def walk(lab: Laboratory, _: argparse.Namespace) -> bool:
    """Every command that the tutorial has, with its minutes."""
    before, after = both_releases()
    steps = (
        ("baseline", "set", NAME, "--mpi", before.id),
        ("calibrate", "noise", NAME),
        ("regress", NAME, "--mpi", after.id, "--budget", "2m"),
        ("show", "last:regress", "--json"),
    )
    log = lab.store / "walk.jsonl"
    for words in steps[len(lines_of(log)) :]:
        begin = time.monotonic()
        out = lab.isobath(*words, codes=(0, 5, 6))
        took = time.monotonic() - begin
        add_line(log, {"words": words, "seconds": took, "out": out})
        print(f"{took / 60:.1f} min: isobath {' '.join(words)}", flush=True)
    done = lines_of(log)
    minutes = sum(step["seconds"] for step in done) / 60
    found = json.loads(done[-1]["out"])
    pages = sorted((lab.store / "reports").glob("*regress*"))
    print(f"{found['verdict']}\n{found['advice']}\npage: {', '.join(map(str, pages))}")
    print(f"{minutes:.1f} min in all, {len(found['cells'])} cells, {found['turns']} turns")
    return minutes < MINUTES and bool(pages) and found["against"] == before.id


def intel(lab: Laboratory, asked: argparse.Namespace) -> bool:
    """Intel MPI against the wheel, by one binary."""
    if asked.folder is None:
        sys.exit("name the folder of Intel MPI: --folder DIR")
    other = set_up(asked.folder, "install Intel MPI first (package impi-rt)")
    lab.keep("--mpi", "wheel", "--turns", "4", "--budget", "2m")
    return is_told(lab, "--mpi", other.id, "--against", "wheel", "--turns", "30")


def is_told(lab: Laboratory, *words: str) -> bool:
    """A regression with its counts; whether it measured anything, and nothing was wrong."""
    found = lab.regress(*words)
    counts = Counter(cell["outcome"] for cell in found["cells"])
    print(f"{' '.join(words)}: {found['verdict']}")
    print(f"  {dict(counts)}, {found['turns']} turns, {found['measured_seconds']:.0f} s")
    return found["exit_code"] != 1 and len(found["cells"]) > 0


def update(lab: Laboratory, _: argparse.Namespace) -> bool:
    """From one release to the other, and back."""
    before, after = both_releases()
    print(f"{before.version} -> {after.version}")
    lab.keep("--mpi", before.id, "--turns", "4", "--budget", "2m")
    is_right = True
    for words in (("--against", before.id), ("--against", "none")):
        is_right = is_told(lab, "--mpi", after.id, *words, "--budget", "5m") and is_right
    return is_right


def slower(lab: Laboratory, asked: argparse.Namespace) -> bool:
    """Counts of verdicts, by what was changed."""
    log = asked.log or lab.store / "slower.jsonl"
    if not (lab.store / "baselines" / NAME).is_dir():
        lab.keep("--mpi", "wheel")
        lab.isobath("calibrate", "noise", NAME)
    preloaded = {"LD_PRELOAD": built(lab.store), "SPOILED_CALL": "MPI_Allreduce",
                 "SPOILED_SHARE": 0.25}  # fmt: skip
    changes = {UNCHANGED: "GUARD_CHANGED=0", PRELOADED: as_variables(preloaded), FORCED: WORSE}
    done = lines_of(log)
    for change, times in TIMES.items():
        for _ in range(times - sum(one["change"] == change for one in done)):
            load = os.getloadavg()[0]
            began = time.monotonic()
            found = lab.regress("--variables", changes[change], "--budget", "2m")
            row = {
                "change": change, "load": round(load, 1), "code": found["exit_code"],
                "turns": found["turns"], "seconds": round(found["measured_seconds"], 1),
                "wall": round(time.monotonic() - began, 1),
                "cells": {one["cell"]: [one["outcome"], one["ratio"]] for one in found["cells"]},
            }  # fmt: skip
            done.append(row)
            add_line(log, row)
            took = f"{row['seconds']} s of launches, {row['wall']} s in all"
            print(f"{change}: code {row['code']}, {row['turns']} turns, {took}, "
                  f"load {row['load']}", flush=True)  # fmt: skip
    return counted(done)


def counted(done: Iterable[Mapping[str, Any]]) -> bool:
    """Prints counts: nothing may be slower where nothing changed, and something where it did."""
    is_right = True
    for change, times in TIMES.items():
        rows = [one for one in done if one["change"] == change]
        codes = Counter(one["code"] for one in rows)
        cells = Counter(
            (name.partition(",")[0], outcome)
            for one in rows
            for name, (outcome, _) in one["cells"].items()
        )
        told = ", ".join(f"{what} {outcome}: {n}" for (what, outcome), n in sorted(cells.items()))
        print(f"{change}: {len(rows)} of {times} regressions; codes {dict(codes)}; cells {told}")
        wanted = {0, 6} if change == UNCHANGED else {5}
        is_right = is_right and set(codes) <= wanted
    return is_right


PROOFS: Mapping[str, Callable[[Laboratory, argparse.Namespace], bool]] = {
    "wrong": wrong, "update": update, "slower": slower, "walk": walk, "intel": intel,
}  # fmt: skip


def main() -> int:
    """One proof."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("proof", choices=PROOFS)
    parser.add_argument("--store", type=Path, help="kept, and gone on with")
    parser.add_argument("--log", type=Path, help="of slower; in the store where it is not named")
    parser.add_argument("--folder", type=Path, help="of Intel MPI")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isobath-guard-") as folder:
        store = (asked.store or Path(folder)).resolve()
        store.mkdir(parents=True, exist_ok=True)
        os.environ["ISOBATH_REPORTS"] = str(store / "reports")
        is_right = PROOFS[asked.proof](Laboratory(store), asked)
    print("as it has to be" if is_right else "NOT AS IT HAS TO BE")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
