#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the project promises, the way users run it, and says which gates are met.

Usage, on an idle machine, after ``./isobath setup``:

    python3 benchmarks/gates.py                 all gates (scales 20, 22, 24; about 8 GB of memory)
    python3 benchmarks/gates.py --scales 20     some of them

Every figure comes from the records of ``./isobath run --scale S`` with its defaults: 64 keys,
every search validated, edges in memory. Gates were set on a 2-core Zen 4 machine with about
50 GB/s of memory bandwidth; ``memory_bench`` (benchmarks/micro) says what the machine at hand
gives, and a slower one may miss them. Exit status 1 when one is missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "data" / "graph500.jsonl"
GIGA = 1e9


@dataclass(frozen=True)
class Measured:
    """One complete run: its records and the wall time of the command."""

    scale: int
    seconds: float
    records: list[dict[str, Any]]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """Records of one kind, in order."""
        return [record for record in self.records if record["kind"] == kind]

    def searches(self) -> list[dict[str, Any]]:
        """The timed searches."""
        return [search for search in self.of_kind("search") if not search["warmup"]]


@dataclass(frozen=True)
class Gate:
    """A promise: a figure, its unit, and the bound it must keep."""

    what: str
    value: float
    bound: float
    unit: str
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure keeps its bound."""
        return self.value >= self.bound if self.at_least else self.value <= self.bound


def run(scale: int) -> Measured:
    """Runs the benchmark once as a user does and reads its records."""
    with (
        tempfile.TemporaryDirectory(prefix="isobath-gates-") as store,
        tempfile.TemporaryDirectory(prefix="isobath-gates-") as reports,
    ):
        began = time.monotonic()
        subprocess.run(
            [
                ROOT / "isobath",
                "run",
                "--scale",
                str(scale),
                "--store",
                store,
                "--reports",
                reports,
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        seconds = time.monotonic() - began
        (path,) = Path(store).glob("*/records.jsonl")
        return Measured(scale, seconds, [json.loads(line) for line in path.open()])


def golden_differences(measured: Measured) -> int:
    """Facts of graph and searches that are not those of the reference program."""
    facts = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    (golden,) = [fact for fact in facts if fact["scale"] == measured.scale]
    construction = measured.of_kind("construction")[0]
    same = [
        construction[name] == golden[name]
        for name in ("self_loops", "distinct_edges", "isolated_vertices")
    ]
    searches = measured.searches()
    same.append([search["root"] for search in searches] == golden["search_keys"])
    for search, expected in zip(searches, golden["searches"], strict=False):
        same.append(search["vertices_per_level"] == expected["vertices_per_level"])
        same.append(search["traversed_edges"] == expected["traversed_edges_without_loops"])
    return same.count(False)


def gates_of(measured: Measured) -> list[Gate]:
    """The gates that this run decides."""
    searches = measured.searches()
    finish = measured.of_kind("finish")[0]
    construction = measured.of_kind("construction")[0]
    seconds = [search["seconds"] for search in searches]
    per_edge = [search["seconds"] / search["traversed_edges"] for search in searches]
    gteps = 1 / statistics.fmean(per_edge) / GIGA
    scale = measured.scale
    faults = searches[0]["page_faults"]
    gates = [
        Gate(
            f"scale {scale}: BFS, harmonic mean", gteps, 4.5 if scale >= 24 else 6.0, "GTEPS", True
        ),
        Gate(f"scale {scale}: page faults of the first search", faults, 0, "faults"),
        Gate(f"scale {scale}: golden facts that differ", golden_differences(measured), 0, "facts"),
        Gate(
            f"scale {scale}: first search / median",
            seconds[0] / statistics.median(seconds),
            1.5,
            "x",
        ),
        Gate(
            f"scale {scale}: slowest search / median",
            max(seconds) / statistics.median(seconds),
            3.0,
            "x",
        ),
        Gate(f"scale {scale}: violations", finish["violations"], 0, "searches"),
    ]
    if scale == 20:
        validation = statistics.median(search["validation"]["seconds"] for search in searches)
        gates.append(Gate("scale 20: validation of one search", validation, 0.15, "s"))
        gates.append(Gate("scale 20: whole run", measured.seconds, 20, "s"))
    if scale == 22:
        gates.append(Gate("scale 22: construction", construction["seconds"], 5, "s"))
        gates.append(Gate("scale 22: generation", construction["generation_seconds"], 3, "s"))
    if scale == 24:
        gates.append(Gate("scale 24: peak memory", finish["peak_bytes"] / GIGA, 8, "GB"))
    return gates


def main() -> int:
    """Runs the scales and prints one line per gate."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scales", type=int, nargs="+", default=[20, 22, 24])
    scales = parser.parse_args().scales
    missed = 0
    for scale in scales:
        for gate in gates_of(run(scale)):
            relation = ">=" if gate.at_least else "<="
            verdict = "met" if gate.is_met else "MISSED"
            missed += not gate.is_met
            figure = f"{gate.value:9.3f} {relation} {gate.bound:<6g} {gate.unit:8}"
            print(f"{gate.what:44} {figure} {verdict}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
