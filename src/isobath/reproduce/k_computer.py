# SPDX-License-Identifier: Apache-2.0
"""The K computer report: node shapes by the busiest link, closed forms beside brute force."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from isobath.costmodel.torus import Torus
from isobath.reproduce.k_simulated import simulated_shapes
from isobath.reproduce.source import Item, Source
from isobath.view.content import Table, columns

SHAPES: Mapping[int, Mapping[str, tuple[int, int, int]]] = {
    384: {"1D": (2, 2, 8), "3D": (4, 2, 4)},
    3072: {"1D": (2, 8, 16), "2D": (8, 4, 8), "3D": (8, 2, 16), "3Db": (8, 4, 8)},
    18432: {"1D": (12, 16, 8), "3D": (24, 4, 16), "3Db": (12, 8, 16)},
}
"""x, y, z as the report states; each unit has 2 x 3 x 2 nodes"""

STATED = {
    384: (("3D", "1D"),),
    3072: (("3Db", "3D"), ("2D", "3D")),
    18432: (("1D", "3D"), ("3Db", "3D")),
}
"""what its text calls better, then worse"""

ALIKE = {384: (), 3072: (("2D", "3Db"),), 18432: (("3Db", "1D"),)}
"""what its text puts at one level"""

SAME = 0.01
"""share by which busiest links at one level may differ"""

MOST_ROUTED = 3072
"""nodes to which every pair is routed"""


@lru_cache(maxsize=32)
def routed(shape: tuple[int, int, int]) -> float:
    """Messages over the busiest link, every pair laid on its links."""
    torus = torus_of(shape)
    return float(torus.loads_between(np.ones((torus.nodes, torus.nodes))).max())


UNIT = (2, 3, 2)
"""sides of a unit of Tofu, after x, y, z"""


def torus_of(shape: tuple[int, int, int]) -> Torus:
    """Tofu: six dimensions, the last three of a unit."""
    return Torus((*shape, *UNIT))


def rankings_met(nodes: int) -> bool:
    """Whether the busiest links order the shapes as the text does."""
    loads = {name: torus_of(xyz).busiest_of_all_to_all() for name, xyz in SHAPES[nodes].items()}
    return all(
        loads[better] < loads[worse] * (1 - SAME) for better, worse in STATED[nodes]
    ) and all(abs(loads[one] / loads[other] - 1) <= SAME for one, other in ALIKE[nodes])


def k_computer() -> Source:
    """What is left of it."""
    switches = (
        "which algorithm Fujitsu's library takes is not in any closed form; the switches at 32 "
        "and 64 KiB cannot appear"
    )
    here = (
        "./isobath bench collectives --collectives {} --sizes 1:1G && ./isobath show last --view "
        "throughput"
    )
    return Source(
        "k",
        "K computer: collectives by the Intel MPI Benchmarks, IPSJ HPC-153 No. 34, 2016",
        "sections 3.3.1(4) to 5; set-up and figures 1 to 7 are missing",
        (
            *(_shapes(nodes) for nodes in SHAPES),
            simulated_shapes({name: (*xyz, *UNIT) for name, xyz in SHAPES[384].items()}),
            Item(
                "figure 8",
                "Allgather, throughput by size",
                "in shape only",
                "throughput by its definition (size x nodes / time); switches of algorithm are "
                "detected in what is measured; its own algorithm is not here",
                (),
                here.format("allgather"),
            ),
            Item(
                "figure 9",
                "Gather, one algorithm for all shapes",
                "in shape only",
                "as figure 8",
                (),
                here.format("gather"),
            ),
            Item(
                "figure 10",
                "Scatter falls sharply above 256 B",
                "in shape only",
                "traps like this are named where they are measured",
                (),
                here.format("scatter"),
            ),
            Item(
                "figure 11",
                "Alltoall by shape, two algorithms",
                "computed",
                f"rankings as above. {switches}",
                (),
                here.format("alltoall"),
            ),
            Item(
                "reference data for users",
                "results of 16 collectives, again after each update",
                "reproduced here",
                "all 16 of MPI-2.1 and more; baselines and a guard",
                (),
                "./isobath baseline set NAME && ./isobath regress NAME",
            ),
        ),
    )


def _shapes(nodes: int) -> Item:
    rows = []
    alike = True
    for name, shape in SHAPES[nodes].items():
        torus = torus_of(shape)
        closed = torus.busiest_of_all_to_all()
        counted = routed(shape) if nodes <= MOST_ROUTED else None
        alike = alike and (counted is None or abs(counted - closed) < 1e-6 * closed)
        rows.append(
            (
                name,
                "x".join(map(str, shape)),
                f"{closed:,.0f}",
                f"{counted:,.0f}" if counted is not None else "not routed",
                f"{(nodes - 1) / closed:.3g}",
            )
        )
    met = rankings_met(nodes)
    told = [f"{better} before {worse}" for better, worse in STATED[nodes]]
    pairs = ", ".join([*told, *(f"{one} as {other}" for one, other in ALIKE[nodes])])
    heads = columns(
        "=shape",
        "=x, y, z",
        "#messages on the busiest link",
        "#by routing every pair",
        "#a node's rate, in links",
    )
    how = f"{pairs}: {'met' if met else 'not met'}; every ranking of the text for {nodes:,} nodes"
    how += "; closed form and brute force are equal" if nodes <= MOST_ROUTED and alike else ""
    how += ". All axes are taken for rings, so a mesh would be up to twice as bad"
    return Item(
        f"shapes of {nodes:,} nodes",
        "which node shape is better for Alltoall",
        "computed",
        how,
        (Table(f"Computed, {nodes:,} nodes", heads, tuple(rows), measured=False),),
        fails=not (met and alike),
    )
