#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the memory and time that ``./isobath plan`` expects with what runs take.

Usage, on an idle machine, after ``./isobath setup``:

    python3 benchmarks/plan_accuracy.py                        scales 16 to 22 on four grids
    python3 benchmarks/plan_accuracy.py --scales 24 --grids 1x1  about 7 GB of memory
    python3 benchmarks/plan_accuracy.py --plans replicated-csr simple two-dim --ranks 2 4
    python3 benchmarks/plan_accuracy.py --official --grids 1x1 1x2   with the construction check

Memory is the sum of the ranks' peaks with edges in memory, and must be within 10 % of the plan:
exit status 1 where it is not. Times are shown beside each other and judge nothing: the plan takes
them from a short run of the same layout, so they are good where nothing else runs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOLERANCE = 0.10


def isobath(*words: object) -> str:
    """Standard output of the command line."""
    command = [str(ROOT / "isobath"), *map(str, words)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def planned(*words: object) -> dict[str, Any]:
    """What the plan says of one scale."""
    found = json.loads(isobath("plan", *words, "--json"))
    row: dict[str, Any] = found["scales"][0]
    return row | {"grid": found["grid"]}


def measured(*words: object) -> tuple[int, float]:
    """Peak memory of a run, and its seconds with everything."""
    with tempfile.TemporaryDirectory(prefix="isobath-plan-") as store:
        began = time.monotonic()
        isobath("run", *words, "--no-report", "--store", store)
        seconds = time.monotonic() - began
        (records,) = Path(store).glob("*/records.jsonl")
        lines = map(json.loads, records.read_text(encoding="utf-8").splitlines())
        (finish,) = [record for record in lines if record["kind"] == "finish"]
    return sum(finish["peak_bytes_per_rank"]), seconds


def places(wanted: argparse.Namespace) -> list[tuple[str, tuple[object, ...]]]:
    """Plans, and where each runs: hybrid alone on the grids, several plans on numbers of ranks."""
    if wanted.plans == ["hybrid"]:
        return [("hybrid", ("--grid", grid)) for grid in wanted.grids]
    return [(plan, ("--ranks", ranks)) for ranks in wanted.ranks for plan in wanted.plans]


def main() -> int:
    """Prints a line for each scale and grid."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scales", type=int, nargs="+", default=list(range(16, 23)))
    parser.add_argument("--grids", nargs="+", default=["1x1", "1x2", "2x2", "2x3"])
    parser.add_argument("--keys", type=int, default=4)
    parser.add_argument("--official", action="store_true", help="64 keys, construction checked")
    parser.add_argument("--plans", nargs="+", default=["hybrid"], help="on their own grids")
    parser.add_argument("--ranks", type=int, nargs="+", default=[4], help="where --plans are given")
    wanted = parser.parse_args()
    print(f"{'':25} {'memory, MB':^28} {'time, s':^17}")
    print(
        f"{'plan':14} scale grid {'planned':>9} {'measured':>9} {'error':>8} "
        f"{'planned':>8} {'measured':>8}"
    )
    misses = 0
    for scale in wanted.scales:
        for plan_name, place in places(wanted):
            words = ["--scale", scale, "--plan", plan_name, *place]
            words += ["--official"] if wanted.official else ["--keys", wanted.keys]
            plan = planned(*words)
            peak, seconds = measured(*words)
            error = plan["peak_bytes"] / peak - 1
            misses += abs(error) > TOLERANCE
            print(
                f"{plan_name:14} {scale:>5} {plan['grid']:4} "
                f"{plan['peak_bytes'] / 1e6:9.1f} {peak / 1e6:9.1f} "
                f"{error:+8.1%} {plan['seconds']:8.1f} {seconds:8.1f}",
                flush=True,
            )
    if misses:
        print(f"{misses} beyond {TOLERANCE:.0%}")
    return 1 if misses else 0


if __name__ == "__main__":
    sys.exit(main())
