# SPDX-License-Identifier: Apache-2.0
"""What a launch under the profiler says: the share of an iteration in each MPI call."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from isobath.records.krylov import KrylovRecord
from isobath.records.profile import ProfileCellRecord
from isobath.records.record import Record


@dataclass(frozen=True)
class Share:
    """One MPI call: its part of the time of iterations, mean of ranks."""

    call: str
    part: float


def region_of(record: KrylovRecord) -> str:
    """As both programs announce a cell."""
    return f"{record.method}/{record.progress}/{record.tests}/{record.elements}"


def shares_of(rows: Iterable[Record]) -> dict[str, tuple[Share, ...]]:
    """By region, the largest first. Rows are the records of one launch."""
    solves: dict[str, float] = {}
    spent: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in rows:
        if isinstance(row, KrylovRecord) and row.solve is not None:
            by_rank = row.solve.rank_nanoseconds
            solves[region_of(row)] = fmean(sum(times) * 1e-9 for times in by_rank)
        elif isinstance(row, ProfileCellRecord) and row.region is not None:
            spent[row.region][row.call] += row.seconds.mean
    return {
        region: tuple(
            sorted(
                (Share(call, seconds / solves[region]) for call, seconds in calls.items()),
                key=lambda share: -share.part,
            )
        )
        for region, calls in spent.items()
        if solves.get(region)
    }
