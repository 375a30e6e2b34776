# SPDX-License-Identifier: Apache-2.0
"""Run folders as tables. DuckDB reads the record files in place; there is no database file."""

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from isobath.errors import EnvironmentProblem, UsageError
from isobath.records.codec import RECORD_KINDS
from isobath.store.columns import column_structure
from isobath.store.folders import RunFolder

if TYPE_CHECKING:
    import duckdb


def connect(
    runs: Mapping[str, Sequence[RunFolder]], *, studies: Sequence[Any] = (), sql: str | None = None
) -> "duckdb.DuckDBPyConnection":
    """A connection in memory with one view per kind of record: run, search, level, ...

    Args: runs are the launches of each study by its id; studies are rows (data classes) of the
        view ``studies``; without any there is none. With ``sql`` there are only views whose names
        occur in it, or nearly: to open all of them takes seconds.

    Columns are the fields of the records, absent values are NULL, and ``folder`` is the path of the
    run folder; times are in UTC. Lines of other schema numbers are not shown; the codec lifts them.

    Raises: UsageError without runs.
    """
    import duckdb

    if not any(runs.values()):
        raise UsageError("there is no run to query; make one with ./isobath run")
    connection = duckdb.connect(":memory:")
    files = {str(run.path / "records.jsonl"): name for name in runs for run in runs[name]}
    connection.execute("CREATE TABLE file_of_study (filename VARCHAR, study_id VARCHAR)")
    connection.executemany("INSERT INTO file_of_study VALUES (?, ?)", list(files.items()))
    listed = ", ".join(_quoted(file) for file in files)
    if studies:
        _add_studies(connection, studies)
    connection.execute(
        "CREATE VIEW line AS SELECT json, parse_dirpath(filename) AS folder, study_id "
        f"FROM read_ndjson_objects([{listed}], filename = true, ignore_errors = true) "
        "JOIN file_of_study USING (filename)"
    )
    for kind in RECORD_KINDS if sql is None else _named_in(sql):
        structure = _quoted(json.dumps(column_structure(kind)))
        connection.execute(
            f'CREATE VIEW "{kind}" AS SELECT folder, study_id, '
            f"unnest(json_transform(json, {structure})) "
            f"FROM line WHERE json->>'kind' = '{kind}' AND json->>'schema' = '1'"
        )
    return connection


def _named_in(sql: str) -> list[str]:
    """Kinds whose names occur, or nearly: what DuckDB says of a wrong name suggests views."""
    words = set(re.findall(r"\w+", sql.lower()))
    near = {kind for word in words for kind in difflib.get_close_matches(word, RECORD_KINDS)}
    return [kind for kind in RECORD_KINDS if kind in near]


def answer(
    connection: "duckdb.DuckDBPyConnection", sql: str
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Names of columns, and rows. Raises: UsageError for SQL that makes no sense here."""
    import duckdb

    try:
        cursor = connection.execute(sql)
        return [str(column[0]) for column in cursor.description or ()], cursor.fetchall()
    except duckdb.Error as error:
        raise _refusal(error) from error


def write_parquet(connection: "duckdb.DuckDBPyConnection", sql: str, file: str) -> None:
    """The answer as a file. Raises: UsageError as ``answer``."""
    import duckdb

    try:
        connection.sql(sql).write_parquet(file)
    except duckdb.Error as error:
        raise _refusal(error) from error


def write_rows(columns: Sequence[str], rows: Sequence[Sequence[Any]], file: str) -> None:
    """Rows as a Parquet file. Raises: EnvironmentProblem where it cannot be written."""
    import duckdb

    kinds = [_column_type([row[place] for row in rows]) for place in range(len(columns))]
    declared = ", ".join(
        f"{_identifier(name)} {kind}" for name, kind in zip(columns, kinds, strict=True)
    )
    connection = duckdb.connect(":memory:")
    connection.execute(f"CREATE TABLE found ({declared})")
    if rows:
        marks = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO found VALUES ({marks})", [list(row) for row in rows])
    try:
        connection.table("found").write_parquet(file)
    except (duckdb.Error, OSError) as error:
        raise EnvironmentProblem(f"cannot write {file}; name another file") from error


def _column_type(values: Sequence[Any]) -> str:
    """The narrowest that holds all of them; absent values fit everywhere."""
    kinds = {type(cell) for cell in values if cell is not None}
    if kinds == {bool}:
        return "BOOLEAN"
    if kinds == {int}:
        return "BIGINT"
    return "DOUBLE" if kinds and kinds <= {int, float} else "VARCHAR"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def views_of(connection: "duckdb.DuckDBPyConnection") -> dict[str, list[str]]:
    """Names of the views with their columns."""
    rows = connection.execute(
        "SELECT view_name FROM duckdb_views() WHERE NOT internal AND view_name != 'line' ORDER BY 1"
    ).fetchall()
    return {
        name: [str(column[0]) for column in connection.execute(f'DESCRIBE "{name}"').fetchall()]
        for (name,) in rows
    }


def _refusal(error: Exception) -> UsageError:
    words = "".join(letter if letter.isprintable() else " " for letter in str(error))
    return UsageError(f"{words}; ./isobath query --views lists views")


def _add_studies(connection: "duckdb.DuckDBPyConnection", studies: Sequence[Any]) -> None:
    rows = [asdict(study) for study in studies]
    names = {name: "BIGINT" if name == "bytes" else "VARCHAR" for name in rows[0]}
    names["tags"] = "VARCHAR[]"
    columns = ", ".join(f"{name} {kind}" for name, kind in names.items())
    connection.execute(f"CREATE TABLE all_studies ({columns})")
    marks = ", ".join("?" for _ in names)
    connection.executemany(
        f"INSERT INTO all_studies VALUES ({marks})",
        [[list(v) if isinstance(v, tuple) else v for v in row.values()] for row in rows],
    )
    connection.execute("CREATE VIEW studies AS SELECT * FROM all_studies")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
