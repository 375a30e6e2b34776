# SPDX-License-Identifier: Apache-2.0
"""What was simulated of TSUBAME 2.0, once: benchmarks/tsubame_figures.py does it again."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Simulated:
    """A search whose communication was simulated."""

    plan: str
    nodes: int
    ranks: int
    grid: str
    scale: int
    simulated_seconds: float
    bytes_of_node: int


@dataclass(frozen=True)
class SimulatedExchange:
    """An alltoallv of four ranks a node."""

    nodes: int
    mebibytes: int
    """of a process in all"""
    simulated_seconds: float
    bytes_of_node: int

    @property
    def rate(self) -> float:
        """Bytes a second that a node sends, to its own ranks too."""
        return self.bytes_of_node / self.simulated_seconds


@cache
def _tables() -> dict[str, Any]:
    path = files("isobath.reproduce").joinpath("tsubame_simulated.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def simulated() -> dict[tuple[str, int], Simulated]:
    """Searches by plan and nodes."""
    rows = [Simulated(**row) for row in _tables()["search"]]
    return {(row.plan, row.nodes): row for row in rows}


@cache
def simulated_exchanges() -> dict[tuple[int, int], SimulatedExchange]:
    """By nodes and MiB of a process."""
    rows = [SimulatedExchange(**row) for row in _tables()["alltoallv"]]
    return {(row.nodes, row.mebibytes): row for row in rows}
