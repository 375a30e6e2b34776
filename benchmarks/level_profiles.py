#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures which share of vertices and arcs each level of a search has, for the cost model.

Usage, from the root of a checkout that was set up:

    .venv/bin/python benchmarks/level_profiles.py > src/isobath/costmodel/level_profiles.toml

Edges and keys are those of the benchmark (``isobath export``, ``isobath keys``); the search is a
plain one over compressed rows in numpy. Nothing is timed, so the machine may be busy. Scale 20
needs 3 GB and some minutes.

Means and deviations are over all keys. Levels of single searches are kept, too, of every second
key from the ninth on: predictions are held against runs of the first keys (held_out.py), which
they must not know.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KEPT = slice(8, None, 2)
"""keys whose levels are kept"""

ROOT = Path(__file__).resolve().parent.parent
Integers = NDArray[np.int64]
Shares = int | float | list[float] | list[list[float]]


@dataclass(frozen=True)
class Rows:
    """Neighbours of every vertex, duplicates and self-loops dropped; degrees count duplicates."""

    start: Integers
    neighbour: Integers
    degree: Integers
    """end points, duplicates counted, self-loops not"""


def isobath(*words: str) -> str:
    """Standard output of the command. Raises: CalledProcessError."""
    done = subprocess.run(
        [str(ROOT / "isobath"), *words], check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def rows_of(edges: Integers, num_vertices: int) -> Rows:
    """Args: edges of shape (m, 2)."""
    kept = edges[edges[:, 0] != edges[:, 1]]
    degree = np.bincount(kept.ravel(), minlength=num_vertices)
    arcs = np.concatenate(
        [kept[:, 0] * num_vertices + kept[:, 1], kept[:, 1] * num_vertices + kept[:, 0]]
    )
    arcs = np.unique(arcs)
    start = np.searchsorted(arcs, np.arange(num_vertices + 1) * num_vertices)
    return Rows(start, arcs % num_vertices, degree)


def levels_of(rows: Rows, root: int) -> list[Integers]:
    """The vertices of each level."""
    visited = np.zeros(len(rows.degree), dtype=bool)
    visited[root] = True
    frontier = np.array([root], dtype=np.int64)
    found = []
    while len(frontier):
        found.append(frontier)
        first, lengths = rows.start[frontier], np.diff(rows.start)[frontier]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(first - ends + lengths, lengths)
        targets = rows.neighbour[places]
        targets = np.unique(targets[~visited[targets]])
        visited[targets] = True
        frontier = targets
    return found


def profile(rows: Rows, roots: list[int]) -> dict[str, Shares]:
    """Shares per level over roots: of vertices with a neighbour, of arcs, of distinct arcs."""
    connected = int(np.count_nonzero(rows.degree))
    arcs = int(rows.degree.sum())
    searched = [levels_of(rows, root) for root in roots]
    depth = max(len(levels) for levels in searched)
    vertex = np.zeros((len(roots), depth))
    arc = np.zeros((len(roots), depth))
    distinct = np.zeros((len(roots), depth))
    lengths = np.diff(rows.start)
    for i, levels in enumerate(searched):
        for j, level in enumerate(levels):
            vertex[i, j] = len(level) / connected
            arc[i, j] = rows.degree[level].sum() / arcs
            distinct[i, j] = lengths[level].sum() / len(rows.neighbour)
    main = arc.sum(axis=1) > 0.5  # a root outside the largest component is no example
    kept = np.flatnonzero(main[KEPT]) * KEPT.step + KEPT.start
    single = {
        f"root_{name}": [shares[root, : len(searched[root])].tolist() for root in kept]
        for name, shares in (
            ("vertex_share", vertex), ("arc_share", arc), ("distinct_share", distinct),
        )
    }  # fmt: skip
    vertex, arc, distinct = vertex[main], arc[main], distinct[main]
    counts = np.count_nonzero(vertex, axis=1)
    depth = int(counts.max())
    return {
        "roots": int(main.sum()),
        "fewest_levels": int(counts.min()),
        "mean_levels": float(counts.mean()),
        "most_levels": depth,
        "vertex_share": vertex.mean(axis=0)[:depth].tolist(),
        "vertex_deviation": vertex.std(axis=0, ddof=1)[:depth].tolist(),
        "arc_share": arc.mean(axis=0)[:depth].tolist(),
        "arc_deviation": arc.std(axis=0, ddof=1)[:depth].tolist(),
        "distinct_share": distinct.mean(axis=0)[:depth].tolist(),
        "distinct_deviation": distinct.std(axis=0, ddof=1)[:depth].tolist(),
        **single,
    }


def written(value: Shares) -> str:
    """As TOML, four digits."""
    if isinstance(value, list):
        return f"[{', '.join(written(one) for one in value)}]"
    return f"{value:.4g}"


def as_toml(scale: int, found: dict[str, Shares]) -> str:
    """One table of the data file."""
    lines = ["[[profile]]", f"scale = {scale}"]
    for name, value in found.items():
        lines.append(f"{name} = {written(value)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Prints the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scales", type=int, nargs="+", default=[10, 12, 14, 16, 18, 20])
    arguments = parser.parse_args()
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Written by benchmarks/level_profiles.py: shares of vertices with a neighbour and of")
    print("# arcs (duplicates counted, and distinct) per level: mean and deviation over roots,")
    print("# and those of single roots, each in a list.")
    for scale in arguments.scales:
        text = subprocess.run(
            [str(ROOT / "isobath"), "export", "--scale", str(scale), "-"],
            check=True,
            stdout=subprocess.PIPE,
        ).stdout
        rows = rows_of(np.frombuffer(text, dtype="<i8").reshape(-1, 2), 1 << scale)
        roots = [int(key) for key in isobath("keys", "--scale", str(scale)).split()]
        print()
        print(as_toml(scale, profile(rows, roots)), end="", flush=True)
        print(f"scale {scale} done", file=sys.stderr)


if __name__ == "__main__":
    main()
