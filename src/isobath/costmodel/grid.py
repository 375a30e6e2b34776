# SPDX-License-Identifier: Apache-2.0
"""Ranks in a rectangle, and the blocks of vertices they own (ADR 0005)."""

import re
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np

from isobath.errors import UsageError
from isobath.stats.estimates import IntArray

WORD_BYTES = 8
WORD_BITS = 64
LONGEST_WORDS = 40
"""of what a person types, as it is repeated"""

PIECE_BITS = 512
"""Pieces of bitmaps are padded to whole cache lines (engine/base/bitmap.hpp)."""


@dataclass(frozen=True)
class Grid:
    """R x C ranks; rank = column * R + row, so that block b belongs to rank b."""

    rows: int
    """R, size of a grid column's communicator: expand"""
    cols: int
    """C, size of a grid row's communicator: fold and rotate"""

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1:
            raise UsageError(f"{self.rows}x{self.cols} is no grid; both sides must be at least 1")

    @classmethod
    def typed(cls, words: str) -> "Grid":
        """As a person types it after --grid. Raises: UsageError for what is no grid.

        >>> Grid.typed("16x32")
        Grid(rows=16, cols=32)
        """
        sides = re.fullmatch(r"([0-9]{1,9})x([0-9]{1,9})", words.lower())
        if sides is None or not (int(sides[1]) and int(sides[2])):
            told = words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS]}..."
            raise UsageError(f"--grid {told} is no grid; write rows x columns, for example 16x32")
        return cls(int(sides[1]), int(sides[2]))

    @property
    def size(self) -> int:
        """Number of ranks P."""
        return self.rows * self.cols

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}"

    @classmethod
    def squarest(cls, ranks: int) -> "Grid":
        """The rectangle closest to a square, rows at most columns: 6 -> 2x3, 512 -> 16x32."""
        rows = next(d for d in range(isqrt(ranks), 0, -1) if ranks % d == 0)
        return cls(rows, ranks // rows)


@dataclass(frozen=True)
class Blocks:
    """The vertices of every rank: all of its block, or those that are searched (relabelled)."""

    grid: Grid
    sizes: IntArray
    """vertices of each block, shape (P,)"""

    def __post_init__(self) -> None:
        if self.sizes.shape != (self.grid.size,):
            raise UsageError(f"{len(self.sizes)} blocks do not fit the grid {self.grid}")

    @classmethod
    def even(cls, num_vertices: int, grid: Grid) -> "Blocks":
        """Blocks of n vertices: the first n mod P hold one vertex more."""
        base, larger = divmod(num_vertices, grid.size)
        sizes = np.full(grid.size, base, dtype=np.int64)
        sizes[:larger] += 1
        return cls(grid, sizes)

    @cached_property
    def vertices(self) -> int:
        """Of all ranks."""
        return int(self.sizes.sum())

    @cached_property
    def vertices_per_rank(self) -> float:
        """The mean."""
        return float(self.sizes.mean())

    @cached_property
    def piece_bytes(self) -> IntArray:
        """Bytes of each rank's piece of a bitmap, 8 * W_b, padding included; shape (P,)."""
        return -(-self.sizes // PIECE_BITS) * (PIECE_BITS // 8)

    @cached_property
    def summary_bytes(self) -> IntArray:
        """Bytes of the summary of each piece: a bit per word, in whole words; shape (P,)."""
        words = self.piece_bytes // WORD_BYTES
        return -(-words // WORD_BITS) * WORD_BYTES

    def of_column(self, values: IntArray) -> IntArray:
        """For each rank the sum of ``values``, shape (P,), over the ranks of its grid column."""
        sums = values.reshape(self.grid.cols, self.grid.rows).sum(axis=1)
        return np.repeat(sums, self.grid.rows)

    def of_row(self, values: IntArray) -> IntArray:
        """For each rank the sum of ``values``, shape (P,), over the ranks of its grid row."""
        sums = values.reshape(self.grid.cols, self.grid.rows).sum(axis=0)
        return np.tile(sums, self.grid.cols)
