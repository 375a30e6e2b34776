#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races whole commands against each other in turns: ours, and any peer that is built elsewhere.

Usage, on an idle machine, after ``./isobath setup``:

    .venv/bin/python benchmarks/peers.py --rounds 5 \\
        "isobath=./isobath run --scale 20 --keys 64 --no-report" \\
        "riken=mpirun --bind-to none -n 2 /path/to/runnable 20 -A -C -n 64" \\
        "gapbs=/path/to/bfs -f graph.mtx -s -n 64"

The first command is the one the others are compared with. In every round all run once, in an order
that turns by one from round to round, so that slow minutes of the machine fall on all alike.
What is read from their output: the block of the Graph500 reference 3.0 (and of isobath-graph500),
that of 2.x codes, and the average time of GAPBS. A ratio is the geometric mean over rounds of the
ratio within a round, with Student's 95 % interval of its logarithm. Peers that count edges in
another way (GAPBS drops duplicates) are to be compared by seconds. Exit status 1 where a command
failed or printed nothing that is known.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from isobath.stats.estimates import Estimate  # noqa: E402
from isobath.stats.intervals import estimate_interval  # noqa: E402

NUMBER = r"[!\s]*([0-9.eE+-]+)"
KNOWN = {
    "harmonic": rf"^(?:bfs\s+)?harmonic_mean_TEPS:{NUMBER}",
    "median": rf"^(?:bfs\s+)?median_TEPS:{NUMBER}",
    "seconds": rf"^(?:(?:bfs\s+)?mean_time|Average Time):{NUMBER}",
}
"""What is read, in TEPS and in seconds of one search."""

LOWER_IS_BETTER = ("seconds", "wall")
HEADS = {
    "harmonic": "harmonic mean, GTEPS",
    "median": "median, GTEPS",
    "seconds": "one search, ms",
    "wall": "whole command, s",
}
UNITS = {"harmonic": 1e9, "median": 1e9, "seconds": 1e-3, "wall": 1.0}

Figures = dict[str, float]


def figures_of(output: str) -> Figures:
    """What a command printed that is known.

    >>> figures_of("bfs  harmonic_mean_TEPS:     !  9.5e+09\\nbfs  mean_time:  0.0018\\n")
    {'harmonic': 9500000000.0, 'seconds': 0.0018}
    >>> figures_of("harmonic_mean_TEPS:             1902412115.3")
    {'harmonic': 1902412115.3}
    >>> figures_of("Average Time:        0.01440")
    {'seconds': 0.0144}
    """
    found = {name: re.search(pattern, output, re.MULTILINE) for name, pattern in KNOWN.items()}
    return {name: float(match[1]) for name, match in found.items() if match}


def measure(name: str, command: str) -> Figures:
    """Runs a command once. Raises: SystemExit where it fails or says nothing that is known."""
    began = time.monotonic()
    done = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - began
    found = figures_of(done.stdout) or figures_of(done.stderr)
    if done.returncode != 0 or not found:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-5:])
        why = f"ended with {done.returncode}" if done.returncode else "printed no known figure"
        raise SystemExit(f"{name} {why}: {command}\n{tail}")
    return found | {"wall": seconds}


def ratio_in_words(ours: list[float], theirs: list[float], *, lower_is_better: bool) -> str:
    """How many times as good ours is.

    >>> ratio_in_words([2.0, 2.0, 2.0], [1.0, 1.0, 1.0], lower_is_better=False)
    '2.00 (2.00 to 2.00)'
    >>> ratio_in_words([2.0], [1.0], lower_is_better=True)
    '0.50'
    """
    logs = [math.log(a / b) for a, b in zip(ours, theirs, strict=True)]
    if lower_is_better:
        logs = [-value for value in logs]
    mean = statistics.fmean(logs)
    words = f"{math.exp(mean):.2f}"
    if len(logs) < 2:
        return words
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    interval = estimate_interval(Estimate(mean, len(logs), error))
    assert interval is not None
    return f"{words} ({math.exp(interval.low):.2f} to {math.exp(interval.high):.2f})"


def rounds_of(commands: dict[str, str], rounds: int) -> dict[str, list[Figures]]:
    """All commands in every round, each round beginning with another."""
    names = list(commands)
    found: dict[str, list[Figures]] = {name: [] for name in names}
    for number in range(rounds):
        turn = number % len(names)
        for name in [*names[turn:], *names[:turn]]:
            figures = measure(name, commands[name])
            found[name].append(figures)
            said = ", ".join(f"{HEADS[k]} {v / UNITS[k]:.4g}" for k, v in figures.items())
            print(f"round {number + 1} of {rounds}: {name}: {said}", file=sys.stderr, flush=True)
    return found


def table(found: dict[str, list[Figures]]) -> list[str]:
    """One row per command and figure, with how many times as good the first one is."""
    first = next(iter(found))
    lines = [
        f"| command | figure | median of rounds | {first} against it (95 %) |",
        "|---|---|---|---|",
    ]
    for name, rounds in found.items():
        for figure, head in HEADS.items():
            values = [one[figure] for one in rounds if figure in one]
            ours = [one[figure] for one in found[first] if figure in one]
            if not values:
                continue
            ratio = ""
            if name != first and len(ours) == len(values):
                ratio = ratio_in_words(ours, values, lower_is_better=figure in LOWER_IS_BETTER)
            middle = f"{statistics.median(values) / UNITS[figure]:.4g}"
            lines.append(f"| {name} | {head} | {middle} | {ratio} |")
    return lines


def main() -> int:
    """Runs and prints."""
    parser = argparse.ArgumentParser(description="Race commands against each other in turns.")
    parser.add_argument("commands", nargs="+", metavar="NAME=COMMAND", help="the first is ours")
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    commands = dict(one.split("=", 1) for one in wanted.commands if "=" in one)
    if len(commands) != len(wanted.commands):
        parser.error("write every command as NAME=COMMAND, each with a name of its own")
    print("\n".join(table(rounds_of(commands, max(1, wanted.rounds)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
