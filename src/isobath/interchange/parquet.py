# SPDX-License-Identifier: Apache-2.0
"""Parquet files, by way of a DuckDB file beside them: memory stays bounded at any scale."""

import os
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from isobath.errors import EnvironmentProblem, UsageError
from isobath.interchange.blocks import EdgeBlock

if TYPE_CHECKING:
    import duckdb

MEMORY_LIMIT = "1GB"
INTERRUPTED = "Query interrupted"
"""What DuckDB raises a RuntimeError with where a handler of a signal raised something."""


def write(file: Path, blocks: Iterable[EdgeBlock], *, weighted: bool) -> None:
    """Writes columns u, v (int64) and, if ``weighted``, weight (float32), in index order.

    Raises: OSError where that fails, whichever of the files it was; KeyboardInterrupt also where a
        signal came inside DuckDB, which tells it in its own way.
    """
    import duckdb

    try:
        _write(file, blocks, weighted=weighted)
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if str(error) != INTERRUPTED:
            raise
        raise KeyboardInterrupt from None
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


ROWS_AT_ONCE = 1 << 21
END_NAMES = (("u", "v"), ("src", "dst"), ("source", "target"), ("from", "to"), ("row", "col"))
WEIGHT_NAMES = ("weight", "w", "value")
WHOLE_NUMBERS = (
    "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
)  # fmt: skip
NUMBERS = (*WHOLE_NUMBERS, "FLOAT", "DOUBLE")


def as_raw(file: Path, folder: Path) -> tuple[Path, Path | None]:
    """Writes the edges as int64 pairs, and float32 weights where there is such a column.

    The ends are columns u and v, src and dst, source and target, from and to, row and col, or the
    first two of whole numbers; weights are a column weight, w or value.

    Raises: UsageError where there are no such columns, EnvironmentProblem where the file is no
        Parquet file, or a value is missing or does not fit.
    """
    import duckdb

    try:
        with duckdb.connect() as connection:
            connection.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
            return _as_raw(connection, file, folder)
    except duckdb.Error as error:
        words = str(error).partition("\n")[0]
        raise EnvironmentProblem(
            f"cannot read {file} as Parquet ({words}); check --format, or copy it again"
        ) from error


def _as_raw(
    connection: "duckdb.DuckDBPyConnection", file: Path, folder: Path
) -> tuple[Path, Path | None]:
    name = str(file).replace("'", "''")
    described = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{name}')").fetchall()
    types = {str(row[0]): str(row[1]) for row in described}
    ends, weight = _columns(file, types)
    wanted = [f'CAST("{column}" AS BIGINT) AS e{i}' for i, column in enumerate(ends)]
    if weight:
        wanted.append(f'CAST("{weight}" AS FLOAT) AS w')
    edges, weights = folder / "edges.raw", folder / "weights.f32"
    rows = connection.execute(f"SELECT count(*) FROM read_parquet('{name}')").fetchall()[0][0]
    with edges.open("wb") as edge_out, weights.open("wb") as weight_out:
        for first in range(0, rows, ROWS_AT_ONCE):
            block = connection.execute(
                f"SELECT {', '.join(wanted)} FROM read_parquet('{name}', file_row_number = true) "
                f"WHERE file_row_number >= {first} AND file_row_number < {first + ROWS_AT_ONCE} "
                "ORDER BY file_row_number"
            ).fetchnumpy()
            for column in block.values():
                if np.ma.is_masked(column):
                    row = first + int(np.flatnonzero(np.ma.getmaskarray(column))[0])
                    raise EnvironmentProblem(
                        f"{file}, row {row}: a value is missing; drop rows that have none"
                    )
            np.column_stack([block["e0"], block["e1"]]).astype("<i8").tofile(edge_out)
            if weight:
                np.asarray(block["w"]).astype("<f4").tofile(weight_out)
    return edges, weights if weight else None


def _columns(file: Path, types: dict[str, str]) -> tuple[tuple[str, str], str | None]:
    """Names of the two ends, and of the weight."""
    lower = {name.lower(): name for name in types}
    named = next(((lower[u], lower[v]) for u, v in END_NAMES if u in lower and v in lower), None)
    whole = [name for name, kind in types.items() if kind in WHOLE_NUMBERS]
    ends = named or ((whole[0], whole[1]) if len(whole) > 1 else None)
    if ends is None:
        raise UsageError(
            f"{file} has no two columns of whole numbers; name the ends of edges u and v"
        )
    for column in ends:
        if types[column] not in WHOLE_NUMBERS:
            raise UsageError(
                f"the column {column} of {file} holds {types[column]}, not whole numbers; number "
                "the vertices first"
            )
    weight = next((lower[name] for name in WEIGHT_NAMES if name in lower), None)
    if weight and types[weight] not in NUMBERS:
        raise UsageError(f"the column {weight} of {file} holds {types[weight]}, not numbers")
    return ends, weight if weight not in ends else None
