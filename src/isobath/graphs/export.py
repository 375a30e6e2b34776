# SPDX-License-Identifier: Apache-2.0
"""Edges and weights of a scale in files, so that anybody can check the graph."""

import contextlib
import enum
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from isobath.errors import EnvironmentProblem, UsageError
from isobath.graphs.export_space import (
    matrix_market_bytes,
    parquet_bytes,
    raw_bytes,
    require_space,
    weight_bytes,
)
from isobath.launch.edge_program import edge_output, run_edge_program
from isobath.plan.graph_facts import LARGEST_EDGEFACTOR, LARGEST_SCALE
from isobath.units import Bytes

if TYPE_CHECKING:
    from isobath.interchange.blocks import EdgeBlock

Written = Callable[[Bytes, Bytes], None]
"""Is told again and again how many bytes are written, and how many there will be."""


class Format(enum.StrEnum):
    """How edges are written."""

    RAW = "raw"
    MTX = "mtx"
    PARQUET = "parquet"


@dataclass(frozen=True)
class EdgeExport:
    """What is written where; a file named - is standard output.

    Args: without file, the weights alone are written.
    Raises: UsageError where that cannot be, or a number is out of its range.
    """

    scale: int
    edgefactor: int
    file: str | None = None
    format: Format | None = None
    """by the name of the file where it is None"""
    weights: str | None = None
    is_weighted: bool = False
    """weights stand beside the edges"""

    def __post_init__(self) -> None:
        _require_range(self.scale, self.edgefactor)
        if self.file is not None:
            _require_places(self.file, self.chosen, self.weights, weighted=self.is_weighted)
        elif not self.weights or self.format or self.is_weighted:
            raise UsageError(
                "there is no file for the edges; name one, or write the weights alone with "
                "--scale and --weights FILE"
            )

    @property
    def chosen(self) -> Format:
        """The format that the file gets."""
        return self.format or (_format_of(self.file) if self.file else Format.RAW)

    @property
    def edges(self) -> int:
        """How many there are."""
        return self.edgefactor << self.scale

    @property
    def parameters(self) -> list[str]:
        """Words for isobath-edges."""
        return ["--scale", str(self.scale), "--edgefactor", str(self.edgefactor)]

    @property
    def sizes(self) -> dict[str, Bytes]:
        """Bytes of each file."""
        sizes = {}
        if self.file:
            sizes[self.file] = {
                Format.RAW: raw_bytes(self.edges),
                Format.MTX: matrix_market_bytes(self.scale, self.edges, weighted=self.is_weighted),
                Format.PARQUET: parquet_bytes(self.scale, self.edges, weighted=self.is_weighted),
            }[self.chosen]
        if self.weights:
            sizes[self.weights] = weight_bytes(self.edges)
        return sizes


def export_edges(export: EdgeExport, written: Written, *, mpi: str | None = None) -> None:
    """Writes the edges of a scale in index order, duplicates and self-loops included.

    A file is there whole, or not at all.

    Raises: RefusedError where a disk has no room; EdgeProgramFailed; EnvironmentProblem where it
        died or cannot write; BrokenPipeError when the reader of standard output has gone.
    """
    require_space(export.sizes)
    if export.file is None or export.chosen is Format.RAW:
        _write_raw(export, export.file, mpi, written)
        return
    if export.weights:
        _write_raw(export, None, mpi, written)
    _write_table(export, export.file, mpi, written)


def search_keys(scale: int, edgefactor: int, *, mpi: str | None = None) -> list[int]:
    """The search keys that Graph500 samples at this scale.

    Raises: UsageError for a number out of its range; EdgeProgramFailed, EnvironmentProblem when
        isobath-edges died.
    """
    _require_range(scale, edgefactor)
    with edge_output(key_arguments(scale, edgefactor), mpi=mpi) as out:
        printed = out.read()
    return [int(line) for line in printed.split()]


def key_arguments(scale: int, edgefactor: int) -> list[str]:
    """Words for isobath-edges, which prints a key a line then."""
    return ["--scale", str(scale), "--edgefactor", str(edgefactor), "--keys"]


def _require_range(scale: int, edgefactor: int) -> None:
    for name, value, largest in (
        ("scale", scale, LARGEST_SCALE),
        ("edgefactor", edgefactor, LARGEST_EDGEFACTOR),
    ):
        if not 1 <= value <= largest:
            raise UsageError(f"{name} {value}: choose 1 to {largest}")


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


def _write_raw(export: EdgeExport, file: str | None, mpi: str | None, written: Written) -> None:
    """By isobath-edges itself."""
    arguments, files, total = list(export.parameters), [], 0
    if file:
        arguments += ["--output", file]
        files.append(file)
        total += raw_bytes(export.edges)
    if export.weights:
        arguments += ["--weights", export.weights]
        files.append(export.weights)
        total += weight_bytes(export.edges)
    run_edge_program(
        arguments, mpi=mpi, files=tuple(files), progress=lambda done: written(done, total)
    )


def _write_table(export: EdgeExport, file: str, mpi: str | None, written: Written) -> None:
    from isobath.graphs.edge_blocks import edge_blocks
    from isobath.interchange import matrix_market, parquet

    weighted = export.is_weighted
    with edge_blocks(export.parameters, weighted=weighted, mpi=mpi) as blocks:
        counted = _counted(blocks, raw_bytes(export.edges), written)
        with _file_named(file):
            if export.chosen is Format.MTX:
                matrix_market.write(
                    file,
                    counted,
                    vertices=1 << export.scale,
                    edges=export.edges,
                    weighted=weighted,
                )
            else:
                parquet.write(Path(file), counted, weighted=weighted)


def _counted(
    blocks: "Iterator[EdgeBlock]", total: Bytes, written: Written
) -> "Iterator[EdgeBlock]":
    """The same blocks; each is counted when it is taken."""
    done = 0
    for block in blocks:
        yield block
        done += raw_bytes(len(block.u))
        written(done, total)


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
