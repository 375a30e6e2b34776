#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates the searches of TSUBAME's figures 5 and 6, for `isobath reproduce tsubame`.

Usage, from the root of a checkout that was set up, with SimGrid:

    PYTHONPATH=src .venv/bin/python benchmarks/tsubame_figures.py run STORE
    PYTHONPATH=src .venv/bin/python benchmarks/tsubame_figures.py read STORE \\
        > src/isobath/reproduce/tsubame_simulated.toml

`run` simulates what STORE does not have yet; the largest need minutes and 2 GB. Simulated times do
not depend on this machine, so it may be busy. `read` writes what all of them came to.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from isobath.errors import EnvironmentProblem
from isobath.kinds.simulate.model import SimulationResult
from isobath.kinds.simulate.stored import result_of

PLATFORM = "tsubame2"
SCALE_PER_NODE = 26
TWO_DIM = ("1x2", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16", "16x32", "32x32")
REPLICATED_NODES = (1, 2, 4, 8, 16, 32, 64, 128)
"""two ranks on each: 256 ranks at most, as the rounds of a ring are the square of them"""

SIMPLE_NODES, SIMPLE_RANKS_PER_NODE = 16, 16
"""simulated to hold the closed form against it"""


@dataclass(frozen=True, order=True)
class Cell:
    """One search."""

    plan: str
    nodes: int
    grid: str

    @property
    def scale(self) -> int:
        """26 a node."""
        return SCALE_PER_NODE + self.nodes.bit_length() - 1


def cells() -> tuple[Cell, ...]:
    """All of them, the smallest first."""
    found = [Cell("two-dim", 1 << power, grid) for power, grid in enumerate(TWO_DIM)]
    found += [Cell("replicated-csr", nodes, f"{2 * nodes}x1") for nodes in REPLICATED_NODES]
    found.append(Cell("simple", SIMPLE_NODES, f"1x{SIMPLE_NODES * SIMPLE_RANKS_PER_NODE}"))
    return tuple(sorted(found, key=lambda cell: (cell.nodes, cell)))


def results_in(store: Path) -> dict[Cell, SimulationResult]:
    """What was simulated on that platform, communication alone; the newest of each."""
    found = {}
    for path in sorted(store.glob("*-simulate-*")):
        try:
            result = result_of(path)
        except EnvironmentProblem:
            continue  # it did not end well
        cell = Cell(result.plan, result.nodes, result.grid)
        is_theirs = result.platform.name == PLATFORM and result.scale == cell.scale
        if is_theirs and result.simulated_gteps is None and not result.run:
            found[cell] = result
    return {cell: found[cell] for cell in cells() if cell in found}


def text_of(results: dict[Cell, SimulationResult]) -> Iterator[str]:
    """The file. Raises: EnvironmentProblem where a search is missing or platforms differ."""
    missing = [cell for cell in cells() if cell not in results]
    if missing:
        raise EnvironmentProblem(f"{missing[0]} was not simulated; run it first")
    made = {(result.platform.digest, result.simgrid) for result in results.values()}
    if len(made) > 1:
        raise EnvironmentProblem("not all were simulated on the same platform and SimGrid")
    ((digest, simgrid),) = made
    yield "# SPDX-License-Identifier: Apache-2.0"
    yield "# Written by benchmarks/tsubame_figures.py. Times are SIMULATED: communication alone."
    yield f'platform_digest = "{digest}"'
    yield f'simgrid = "{simgrid}"'
    for cell, result in results.items():
        yield ""
        yield "[[search]]"
        yield f'plan = "{cell.plan}"'
        yield f"nodes = {cell.nodes}"
        yield f"ranks = {result.ranks}"
        yield f'grid = "{cell.grid}"'
        yield f"scale = {cell.scale}"
        yield f"simulated_seconds = {result.simulated_seconds:.6g}"
        yield f"bytes_of_node = {sum(step.bytes_sent for step in result.steps) // cell.nodes}"


def simulate(cell: Cell, store: Path) -> int:
    """The exit code of the command."""
    words = ["--plan", cell.plan, "--grid", cell.grid, "--scale", str(cell.scale)]
    words += ["--nodes", str(cell.nodes), "--platform", PLATFORM, "--store", str(store)]
    command = [sys.executable, "-m", "isobath", "simulate", *words, "--no-report", "--quiet"]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode


def main(words: Iterable[str]) -> int:
    """Raises: EnvironmentProblem for a store that has not all of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "read"))
    parser.add_argument("store", type=Path)
    asked = parser.parse_args(list(words))
    done = results_in(asked.store)
    if asked.what == "read":
        for line in text_of(done):
            print(line)
        return 0
    code = 0
    for cell in cells():
        if cell not in done:
            print(f"{cell.plan} {cell.grid} on {cell.nodes} nodes", file=sys.stderr, flush=True)
            code = max(code, simulate(cell, asked.store))
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EnvironmentProblem as problem:
        sys.exit(str(problem))
