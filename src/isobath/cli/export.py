# SPDX-License-Identifier: Apache-2.0
"""isobath export: edges and weights in files, so that anybody can check the graph."""

import contextlib
import enum
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from isobath.cli import completion
from isobath.cli.edge_program import interruptible, run_edge_program
from isobath.cli.export_progress import ExportProgress
from isobath.cli.export_space import (
    matrix_market_bytes,
    parquet_bytes,
    raw_bytes,
    require_space,
    weight_bytes,
)
from isobath.errors import EnvironmentProblem, UsageError
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.units import Bytes


class Format(enum.StrEnum):
    """How edges are written."""

    RAW = "raw"
    MTX = "mtx"
    PARQUET = "parquet"


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
    edges = edgefactor << scale
    parameters = ["--scale", str(scale), "--edgefactor", str(edgefactor)]
    if file is None:
        if not weights or format_ or weighted:
            raise UsageError(
                "there is no file for the edges; name one, or write the weights alone with "
                "--scale and --weights FILE"
            )
        chosen = Format.RAW
    else:
        chosen = format_ or _format_of(file)
        _require_places(file, chosen, weights, weighted=weighted)
    require_space(_sizes(file, chosen, weights, scale, edges, weighted=weighted))
    try:
        with interruptible():
            if file is None or chosen is Format.RAW:
                return _write_raw(file, weights, parameters, edges, mpi)
            if weights:
                code = _write_raw(None, weights, parameters, edges, mpi)
                if code:
                    return code
            _write_table(file, chosen, parameters, scale, edges, weighted=weighted, mpi=mpi)
            return 0
    except KeyboardInterrupt:
        raise EnvironmentProblem(f"interrupted; {file or weights} was not written") from None


def _require_places(file: str, chosen: Format, weights: str | None, *, weighted: bool) -> None:
    """Raises: UsageError where edges or weights cannot go where they shall."""
    if weights == "-" and file == "-":
        raise UsageError("edges and weights cannot both go to standard output; name a file for one")
    if weights and weights != "-" and os.path.realpath(weights) == os.path.realpath(file):
        raise UsageError(f"edges and weights cannot both go to {file}; name a file for each")
    if chosen is Format.RAW and weighted:
        raise UsageError("raw edges hold no weights; write them apart with --weights FILE")
    if chosen is Format.PARQUET and file == "-":
        raise UsageError("Parquet cannot be streamed to standard output; name a file")


def _sizes(
    file: str | None, chosen: Format, weights: str | None, scale: int, edges: int, *, weighted: bool
) -> dict[str, Bytes]:
    sizes = {}
    if file:
        sizes[file] = {
            Format.RAW: raw_bytes(edges),
            Format.MTX: matrix_market_bytes(scale, edges, weighted=weighted),
            Format.PARQUET: parquet_bytes(scale, edges, weighted=weighted),
        }[chosen]
    if weights:
        sizes[weights] = weight_bytes(edges)
    return sizes


def _write_raw(
    file: str | None, weights: str | None, parameters: list[str], edges: int, mpi: str | None
) -> int:
    """By isobath-edges itself; returns its exit code."""
    arguments, files, total = list(parameters), [], 0
    if file:
        arguments += ["--output", file]
        files.append(file)
        total += raw_bytes(edges)
    if weights:
        arguments += ["--weights", weights]
        files.append(weights)
        total += weight_bytes(edges)
    with ExportProgress(total) as progress:
        return run_edge_program(arguments, mpi=mpi, files=tuple(files), progress=progress)


def _write_table(
    file: str,
    chosen: Format,
    parameters: list[str],
    scale: int,
    edges: int,
    *,
    weighted: bool,
    mpi: str | None,
) -> None:
    from isobath.cli.edge_blocks import edge_blocks
    from isobath.interchange import matrix_market, parquet

    with (
        ExportProgress(raw_bytes(edges)) as progress,
        edge_blocks(parameters, weighted=weighted, mpi=mpi) as blocks,
    ):
        counted = progress.counted(blocks)
        with _file_named(file):
            if chosen is Format.MTX:
                vertices = 1 << scale
                matrix_market.write(
                    file, counted, vertices=vertices, edges=edges, weighted=weighted
                )
            else:
                parquet.write(Path(file), counted, weighted=weighted)


@contextlib.contextmanager
def _file_named(file: str) -> Iterator[None]:
    """Raises: EnvironmentProblem that names the file asked for, not the one written on the way."""
    try:
        yield
    except OSError as error:
        if file == "-":
            raise  # what standard output says is told elsewhere
        raise EnvironmentProblem(
            f"cannot write {file} ({error.strerror or error}); name another file"
        ) from error


def _format_of(file: str) -> Format:
    suffix = Path(file).suffix.lower()
    return {".mtx": Format.MTX, ".parquet": Format.PARQUET}.get(suffix, Format.RAW)
