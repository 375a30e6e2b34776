# SPDX-License-Identifier: Apache-2.0
"""What the two classic profilers would have said of the same calls.

IPM takes one size for each call: count times type size as the arguments say, of Alltoallv and its
like the segment that the rank sends to itself, and puts it into buckets by its three highest bits.
mpiP adds the same up by call site; of the blocking calls with several counts its table of size
arguments knows none, so these have calls and time but no bytes, and receives have none either.
Both are compatibility views: they show what published figures were made of, not what was sent.
"""

from collections import defaultdict
from dataclasses import dataclass

from isobath.profile.profile import Profile
from isobath.records.profile import ProfileCellRecord

NO_MPIP_SIZE = frozenset(
    {
        "alltoallv",
        "alltoallw",
        "reduce_scatter",
        "reduce_scatter_block",
        "scatterv",
        "exscan",
        "recv",
        "irecv",
        "recv_init",
        "mrecv",
        "imrecv",
        "get",
        "rget",
    }
)
"""Calls of which mpiP 3.5 records no bytes sent. Neighbourhood calls it does not wrap either."""

MPIP_SUMS_COUNTS = frozenset({"ialltoallv", "ialltoallw", "ireduce_scatter", "iscatterv"})
"""Calls with several counts of which mpiP adds up all."""

MPIP_SMALLEST = 8
"""first bin: sizes up to 7"""


@dataclass(frozen=True)
class SizeRow:
    """Calls whose sizes fell into one bucket."""

    call: str
    smallest: int
    largest: int
    count: int
    bytes: int
    seconds: float


def ipm_rows(profile: Profile) -> list[SizeRow]:
    """IPM's table by call and buffer size, the one with the most time first."""
    rows = [
        SizeRow(sizes.call, begin, end - 1, count, size, seconds)
        for sizes in profile.sizes
        if sizes.meaning == "argument"
        for begin, end, count, size, seconds in zip(
            sizes.from_bytes,
            sizes.to_bytes,
            sizes.count,
            sizes.bytes,
            sizes.seconds,
            strict=True,
        )
    ]
    return sorted(rows, key=lambda row: -row.seconds)


def mpip_bytes(cell: ProfileCellRecord) -> int:
    """What mpiP would have recorded as sent."""
    if cell.call in NO_MPIP_SIZE or cell.call.startswith(("neighbor", "ineighbor")):
        return 0
    if cell.call in MPIP_SUMS_COUNTS:
        return cell.bytes_sent + cell.kept_bytes
    return cell.argument_bytes


def mpip_bins(profile: Profile) -> list[SizeRow]:
    """mpiP's histogram: powers of two, the first bin up to 7 bytes; all calls that have a size."""
    bins: dict[tuple[str, int], list[float]] = defaultdict(lambda: [0, 0, 0.0])
    for sizes in profile.sizes:
        if sizes.meaning != "argument" or sizes.call in NO_MPIP_SIZE:
            continue
        for begin, count, size, seconds in zip(
            sizes.from_bytes, sizes.count, sizes.bytes, sizes.seconds, strict=True
        ):
            smallest = 0 if begin < MPIP_SMALLEST else 1 << (begin.bit_length() - 1)
            sums = bins[sizes.call, smallest]
            sums[0] += count
            sums[1] += size
            sums[2] += seconds
    return [
        SizeRow(
            call,
            smallest,
            (2 * smallest or MPIP_SMALLEST) - 1,
            int(totals[0]),
            int(totals[1]),
            totals[2],
        )
        for (call, smallest), totals in sorted(bins.items())
    ]
