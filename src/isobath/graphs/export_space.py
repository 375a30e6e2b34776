# SPDX-License-Identifier: Apache-2.0
"""Room on the disk for an export, before it begins."""

import os
import shutil
from pathlib import Path

from isobath.errors import RefusedError
from isobath.units import Bytes, format_bytes

RAW_EDGE_BYTES = 16
WEIGHT_BYTES = 4
SHORTEST_WEIGHT = 11
"""characters of nearly every weight in text, with its blank"""

COPIES_OF_PARQUET = 2
"""the table it is made from lies beside it, compressed alike"""


def raw_bytes(edges: int) -> Bytes:
    """Edges as pairs of int64."""
    return RAW_EDGE_BYTES * edges


def weight_bytes(edges: int) -> Bytes:
    """Weights as float32."""
    return WEIGHT_BYTES * edges


def matrix_market_bytes(scale: int, edges: int, *, weighted: bool) -> Bytes:
    """Text, a little less than it will be: vertices have nearly as many digits as the last one."""
    digits = len(str(1 << scale)) - 0.5
    return int(edges * (2 * digits + 2 + (SHORTEST_WEIGHT if weighted else 0)) * 0.9)


def parquet_bytes(scale: int, edges: int, *, weighted: bool) -> Bytes:
    """At least the bits that tell vertices apart, and the weights; with the table beside it."""
    return COPIES_OF_PARQUET * (2 * scale * edges // 8 + (weight_bytes(edges) if weighted else 0))


def require_space(needed: dict[str, Bytes]) -> None:
    """Refuses files that their disks cannot hold; streams and devices take what they get.

    Args: needed holds the bytes of each file, "-" for standard output.
    Raises: RefusedError naming what is needed and what is free.
    """
    wanted: dict[int, Bytes] = {}
    for file, size in needed.items():
        path = Path(file)
        if file == "-" or (path.exists() and not path.is_file()):
            continue
        folder = path.absolute().parent
        try:
            disk = os.stat(folder).st_dev
            free = shutil.disk_usage(folder).free
        except OSError:
            continue  # who writes the file says what is wrong
        wanted[disk] = wanted.get(disk, 0) + size
        if wanted[disk] > free:
            raise RefusedError(
                f"the export takes {format_bytes(wanted[disk])} and {folder} has "
                f"{format_bytes(free)} free; name a file elsewhere, take a smaller scale, or write "
                "to a pipe (-)"
            )
