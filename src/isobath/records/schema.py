# SPDX-License-Identifier: Apache-2.0
"""The JSON Schema of a line, generated from the models."""

import json
from typing import Any

from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from isobath.records.codec import adapter
from isobath.records.described import Described
from isobath.records.record import SCHEMA

ALWAYS_PRESENT = ("schema", "kind", "run_id", "origin")


class _AbsentNotNull(Described):
    """Optional fields may be absent, never null."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        if schema.get("default", ...) is None:
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def record_schema() -> dict[str, Any]:
    """JSON Schema (2020-12) of one line of records.jsonl."""
    schema = adapter().json_schema(schema_generator=_AbsentNotNull)
    for definition in schema["$defs"].values():
        if "kind" in definition.get("properties", {}):
            required = definition.setdefault("required", [])
            required[:0] = [name for name in ALWAYS_PRESENT if name not in required]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Isobath record, schema {SCHEMA}",
        **schema,
    }


def schema_text() -> str:
    """The schema file, byte for byte."""
    return json.dumps(record_schema(), indent=2) + "\n"
