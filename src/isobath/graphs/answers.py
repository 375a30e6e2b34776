# SPDX-License-Identifier: Apache-2.0
"""What searches found, as arrays: parents, levels, and the ids of vertices."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vertices: TypeAlias = NDArray[np.int64]
Levels: TypeAlias = NDArray[np.int32]


@dataclass(frozen=True)
class Answers:
    """Of all searches of a launch."""

    roots: tuple[int, ...]
    """as the file numbers them"""
    vertices: Vertices | None
    """shape (n,): ids of a compact numbering, ascending; None where vertex i is number i"""
    numbers: NDArray[np.int64]
    """shape (searches, n): parents as the engine numbers them, -1 where not reached"""

    @classmethod
    def read(cls, roots: tuple[int, ...], parents: Path, ids: Path) -> "Answers":
        """Of the files that isobath-search wrote."""
        vertices = np.fromfile(ids, dtype="<i8") if ids.exists() else None
        numbers = np.fromfile(parents, dtype="<i8") if parents.exists() else np.empty(0, "<i8")
        return cls(roots, vertices, numbers.reshape(len(roots), -1 if len(roots) else 0))

    def parents(self, search: int) -> Vertices:
        """Shape (n,): ids of parents, -1 where not reached."""
        numbers: Vertices = self.numbers[search]
        if self.vertices is None:
            return numbers
        return np.where(numbers >= 0, self.vertices[numbers], -1)

    def levels(self, search: int) -> Levels:
        """Shape (n,): levels, -1 where not reached."""
        return levels_of(self.numbers[search])


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
