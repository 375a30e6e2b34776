# SPDX-License-Identifier: Apache-2.0
"""Threads of a rank: what each did, and which share of their time was MPI."""

from collections.abc import Iterator

from isobath.profile.rank_files import RankFile
from isobath.records.profile import ProfileThreadRecord
from isobath.units import Seconds

PER_SECOND = 1e-9


def mpi_seconds(file: RankFile) -> Seconds:
    """In profiled calls, of all threads together."""
    return float(sum(cell["nanoseconds"] for cell in file.cells)) * PER_SECOND


def wall_seconds(file: RankFile) -> Seconds:
    """Of the rank, whatever its threads did."""
    return float(max(file.head["nanoseconds"], 1)) * PER_SECOND


def number_of_threads(file: RankFile) -> int:
    """Those that called MPI; the first one counts where none did."""
    return max(1, sum(int(line["threads"]) for line in file.threads))


def thread_seconds(file: RankFile) -> Seconds | None:
    """Wall time of its threads that called MPI, added up; None where there was one."""
    if number_of_threads(file) == 1:
        return None
    return float(sum(line["wall"] for line in file.threads)) * PER_SECOND


def share_of_wall(file: RankFile) -> float:
    """Time in MPI by wall time, of several threads by that of all of them: 1 at most."""
    return mpi_seconds(file) / (thread_seconds(file) or wall_seconds(file))


def thread_records(run_id: str, file: RankFile) -> Iterator[ProfileThreadRecord]:
    """A row for each thread of a rank that has several."""
    if number_of_threads(file) == 1:
        return
    for line in file.threads:
        yield ProfileThreadRecord(
            run_id=run_id,
            rank=file.rank,
            thread=line["index"],
            threads=line["threads"],
            wall_seconds=line["wall"] * PER_SECOND,
            mpi_seconds=line["nanoseconds"] * PER_SECOND,
            calls=line["calls"],
            bytes_sent=line["sent"],
            bytes_received=line["received"],
        )
