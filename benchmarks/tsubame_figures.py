#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates the exchanges of TSUBAME's figure 3 and the searches of 5 and 6, for `reproduce`.

Usage, from the root of a checkout that was set up, with SimGrid:

    PYTHONPATH=src .venv/bin/python benchmarks/tsubame_figures.py run STORE
    PYTHONPATH=src .venv/bin/python benchmarks/tsubame_figures.py read STORE \\
        > src/isobath/reproduce/tsubame_simulated.toml

`run` simulates what STORE does not have yet; the largest need minutes and 2 GB. Simulated times do
not depend on this machine, so it may be busy. `read` writes what all of them came to.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from played import Kind, head_of, main, play, require_all, steps_of, table_of

from isobath.costmodel.grid import Grid
from isobath.errors import EnvironmentProblem
from isobath.kinds.simulate.model import SimulationResult
from isobath.kinds.simulate.stored import result_of
from isobath.prediction.calls import Layout
from isobath.records.skeleton import SkeletonRecord
from isobath.simulation.platform import platform_named
from isobath.simulation.schedule import Parcel, Schedule, Step

PLATFORM = "tsubame2"
SCALE_PER_NODE = 26
TWO_DIM = ("1x2", "2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "16x16", "16x32", "32x32")
REPLICATED_NODES = (1, 2, 4, 8, 16, 32, 64, 128)
"""two ranks on each: 256 ranks at most, as the rounds of a ring are the square of them"""

SIMPLE_NODES, SIMPLE_RANKS_PER_NODE = 16, 16
"""simulated to hold the closed form against it"""


EXCHANGE_NODES, EXCHANGE_RANKS = (32, 64, 128), 4
EXCHANGE_MEBIBYTES = (64, 256, 1024)
"""of a process in all"""


@dataclass(frozen=True, order=True)
class Exchange:
    """An alltoallv of every rank with every other."""

    nodes: int
    mebibytes: int

    @property
    def schedule(self) -> Schedule:
        """One step."""
        grid = Grid(1, EXCHANGE_RANKS * self.nodes)
        each = Parcel(self.mebibytes * 2**20 // grid.size)
        return Schedule(grid, (Step(0, "fold", "alltoallv", each=each),))

    def file(self, store: Path) -> Path:
        """Where it is kept, as the skeleton says it."""
        return store / f"alltoallv-{self.nodes}-{self.mebibytes}.jsonl"


def exchanges() -> tuple[Exchange, ...]:
    """All of them, the smallest first."""
    return tuple(
        Exchange(nodes, mebibytes) for nodes in EXCHANGE_NODES for mebibytes in EXCHANGE_MEBIBYTES
    )


def exchanges_in(store: Path) -> dict[Exchange, SkeletonRecord]:
    """What was simulated."""
    found = {}
    for exchange in exchanges():
        steps = steps_of(exchange.file(store))
        if steps is not None:
            (found[exchange],) = steps
    return found


def simulate_exchange(exchange: Exchange, store: Path) -> int:
    """The exit code of the simulation."""
    layout = Layout.even(exchange.schedule.grid, EXCHANGE_RANKS)
    return play(exchange.schedule, platform_named(PLATFORM), layout, exchange.file(store))


@dataclass(frozen=True, order=True)
class Cell:
    """One search."""

    plan: str
    nodes: int
    grid: str

    def __str__(self) -> str:
        return f"{self.plan} {self.grid} on {self.nodes} nodes"

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


def text_of(
    results: Mapping[Cell, SimulationResult], exchanged: Mapping[Exchange, SkeletonRecord]
) -> Iterator[str]:
    """The file. Raises: EnvironmentProblem where something is missing or platforms differ."""
    require_all(cells(), results)
    require_all(exchanges(), exchanged)
    made = {(result.platform.digest, result.simgrid) for result in results.values()}
    if len(made) > 1:
        raise EnvironmentProblem("not all were simulated on the same platform and SimGrid")
    ((digest, simgrid),) = made
    words = "Times are SIMULATED: communication alone."
    yield from head_of("tsubame_figures.py", words, digest, simgrid)
    for cell, result in results.items():
        sent = sum(step.bytes_sent for step in result.steps)
        yield from table_of(
            "search", plan=cell.plan, nodes=cell.nodes, ranks=result.ranks, grid=cell.grid,
            scale=cell.scale, simulated_seconds=result.simulated_seconds,
            bytes_of_node=sent // cell.nodes,
        )  # fmt: skip
    for exchange, record in exchanged.items():
        yield from table_of(
            "alltoallv", nodes=exchange.nodes, mebibytes=exchange.mebibytes,
            simulated_seconds=record.seconds_max,
            bytes_of_node=record.bytes_sent // exchange.nodes,
        )  # fmt: skip


def simulate(cell: Cell, store: Path) -> int:
    """The exit code of the command."""
    words = ["--plan", cell.plan, "--grid", cell.grid, "--scale", str(cell.scale)]
    words += ["--nodes", str(cell.nodes), "--platform", PLATFORM, "--store", str(store)]
    command = [sys.executable, "-m", "isobath", "simulate", *words, "--no-report", "--quiet"]
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode


KINDS = (
    Kind(cells(), results_in, simulate),
    Kind(exchanges(), exchanges_in, simulate_exchange),
)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], __doc__, KINDS, text_of))
