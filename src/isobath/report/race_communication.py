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
    calls = [
        call for call in records.mpi_times if call.part == part and call.seconds_per_rank.max > 0
    ]
    return sorted(calls, key=lambda call: (-call.seconds_per_rank.mean, call.call))


def sizes_of(records: RunRecords, part: str) -> list[MessageSizesRecord]:
    """Message sizes of a part, of the first meaning that there are any of."""
    of_part = [record for record in records.message_sizes if record.part == part]
    for meaning in MEANINGS:
        kept = [record for record in of_part if record.meaning == meaning and any(record.bytes)]
        if kept:
            return kept
    return []


def last_edge(sizes: MessageSizesRecord, index: int) -> float:
    """Where a bucket ends; one without end is drawn an octave wide."""
    end = sizes.to_bytes[index]
    return float(end) if end < NO_END else 2.0 * max(1, sizes.from_bytes[index])


def summed(cells: Cells, group: Callable[[int], int], size: int) -> Cells:
    """Rows and columns of one group added up. Args: ``group`` of a rank, below ``size``."""
    sums = [[0] * size for _ in range(size)]
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            sums[group(i)][group(j)] += value
    return tuple(map(tuple, sums))


def matrix_of(records: RunRecords, part: str) -> TrafficMatrix | None:
    """The matrix of a part; None in records without one."""
    matrices: list[TrafficMatrixRecord] = [
        matrix for matrix in records.run_matrices if matrix.part == part
    ]
    if not matrices:
        return None
    return TrafficMatrix(
        matrices[0].unit,
        _sum(matrix.bytes for matrix in matrices),
        _sum(matrix.messages for matrix in matrices),
    )


def _sum(matrices: Iterable[Cells]) -> Cells:
    return tuple(tuple(map(sum, zip(*lines, strict=True))) for lines in zip(*matrices, strict=True))


def rank_times(records: RunRecords) -> tuple[RankTime, ...]:
    """Times of every rank; empty where a search does not tell them."""
    by_search = []
    for search in records.timed_searches:
        lists = (search.seconds_per_rank, search.mpi_seconds_per_rank, search.wait_seconds_per_rank)
        if any(times is None for times in lists):
            return ()
        by_search.append([times for times in lists if times is not None])
    if not by_search:
        return ()
    means = [_means([lists[kind] for lists in by_search]) for kind in range(3)]
    return tuple(RankTime(*values) for values in zip(*means, strict=True))


def _means(lists: Sequence[Sequence[Seconds]]) -> list[Seconds]:
    return [sum(values) / len(values) for values in zip(*lists, strict=True)]
