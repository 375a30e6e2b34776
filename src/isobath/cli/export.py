# SPDX-License-Identifier: Apache-2.0
"""isobath export: edges and weights in files, so that anybody can check the graph."""

from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.export_progress import ExportProgress
from isobath.errors import EnvironmentProblem
from isobath.graphs.export import EdgeExport, Format, export_edges
from isobath.launch.interrupts import interruptible
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE

File = Annotated[
    str | None,
    typer.Argument(metavar="FILE", help="Where to write edges; - is standard output."),
]
Scale = Annotated[
    int, typer.Option(metavar="N", min=1, max=LARGEST_SCALE, help="log2 of the number of vertices.")
]
EdgeFactor = Annotated[
    int, typer.Option(metavar="N", min=1, max=LARGEST_EDGEFACTOR, help="Edges for each vertex.")
]
FormatOption = Annotated[
    Format | None,
    typer.Option("--format", help="Format that the file gets; default: by its name, else raw."),
]
Weights = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Where to write float32 weights; - is standard output."),
]
Weighted = Annotated[
    bool, typer.Option("--weighted", help="Put weights beside the edges (mtx, parquet).")
]
Mpi = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        autocompletion=completion.mpi_libraries,
        help="MPI library whose build is used.",
    ),
]


def export(
    file: File = None,
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
    weight. Raw edges and weights can be checked with sha256sum. Without FILE, --weights writes the
    weights alone.
    """
    wanted = EdgeExport(scale, edgefactor, file, format_, weights, is_weighted=weighted)
    try:
        with interruptible(), ExportProgress() as progress:
            export_edges(wanted, progress.show, mpi=mpi)
    except KeyboardInterrupt:
        raise EnvironmentProblem(f"interrupted; {file or weights} was not written") from None
    return 0
