# SPDX-License-Identifier: Apache-2.0
"""JSON as our own files hold it: every key once in an object, no deeper than we write."""

import json
from typing import Any

DEEPEST = 64
"""objects and lists in each other; ours have fewer than ten"""

LARGEST_WHOLE = (1 << 64) - 1
"""a seed has all bits of std::uint64_t"""

LARGEST = 1e100
"""of a measured number: it and its square can be added up"""


def loads(text: str | bytes) -> Any:
    """Raises: ValueError, in words that end a sentence, for what is not JSON or not ours."""
    try:
        content = json.loads(text, object_pairs_hook=_each_once)
        _check_depth(content, 0)
    except RecursionError:
        raise ValueError("objects or lists are nested too deeply") from None
    return content


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"the key {twice!a} stands twice in one object")
    return fields


def _check_depth(value: Any, depth: int) -> None:
    if not isinstance(value, dict | list):
        return
    if depth > DEEPEST:
        raise ValueError("objects or lists are nested too deeply")
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            _check_depth(inner, depth + 1)
