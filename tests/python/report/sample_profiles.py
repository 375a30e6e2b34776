# SPDX-License-Identifier: Apache-2.0
"""Profiles of made-up programs: so many ranks that meet in so many collective calls."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from isobath.profile.merge import merge
from isobath.profile.profile import Profile, profiles_of
from isobath.profile.rank_files import RankFile
from isobath.profile.worlds import find_mistake, find_worlds, merge_worlds
from isobath.report.profile_data import ProfileData

CALLS = (("allreduce", "all"), ("bcast", "from_root"), ("reduce", "root"))


@dataclass(frozen=True)
class SampleProfile:
    """A program whose rank r comes 100 r ns late to every call."""

    ranks: int = 4
    rounds: int = 20
    """in which each of the calls is made once"""
    word: str = "solve"
    """in every name that a program can choose"""
    processors: int | None = 64
    timeline: bool = True
    killed: int = 0
    """ranks that left no file"""
    costly: bool = False
    unknown: int = 0
    """receives of each kind of call and rank whose status says nothing"""


def profile_of(sample: SampleProfile) -> ProfileData:
    """The profile as its page reads it."""
    files = [_rank_file(sample, rank) for rank in range(sample.ranks - sample.killed)]
    records = merge("20261121-081500-profile-3fa9", files, with_timeline=sample.timeline)
    return ProfileData(
        Profile.of(records),
        ("isobath", "profile", "--", "mpirun", "-n", str(sample.ranks), f"./{sample.word}", "in"),
        "2026-11-21 08:15 UTC",
        sample.processors,
    )


def worlds_of(number: int) -> tuple[ProfileData, ...]:
    """Processes of one launcher that did not find each other, as the page reads them."""
    sample = SampleProfile(ranks=1)
    files = [_rank_file(sample, 0) for _ in range(number)]
    for task, file in enumerate(files):
        file.head.update(task=task, launched=number, fault="it is so", cure="mend <it>")
    worlds = find_worlds(files)
    mistake = find_mistake(worlds, by_launcher=True)
    records = merge_worlds("20261121-081500-profile-3fa9", worlds, mistake)
    return tuple(replace(profile_of(sample), profile=one) for one in profiles_of(records))


def _rank_file(sample: SampleProfile, rank: int) -> RankFile:
    rounds, size = sample.rounds, 8 << min(rank, 20)
    rows = []
    for number in range(rounds):
        for index in range(len(CALLS)):
            entry = 10_000 * number + 3_000 * index + 100 * rank
            rows.append([index, 0 if index else -1, entry, 2_500 - 100 * min(rank, 20)])
    cells = [_cell(sample, index, size) for index in range(len(CALLS))] if rounds else []
    sizes: list[dict[str, Any]] = [
        {"call": "allreduce", "meaning": "per_peer", "from": size, "to": 2 * size,
         "count": rounds, "bytes": rounds * size, "nanoseconds": 1000.0}
    ]  # fmt: skip
    others = [peer for peer in range(sample.ranks) if peer != rank]
    return RankFile(
        head={
            "rank": rank,
            "ranks": sample.ranks,
            "nanoseconds": 10_000 * rounds + 50_000,
            "calls": len(rows),
            "scanned": 0,
            "instances_left_out": 0,
            "calls_without_cell": 0,
            "requests_left_out": 0,
            "checkpoint_nanoseconds": 0,
            "python_nanoseconds": 0,
            "nanoseconds_per_call": 500.0 if sample.costly else 1.0,
            "nanoseconds_per_count": 0.5,
            "outside_sent": 0,
            "outside_received": 0,
            "pid": 100 + rank,
            "parent": 99,
            "task": rank,
            "began": 1_000_000,
            "now": 2_000_000,
            "job": "",
            "launched": sample.ranks,
            "fault": "",
            "cure": "",
            "abi": "mpi5",
            "ended": "finalized",
            "host": sample.word,
            "library": f"library of {sample.word}",
        },
        communicators=[
            {"index": 0, "id": "a-0", "rank": rank, "size": sample.ranks, "inter": False,
             "peers": list(range(sample.ranks))}
        ],
        regions=[{"name": "", "number": -1}, {"name": sample.word, "number": 2}],
        cells=cells,
        sizes=sizes if rounds else [],
        peers=[
            {"class": "collective", "peer": peer, "sent": rounds * size, "messages": rounds,
             "received": rounds * (8 << min(peer, 20))}
            for peer in others
            if rounds
        ],
        instances=np.array(rows, np.int64) if rows else np.empty((0, 8), np.int64),
    )  # fmt: skip


def _cell(sample: SampleProfile, index: int, size: int) -> dict[str, Any]:
    call, join = CALLS[index]
    sent = sample.rounds * size * (sample.ranks - 1) if call == "allreduce" else 0
    return {
        "call": call,
        "join": join,
        "communicator": 0,
        "region": index % 2,
        "search": index if index < 2 else -1,
        "calls": sample.rounds,
        "messages": sample.rounds,
        "sent": sent,
        "received": sent,
        "receives_unknown": sample.unknown,
        "kept": 0,
        "argument": sample.rounds * size,
        "nanoseconds": sample.rounds * 2_000,
        "max_nanoseconds": 2_500,
        "module": f"/bin/{sample.word}",
        "offset": 4096 + index,
        "symbol": sample.word,
    }
