# SPDX-License-Identifier: Apache-2.0
"""What isobath export and isobath keys do, for programs."""

import os
from collections.abc import Callable
from pathlib import Path

from isobath.api.stored import Where
from isobath.errors import UsageError
from isobath.graphs.export import EdgeExport, Format
from isobath.graphs.export import export_edges as write_edges
from isobath.graphs.export import search_keys as sampled_keys
from isobath.units import Bytes


def _unwatched(done: Bytes, total: Bytes) -> None:
    """Nobody wants to know."""


def export_edges(
    file: Where = None,
    *,
    scale: int,
    edgefactor: int = 16,
    format: str | None = None,
    weights: Where = None,
    weighted: bool = False,
    mpi: str | None = None,
    progress: Callable[[Bytes, Bytes], None] = _unwatched,
) -> tuple[Path, ...]:
    """Writes the edges of a scale, or its weights; returns the files, which are there whole.

    Args: as the options of ``isobath export``; progress is told how many bytes are written, and how
        many there will be.
    Raises: UsageError; RefusedError where a disk has no room; EnvironmentProblem where a file
        cannot be written.
    """
    names = [os.fspath(name) if name is not None else None for name in (file, weights)]
    if "-" in names:
        raise UsageError("a function does not print; name a file, not -")
    formats = {each.value: each for each in Format}
    if format is not None and format not in formats:
        raise UsageError(f"format {format}: choose one of {', '.join(formats)}")
    chosen = formats[format] if format is not None else None
    wanted = EdgeExport(scale, edgefactor, names[0], chosen, names[1], is_weighted=weighted)
    write_edges(wanted, progress, mpi=mpi)
    return tuple(Path(name) for name in names if name is not None)


def search_keys(scale: int, *, edgefactor: int = 16, mpi: str | None = None) -> list[int]:
    """The search keys that Graph500 samples at a scale.

    Raises: UsageError for a number out of its range, EnvironmentProblem where nothing is built.
    """
    return sampled_keys(scale, edgefactor, mpi=mpi)
