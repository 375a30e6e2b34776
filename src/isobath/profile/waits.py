# SPDX-License-Identifier: Apache-2.0
"""How long ranks waited for each other in collective calls.

The k-th collective call on a communicator is the same call on all its ranks, so the times at which
they came to it can be compared, provided that they read one clock: ranks of one machine do. A rank
waits until the last one comes; in a broadcast until the root comes; in a reduction the root alone
waits. What is left of the call is transfer and software. No message is sent to find this out.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from isobath.profile.rank_files import RankFile, Rows


@dataclass
class Waits:
    """Seconds waited and calls covered, by rank and cell; and of each call, by rank."""

    seconds: dict[tuple[int, int], float] = field(default_factory=lambda: defaultdict(float))
    calls: dict[tuple[int, int], int] = field(default_factory=lambda: defaultdict(int))
    of_calls: dict[int, Rows] = field(default_factory=dict)
    """nanoseconds waited in each instance of a rank; -1 where nobody can know"""
    reasons: set[str] = field(default_factory=set)
    """why some could not be found"""

    @property
    def state(self) -> Literal["known", "partly", "unknown"]:
        """known, partly or unknown."""
        if not self.reasons:
            return "known"
        return "partly" if self.calls else "unknown"


@dataclass(frozen=True)
class _Member:
    """The instances of one rank on one communicator."""

    file: RankFile
    rank: int
    size: int
    is_inter: bool
    rows: Rows
    at: Rows
    """where they are among all instances of the rank"""


def find_waits(files: list[RankFile]) -> Waits:
    """Waits of all ranks."""
    waits = Waits()
    waits.of_calls = {file.rank: np.full(len(file.instances), -1, np.int64) for file in files}
    if len({file.head["host"] for file in files}) > 1:
        waits.reasons.add("the ranks ran on several machines, whose clocks are not compared")
        return waits
    if any(file.head["instances_left_out"] for file in files):
        waits.reasons.add("only the first collective calls of each rank were kept one by one")
    for members in _members(files).values():
        _of_communicator(members, waits)
    return waits


def _members(files: list[RankFile]) -> dict[str, list[_Member]]:
    members_by_id: dict[str, list[_Member]] = defaultdict(list)
    for file in files:
        if not len(file.instances):
            continue
        of_cell = np.array([cell["communicator"] for cell in file.cells])
        communicator_of = of_cell[file.instances[:, 0]]
        for line in file.communicators:
            at = np.flatnonzero(communicator_of == line["index"])
            if len(at):
                rows = file.instances[at]
                member = _Member(file, line["rank"], line["size"], line["inter"], rows, at)
                members_by_id[line["id"]].append(member)
    return members_by_id


def _of_communicator(members: list[_Member], waits: Waits) -> None:
    if members[0].is_inter:
        waits.reasons.add("calls between two groups are not compared")
        return
    members.sort(key=lambda peer: peer.rank)
    if [peer.rank for peer in members] != list(range(members[0].size)):
        waits.reasons.add("some ranks of a communicator left no file")
        return
    length = min(len(peer.rows) for peer in members)
    if any(len(peer.rows) != length for peer in members):
        waits.reasons.add("some ranks ended before others, or kept fewer calls one by one")
    call_names = np.array(
        [[peer.file.cells[cell]["call"] for cell in peer.rows[:length, 0]] for peer in members]
    )
    same = (call_names == call_names[0]).all(axis=0)
    if not same.all():
        waits.reasons.add("ranks made collective calls of one communicator in different orders")
        length = int(np.argmin(same))
    if length:
        _compare(members, length, waits)


def _compare(members: list[_Member], length: int, waits: Waits) -> None:
    entries = np.stack([peer.rows[:length, 2] for peer in members])
    durations = np.stack([peer.rows[:length, 3] for peer in members])
    roots = members[0].rows[:length, 1]
    joins = np.array([members[0].file.cells[cell]["join"] for cell in members[0].rows[:length, 0]])
    last = entries.max(axis=0)
    root_entry = entries[np.clip(roots, 0, len(members) - 1), np.arange(length)]
    for number, member in enumerate(members):
        until = np.where(joins == "from_root", root_entry, last)
        waited = np.clip(until - entries[number], 0, durations[number])
        waited[(joins == "root") & (roots != number)] = 0
        waits.of_calls[member.file.rank][member.at[:length]] = waited
        cells = member.rows[:length, 0]
        for cell in np.unique(cells):
            key = (member.file.rank, int(cell))
            waits.seconds[key] += float(waited[cells == cell].sum()) * 1e-9
            waits.calls[key] += int((cells == cell).sum())
