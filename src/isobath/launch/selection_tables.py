# SPDX-License-Identifier: Apache-2.0
"""The tables by which a library of MPICH's family selects algorithms, read out of its own file.

MPICH compiles them in as JSON: {"collective=bcast":{"comm_type=intra":{"comm_size<8":...}}}.
Several tables may have a collective: that of the shared memory, of the device, the general one.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

BEGIN, WORD = b'{"collective=', "collective="
DIGITS = 8


def selection_digests(path: Path) -> dict[str, str]:
    """A digest of what all tables say of each collective; empty where there is no table."""
    try:
        content = path.read_bytes()
    except OSError:
        return {}
    texts: dict[str, list[str]] = {}
    for table in _tables(content):
        for key, rules in table.items():
            text = json.dumps(rules, sort_keys=True)
            texts.setdefault(key.removeprefix(WORD), []).append(text)
    return {
        name: hashlib.sha256("\n".join(sorted(rules)).encode()).hexdigest()[:DIGITS]
        for name, rules in sorted(texts.items())
    }


def _tables(content: bytes) -> Iterator[dict[str, object]]:
    place = content.find(BEGIN)
    while place >= 0:
        end = content.find(b"\0", place)
        try:
            table = json.loads(content[place : end if end >= 0 else None])
        except (ValueError, RecursionError):
            table = {}
        if isinstance(table, dict):
            yield table
        place = content.find(BEGIN, end) if end >= 0 else -1
