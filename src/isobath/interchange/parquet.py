# SPDX-License-Identifier: Apache-2.0
"""Parquet files, by way of a DuckDB file beside them: memory stays bounded at any scale."""

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from isobath.interchange.blocks import EdgeBlock

MEMORY_LIMIT = "1GB"


def write(file: Path, blocks: Iterable[EdgeBlock], *, weighted: bool) -> None:
    """Writes columns u, v (int64) and, if ``weighted``, weight (float32), in index order.

    Raises: OSError where that fails, whichever of the files it was.
    """
    import duckdb

    try:
        _write(file, blocks, weighted=weighted)
    except duckdb.Error as error:
        raise OSError(reason_of(str(error))) from error


def reason_of(words: str) -> str:
    """What DuckDB says of a file, without its name: it may be the one beside, which nobody knows.

    >>> reason_of('IO Error: Could not write file "/x/.isobath-1/edges.duckdb": File too large')
    'File too large'
    >>> reason_of('IO Error: Async write failed: {"exception_type":"IO","errno":"28"}')
    'No space left on device'
    """
    first = words.partition("\n")[0]
    number = re.search(r'"errno":"(\d+)"', first)
    return os.strerror(int(number[1])) if number else first.rpartition('": ')[2]


def _write(file: Path, blocks: Iterable[EdgeBlock], *, weighted: bool) -> None:
    import duckdb

    columns = "u BIGINT, v BIGINT" + (", weight FLOAT" if weighted else "")
    beside = file.absolute().parent
    with (
        tempfile.TemporaryDirectory(dir=beside, prefix=".isobath-") as folder,
        duckdb.connect(Path(folder) / "edges.duckdb") as connection,
    ):
        connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        connection.execute(f"CREATE TABLE edges ({columns})")
        for block in blocks:
            rows = {"u": block.u, "v": block.v}
            if block.weight is not None:
                rows["weight"] = block.weight  # type: ignore[assignment]
            connection.register("block", rows)
            connection.execute("INSERT INTO edges SELECT * FROM block")
            connection.unregister("block")
        name = str(file).replace("'", "''")
        connection.execute(f"COPY edges TO '{name}' (FORMAT parquet)")
