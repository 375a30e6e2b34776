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

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

from played import Kind, head_of, main, play, require_all, steps_of, table_of

from isobath.costmodel.grid import Grid
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


def text_of(found: Mapping[Exchange, SkeletonRecord], simgrid: str = "") -> Iterator[str]:
    """The file, by the SimGrid here unless it is named. Raises: EnvironmentProblem where something
    is missing.
    """
    require_all(exchanges(), found)
    yield from head_of(
        "k_figures.py", "Times are SIMULATED.", links_digest(),
        simgrid or simgrid_version() or "none",
    )  # fmt: skip
    for exchange, record in found.items():
        yield from table_of(
            "alltoallv", shape=exchange.name, nodes=NODES, message_bytes=exchange.message_bytes,
            simulated_seconds=record.seconds_max,
        )  # fmt: skip


def simulate(exchange: Exchange, store: Path) -> int:
    """The exit code of the simulation."""
    layout = Layout.even(exchange.schedule.grid, 1)
    return play(exchange.schedule, exchange.platform, layout, exchange.file(store))


KIND = Kind(exchanges(), exchanges_in, simulate)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], __doc__, [KIND], text_of))
