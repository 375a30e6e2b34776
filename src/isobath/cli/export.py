# SPDX-License-Identifier: Apache-2.0
"""isobath export: the generated edges in a file, so that anybody can check the graph."""

import enum
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli.edge_program import run_edge_program
from isobath.errors import UsageError


class Format(enum.StrEnum):
    """How edges are written."""

    RAW = "raw"
    MTX = "mtx"
    PARQUET = "parquet"


File = Annotated[str, typer.Argument(metavar="FILE", help="Where to write; - is standard output.")]
Scale = Annotated[int, typer.Option(min=1, max=43, help="log2 of the number of vertices.")]
EdgeFactor = Annotated[int, typer.Option(min=1, help="Edges per vertex.")]
FormatOption = Annotated[
    Format | None, typer.Option("--format", help="Default: by the name of FILE, else raw.")
]
Weights = Annotated[
    str | None, typer.Option(metavar="FILE", help="Write the float32 weights there.")
]
Weighted = Annotated[
    bool, typer.Option("--weighted", help="Put weights beside the edges (mtx, parquet).")
]
Mpi = Annotated[str | None, typer.Option(help="The MPI whose build is used.")]


def export(
    file: File,
    *,
    scale: Scale,
    edgefactor: EdgeFactor = 16,
    format_: FormatOption = None,
    weights: Weights = None,
    weighted: Weighted = False,
    mpi: Mpi = None,
) -> int:
    """Write the edges of a scale in index order, duplicates and self-loops included.

    raw: little-endian int64 pairs. mtx: Matrix Market, vertices from 1. parquet: columns u, v and
    weight. Raw edges can be checked with sha256sum.
    """
    chosen = format_ or _format_of(file)
    parameters = ["--scale", str(scale), "--edgefactor", str(edgefactor)]
    if weights == "-" and file == "-":
        raise UsageError("edges and weights cannot both go to standard output; name a file for one")
    if chosen is Format.RAW:
        if weighted:
            raise UsageError("raw edges hold no weights; write them apart with --weights FILE")
        arguments = [*parameters, "--output", file]
        if weights:
            arguments += ["--weights", weights]
        return run_edge_program(arguments, mpi=mpi)
    if weights:
        code = run_edge_program([*parameters, "--weights", weights], mpi=mpi)
        if code:
            return code
    from isobath.cli.edge_blocks import edge_blocks
    from isobath.interchange import matrix_market, parquet

    vertices, edges = 1 << scale, edgefactor << scale
    with edge_blocks(parameters, weighted=weighted, mpi=mpi) as blocks:
        if chosen is Format.MTX:
            matrix_market.write(file, blocks, vertices=vertices, edges=edges, weighted=weighted)
        else:
            if file == "-":
                raise UsageError("Parquet cannot be streamed to standard output; name a file")
            parquet.write(Path(file), blocks, weighted=weighted)
    return 0


def _format_of(file: str) -> Format:
    suffix = Path(file).suffix.lower()
    return {".mtx": Format.MTX, ".parquet": Format.PARQUET}.get(suffix, Format.RAW)
