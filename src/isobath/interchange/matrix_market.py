# SPDX-License-Identifier: Apache-2.0
"""Matrix Market files: text, vertices from 1, one edge a line."""

import contextlib
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from isobath.interchange.blocks import EdgeBlock

PARTIAL = ".part"


def write(
    file: str, blocks: Iterable[EdgeBlock], *, vertices: int, edges: int, weighted: bool
) -> None:
    """Writes to a file, or to standard output for "-".

    Every edge is one entry as it was generated: the matrix is neither symmetric nor free of
    duplicates, which "general" says. Weights have nine digits, which give back the same float32.
    """
    field = "real" if weighted else "pattern"
    with _opened(file) as out:
        out.write(f"%%MatrixMarket matrix coordinate {field} general\n")
        out.write(f"{vertices} {vertices} {edges}\n")
        for block in blocks:
            rows = zip((block.u + 1).tolist(), (block.v + 1).tolist(), strict=True)
            if block.weight is None:
                out.writelines(f"{u} {v}\n" for u, v in rows)
            else:
                weights = block.weight.tolist()
                out.writelines(
                    f"{u} {v} {weight:.9g}\n" for (u, v), weight in zip(rows, weights, strict=True)
                )


@contextlib.contextmanager
def _opened(file: str) -> Iterator[IO[str]]:
    """Standard output for "-"; a file gets its name only when it is complete."""
    path = Path(file)
    if file == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    if path.exists() and not path.is_file():  # a device or a named pipe
        with path.open("w", encoding="ascii", newline="\n") as out:
            yield out
        return
    partial = Path(file + PARTIAL)
    try:
        with partial.open("w", encoding="ascii", newline="\n") as out:
            yield out
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
