#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long ``isobath list`` of many studies and ``isobath show last`` of every kind take.

Usage: .venv/bin/python benchmarks/study_times.py [--studies 1000] [--times 5]. Copies the whole
studies of tests/data/studies under other ids to a scratch folder; the first list reads them all,
later ones read the cache. Times are those of whole commands, the interpreter's start among them.
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.study.kinds import KINDS  # noqa: E402

STORED = ROOT / "tests" / "data" / "studies"
STORES = ("studies", "runs", "races", "benches")
BEARABLE = (0, 6)
"""what commands may end with: a regression that cannot tell ends with 6"""


def main() -> int:
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=1000, help="how many there are")
    parser.add_argument("--times", type=int, default=5, help="how often each command is timed")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isobath-times-") as scratch:
        make_copies(Path(scratch), asked.studies)
        print(f"{asked.studies} studies, {STORED.name} copied; wall and processor seconds")
        report("list, nothing cached", scratch, ["list"], 1)
        report("list", scratch, ["list"], asked.times)
        report("show last", scratch, ["show", "last"], asked.times)
        for entry in KINDS:
            last = f"last:{entry.word}"
            report(f"show {last}", scratch, ["show", last], asked.times)
        report("--help", scratch, ["--help"], asked.times)
    return 0


def make_copies(prefix: Path, count: int) -> None:
    """So many folders of studies, each with an id of its own."""
    wholes = sorted(STORED.glob("*-whole"))
    found = [path for whole in wholes for store in STORES for path in (whole / store).glob("2*")]
    for number in range(count):
        original = found[number % len(found)]
        word = original.name.split("-")[2]
        moment = f"2026{number // 900 % 12 + 1:02}{number // 30 % 28 + 1:02}-{number % 24:02}0000"
        name = f"{moment}-{word}-{number:04x}"
        shutil.copytree(original, prefix / original.parent.name / name)


def report(words: str, prefix: str, command: list[str], times: int) -> None:
    """Prints every time of a command."""
    taken = [timed(prefix, command) for _ in range(times)]
    wall = ", ".join(f"{one:.2f}" for one, _ in taken)
    processor = ", ".join(f"{one:.2f}" for _, one in taken)
    print(f"{words}: {wall}; {processor}", flush=True)


def timed(prefix: str, command: list[str]) -> tuple[float, float]:
    """Wall and processor seconds."""
    variables = {**os.environ, "ISOBATH_PREFIX": prefix, "PYTHONPATH": str(ROOT / "src")}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    words = [sys.executable, "-m", "isobath", *command]
    done = subprocess.run(words, env=variables, cwd=prefix, stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in BEARABLE:
        raise SystemExit(f"isobath {' '.join(command)} ended with {done.returncode}")
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
