# SPDX-License-Identifier: Apache-2.0
"""isobath query: SQL over the records of all studies."""

from typing import Annotated, Any

import typer

from isobath.cli import completion
from isobath.cli.store_options import Store
from isobath.cli.table_files import PARQUET, check_parquet, put, table_text
from isobath.cli.terminal import console, fitted, warn
from isobath.errors import ExitCode
from isobath.report.wording import printable
from isobath.settings.values import no_choice
from isobath.store.query import answer, connect, views_of, write_parquet
from isobath.study.across import sealed_launches
from isobath.study.home import catalogue, shelf

FORMATS = ("table", "csv", "json", PARQUET)

Sql = Annotated[
    str,
    typer.Argument(
        metavar="SQL", help="A question in SQL: SELECT run_id, avg(seconds) FROM search"
    ),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="NAME",
        autocompletion=completion.one_of(FORMATS),
        help=f"Format of the answer: {', '.join(FORMATS)}.",
    ),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the answer to a file, not to the screen."
    ),
]
Views = Annotated[bool, typer.Option("--views", help="List the views with their columns.")]


def query(
    sql: Sql = "SELECT study_id, kind, state, headline FROM studies ORDER BY study_id",
    *,
    form: Format = "table",
    output: Output = None,
    views: Views = False,
    store: Store = None,
) -> int:
    """Ask anything of all studies in SQL. Nothing can be changed by it.

    The view studies has a row for each study; every kind of record is a view too: run, search,
    level, collective, overlap, krylov, ... Its column study_id says where a record is from.
    """
    if form not in FORMATS:
        raise no_choice("--format", form, FORMATS)
    check_parquet(form, output)
    where = shelf(store)
    launches, doubts = sealed_launches(where)
    for sentence in doubts:
        warn(sentence)
    code = int(ExitCode.ENVIRONMENT if doubts else ExitCode.DONE)
    rows_of_studies = catalogue().rows(where)
    connection = connect(launches, studies=rows_of_studies, sql=None if views else sql)
    if views:
        for name, columns in views_of(connection).items():
            print(fitted(f"{name}: {', '.join(columns)}"))
        return 0
    if form == PARQUET:
        write_parquet(connection, sql, str(output))
        return code
    names, rows = answer(connection, sql)
    if form == "table" and output is None:
        _print_table(names, rows)
    else:
        put(table_text(names, rows, form), output)
    return code


def _print_table(names: list[str], rows: list[tuple[Any, ...]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, name in enumerate(names):
        is_number = all(isinstance(row[place], int | float | None) for row in rows)
        table.add_column(name, justify="right" if is_number else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else printable(_text(value)) for value in row))
    console().print(table)


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
