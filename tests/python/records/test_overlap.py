# SPDX-License-Identifier: Apache-2.0
import json
from typing import Any

import pytest

from isobath.records.codec import RecordError, decode, encode
from records import examples


def fields() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(examples.overlap_record()))
    return found


def refusal(changed: dict[str, Any]) -> str:
    with pytest.raises(RecordError) as caught:
        decode(json.dumps(changed))
    return str(caught.value)


def test_an_overlap_survives_the_line() -> None:
    record = examples.overlap_record()
    assert decode(encode(record)) == record


def test_there_are_times_or_a_reason() -> None:
    without = {
        name: value
        for name, value in fields().items()
        if name not in ("parts", "inside", "invalid", "data_check")
    }
    assert "times or a reason" in refusal(without)
    assert "times or a reason" in refusal(fields() | {"not_runnable": "no processor"})
    decode(json.dumps(without | {"not_runnable": "no processor"}))


def test_ranks_have_the_same_number_of_repetitions() -> None:
    torn = fields()
    torn["parts"]["work"]["rank_nanoseconds"][1].pop()
    assert "different numbers" in refusal(torn)


def test_only_a_failed_check_has_a_sentence() -> None:
    assert "data check" in refusal(fields() | {"data_check": "failed"})
    assert "data check" in refusal(fields() | {"data_check_failure": "element 3"})
