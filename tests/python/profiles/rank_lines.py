# SPDX-License-Identifier: Apache-2.0
"""Rank files of a made-up program: two ranks, one allreduce and one broadcast from rank 1."""

from typing import Any

import numpy as np

from isobath.profile.rank_files import RankFile

CALLS = (("allreduce", "all"), ("bcast", "from_root"))
NO_SITE = {
    "calls": 1, "messages": 1, "sent": 8, "received": 8, "receives_unknown": 0, "kept": 8,
    "argument": 8,
}  # fmt: skip


def rank_file(
    rank: int, entries: tuple[int, int], durations: tuple[int, int], **head: Any
) -> RankFile:
    """A rank that came to the two calls at these nanoseconds and stayed so long."""
    facts = {
        "rank": rank,
        "ranks": 2,
        "nanoseconds": 10_000,
        "calls": 2,
        "scanned": 0,
        "instances_left_out": 0,
        "calls_without_cell": 0,
        "requests_left_out": 0,
        "checkpoint_nanoseconds": 0,
        "python_nanoseconds": 0,
        "nanoseconds_per_call": 50.0,
        "nanoseconds_per_count": 0.5,
        "outside_sent": 0,
        "outside_received": 0,
        "pid": 100 + rank,
        "parent": 99,
        "task": rank,
        "began": 1_000_000,
        "now": 1_020_000,
        "job": "",
        "launched": 2,
        "fault": "",
        "cure": "",
        "abi": "mpi5",
        "ended": "finalized",
        "host": "here",
        "library": "a library",
    }
    cells = [
        {"call": call, "join": join, "communicator": 0, "region": 0, "search": 3, **NO_SITE,
         "nanoseconds": spent, "max_nanoseconds": spent}
        for (call, join), spent in zip(CALLS, durations, strict=True)
    ]  # fmt: skip
    size = {"line": "size", "call": "allreduce", "meaning": "per_peer", "from": 8, "to": 10}
    return RankFile(
        head=facts | head,
        communicators=[
            {"index": 0, "id": "a-0", "rank": rank, "size": 2, "inter": False, "peers": [0, 1]}
        ],
        regions=[{"name": "", "number": -1}],
        cells=cells,
        sizes=[size | {"count": 1, "bytes": 8, "nanoseconds": 100.0}],
        peers=[
            {"class": "collective", "peer": 1 - rank, "sent": 16, "messages": 2, "received": 16}
        ],
        instances=np.array(
            [
                [0, -1, entries[0], durations[0], 8, 1, 8, durations[0]],
                [1, 1, entries[1], durations[1], 8, 2, 16, sum(durations)],
            ],
            np.int64,
        ),
    )


def two_ranks(**head: Any) -> list[RankFile]:
    """Rank 1 is 700 ns late to the allreduce, rank 0 is 200 ns early at the broadcast's root."""
    return [
        rank_file(0, (1000, 3000), (900, 250), **head),
        rank_file(1, (1700, 3200), (200, 30), **head),
    ]


def thread(index: int, wall: int, inside: int, number: int = 1) -> dict[str, Any]:
    return {
        "index": index, "threads": number, "wall": wall, "nanoseconds": inside, "calls": 7,
        "sent": 10, "received": 20,
    }  # fmt: skip


def threaded_ranks() -> list[RankFile]:
    """Rank 0 has three threads that are in MPI for 27,500 ns of its 10,000; rank 1 has one."""
    files = two_ranks()
    files[0].cells[0]["nanoseconds"] = 27_250  # and 250 of the other call
    files[0].threads = [
        thread(0, 10_000, 9_500),
        thread(1, 8_000, 8_000),
        thread(2, 12_000, 10_000, number=5),
    ]
    files[1].threads = [thread(0, 10_000, 230)]
    return files


NAMES = {"A": "allreduce", "T": "allreduce", "B": "allreduce", "C": "allreduce", "g": "allgather",
         "v": "alltoallv", "b": "bcast", "w": "barrier"}  # fmt: skip
"""Letters of a program: each is a place of its own; capitals reduce 8 bytes."""


def program(letters: str, rank: int = 0) -> RankFile:
    """A rank that made these calls, 10 ns each and as much between them."""
    file = two_ranks()[rank]
    used = sorted(set(letters))
    file.cells[:] = [cell_of(letter, letters.count(letter)) for letter in used]
    rows = [
        [used.index(letter), -1, 100 + 20 * at, 10, 8, at + 1, 8 * (at + 1), 10 * (at + 1)]
        for at, letter in enumerate(letters)
    ]
    file.instances = np.array(rows, np.int64).reshape(-1, 8)
    return file


def cell_of(letter: str, calls: int) -> dict[str, Any]:
    return {"call": NAMES[letter], "join": "all", "communicator": 0, "region": 0, "search": -1,
            "module": "/a.out", "offset": ord(letter), "calls": calls, "messages": calls,
            "sent": 8 * calls, "received": 8 * calls, "receives_unknown": 0,
            "kept": 0, "argument": 8 * calls,
            "nanoseconds": 10 * calls, "max_nanoseconds": 10}  # fmt: skip
