# SPDX-License-Identifier: Apache-2.0
"""Edges from isobath-edges, a block at a time."""

import contextlib
from collections.abc import Iterator

from isobath.interchange.blocks import EdgeBlock, read_blocks
from isobath.launch.edge_program import edge_output


@contextlib.contextmanager
def edge_blocks(
    parameters: list[str], *, weighted: bool, mpi: str | None
) -> Iterator[Iterator[EdgeBlock]]:
    """Blocks of all edges; weights come from a second process, so that nothing is kept."""
    with contextlib.ExitStack() as stack:
        edges = stack.enter_context(edge_output([*parameters, "--output", "-"], mpi=mpi))
        weights = None
        if weighted:
            weights = stack.enter_context(edge_output([*parameters, "--weights", "-"], mpi=mpi))
        yield read_blocks(edges, weights)
