# SPDX-License-Identifier: Apache-2.0
"""Column types of DuckDB from the schema of records, so that nothing is guessed from values."""

from typing import Any

from isobath.records.schema import record_schema

SIMPLE = {"integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "string": "VARCHAR"}


def column_structure(kind: str) -> dict[str, Any]:
    """Columns of one kind of record in the form that DuckDB's json_transform takes.

    Raises: KeyError for an unknown kind.
    """
    schema = record_schema()
    definitions = schema["$defs"]
    name = schema["discriminator"]["mapping"][kind].rpartition("/")[2]
    return _object(definitions[name], definitions)


def _object(definition: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    return {name: _column(field, definitions) for name, field in definition["properties"].items()}


def _column(field: dict[str, Any], definitions: dict[str, Any]) -> Any:
    if "$ref" in field:
        return _object(definitions[field["$ref"].rpartition("/")[2]], definitions)
    if "const" in field:
        return SIMPLE["integer" if isinstance(field["const"], int) else "string"]
    if "anyOf" in field:  # texts of two lists
        (kind,) = {_column(one, definitions) for one in field["anyOf"]}
        return kind
    if field["type"] == "array":
        items = field.get("items") or field["prefixItems"][0]
        inner = _column(items, definitions)
        return [inner] if not isinstance(inner, str) else f"{inner}[]"
    if field["type"] == "object":
        return f"MAP(VARCHAR, {_column(field['additionalProperties'], definitions)})"
    if field.get("format") == "date-time":
        return "TIMESTAMP"  # in UTC; the type with zone needs one more package
    return SIMPLE[field["type"]]
