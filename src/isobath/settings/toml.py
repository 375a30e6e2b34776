# SPDX-License-Identifier: Apache-2.0
"""Settings as a TOML file that a command reads again."""

import json
from collections.abc import Mapping
from typing import Any

from isobath.errors import UsageError
from isobath.settings.sources import KIND


def toml_value(value: Any) -> str:
    """A value as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{name} = {toml_value(entry)}" for name, entry in value.items())
        return "{ " + inner + " }" if inner else "{}"
    return _text(value) if isinstance(value, str) else repr(value)


def toml_file(kind: str, comment: str, values: Mapping[str, Any]) -> str:
    """A file of settings; tables that are listed stand last.

    Args: comment is its first line.
    """
    lines = [f"# {comment}", f"{KIND} = {_text(kind)}"]
    listed = {name: value for name, value in values.items() if _is_list_of_tables(value)}
    lines += [
        f"{name} = {toml_value(entry)}" for name, entry in values.items() if name not in listed
    ]
    for name, tables in listed.items():
        for table in tables:
            lines += ["", f"[[{name}]]"]
            lines += [f"{key} = {toml_value(entry)}" for key, entry in table.items()]
    return "\n".join(lines) + "\n"


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)


def _text(word: str) -> str:
    """A basic string: JSON's escapes are TOML's too, but for one letter.

    Raises: UsageError for what is no text.
    """
    try:
        word.encode("utf-8")
    except UnicodeEncodeError as error:
        raise UsageError(
            f"{word!a} is no text in UTF-8, and a file of settings is; rename that file"
        ) from error
    return json.dumps(word, ensure_ascii=False).replace("\x7f", "\\u007f")
