# SPDX-License-Identifier: Apache-2.0
"""Reads GOAL as LogGOPSim's txt2bin does, and plays it without time: who waits for whom."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

OPERATION = re.compile(
    r"(?P<label>[A-Za-z]\w*): (?:calc (?P<time>\d+)|"
    r"(?P<kind>send|recv) (?P<size>\d+)b (?P<word>to|from) (?P<peer>\d+) tag (?P<tag>\d+))"
)
NEED = re.compile(r"(?P<label>[A-Za-z]\w*) requires (?P<needed>[A-Za-z]\w*)")
STEP = re.compile(r"// step (\d+) level (-?\d+) (\w+) (\w+) (\w+)")
WORDS = {"send": "to", "recv": "from"}

Key = tuple[int, str, str, str]
"""level, phase, call, communicator"""


@dataclass
class Read:
    """One operation."""

    kind: str
    size: int
    key: Key
    message: tuple[int, int, int] | None = None
    """sender, receiver, tag"""
    needs: list[str] = field(default_factory=list)


Ranks = list[dict[str, Read]]


def read(text: str) -> Ranks:
    """Raises: AssertionError for what is no GOAL."""
    lines = iter(text.splitlines())
    head = re.fullmatch(r"num_ranks (\d+)", next(lines))
    assert head, "the number of ranks comes first"
    ranks: Ranks = [_rank(number, lines) for number in range(int(head[1]))]
    assert list(lines) == []
    return ranks


def _rank(number: int, lines: Iterator[str]) -> dict[str, Read]:
    assert next(lines) == f"rank {number} {{"
    operations: dict[str, Read] = {}
    key: Key = (-1, "", "", "")
    for line in lines:
        if line == "}":
            return operations
        if step := STEP.fullmatch(line):
            key = (int(step[2]), step[3], step[4], step[5])
        elif need := NEED.fullmatch(line):
            assert need["needed"] in operations, f"{line}: told before it is there"
            operations[need["label"]].needs.append(need["needed"])
        else:
            found = OPERATION.fullmatch(line)
            assert found, line
            assert found["label"] not in operations
            operations[found["label"]] = _operation(number, found, key)
    raise AssertionError("a rank has no end")


def _operation(rank: int, found: re.Match[str], key: Key) -> Read:
    kind = found["kind"]
    if kind is None:
        return Read("calc", int(found["time"]), key)
    assert WORDS[kind] == found["word"]
    peer, tag = int(found["peer"]), int(found["tag"])
    message = (rank, peer, tag) if kind == "send" else (peer, rank, tag)
    return Read(kind, int(found["size"]), key, message)


def totals(ranks: Ranks) -> dict[Key, tuple[int, int]]:
    """Messages with at least a byte and their bytes, by what the ledger adds up by."""
    found: dict[Key, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for operations in ranks:
        for one in operations.values():
            if one.kind == "send":
                messages, sent = found[one.key]
                found[one.key] = (messages + (one.size > 0), sent + one.size)
    return dict(found)


def unmatched(ranks: Ranks) -> set[tuple[tuple[int, int, int], int]]:
    """Messages that are not sent once and received once with the same bytes."""
    told: dict[str, dict[tuple[int, int, int], int]] = {"send": {}, "recv": {}}
    for operations in ranks:
        for one in operations.values():
            if one.message is not None:
                assert one.message not in told[one.kind], f"{one.message} is there twice"
                told[one.kind][one.message] = one.size
    return set(told["send"].items()) ^ set(told["recv"].items())


def waiting_for_ever(ranks: Ranks) -> int:
    """Operations that never end where a send ends no sooner than its receive begins."""
    left = [dict(operations) for operations in ranks]
    while True:
        ready = [
            (rank, label, one)
            for rank, operations in enumerate(left)
            for label, one in operations.items()
            if not any(needed in operations for needed in one.needs)
        ]
        sends = {one.message for _, _, one in ready if one.kind == "send"}
        meet = sends & {one.message for _, _, one in ready if one.kind == "recv"}
        ended = [
            (rank, label) for rank, label, one in ready if one.kind == "calc" or one.message in meet
        ]
        if not ended:
            return sum(map(len, left))
        for rank, label in ended:
            del left[rank][label]
