# SPDX-License-Identifier: Apache-2.0
"""What searches found, as arrays: parents, levels, distances, and the ids of vertices."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vertices: TypeAlias = NDArray[np.int64]
Levels: TypeAlias = NDArray[np.int32]
Distances: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True)
class Answers:
    """Of all searches of a launch: those of bfs, then those of sssp, from the same roots."""

    roots: tuple[int, ...]
    """as the file numbers them; with two kernels each of them twice"""
    vertices: Vertices | None
    """shape (n,): ids of a compact numbering, ascending; None where vertex i is number i"""
    numbers: NDArray[np.int64]
    """shape (searches, n): parents as the engine numbers them, -1 where not reached"""
    lengths: Distances = field(default_factory=lambda: np.empty((0, 0), "<f4"))
    """shape (searches of sssp, n): distances, infinity where not reached"""

    @classmethod
    def read(cls, roots: tuple[int, ...], parents: Path, ids: Path, distances: Path) -> "Answers":
        """Of the files that isobath-search wrote; some may not be there."""
        vertices = np.fromfile(ids, dtype="<i8") if ids.exists() else None
        numbers = np.fromfile(parents, dtype="<i8") if parents.exists() else np.empty(0, "<i8")
        numbers = numbers.reshape(len(roots), -1 if len(roots) else 0)
        lengths = np.fromfile(distances, dtype="<f4") if distances.exists() else np.empty(0, "<f4")
        return cls(roots, vertices, numbers, lengths.reshape(-1, max(1, numbers.shape[1])))

    def searches(self, kind: str) -> range:
        """Those that have parents, levels or distances."""
        first_of_sssp = len(self.roots) - len(self.lengths)
        if kind == "levels":
            return range(first_of_sssp)
        return range(first_of_sssp if kind == "distances" else 0, len(self.roots))

    def parents(self, search: int) -> Vertices:
        """Shape (n,): ids of parents, -1 where not reached."""
        numbers: Vertices = self.numbers[search]
        if self.vertices is None:
            return numbers
        return np.where(numbers >= 0, self.vertices[numbers], -1)

    def levels(self, search: int) -> Levels:
        """Shape (n,): levels, -1 where not reached."""
        return levels_of(self.numbers[search])

    def distances(self, search: int) -> Distances:
        """Shape (n,): distances of a search for shortest paths, infinity where not reached."""
        lengths: Distances = self.lengths[search - (len(self.roots) - len(self.lengths))]
        return lengths


def levels_of(parents: Vertices) -> Levels:
    """Levels of a tree of parents, which are positions; -1 where not reached.

    Every vertex jumps to its ancestor's ancestor until all are at the root: as many steps as the
    depth has bits.
    """
    reached = np.flatnonzero(parents >= 0)
    ancestor = parents.copy()
    levels = np.full(len(parents), -1, dtype=np.int32)
    levels[reached] = parents[reached] != reached
    while True:
        jumps = levels[ancestor[reached]]
        if not jumps.any():
            return levels
        levels[reached] += jumps
        ancestor[reached] = ancestor[ancestor[reached]]
