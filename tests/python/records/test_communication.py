# SPDX-License-Identifier: Apache-2.0
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from isobath.records.codec import AnyRecord, RecordError, decode, encode
from isobath.records.communication import RUN_PARTS, CallName, SizeMeaning
from isobath.records.run_records import RunRecords
from records import examples

ROOT = Path(__file__).resolve().parents[3]


def names_in(header: str, array: str) -> tuple[str, ...]:
    """The texts of an array in a header of the engine."""
    text = (ROOT / "engine" / "comm" / header).read_text(encoding="utf-8")
    found = re.search(rf"{array} = \{{(.*?)\}};", text, re.DOTALL)
    assert found is not None, array
    return tuple(re.findall(r'"(\w+)"', found[1]))


def test_calls_parts_and_meanings_are_named_as_in_the_engine() -> None:
    assert get_args(CallName) == names_in("ledger/call_kind.hpp", "call_names")
    assert names_in("ledger/ledger.hpp", "run_part_names") == RUN_PARTS
    assert get_args(SizeMeaning) == names_in("ledger/size_buckets.hpp", "size_meaning_names")


def test_a_run_gives_its_communication_by_kind() -> None:
    one_level = examples.traffic_matrix_record().model_copy(update={"search": 0, "level": 2})

    run = RunRecords.of([*examples.one_of_each()[:-1], one_level])

    assert run.calls_of(0) == examples.calls_record()
    assert run.calls_of(1) is None
    assert run.traffic_matrices == (examples.traffic_matrix_record(), one_level)
    assert run.run_matrices == (examples.traffic_matrix_record(),)
    assert run.message_sizes == (examples.message_sizes_record(),)
    assert run.mpi_times == (examples.mpi_time_record(),)


def without(record: AnyRecord, *names: str) -> str:
    fields = json.loads(encode(record))
    return json.dumps({name: value for name, value in fields.items() if name not in names})


@pytest.mark.parametrize(
    ("record", "names"),
    [
        (
            examples.run_record(),
            (
                "switches",
                "nodes",
                "node_of_rank",
                "node_map_is_override",
                "clock_error_seconds",
            ),
        ),
        (
            examples.search_record(),
            (
                "bytes_received",
                "off_node_bytes",
                "seconds_per_rank",
                "mpi_seconds_per_rank",
                "wait_seconds_per_rank",
                "clock_error_seconds",
            ),
        ),
        (
            examples.level_record(),
            ("bytes_received", "calls", "off_node_bytes", "call_seconds", "wait_seconds"),
        ),
    ],
    ids=lambda value: value.kind if hasattr(value, "kind") else "",
)
def test_older_records_lack_the_fields_and_are_read(
    record: AnyRecord, names: tuple[str, ...]
) -> None:
    found = decode(without(record, *names))

    assert all(getattr(found, name) is None for name in names)


def changed(record: AnyRecord, **changes: Any) -> str:
    return json.dumps(json.loads(encode(record)) | changes)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (changed(examples.traffic_matrix_record(), bytes=[[0, 1]]), "not square"),
        (changed(examples.traffic_matrix_record(), messages=[[0, 0], [0, 0]]), "not square"),
        (changed(examples.message_sizes_record(), count=[1]), "different lengths"),
        (changed(examples.message_sizes_record(), call="telepathy"), "call"),
        (changed(examples.mpi_time_record(), part="lunch"), "part"),
    ],
)
def test_a_line_that_does_not_fit_together_is_refused(line: str, sentence: str) -> None:
    with pytest.raises(RecordError, match=sentence):
        decode(line)
