#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes graphs without the luck of the Graph500 graph: no hubs, or a high diameter, or both.

Usage, with the environment of the checkout:

    .venv/bin/python benchmarks/other_graphs.py road road.sg                 2^20 vertices
    .venv/bin/python benchmarks/other_graphs.py grid grid.mtx --scale 16
    .venv/bin/python benchmarks/other_graphs.py uniform uniform.el --edgefactor 8 --seed 7

- ``grid``: all cells of a rectangle, each joined to its four neighbours. Degree 4; 2^(S/2) levels
  from the middle, twice as many from a corner.
- ``road``: the same with 36 % of its edges taken out at random, and a few bypasses that join cells
  16 to 64 columns apart; its largest component. Degree about 2.6; more than 2^(S/2) levels, as the
  roads of a country have.
- ``uniform``: edgefactor * 2^S edges between vertices drawn at random. No hub, few levels.

Vertices are numbered row by row, as files of roads have neighbours near each other in memory: a
code that numbers vertices anew gives that up and has to be worth it. ``--permute`` numbers them at
random instead. Self-loops and duplicates are left out, every edge is listed once (in a .sg twice,
as GAPBS wants it). The same options give the same graph. The ending says the format: .el, .mtx or
.sg.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

Ids = NDArray[np.int64]

ROAD_KEEPS = 0.64
"""Of the edges of a grid: above one half, where its one large component falls apart."""
BYPASS_EACH = 4096
"""Vertices for one bypass."""
BYPASS_COLUMNS = (16, 64)


@dataclass(frozen=True)
class Graph:
    """An undirected graph, each edge listed once with u < v, sorted."""

    num_vertices: int
    u: Ids
    v: Ids

    @classmethod
    def of(cls, num_vertices: int, u: Ids, v: Ids) -> Graph:
        """Without self-loops and duplicates."""
        keys = np.minimum(u, v) * num_vertices + np.maximum(u, v)
        keys = np.unique(keys[u != v])
        return cls(num_vertices, keys // num_vertices, keys % num_vertices)

    def permuted(self, random: np.random.Generator) -> Graph:
        """The same graph, its vertices numbered at random."""
        number = random.permutation(self.num_vertices)
        return Graph.of(self.num_vertices, number[self.u], number[self.v])


def grid(scale: int) -> Graph:
    """All cells of a rectangle of 2^scale, as square as that can be."""
    rows, columns = 1 << scale // 2, 1 << scale - scale // 2
    cell = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    u = np.concatenate([cell[:, :-1].ravel(), cell[:-1].ravel()])
    v = np.concatenate([cell[:, 1:].ravel(), cell[1:].ravel()])
    return Graph.of(rows * columns, u, v)


def road(scale: int, random: np.random.Generator) -> Graph:
    """A grid with gaps and a few bypasses: its largest component, numbered row by row."""
    whole = grid(scale)
    kept = random.random(len(whole.u)) < ROAD_KEEPS
    columns = 1 << scale - scale // 2
    start = random.integers(0, whole.num_vertices, whole.num_vertices // BYPASS_EACH)
    end = start + random.integers(*BYPASS_COLUMNS, len(start), endpoint=True)
    in_row = start // columns == end // columns
    u = np.concatenate([whole.u[kept], start[in_row]])
    v = np.concatenate([whole.v[kept], end[in_row]])
    return largest_component(Graph.of(whole.num_vertices, u, v))


def uniform(scale: int, edgefactor: int, random: np.random.Generator) -> Graph:
    """Both ends of every edge drawn at random."""
    vertices = 1 << scale
    u = random.integers(0, vertices, edgefactor * vertices)
    v = random.integers(0, vertices, edgefactor * vertices)
    return Graph.of(vertices, u, v)


def largest_component(graph: Graph) -> Graph:
    """That alone, in its order, without gaps in the numbering."""
    shape = (graph.num_vertices, graph.num_vertices)
    ones = np.ones(len(graph.u), dtype=np.int8)
    _, component = connected_components(
        scipy.sparse.coo_matrix((ones, (graph.u, graph.v)), shape), directed=False
    )
    inside = component == np.bincount(component).argmax()
    number = np.cumsum(inside) - 1
    kept = inside[graph.u]
    return Graph.of(int(inside.sum()), number[graph.u[kept]], number[graph.v[kept]])


def make(
    kind: str, scale: int, *, edgefactor: int = 16, seed: int = 1, permute: bool = False
) -> Graph:
    """A graph of one of KINDS."""
    random = np.random.default_rng(seed)
    makers: dict[str, Callable[[], Graph]] = {
        "grid": lambda: grid(scale),
        "road": lambda: road(scale, random),
        "uniform": lambda: uniform(scale, edgefactor, random),
    }
    graph = makers[kind]()
    return graph.permuted(random) if permute else graph


KINDS = ("grid", "road", "uniform")


def write_el(graph: Graph, path: Path) -> None:
    """Two vertices a line."""
    np.savetxt(path, np.column_stack([graph.u, graph.v]), fmt="%d")


def write_mtx(graph: Graph, path: Path) -> None:
    """Matrix Market, whose lower triangle is listed and counts from 1."""
    with path.open("w", encoding="ascii") as out:
        out.write("%%MatrixMarket matrix coordinate pattern symmetric\n")
        out.write(f"{graph.num_vertices} {graph.num_vertices} {len(graph.u)}\n")
        np.savetxt(out, np.column_stack([graph.v + 1, graph.u + 1]), fmt="%d")


def write_sg(graph: Graph, path: Path) -> None:
    """GAPBS: rows of all vertices, every edge in both."""
    arcs = np.concatenate(
        [
            graph.u * graph.num_vertices + graph.v,
            graph.v * graph.num_vertices + graph.u,
        ]
    )
    arcs.sort()
    begins = np.searchsorted(arcs, np.arange(graph.num_vertices + 1) * graph.num_vertices)
    with path.open("wb") as out:
        out.write(b"\0")  # not directed
        np.array([len(arcs), graph.num_vertices], dtype="<i8").tofile(out)
        begins.astype("<i8").tofile(out)
        (arcs % graph.num_vertices).astype("<i4").tofile(out)


WRITERS = {".el": write_el, ".mtx": write_mtx, ".sg": write_sg}


def write(graph: Graph, path: Path) -> None:
    """In the format of the ending. Raises: SystemExit for another."""
    if path.suffix not in WRITERS:
        raise SystemExit(f"{path}: the ending says the format; choose {', '.join(WRITERS)}")
    WRITERS[path.suffix](graph, path)


def main() -> int:
    """Writes one graph and says what it is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("file", type=Path)
    parser.add_argument("--scale", type=int, default=20, help="log2 of the vertices")
    parser.add_argument("--edgefactor", type=int, default=16, help="of uniform")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--permute", action="store_true", help="number vertices at random")
    wanted = parser.parse_args()
    if not 1 <= wanted.scale <= 30:
        parser.error("--scale lies between 1 and 30")
    graph = make(
        wanted.kind,
        wanted.scale,
        edgefactor=wanted.edgefactor,
        seed=wanted.seed,
        permute=wanted.permute,
    )
    write(graph, wanted.file)
    degree = 2 * len(graph.u) / graph.num_vertices
    print(
        f"{wanted.file}: {graph.num_vertices} vertices, {len(graph.u)} edges, degree {degree:.2f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
