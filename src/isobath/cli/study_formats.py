# SPDX-License-Identifier: Apache-2.0
"""A study for other programs: its findings as JSON, its tables as CSV, JSON or Parquet."""

import json
from pathlib import Path
from typing import Any

from isobath.cli.table_files import PARQUET, check_parquet, put, table_text
from isobath.errors import UsageError
from isobath.settings.values import no_choice, or_nearest
from isobath.study.answers import data_of, findings_of
from isobath.study.kind import Kind

TEXT, JSON = "text", "json"
FORMATS = (TEXT, JSON, "csv", PARQUET)


def choose_format(form: str | None, output: str | None, as_json: bool) -> str:
    """The format that is asked for, or that the name of the file says. Raises: UsageError."""
    suffix = Path(output or "").suffix.removeprefix(".")
    chosen = form or (JSON if as_json else suffix if suffix in FORMATS else TEXT)
    if chosen not in FORMATS:
        raise no_choice("--format", chosen, FORMATS)
    check_parquet(chosen, output)
    return chosen


def choose_table(kind: Kind[Any], view: str | None, form: str) -> str | None:
    """Name of the table; None where all findings are meant. Raises: UsageError."""
    if view is None and form == JSON:
        return None
    if view is None and len(kind.tables) == 1:
        return next(iter(kind.tables))
    view = kind.older_names.get(view, view) if view is not None else None
    there = ", ".join(kind.tables)
    if view is None:
        raise UsageError(f"--format {form} is for a table; add --view NAME, of {there}")
    if view in kind.tables:
        return view
    if view in kind.views:
        raise UsageError(f"the view {view} is no table for other programs; there are {there}")
    raise UsageError(f"there is no table {view} of this{or_nearest(view, kind.tables)}")


def write_findings(
    kind: Kind[Any], path: Path, reading: Any, form: str, table: str | None, output: str | None
) -> None:
    """All findings, or a table of them. Raises: EnvironmentProblem."""
    if table is None:
        put(json.dumps(findings_of(kind, path, reading), indent=1) + "\n", output)
        return
    data = data_of(kind, reading, table)
    if form == PARQUET:
        from isobath.store.query import write_rows

        write_rows(data.columns, data.rows, str(Path(str(output)).expanduser()))
        return
    put(table_text(data.columns, data.rows, form), output)
