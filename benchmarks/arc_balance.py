#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How evenly a grid of ranks shares the arcs of a Graph500 graph: largest over mean of a rank.

Usage, after ``./isobath setup`` (scale 20 takes about 3 GB and half a minute):

    .venv/bin/python benchmarks/arc_balance.py --scale 20 --grids 8x8 16x16

An arc is stored in the grid column of its source and the grid row of its target; counted are those
that hybrid stores: distinct, of vertices with two neighbours or more. Bytes of a search by rank are
counted by ``isobath-audit``.
"""

from __future__ import annotations

import argparse

import numpy as np
from hub_coverage import edges_of

Vertices = np.ndarray[tuple[int], np.dtype[np.int64]]


def stored_arcs(sources: Vertices, targets: Vertices) -> tuple[Vertices, Vertices]:
    """Both directions of every distinct edge between searched vertices.

    >>> s, t = stored_arcs(np.array([0, 1, 1, 2, 3, 3]), np.array([1, 0, 2, 0, 0, 3]))
    >>> sorted(zip(s.tolist(), t.tolist()))  # 3 is a leaf
    [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    """
    n = int(max(sources.max(), targets.max())) + 1
    loops = sources == targets
    low = np.minimum(sources, targets)[~loops]
    high = np.maximum(sources, targets)[~loops]
    edges = np.unique(low * n + high)
    low, high = edges // n, edges % n
    neighbours = np.bincount(low, minlength=n) + np.bincount(high, minlength=n)
    kept = (neighbours[low] > 1) & (neighbours[high] > 1)
    low, high = low[kept], high[kept]
    return np.concatenate([low, high]), np.concatenate([high, low])


def block_of(vertices: Vertices, num_vertices: int, blocks: int) -> Vertices:
    """Of consecutive blocks, the first of which hold one vertex more.

    >>> block_of(np.arange(10), 10, 4).tolist()
    [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
    """
    size, larger = divmod(num_vertices, blocks)
    starts = np.arange(blocks) * size + np.minimum(np.arange(blocks), larger)
    return np.searchsorted(starts, vertices, side="right") - 1


def arcs_of_ranks(
    sources: Vertices, targets: Vertices, num_vertices: int, rows: int, cols: int
) -> Vertices:
    """Arcs that each rank stores; ranks are numbered along grid columns.

    >>> arcs_of_ranks(np.array([0, 3, 1]), np.array([3, 0, 2]), 4, 2, 2).tolist()
    [1, 1, 1, 0]
    """
    grid_row = block_of(targets, num_vertices, rows * cols) % rows
    grid_col = block_of(sources, num_vertices, rows * cols) // rows
    return np.bincount(grid_col * rows + grid_row, minlength=rows * cols)


def main() -> None:
    """Prints a line for each grid."""
    parser = argparse.ArgumentParser(description="Arcs of a rank, largest over mean.")
    parser.add_argument("--scale", type=int, required=True)
    parser.add_argument("--grids", nargs="+", default=["8x8", "16x16"])
    asked = parser.parse_args()
    ends = edges_of(asked.scale)
    sources, targets = stored_arcs(ends[:, 0], ends[:, 1])
    print(f"scale {asked.scale}, {len(sources)} arcs")
    for grid in asked.grids:
        rows, cols = (int(part) for part in grid.split("x"))
        arcs = arcs_of_ranks(sources, targets, 1 << asked.scale, rows, cols)
        print(f"{grid:<8} mean {arcs.mean():.0f}, largest {arcs.max() / arcs.mean():.2f} of it")


if __name__ == "__main__":
    main()
