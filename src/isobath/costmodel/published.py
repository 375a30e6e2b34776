# SPDX-License-Identifier: Apache-2.0
"""What others move: the TSUBAME 2.0 paper's forms, and the volumes of RIKEN's search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from isobath.costmodel.grid import Grid
from isobath.costmodel.levels import Direction
from isobath.errors import UsageError

Step = Literal["parents", "bitmaps", "lists"]


def replicated_bytes_per_node(
    num_vertices: int, *, ranks_per_node: int = 2, levels: int = 8
) -> int:
    """Replicated bitmap, as the TSUBAME 2.0 paper counts: every rank receives n/8 bytes a level,
    its own part and padding not told apart.

    Source: K. Ueno and T. Suzumura, 2D-partitioned Graph500 on TSUBAME 2.0 (network.md T-10).

    >>> replicated_bytes_per_node(2**35) / 1e9
    68.719476736
    """
    return num_vertices // 8 * ranks_per_node * levels


def weak_scaling_bytes_per_rank(
    plan: Literal["replicated", "simple", "two-dim"],
    vertices_per_rank: int,
    ranks: int,
    *,
    levels: int = 8,
    tuple_bytes: int = 16,
    edgefactor: int = 16,
) -> float:
    """First-order bytes that a rank receives, with a fixed share of the graph per rank: replicated
    grows with the number of ranks, simple stays, two-dim grows with its root (T-07).
    """
    grid = {
        "replicated": Grid(ranks, 1),
        "simple": Grid(1, ranks),
        "two-dim": Grid.squarest(ranks),
    }[plan]
    rows, cols = grid.rows, grid.cols
    bitmap = levels * vertices_per_rank / 8 * (rows - 1)
    tuples = 2 * edgefactor * vertices_per_rank * tuple_bytes * (1 - 1 / cols)
    return bitmap + tuples


@dataclass(frozen=True)
class RikenLevel:
    """What the volumes of RIKEN's search are functions of, counted over all ranks in one level."""

    direction: Direction
    frontier_vertices: int
    """q"""
    frontier_arcs: int = 0
    """m_F, read in top-down levels"""
    source_destinations: int = 0
    """pairs (frontier source, rank that a target of it belongs to), read in top-down levels"""
    discovered_vertices: int = 0
    """d, read in bottom-up levels"""


@dataclass(frozen=True)
class StepBytes:
    """Bytes that one rank receives in one step of one level, the mean over ranks."""

    level: int
    step: Step
    received: float


def riken_volumes(
    levels: Sequence[RikenLevel], vertices: int, grid: Grid, *, own_segments: bool = False
) -> tuple[StepBytes, ...]:
    """The volumes of RIKEN's direction-optimising 2D search on a graph whose symbols were counted.

    Per rank, in their shape R' x C' (they store the transpose: our C x R):

        top-down expand      8 q / R'                        lists, C' ranks
        top-down fold        4 m_F / P + 8 pairs / P         parents, R' ranks
        bitmap of frontier   n / (8 C')                      bitmaps, R' ranks
        bottom-up search     n / (8 R')                      bitmaps, a ring of C' ranks
        parents found        8 d / P                         parents, C' ranks
        back to top-down     the less of n / (8 R') and 8 q / R', C' ranks

    The bitmap is gathered once for each bottom-up level: on the switch, or at the end of the
    bottom-up level before it.

    Args: vertices: those with a neighbour, n; grid: ours; own_segments: count what a rank sends to
        itself too, as the forms stand; else only (g - 1)/g of what a group of g ranks shares, as
        Isobath counts its own bytes. The ring is the same in both.
    Source: mpi/bfs.hpp and mpi/parameters.h of their code, as tabulated in graph500.md 3.3.
    """
    if not levels:
        raise UsageError("a search has at least one level")
    rows, cols, ranks = grid.cols, grid.rows, grid.size

    def shared(group: int) -> float:
        return 1.0 if own_segments else (group - 1) / group

    volumes: list[StepBytes] = []
    before: Direction = "top_down"
    for level, facts in enumerate(levels):
        if facts.direction == "top_down":
            listed = 8 * facts.frontier_vertices / rows
            if before == "bottom_up":
                bitmap = vertices / (8 * rows)
                step: Step = "bitmaps" if bitmap < listed else "lists"
                volumes.append(StepBytes(level, step, min(bitmap, listed) * shared(cols)))
            else:
                volumes.append(StepBytes(level, "lists", listed * shared(cols)))
            fold = (4 * facts.frontier_arcs + 8 * facts.source_destinations) / ranks
            volumes.append(StepBytes(level, "parents", fold * shared(rows)))
        else:
            gather = vertices / (8 * cols) * shared(rows)
            ring = vertices / (8 * rows) if cols > 1 else 0.0
            volumes.append(StepBytes(level, "bitmaps", ring + gather))
            parents = 8 * facts.discovered_vertices / ranks * shared(cols)
            volumes.append(StepBytes(level, "parents", parents))
        before = facts.direction
    return tuple(volumes)


def by_step(steps: Sequence[StepBytes]) -> dict[Step, float]:
    """Bytes that a rank receives in a whole search, by kind of step."""
    sums: dict[Step, float] = {"parents": 0.0, "bitmaps": 0.0, "lists": 0.0}
    for step_bytes in steps:
        sums[step_bytes.step] += step_bytes.received
    return sums
