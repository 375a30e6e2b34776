# SPDX-License-Identifier: Apache-2.0
"""Edges as they come out of a stream, a block at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from isobath.errors import InternalError

Vertices: TypeAlias = NDArray[np.int64]
Weights: TypeAlias = NDArray[np.float32]

BLOCK_EDGES = 1 << 18


@dataclass(frozen=True)
class EdgeBlock:
    """Some consecutive edges; arrays of shape (n,)."""

    u: Vertices
    v: Vertices
    weight: Weights | None = None


def read_blocks(
    edges: IO[bytes], weights: IO[bytes] | None = None, *, block_edges: int = BLOCK_EDGES
) -> Iterator[EdgeBlock]:
    """Blocks of a stream of little-endian int64 pairs, with float32 weights beside it if given.

    Raises: InternalError when a stream ends inside an edge, or the two differ in length.
    """
    while True:
        raw = edges.read(16 * block_edges)
        if len(raw) % 16:
            raise InternalError("the stream of edges ended inside an edge")
        pairs = np.frombuffer(raw, dtype="<i8").reshape(-1, 2)
        weight = None
        if weights is not None:
            content = weights.read(4 * max(len(pairs), 1))
            weight = np.frombuffer(content, dtype="<f4")
            if len(weight) != len(pairs):
                raise InternalError("there are not as many weights as edges")
        if not len(pairs):
            return
        yield EdgeBlock(
            np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]), weight
        )
