#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds to docs/reference/records.md what it lacks: a section for each record of
schema/record-1.json (tools/write_schema.py), a row for each field, in words of the docstrings.
What stands there stays as it was written, but for the row of all kinds, which is written anew.

``--check`` writes nothing and names what is missing.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "records.md"
SCHEMA = ROOT / "schema" / "record-1.json"
IN_EVERY_LINE = {"schema", "kind", "run_id", "origin"}
HEAD = "| field | type | meaning |\n|---|---|---|"
KINDS_ROW = re.compile(r"(?m)^\| `kind` \| text \| `run`, .*$")
LAST = "## finish (FinishRecord)"
TYPES = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean"}


def with_records(page: str, schema: dict[str, Any]) -> str:
    """The page with every record and every field. Args: schema is that of all records."""
    page, rows = KINDS_ROW.subn(lambda _: _kinds_row(schema), page)
    if rows != 1:
        raise SystemExit("docs/reference/records.md has not one row of the field kind")
    for name, definition in schema["$defs"].items():
        heading = re.search(rf"(?m)^##+ (\w+ \({name}\)|{name})$", page)
        if heading is None:
            page = page.replace(LAST, f"{_section(name, definition)}\n{LAST}")
            continue
        end = re.search(r"(?m)^##", page[heading.end() :])
        stop = heading.end() + end.start() if end else len(page)
        page = (
            page[: heading.end()] + _with_rows(page[heading.end() : stop], definition) + page[stop:]
        )
    return page


def _kinds_row(schema: dict[str, Any]) -> str:
    """All kinds of records, in the order of the union."""
    names = {place: kind for kind, place in schema["discriminator"]["mapping"].items()}
    *first, last = (f"`{names[one['$ref']]}`" for one in schema["oneOf"])
    return f"| `kind` | text | {', '.join(first)} or {last} |"


def _section(name: str, definition: dict[str, Any]) -> str:
    kind = definition["properties"].get("kind", {}).get("const")
    heading = f"## {kind} ({name})" if kind else f"### {name}"
    rows = "\n".join(_row(field, definition) for field in _fields(definition))
    return f"{heading}\n\n{definition.get('description', '')}\n\n{HEAD}\n{rows}\n"


def _with_rows(section: str, definition: dict[str, Any]) -> str:
    """A section with the rows that it lacks, in the order of the fields."""
    lines = section.split("\n")
    fields = _fields(definition)
    for place, field in enumerate(fields):
        if _row_at(lines, field) is None:
            before = _row_at(lines, fields[place - 1]) if place else lines.index("|---|---|---|")
            assert before is not None
            lines.insert(before + 1, _row(field, definition))
    return "\n".join(lines)


def _row_at(lines: list[str], field: str) -> int | None:
    return next((at for at, line in enumerate(lines) if line.startswith(f"| `{field}` |")), None)


def _fields(definition: dict[str, Any]) -> list[str]:
    return [field for field in definition["properties"] if field not in IN_EVERY_LINE]


def _row(field: str, definition: dict[str, Any]) -> str:
    told = definition["properties"][field]
    words = " ".join(told.get("description", "").split()).rstrip(".").replace("|", "\\|")
    absent = "" if field in definition["required"] else "may be absent"
    meaning = "; ".join(part for part in (words, absent) if part) or field.replace("_", " ")
    return f"| `{field}` | {_type(told)} | {meaning} |"


def _type(told: dict[str, Any]) -> str:
    if "anyOf" in told:  # with null, where it may be absent
        told = next(one for one in told["anyOf"] if one.get("type") != "null")
    if "$ref" in told:
        return str(told["$ref"]).rpartition("/")[2]
    if told.get("type") == "array":
        items = told.get("items") or (told.get("prefixItems") or [{}])[0]
        return f"list of {_type(items)}"
    if told.get("type") == "object":
        values = told.get("additionalProperties")
        return f"object of {_type(values)}" if isinstance(values, dict) else "object"
    return TYPES.get(str(told.get("type")), "text")


def main() -> int:
    """Writes or checks; returns the exit status."""
    page = PAGE.read_text(encoding="utf-8")
    made = with_records(page, json.loads(SCHEMA.read_text(encoding="utf-8")))
    if "--check" in sys.argv[1:]:
        missing = [line for line in made.splitlines() if line not in page.splitlines()]
        if missing:
            print(
                "docs/reference/records.md lacks these; run tools/write_records.py",
                *missing,
                sep="\n",
            )
        return int(bool(missing))
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
