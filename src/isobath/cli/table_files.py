# SPDX-License-Identifier: Apache-2.0
"""Tables for other programs: CSV, JSON and Parquet, on standard output or in a file."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from isobath.errors import EnvironmentProblem, UsageError

PARQUET = "parquet"


def check_parquet(form: str, output: str | None) -> None:
    """Raises: UsageError where a binary file would go to the screen."""
    if form == PARQUET and output is None:
        raise UsageError("--format parquet needs a file: add --output FILE.parquet")


def table_text(names: Sequence[str], rows: Sequence[Sequence[Any]], form: str) -> str:
    """CSV with a line of names, or JSON with an object for each row."""
    if form == "json":
        told = [dict(zip(names, row, strict=True)) for row in rows]
        return json.dumps(told, indent=1, default=str) + "\n"
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([_in_csv(value) for value in row] for row in rows)
    return text.getvalue()


def _in_csv(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def put(text: str, output: str | None) -> None:
    """On standard output, or in a file. Raises: EnvironmentProblem where it cannot be written."""
    if output is None:
        sys.stdout.write(text)
        return
    try:
        Path(output).expanduser().write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise EnvironmentProblem(
            f"cannot write {output}: {error.strerror}; name another file"
        ) from error
