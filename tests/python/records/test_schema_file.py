# SPDX-License-Identifier: Apache-2.0
"""An independent reader of the schema (jsonschema) agrees with the codec."""

import json
from typing import Any

import jsonschema
import pytest

from isobath.records.codec import AnyRecord, encode
from isobath.records.schema import record_schema
from records import examples


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = record_schema()
    schema.pop("discriminator", None)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("record", examples.one_of_each(), ids=lambda record: record.kind)
def test_a_line_fits_the_schema(record: AnyRecord, validator: Any) -> None:
    validator.validate(json.loads(encode(record)))


@pytest.mark.parametrize(
    "change", [{"colour": "red"}, {"seconds": "1"}, {"levels": None}, {"schema": 2}]
)
def test_a_wrong_line_does_not_fit(change: dict[str, object], validator: Any) -> None:
    fields = json.loads(encode(examples.search_record())) | change

    assert not validator.is_valid(fields)
