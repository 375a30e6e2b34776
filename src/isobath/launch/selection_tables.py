# SPDX-License-Identifier: Apache-2.0
"""The tables by which a library of MPICH's family selects algorithms, read out of its own file.

MPICH compiles them in as JSON: {"collective=bcast":{"comm_type=intra":{"comm_size<8":...}}}.
Several tables may have a collective: that of the shared memory, of the device, the general one.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

BEGIN, WORD = b'{"collective=', "collective="
DIGITS = 8

SIZE = re.compile(r"(avg|total)_msg_size(?:(<=?)(\d+)|=any)")
"""A condition on the size of a block, or of all blocks together."""

LEAF = re.compile(r"(?:algorithm|composition)=(.+)")


@dataclass(frozen=True)
class SelectionTables:
    """What all tables of a library say, by collective; empty where there is no table."""

    digests: Mapping[str, str] = field(default_factory=dict)
    """of all that they say"""
    switches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """12289 binomial to scatter_ring_allgather: first size in bytes of the second, and their names;
    total before it where that is the size of all blocks. Between ranks of one communicator."""


def selection_tables(path: Path) -> SelectionTables:
    """Of a library's file; empty where it cannot be read."""
    try:
        content = path.read_bytes()
    except OSError:
        return SelectionTables()
    texts: dict[str, list[str]] = {}
    switches: dict[str, dict[str, None]] = {}
    for table in _tables(content):
        for key, rules in table.items():
            name = key.removeprefix(WORD)
            texts.setdefault(name, []).append(json.dumps(rules, sort_keys=True))
            if isinstance(rules, dict):
                inside = rules.get("comm_type=intra", rules)
                switches.setdefault(name, {}).update(dict.fromkeys(_switches(name, inside)))
    digests = {
        name: hashlib.sha256("\n".join(sorted(rules)).encode()).hexdigest()[:DIGITS]
        for name, rules in sorted(texts.items())
    }
    return SelectionTables(
        digests, {name: tuple(sorted(words)) for name, words in sorted(switches.items()) if words}
    )


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


def _switches(collective: str, rules: object) -> Iterator[str]:
    """Where sizes follow one another, at any depth."""
    if not isinstance(rules, dict):
        return
    by_size = [(hit, inside) for key, inside in rules.items() if (hit := SIZE.fullmatch(key))]
    for (limit, below), (_, above) in pairwise(by_size):
        of, sign, number = limit.groups()
        first = int(number or 0) + (sign == "<=")
        before, after = _algorithms(collective, below), _algorithms(collective, above)
        if first > 1 and before and after and before != after:
            yield f"{'total ' if of == 'total' else ''}{first} {before} to {after}"
    for inside in rules.values():
        yield from _switches(collective, inside)


def _algorithms(collective: str, rules: object) -> str:
    """All that may run there, in one word: binomial, or smp/recursive_doubling."""
    return "/".join(dict.fromkeys(_leaves(collective, rules)))


def _leaves(collective: str, rules: object) -> Iterator[str]:
    for key, inside in rules.items() if isinstance(rules, dict) else ():
        leaf = LEAF.fullmatch(key)
        if leaf is not None:
            name = leaf[1].lower()
            yield name.partition(f"{collective}_")[2].removeprefix("intra_") or name
        else:
            yield from _leaves(collective, inside)
