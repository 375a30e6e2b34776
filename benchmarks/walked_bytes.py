# SPDX-License-Identifier: Apache-2.0
"""Bytes of searches on more ranks than are run: counted by isobath-audit over the real graph.

goals.py --grids prints these rows beside those of grids.py. Directions come from a run on one rank,
for they are the same on every grid; bytes are data alone, without counts, reductions and where the
root is. Two walks of scale 20 take some three minutes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from grids import CONTROL, LARGEST_DATA
from riken_volumes import run_records

from isobath.race.audit import audited_searches, expected_steps
from isobath.records.run_records import RunRecords
from isobath.stats.estimates import FloatArray

ROOT = Path(__file__).resolve().parent.parent

COUNTS_APART = "alltoallv"
"""The exchange: what fold sends is the same with every one but its counts, which are no data."""

KEYS = 16

SCALE = 18
"""Of bytes that have a bound of their own."""


@dataclass(frozen=True)
class Growth:
    """Bytes on one grid over those on another."""

    scale: int
    few: str
    many: str
    most: float

    @property
    def what(self) -> str:
        """The row's name."""
        return f"growth of data bytes, walked, {self.few} to {self.many}"


GROWTH = Growth(20, "8x8", "16x16", 2.2)


def audit_program() -> str:
    """Where isobath-audit is. Raises: SystemExit."""
    built = list(ROOT.glob("build/mpich-wheel/bin/isobath-audit"))
    program = str(built[0]) if built else shutil.which("isobath-audit")
    return program or sys.exit("isobath-audit is not built; ./isobath setup")


@cache
def searches(scale: int, keys: int) -> RunRecords:
    """Of one rank."""
    return run_records(scale, "1x1", keys)


def walked(scale: int, grid: str, keys: int) -> FloatArray:
    """Data bytes of searches over the real graph, all ranks; shape (keys,)."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        lines.write(audited_searches(searches(scale, keys)))
        lines.flush()
        words = ["--scale", str(scale), "--grid", grid, "--searches", lines.name]
        words += ["--exchange", COUNTS_APART]
        done = subprocess.run(
            [audit_program(), *words], check=True, stdout=subprocess.PIPE, text=True
        )
    return data_sums(done.stdout.splitlines())


def data_sums(lines: Sequence[str]) -> FloatArray:
    """Of each search, from what isobath-audit printed."""
    sums: dict[int, float] = {}
    for (search, _, phase), due in expected_steps(lines).items():
        sums[search] = sums.get(search, 0.0) + due.bytes * (phase not in CONTROL)
    return np.array(list(sums.values()), dtype=np.float64)


def rows(only: str, line: Callable[..., str]) -> list[tuple[str, bool]]:
    """A line for each figure with these words in its name, and whether its bound is missed."""
    found = []
    for grid, most in LARGEST_DATA.items():
        what = f"data bytes a search, walked, {grid}"
        if only in what:
            value = float(walked(SCALE, grid, KEYS).mean()) / 1e6
            found.append(row(what, SCALE, value, most, line, " MB"))
    if only in GROWTH.what:
        few, many = (walked(GROWTH.scale, grid, KEYS) for grid in (GROWTH.few, GROWTH.many))
        value = float(many.mean() / few.mean())
        found.append(row(GROWTH.what, GROWTH.scale, value, GROWTH.most, line))
    return found


def row(
    what: str, scale: int, value: float, most: float, line: Callable[..., str], unit: str = ""
) -> tuple[str, bool]:
    """A line of the table, and whether its bound is missed."""
    is_missed = value > most
    digits = 3 if unit else 2
    verdict = "MISSED" if is_missed else "met"
    bound, figure = f"<= {most:g}{unit}", f"{value:.{digits}f}{unit}"
    return line(what, str(scale), bound, figure, verdict), is_missed
