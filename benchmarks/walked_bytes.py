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

from isobath.race.audit import audited_searches, walked_lines
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


@cache
def walked_ranks(scale: int, grid: str, keys: int) -> FloatArray:
    """Data bytes that each rank sends in searches over the real graph; shape (keys, ranks)."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as lines:
        lines.write(audited_searches(searches(scale, keys)))
        lines.flush()
        words = ["--scale", str(scale), "--grid", grid, "--searches", lines.name]
        words += ["--exchange", COUNTS_APART]
        done = subprocess.run(
            [audit_program(), *words], check=True, stdout=subprocess.PIPE, text=True
        )
    return data_of_ranks(done.stdout.splitlines())


def walked(scale: int, grid: str, keys: int) -> FloatArray:
    """The same of all ranks together; shape (keys,)."""
    of_all: FloatArray = walked_ranks(scale, grid, keys).sum(axis=1)
    return of_all


def data_of_ranks(lines: Sequence[str]) -> FloatArray:
    """Of each search and rank, from what isobath-audit printed; shape (searches, ranks)."""
    sums: dict[int, FloatArray] = {}
    for line in walked_lines(lines):
        sent = np.array(line.bytes_of_rank, dtype=np.float64)
        mine = sums.setdefault(line.search, np.zeros_like(sent))
        if line.phase not in CONTROL:
            mine += sent
    return np.array(list(sums.values()))


def largest_over_mean(of_ranks: FloatArray) -> float:
    """Of what ranks send in a search, mean of searches.

    >>> largest_over_mean(np.array([[1.0, 3.0], [4.0, 4.0]]))
    1.25
    """
    return float((of_ranks.max(axis=1) / of_ranks.mean(axis=1)).mean())


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
    for grid in (GROWTH.few, GROWTH.many):
        what = f"largest over mean of a rank's data bytes, walked, {grid}"
        if only in what:
            value = largest_over_mean(walked_ranks(GROWTH.scale, grid, KEYS))
            found.append((line(what, str(GROWTH.scale), "", f"{value:.2f}", ""), False))
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
