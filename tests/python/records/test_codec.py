# SPDX-License-Identifier: Apache-2.0
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isobath.errors import EnvironmentProblem
from isobath.records import codec
from isobath.records.codec import AnyRecord, RecordError, decode, encode, read_records, upgrade
from isobath.records.record import SCHEMA
from isobath.records.schema import record_schema, schema_text
from records import examples

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("record", examples.one_of_each(), ids=lambda record: record.kind)
def test_a_record_survives_the_way_to_a_line_and_back(record: AnyRecord) -> None:
    assert decode(encode(record)) == record


def test_every_kind_has_an_example_here() -> None:
    assert {record.kind for record in examples.one_of_each()} == set(codec.RECORD_KINDS)


@given(
    seconds=st.floats(min_value=1e-9, max_value=1e9),
    edges=st.integers(min_value=0, max_value=1 << 60),
    root=st.integers(min_value=0, max_value=(1 << 48) - 1),
)
def test_numbers_keep_every_bit(seconds: float, edges: int, root: int) -> None:
    record = examples.search_record().model_copy(
        update={"seconds": seconds, "traversed_edges": edges, "root": root}
    )

    found = decode(encode(record))

    assert found == record


@pytest.mark.parametrize(("seed", "is_one"), [((1 << 64) - 1, True), (1 << 64, False)])
def test_a_seed_may_have_all_bits_of_64(seed: int, is_one: bool) -> None:
    fields = json.loads(encode(examples.run_record()))
    line = json.dumps({**fields, "argv": ["isobath-graph500"], "scale": seed, "schema": SCHEMA})

    with pytest.raises(RecordError, match="scale" if is_one else "no whole number of 64 bits"):
        decode(line)


def test_absent_values_are_left_out_of_the_line() -> None:
    fields = json.loads(encode(examples.search_record(validated=False)))

    assert "validation" not in fields
    assert "levels" not in fields
    assert None not in fields.values()


def broken(**changes: Any) -> str:
    fields = json.loads(encode(examples.search_record()))
    for name, value in changes.items():
        if value is ...:
            del fields[name]
        else:
            fields[name] = value
    return json.dumps(fields)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ("{}", "no schema number"),
        (broken(schema=SCHEMA + 1), "use a newer one"),
        (broken(schema=0), "which nothing lifts"),
        (broken(schema=True), "no schema number"),
        (broken(kind=...), "no kind"),
        (broken(origin=...), "no origin"),
        (broken(run_id=...), "no run_id"),
        (broken(kind="surprise"), "surprise"),
        (broken(seconds=...), "seconds"),
        (broken(seconds=math.nan), "seconds"),
        (broken(seconds="0.1"), "seconds"),
        (broken(seconds=0), "seconds"),
        (broken(levels=None), "absent"),
        (broken(colour="red"), "colour"),
        (broken(phases={"thinking": 1.0}), "thinking"),
    ],
)
def test_a_wrong_line_is_refused_with_its_reason(line: str, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        decode(line)


def test_an_old_line_is_lifted_step_by_step() -> None:
    steps = {
        1: lambda fields: {"seconds": fields["time"]},
        2: lambda fields: {**fields, "edges": 5},
    }

    found = upgrade({"schema": 1, "time": 0.5}, steps, target=3)

    assert found == {"schema": 3, "seconds": 0.5, "edges": 5}


def test_reading_names_the_line_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(encode(examples.run_record()) + "\n{}\n", encoding="utf-8")

    with pytest.raises(RecordError, match=r"records\.jsonl, line 2"):
        read_records(path)


def test_a_torn_last_line_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(encode(examples.run_record()) + '\n{"schema":1,"ki', encoding="utf-8")

    assert read_records(path, drop_torn_line=True) == [examples.run_record()]
    with pytest.raises(RecordError):
        read_records(path)


def test_an_unreadable_file_is_an_environment_problem(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot read"):
        read_records(tmp_path / "nowhere.jsonl")


def test_the_schema_file_is_current() -> None:
    path = ROOT / "schema" / f"record-{SCHEMA}.json"

    assert path.read_text(encoding="utf-8") == schema_text(), "run tools/write_schema.py"


def test_the_schema_requires_what_every_line_has_and_allows_no_null() -> None:
    schema = record_schema()

    for name, definition in schema["$defs"].items():
        assert definition["additionalProperties"] is False, name
        if "kind" in definition["properties"]:
            assert {"schema", "kind", "run_id", "origin"} <= set(definition["required"]), name
    assert "null" not in schema_text()
