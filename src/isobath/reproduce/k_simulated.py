# SPDX-License-Identifier: Apache-2.0
"""All-to-alls on 384 nodes of the K computer, simulated once by benchmarks/k_figures.py.

SimGrid sends every message all of one way round a ring where both are as short; the load of its
busiest link is computed by such routes (``Torus.halves_ties``), to be held against its times.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from isobath.costmodel.torus import Torus
from isobath.reproduce.source import Item
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Table, columns

LINK_BYTES_PER_SECOND = 5e9
"""of the platform that was simulated, from literature"""

BETTER, WORSE = "3D", "1D"
"""of 384 nodes, as the text says"""

AGREES = 0.1
"""share by which shapes may differ otherwise in time than by their busiest links"""


@dataclass(frozen=True)
class SimulatedExchange:
    """Of every node with each other."""

    shape: str
    nodes: int
    message_bytes: int
    simulated_seconds: float


@cache
def simulated_exchanges() -> dict[tuple[str, int], SimulatedExchange]:
    """By shape and bytes of a message."""
    text = files("isobath.reproduce").joinpath("k_simulated.toml").read_text(encoding="utf-8")
    rows = [SimulatedExchange(**row) for row in tomllib.loads(text)["alltoallv"]]
    return {(row.shape, row.message_bytes): row for row in rows}


def link_seconds(sides: tuple[int, ...], message_bytes: int) -> float:
    """What the busiest link needs, by SimGrid's routes; a bound."""
    torus = Torus(sides, halves_ties=False)
    return torus.busiest_of_all_to_all(message_bytes) / LINK_BYTES_PER_SECOND


def simulated_shapes(sides: Mapping[str, tuple[int, ...]]) -> Item:
    """Args: sides are all six, by shape."""
    known = simulated_exchanges()
    sizes = sorted({size for _, size in known})
    rows, ratios = [], {}
    for size in sizes:
        for shape in (WORSE, BETTER):
            took, least = known[shape, size].simulated_seconds, link_seconds(sides[shape], size)
            rows.append(
                (
                    format_bytes(size), shape, format_seconds(took), format_seconds(least),
                    f"{took / least:.3f}",
                )
            )  # fmt: skip
        ratios[size] = known[WORSE, size].simulated_seconds / known[BETTER, size].simulated_seconds
    factors = [
        row.simulated_seconds / link_seconds(sides[row.shape], row.message_bytes)
        for row in known.values()
    ]
    by_links = link_seconds(sides[WORSE], 1) / link_seconds(sides[BETTER], 1)
    met = all(ratio > 1 for ratio in ratios.values())
    told = ", ".join(f"{ratio:.2f} at {format_bytes(size)}" for size, ratio in ratios.items())
    heads = columns(
        "#bytes of a message", "=shape", "#simulated", "#busiest link, computed",
        "#simulated/computed",
    )  # fmt: skip
    return Item(
        "384 nodes by SimGrid",
        "Alltoall on both shapes of 384 nodes",
        "simulated",
        f"{BETTER} before {WORSE}: {'met' if met else 'not met'} at every size; {WORSE} takes "
        f"{told} times as long, SIMULATED on links of the K computer (platform not validated); by "
        f"its busiest link, computed by SimGrid's routes, {by_links:.2f}. Those send all one way "
        "round where both ways are as short; above both are shared, which makes it 2. Simulated "
        f"times are {min(factors):.2f} to {max(factors):.2f} times what the busiest link needs; "
        "why was not looked into. Messages of any size are sent the same way: "
        "no switch at 32 or 64 KiB can appear",
        (Table("SIMULATED and computed times of an all-to-all", heads, tuple(rows),
               measured=False),),
        "./isobath simulate --plan simple --grid 1x384 --scale 24 --exchange alltoallv --platform "
        "k-computer",
        fails=not met
        or min(factors) < 1 - 1e-6
        or abs(ratios[sizes[-1]] / by_links - 1) > AGREES,
    )  # fmt: skip
