# SPDX-License-Identifier: Apache-2.0
"""Run folders as tables. DuckDB reads the record files in place; there is no database file."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isobath.errors import UsageError
from isobath.records.codec import RECORD_KINDS
from isobath.store.columns import column_structure
from isobath.store.folders import RunFolder

if TYPE_CHECKING:
    import duckdb


def connect(runs: Sequence[RunFolder]) -> "duckdb.DuckDBPyConnection":
    """A connection in memory with one view per kind of record: run, search, level, ...

    Columns are the fields of the records, absent values are NULL, and ``folder`` is the path of the
    run folder; times are in UTC. Lines of other schema numbers are not shown; the codec lifts them.

    Raises: UsageError without runs.
    """
    import duckdb

    if not runs:
        raise UsageError("there is no run to query; make one with ./isobath run")
    connection = duckdb.connect(":memory:")
    files = [str(run.path / "records.jsonl") for run in runs]
    listed = ", ".join(_quoted(file) for file in files)
    connection.execute(
        "CREATE VIEW line AS SELECT json, parse_dirpath(filename) AS folder "
        f"FROM read_ndjson_objects([{listed}], filename = true, ignore_errors = true)"
    )
    for kind in RECORD_KINDS:
        structure = _quoted(json.dumps(column_structure(kind)))
        connection.execute(
            f'CREATE VIEW "{kind}" AS SELECT folder, unnest(json_transform(json, {structure})) '
            f"FROM line WHERE json->>'kind' = '{kind}' AND json->>'schema' = '1'"
        )
    return connection


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
