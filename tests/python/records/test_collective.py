# SPDX-License-Identifier: Apache-2.0
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest

from isobath.records.codec import RecordError, decode, encode
from isobath.records.collective import COLLECTIVE_NAMES, CollectiveRecord, Datatype, Form, Operation
from records import examples

ROOT = Path(__file__).resolve().parents[3]

SAMPLES = (
    "entry_nanoseconds",
    "exit_nanoseconds",
    "warm_up_repetitions",
    "invalid",
    "context_switches",
    "stopped_because",
    "timed_from",
    "data_check",
)


def fields() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(examples.collective_record()))
    return found


def names_in(source: str, array: str) -> tuple[str, ...]:
    """The texts of an array of the engine."""
    text = (ROOT / "engine/comm" / source).read_text(encoding="utf-8")
    found = re.search(rf"{array} = \{{(.*?)\}};", text, re.DOTALL)
    assert found is not None, array
    return tuple(re.findall(r'"(\w+)"', found[1]))


def rows_of_the_table() -> tuple[str, ...]:
    """Collectives of the engine's table, whose last row stands first."""
    text = (ROOT / "engine/comm/bare/collective_calls.hpp").read_text(encoding="utf-8")
    *counting, without_counts = re.findall(r"ROW\((\w+), \w+, \w+\)", text)
    return (without_counts, *counting)


def test_words_are_those_of_the_engine() -> None:
    assert rows_of_the_table() == COLLECTIVE_NAMES
    assert names_in("bare/collective_calls.cpp", r"forms\[\]") == get_args(Form)
    assert names_in("bare/element_type.cpp", "type_names") == get_args(Datatype)
    assert names_in("bare/element_type.cpp", "operations") == get_args(Operation)


def refusal(changed: dict[str, Any]) -> str:
    with pytest.raises(RecordError) as caught:
        decode(json.dumps(changed))
    return str(caught.value)


def test_a_launch_and_a_collective_survive_the_line() -> None:
    for record in (examples.launch_record(), examples.collective_record()):
        assert decode(encode(record)) == record


def test_warm_up_is_no_repetition() -> None:
    assert examples.collective_record().repetitions == 2


def test_what_was_not_runnable_says_why_and_has_no_times() -> None:
    line = {name: value for name, value in fields().items() if name not in SAMPLES}
    line["not_runnable"] = "needs 4.3 GB, has 2.1 GB"

    record = decode(json.dumps(line))

    assert isinstance(record, CollectiveRecord)
    assert record.not_runnable == "needs 4.3 GB, has 2.1 GB"
    assert record.repetitions == 0
    assert "has no times" in refusal({**fields(), "not_runnable": "too large"})


@pytest.mark.parametrize("missing", SAMPLES)
def test_neither_times_nor_a_reason_is_refused(missing: str) -> None:
    line = fields()
    del line[missing]

    assert "neither a reason nor all of the samples" in refusal(line)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"exit_nanoseconds": [[1, 2, 3]]}, "one time for each rank"),
        ({"exit_nanoseconds": [[3000, 12000], [3000, 12000]]}, "one time for each rank"),
        ({"slowest_nanoseconds": [1]}, "one time for each batch"),
        ({"batch_starts": [0, 1]}, "a stream has batches"),
        ({"cadence": "streaming"}, "a stream has batches"),
        ({"cadence": "streaming", "batch_starts": [1, 2]}, "begin with the first"),
        ({"cadence": "streaming", "batch_starts": [0, 3]}, "begin with the first"),
        ({"cadence": "streaming", "batch_starts": [0, 1, 1]}, "do not overlap"),
        ({"cadence": "streaming", "batch_starts": [0, 2]}, "end with a batch"),
        ({"exit_nanoseconds": [[0, 12000, 22100], [0, 12000, 22100]]}, "before it entered"),
        ({"invalid": [3]}, "that did not happen"),
        ({"context_switches": [-1]}, "that did not happen"),
        ({"warm_up_repetitions": 4}, "more warm-up repetitions"),
        ({"data_check": "failed"}, "says why"),
        ({"data_check_failure": "byte 3 of rank 1"}, "says why"),
        ({"shape": "2x"}, "shape"),
        ({"counts": "some"}, "counts"),
        ({"collective": "allgatherw"}, "collective"),
        ({"along": "3"}, "along"),
    ],
)
def test_contradictions_are_refused(change: dict[str, Any], complaint: str) -> None:
    assert complaint in refusal({**fields(), **change})


def test_a_launch_describes_every_rank() -> None:
    line = json.loads(encode(examples.launch_record()))

    assert "for each rank" in refusal({**line, "node_of_rank": [0]})
