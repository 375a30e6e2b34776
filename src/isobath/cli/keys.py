# SPDX-License-Identifier: Apache-2.0
"""isobath keys: the search keys of a scale."""

from typing import Annotated

import typer

from isobath.cli.edge_program import run_edge_program

Scale = Annotated[int, typer.Option(min=1, max=43, help="log2 of the number of vertices.")]
EdgeFactor = Annotated[int, typer.Option(min=1, help="Edges per vertex.")]
Mpi = Annotated[str | None, typer.Option(help="The MPI whose build is used.")]


def keys(*, scale: Scale, edgefactor: EdgeFactor = 16, mpi: Mpi = None) -> int:
    """Print the search keys that Graph500 samples at this scale, one a line."""
    return run_edge_program(
        ["--scale", str(scale), "--edgefactor", str(edgefactor), "--keys"], mpi=mpi
    )
