# SPDX-License-Identifier: Apache-2.0
"""What the records of one run say of its communication, added up for the sections of a race."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from isobath.records.communication import (
    NO_END,
    MessageSizesRecord,
    MpiTimeRecord,
    SizeMeaning,
    TrafficMatrixRecord,
)
from isobath.records.run_records import RunRecords
from isobath.units import Seconds

Cells: TypeAlias = tuple[tuple[int, ...], ...]
"""a square matrix; rows are senders"""

MOST_ROWS = 64
"""of a matrix that is drawn; more ranks are summed in groups of equal size"""

MEANINGS: tuple[SizeMeaning, ...] = ("per_peer", "call_total", "own_segment")
"""Of sizes, the one that distributions are drawn of first."""


@dataclass(frozen=True)
class TrafficMatrix:
    """Who sent how much to whom in one part of a run, all phases together."""

    unit: str
    """rank or node"""
    bytes: Cells
    messages: Cells


@dataclass(frozen=True)
class RankTime:
    """Seconds of one rank, mean over searches."""

    seconds: Seconds
    mpi_seconds: Seconds
    wait_seconds: Seconds
    """inside MPI before the last rank had arrived; part of ``mpi_seconds``"""


def calls_of(records: RunRecords, part: str) -> list[MpiTimeRecord]:
    """The calls of a part that took time, longest first."""
    found = [one for one in records.mpi_times if one.part == part and one.seconds_per_rank.max > 0]
    return sorted(found, key=lambda one: (-one.seconds_per_rank.mean, one.call))


def sizes_of(records: RunRecords, part: str) -> list[MessageSizesRecord]:
    """Message sizes of a part, of the first meaning that there are any of."""
    found = [one for one in records.message_sizes if one.part == part]
    for meaning in MEANINGS:
        kept = [one for one in found if one.meaning == meaning and any(one.bytes)]
        if kept:
            return kept
    return []


def last_edge(one: MessageSizesRecord, index: int) -> float:
    """Where a bucket ends; one without end is drawn an octave wide."""
    end = one.to_bytes[index]
    return float(end) if end < NO_END else 2.0 * max(1, one.from_bytes[index])


def summed(cells: Cells, group: Callable[[int], int], size: int) -> Cells:
    """Rows and columns of one group added up. Args: ``group`` of a rank, below ``size``."""
    sums = [[0] * size for _ in range(size)]
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            sums[group(i)][group(j)] += value
    return tuple(map(tuple, sums))


def matrix_of(records: RunRecords, part: str) -> TrafficMatrix | None:
    """The matrix of a part; None in records without one."""
    found: list[TrafficMatrixRecord] = [one for one in records.run_matrices if one.part == part]
    if not found:
        return None
    return TrafficMatrix(
        found[0].unit, _sum(one.bytes for one in found), _sum(one.messages for one in found)
    )


def _sum(matrices: Iterable[Cells]) -> Cells:
    return tuple(tuple(map(sum, zip(*lines, strict=True))) for lines in zip(*matrices, strict=True))


def rank_times(records: RunRecords) -> tuple[RankTime, ...]:
    """Times of every rank; empty where a search does not tell them."""
    found = []
    for search in records.timed_searches:
        lists = (search.seconds_per_rank, search.mpi_seconds_per_rank, search.wait_seconds_per_rank)
        if any(one is None for one in lists):
            return ()
        found.append([one for one in lists if one is not None])
    if not found:
        return ()
    means = [_means([lists[kind] for lists in found]) for kind in range(3)]
    return tuple(RankTime(*values) for values in zip(*means, strict=True))


def _means(lists: Sequence[Sequence[Seconds]]) -> list[Seconds]:
    return [sum(values) / len(values) for values in zip(*lists, strict=True)]
