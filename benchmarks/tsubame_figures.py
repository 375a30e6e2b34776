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

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from isobath.costmodel.grid import Grid
from isobath.errors import EnvironmentProblem, ExitCode
from isobath.kinds.simulate.files import simulation_in, write_files
from isobath.kinds.simulate.model import SimulationResult
from isobath.kinds.simulate.stored import result_of
from isobath.launch.interrupts import NeverStop
from isobath.launch.limits import NOTHING_ASKED, of_silent_program
from isobath.launch.simgrid import find_simgrid
from isobath.launch.simgrid import simulate as simulate_files
from isobath.prediction.calls import Layout
from isobath.records.codec import decode
from isobath.records.skeleton import SkeletonRecord
from isobath.settings.toml import toml_value
from isobath.simulation.platform import platform_named
from isobath.simulation.schedule import Parcel, Schedule, Step
from isobath.simulation.simgrid import options

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
        path = exchange.file(store)
        if path.is_file():
            record = decode(path.read_text(encoding="utf-8").strip())
            assert isinstance(record, SkeletonRecord)
            found[exchange] = record
    return found


def simulate_exchange(exchange: Exchange, store: Path) -> int:
    """The exit code of the simulation; its file is there only where it ended well."""
    platform, schedule = platform_named(PLATFORM), exchange.schedule
    layout = Layout.even(schedule.grid, EXCHANGE_RANKS)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        simulation = simulation_in(folder, schedule.grid.size, options(platform), "alltoallv")
        write_files(simulation, schedule, platform, layout)
        outcome, _ = simulate_files(
            simulation, find_simgrid(), stdout=folder / "out", stderr=folder / "err",
            limits=of_silent_program(NOTHING_ASKED), interrupts=NeverStop(),
        )  # fmt: skip
        if outcome.exit_code == ExitCode.DONE:
            said = (folder / "out").read_text(encoding="utf-8")
            exchange.file(store).write_text(said, encoding="utf-8")
    return int(outcome.exit_code)


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


def text_of(
    results: Mapping[Cell, SimulationResult], exchanged: Mapping[Exchange, SkeletonRecord]
) -> Iterator[str]:
    """The file. Raises: EnvironmentProblem where something is missing or platforms differ."""
    missing: list[object] = [cell for cell in cells() if cell not in results]
    missing += [exchange for exchange in exchanges() if exchange not in exchanged]
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
        sent = sum(step.bytes_sent for step in result.steps)
        yield from _table(
            "search", plan=cell.plan, nodes=cell.nodes, ranks=result.ranks, grid=cell.grid,
            scale=cell.scale, simulated_seconds=result.simulated_seconds,
            bytes_of_node=sent // cell.nodes,
        )  # fmt: skip
    for exchange, record in exchanged.items():
        yield from _table(
            "alltoallv", nodes=exchange.nodes, mebibytes=exchange.mebibytes,
            simulated_seconds=record.seconds_max,
            bytes_of_node=record.bytes_sent // exchange.nodes,
        )  # fmt: skip


def _table(name: str, **values: str | float) -> Iterator[str]:
    yield ""
    yield f"[[{name}]]"
    for key, value in values.items():
        text = f"{value:.6g}" if isinstance(value, float) else toml_value(value)
        yield f"{key} = {text}"


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
        for line in text_of(done, exchanges_in(asked.store)):
            print(line)
        return 0
    code = 0
    for cell in cells():
        if cell not in done:
            print(f"{cell.plan} {cell.grid} on {cell.nodes} nodes", file=sys.stderr, flush=True)
            code = max(code, simulate(cell, asked.store))
    kept = exchanges_in(asked.store)
    for exchange in exchanges():
        if exchange not in kept:
            print(f"alltoallv {exchange}", file=sys.stderr, flush=True)
            code = max(code, simulate_exchange(exchange, asked.store))
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EnvironmentProblem as problem:
        sys.exit(str(problem))
