# SPDX-License-Identifier: Apache-2.0
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from isobath.errors import UsageError
from isobath.records.codec import RECORD_KINDS, AnyRecord, encode
from isobath.store.columns import column_structure
from isobath.store.folders import OpenRun, RunFolder
from isobath.store.query import answer, connect, views_of
from records import examples

Connection = duckdb.DuckDBPyConnection


def run_with_all_kinds(folder: Path) -> RunFolder:
    run = OpenRun(folder / "it's a store", "a")
    lines = [encode(record) + "\n" for record in examples.one_of_each()]
    run.records.write_text("".join(lines), encoding="utf-8")
    return RunFolder(run.path)


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    return run_with_all_kinds(tmp_path)


@pytest.fixture(scope="module")
def all_kinds(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, Connection]:
    """Views over a record of each kind: opening them takes longest."""
    run = run_with_all_kinds(tmp_path_factory.mktemp("all"))
    return run, connect({"a": [run]})


@pytest.mark.parametrize("record", examples.one_of_each(), ids=lambda record: record.kind)
def test_duckdb_and_codec_read_the_same(
    record: AnyRecord, all_kinds: tuple[RunFolder, Connection]
) -> None:
    run, connection = all_kinds

    cursor = connection.execute(f'SELECT * FROM "{record.kind}"')
    names = [column[0] for column in cursor.description]
    (row,) = cursor.fetchall()

    found = without_null(dict(zip(names, row, strict=True)))
    assert found.pop("folder").rstrip("/") == str(run.path)
    assert found.pop("study_id") == "a"
    assert found == without_null(record.model_dump(by_alias=True))


def without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_null(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list | tuple):
        return [without_null(inner) for inner in value]
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    return value


@pytest.mark.parametrize("kind", RECORD_KINDS)
def test_every_field_has_a_column(kind: str) -> None:
    fields = {field.alias or name for name, field in RECORD_KINDS[kind].model_fields.items()}

    assert set(column_structure(kind)) == fields


def test_views_can_be_joined(all_kinds: tuple[RunFolder, Connection]) -> None:
    found = all_kinds[1].execute(
        "SELECT count(*), sum(level.arcs_scanned), max(search.phases['emit']) "
        "FROM level JOIN search ON level.run_id = search.run_id AND level.search = search.index"
    )

    assert found.fetchall() == [(1, 20, 0.0004)]


def test_only_views_that_are_asked_for_are_opened(run: RunFolder) -> None:
    connection = connect({"a": [run]}, sql='SELECT count(*) FROM "Search" JOIN LEVEL ON true')

    assert {"search", "level"} <= set(views_of(connection)) < set(RECORD_KINDS)
    assert connection.execute('SELECT count(*) FROM "Search", LEVEL').fetchall() == [(1,)]


def test_a_view_that_is_nearly_named_is_suggested(run: RunFolder) -> None:
    sql = "SELECT * FROM levels"

    with pytest.raises(UsageError, match='Did you mean "level"'):
        answer(connect({"a": [run]}, sql=sql), sql)


def test_a_torn_line_is_left_out(run: RunFolder) -> None:
    with (run.path / "records.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"schema":1,"kind":"sear')

    found = connect({"a": [run]}, sql="search").execute("SELECT count(*) FROM search")
    assert found.fetchall() == [(1,)]


def test_nothing_cannot_be_queried() -> None:
    with pytest.raises(UsageError, match="no run to query"):
        connect({})
