# SPDX-License-Identifier: Apache-2.0
"""Cells of the held-out test: which searches are run, which of them models see."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from isobath.bench.algorithms import algorithms_of, environment_of
from isobath.prediction.algorithms import BINOMIAL, BRUCK, DISSEMINATION, DOUBLING, LINEAR

RATES = {"100mbit": 100e6, "10mbit": 10e6}
LATENCIES = ("200us", "2ms")
NODES, SCALES = (2, 4, 8, 16), (14, 16, 18)
FITTED_NODES, FITTED_SCALE = 8, 16
MORE_NODES, LARGER, BOTH = "more nodes", "larger scale", "both"
PARTS = (MORE_NODES, LARGER, BOTH)
TUPLES = ("simple", "two-dim")

ALGORITHMS = {
    "allreduce": DOUBLING,
    "bcast": BINOMIAL,
    "barrier": DISSEMINATION,
    "allgather": BRUCK,
    "allgatherv": BRUCK,
    "alltoall": LINEAR,
    "alltoallv": LINEAR,
}
"""Of every collective of a search: forced in every run, and predicted by, at every size."""


@dataclass(frozen=True)
class Cell:
    """A search that is run."""

    network: str
    plan: str
    grid: str
    nodes: int
    scale: int
    border: tuple[int, int] = (FITTED_NODES, FITTED_SCALE)
    """most nodes and largest scale that models see"""

    @property
    def name(self) -> str:
        """Of its folder of studies."""
        return f"{self.network}-{self.plan}-{self.grid}-s{self.scale}".replace(":", "-")

    @property
    def is_fitted(self) -> bool:
        """Models see it."""
        return self.nodes <= self.border[0] and self.scale <= self.border[1]

    @property
    def part(self) -> str:
        """Of what is held out."""
        if self.nodes > self.border[0]:
            return BOTH if self.scale > self.border[1] else MORE_NODES
        return LARGER

    @property
    def place(self) -> tuple[str, int, int]:
        """What cells have in common between which a person chooses."""
        return self.network, self.nodes, self.scale


def cells_of(networks: Sequence[str], *, quick: bool = False) -> list[Cell]:
    """All that are run: those that models see first, then the others, parts in turn, so that a test
    that is cut short has some of each.
    """
    return in_turns(_all(networks, quick=quick))


def _all(networks: Sequence[str], *, quick: bool) -> Iterator[Cell]:
    scales = (10, 11) if quick else SCALES
    nodes = (2, 4) if quick else NODES
    border = (nodes[0], scales[0]) if quick else (FITTED_NODES, FITTED_SCALE)
    for network, count, scale in itertools.product(networks, nodes, scales):
        for plan, grid in plans_on(count):
            if not (network.startswith("10mbit") and plan in TUPLES and scale > FITTED_SCALE):
                yield Cell(network, plan, grid, count, scale, border)


def in_turns(cells: Iterator[Cell]) -> list[Cell]:
    """Those that models see first; of the others one place (network, nodes, scale) after the other,
    parts in turn, for a choice needs all cells of its place.
    """
    known: list[Cell] = []
    places: dict[str, dict[tuple[str, int, int], list[Cell]]] = {part: {} for part in PARTS}
    for cell in cells:
        if cell.is_fitted:
            known.append(cell)
        else:
            places[cell.part].setdefault(cell.place, []).append(cell)
    turns = itertools.zip_longest(*(own.values() for own in places.values()), fillvalue=[])
    return known + [cell for turn in turns for several in turn for cell in several]


def plans_on(nodes: int) -> Iterator[tuple[str, str]]:
    """Plans with their grids."""
    yield "simple", f"1x{nodes}"
    yield "replicated-csr", f"{nodes}x1"
    for plan in ("two-dim", "hybrid"):
        for rows in (1 << power for power in range(nodes.bit_length())):
            yield plan, f"{rows}x{nodes // rows}"


def forced_variables() -> dict[str, str]:
    """Variables of MPICH that force ``ALGORITHMS``."""
    forced = [
        one
        for collective, name in ALGORITHMS.items()
        for one in algorithms_of("hydra", collective)
        if one.value == name
    ]
    return environment_of("hydra", forced)
