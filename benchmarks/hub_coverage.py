#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many vertices their owners find by the hubs that they keep (ADR 0043).

Usage, after ``./isobath setup`` (scale 20 takes about 6 GB and a minute):

    .venv/bin/python benchmarks/hub_coverage.py --scale 18
    .venv/bin/python benchmarks/hub_coverage.py --scale 20 --ratios 8 1024 16384 --kept 1 4 8

For levels that go bottom-up (ADR 0013) and find more than a 64th of the searched vertices: the
share of what they find that has, among its first ``kept`` neighbours by degree, one that is among
the n / ``ratio`` vertices of highest degree and on the level before. Roots are drawn from the
searched vertices of the main component, the same for every column.

``--levels top-down`` counts the same for the levels that go top-down, however much they find.
Beside it stands what share of the hubs is on the frontiers of these levels, on average: a list
takes a byte or two for each of them, bits an eighth of a byte for every hub there is.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

ROOT = Path(__file__).resolve().parent.parent
ALPHA, BETA = 14, 24
WIDE = 64
"""a level finds more than n / WIDE vertices"""


def edges_of(scale: int) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """The edge list of the benchmark, shape (edges, 2)."""
    built = ROOT / "build/mpich-wheel/bin/isobath-edges"
    program = str(built) if built.exists() else shutil.which("isobath-edges")
    if program is None:
        sys.exit("isobath-edges is not built; ./isobath setup")
    told = subprocess.run(
        [program, "--scale", str(scale), "--output", "-"], check=True, capture_output=True
    ).stdout
    return np.frombuffer(told, dtype=np.int64).reshape(-1, 2)


def searched_by_degree(
    scale: int,
) -> tuple[
    csr_matrix,
    np.ndarray[tuple[int], np.dtype[np.int64]],
    np.ndarray[tuple[int], np.dtype[np.int64]],
]:
    """The searched graph, vertex 0 that of highest degree; rows ascend, so hubs come first. With
    the original number of each vertex and its end points in the edge list.
    """
    ends = edges_of(scale)
    ends = ends[ends[:, 0] != ends[:, 1]]
    n = 1 << scale
    degree = np.bincount(ends.ravel(), minlength=n)
    both = np.concatenate([ends, ends[:, ::-1]])
    graph = csr_matrix((np.ones(len(both), dtype=np.int8), (both[:, 0], both[:, 1])), shape=(n, n))
    graph.sum_duplicates()
    searched = np.flatnonzero(np.diff(graph.indptr) > 1)  # no leaves, nobody without neighbours
    searched = searched[np.argsort(-degree[searched], kind="stable")]
    kept = graph[searched][:, searched]
    kept.sort_indices()
    return kept, searched, degree[searched]


def levels_from(graph: csr_matrix, root: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Levels of a search, -1 where it does not come; shape (vertices,)."""
    level = np.full(graph.shape[0], -1, dtype=np.int32)
    level[root] = 0
    frontier = np.array([root])
    for depth in range(1, graph.shape[0]):
        starts, ends = graph.indptr[frontier], graph.indptr[frontier + 1]
        lengths = ends - starts
        at = np.repeat(starts - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        reached = np.unique(graph.indices[at + np.arange(lengths.sum())])
        frontier = reached[level[reached] < 0]
        if not len(frontier):
            break
        level[frontier] = depth
    return level


def goes_bottom_up(frontier: float, arcs: float, searched: int) -> bool:
    """The direction of a level. Args: frontier: vertices; arcs: share of all that leave it."""
    return frontier * BETA > searched or arcs * ALPHA > 1


def is_counted(frontier: float, arcs: float, found: float, searched: int) -> bool:
    """Whether a level goes bottom-up and finds much.

    Args: frontier: vertices; arcs: share of all that leave it; found: vertices that follow.
    """
    return goes_bottom_up(frontier, arcs, searched) and found * WIDE > searched


@dataclass(frozen=True)
class Coverage:
    """What owners find, by ratio and number kept, and hubs on a frontier by ratio: shares."""

    found: dict[tuple[int, int], float]
    hubs: dict[int, float]


def coverage(
    graph: csr_matrix,
    roots: list[int],
    ratios: list[int],
    kept: list[int],
    *,
    top_down: bool = False,
) -> Coverage:
    """Of all counted levels together."""
    n = graph.shape[0]
    lengths = np.diff(graph.indptr)
    first = np.full((n, max(kept)), n, dtype=np.int64)
    for k in range(max(kept)):
        has = np.flatnonzero(lengths > k)
        first[has, k] = graph.indices[graph.indptr[has] + k]
    found, by_owner = 0, dict.fromkeys(((r, k) for r in ratios for k in kept), 0)
    on_frontiers: dict[int, list[float]] = {ratio: [] for ratio in ratios}
    for root in roots:
        level = levels_from(graph, root)
        beyond = np.append(level, -2)
        for depth in range(1, level.max() + 1):
            new = np.flatnonzero(level == depth)
            before = np.flatnonzero(level == depth - 1)
            arcs = lengths[before].sum() / graph.nnz
            if top_down and goes_bottom_up(len(before), arcs, n):
                continue
            if not top_down and not is_counted(len(before), arcs, len(new), n):
                continue
            found += len(new)
            is_parent = beyond[first[new]] == depth - 1
            for ratio, most in by_owner:
                is_hub = first[new, :most] < n // ratio
                by_owner[ratio, most] += int((is_parent[:, :most] & is_hub).any(axis=1).sum())
            for ratio, shares in on_frontiers.items():
                shares.append(float((before < n // ratio).sum() / (n // ratio)))
    return Coverage(
        {key: count / found for key, count in by_owner.items()},
        {ratio: float(np.mean(shares)) for ratio, shares in on_frontiers.items()},
    )


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description="What owners find by the hubs they keep.")
    parser.add_argument("--scale", type=int, required=True)
    parser.add_argument("--ratios", type=int, nargs="+", default=[8, 64, 1024, 4096, 16384])
    parser.add_argument("--kept", type=int, nargs="+", default=[1, 4, 8])
    parser.add_argument("--roots", type=int, default=4)
    parser.add_argument("--levels", choices=("bottom-up", "top-down"), default="bottom-up")
    asked = parser.parse_args()
    graph, _, _ = searched_by_degree(asked.scale)
    main_part = np.flatnonzero(levels_from(graph, 0) >= 0)
    roots = np.random.default_rng(1).choice(main_part, asked.roots, replace=False).tolist()
    ratios = [ratio for ratio in asked.ratios if ratio <= graph.shape[0]]  # of one hub at least
    shares = coverage(graph, roots, ratios, asked.kept, top_down=asked.levels == "top-down")
    print(f"scale {asked.scale}, {graph.shape[0]} searched vertices, {asked.roots} roots")
    kept = "  ".join(f"{k} kept" for k in asked.kept)
    print(f"n/K     hubs   {kept}  hubs on the frontier")
    for ratio in ratios:
        row = "  ".join(f"{100 * shares.found[ratio, k]:5.1f}%" for k in asked.kept)
        hubs = f"{100 * shares.hubs[ratio]:.2f}%"
        print(f"{ratio:<7} {graph.shape[0] // ratio:<6} {row}  {hubs}")


if __name__ == "__main__":
    main()
