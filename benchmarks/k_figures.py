#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates all-to-alls on the 384 nodes of the K computer report, shape by shape.

Usage, from the root of a checkout that was set up, with SimGrid:

    PYTHONPATH=src .venv/bin/python benchmarks/k_figures.py run STORE
    PYTHONPATH=src .venv/bin/python benchmarks/k_figures.py read STORE \\
        > src/isobath/reproduce/k_simulated.toml

`run` simulates what STORE does not have yet. Simulated times do not depend on this machine, so it
may be busy. `read` writes what all of them came to.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

from played import play, steps_of, table_of

from isobath.costmodel.grid import Grid
from isobath.errors import EnvironmentProblem
from isobath.launch.simgrid import simgrid_version
from isobath.prediction.calls import Layout
from isobath.records.skeleton import SkeletonRecord
from isobath.reproduce.k_computer import SHAPES, UNIT
from isobath.simulation.platform import PLATFORMS, Platform
from isobath.simulation.schedule import Parcel, Schedule, Step
from isobath.simulation.simgrid import platform_xml

NODES = 384
MESSAGE_BYTES = (4096, 65536, 1 << 20)
"""from each node to each other"""


@dataclass(frozen=True, order=True)
class Exchange:
    """An all-to-all of a rank on each node, which are numbered as the torus is."""

    name: str
    message_bytes: int

    @property
    def shape(self) -> tuple[int, ...]:
        """All six sides."""
        return (*SHAPES[NODES][self.name], *UNIT)

    @property
    def platform(self) -> Platform:
        """Links of the K computer in this shape."""
        return replace(PLATFORMS["k-computer"], shape=self.shape, nodes=prod(self.shape))

    @property
    def schedule(self) -> Schedule:
        """One step; all messages at once."""
        each = Parcel(self.message_bytes)
        return Schedule(Grid(1, NODES), (Step(0, "fold", "alltoallv", each=each),))

    def file(self, store: Path) -> Path:
        """Where it is kept, as the skeleton says it."""
        return store / f"k-{self.name}-{self.message_bytes}.jsonl"


def exchanges() -> tuple[Exchange, ...]:
    """All of them."""
    return tuple(Exchange(name, size) for name in SHAPES[NODES] for size in MESSAGE_BYTES)


def exchanges_in(store: Path) -> dict[Exchange, SkeletonRecord]:
    """What was simulated."""
    found = {}
    for exchange in exchanges():
        steps = steps_of(exchange.file(store))
        if steps is not None:
            (found[exchange],) = steps
    return found


def links_digest() -> str:
    """Of the platform whose links they have."""
    return hashlib.sha256(platform_xml(PLATFORMS["k-computer"]).encode()).hexdigest()


def text_of(found: Mapping[Exchange, SkeletonRecord], simgrid: str) -> Iterator[str]:
    """The file. Raises: EnvironmentProblem where something is missing."""
    missing = [exchange for exchange in exchanges() if exchange not in found]
    if missing:
        raise EnvironmentProblem(f"{missing[0]} was not simulated; run it first")
    yield "# SPDX-License-Identifier: Apache-2.0"
    yield "# Written by benchmarks/k_figures.py. Times are SIMULATED."
    yield f'platform_digest = "{links_digest()}"'
    yield f'simgrid = "{simgrid}"'
    for exchange, record in found.items():
        yield from table_of(
            "alltoallv", shape=exchange.name, nodes=NODES, message_bytes=exchange.message_bytes,
            simulated_seconds=record.seconds_max,
        )  # fmt: skip


def main(words: Iterable[str]) -> int:
    """Raises: EnvironmentProblem for a store that has not all of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("run", "read"))
    parser.add_argument("store", type=Path)
    asked = parser.parse_args(list(words))
    found = exchanges_in(asked.store)
    if asked.what == "read":
        for line in text_of(found, simgrid_version() or "none"):
            print(line)
        return 0
    code = 0
    for exchange in exchanges():
        if exchange not in found:
            print(exchange, file=sys.stderr, flush=True)
            layout = Layout.even(exchange.schedule.grid, 1)
            kept = exchange.file(asked.store)
            code = max(code, play(exchange.schedule, exchange.platform, layout, kept))
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EnvironmentProblem as problem:
        sys.exit(str(problem))
