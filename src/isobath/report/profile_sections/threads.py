# SPDX-License-Identifier: Apache-2.0
"""The threads of ranks in which several call MPI."""

from isobath.records.profile import ProfileThreadRecord
from isobath.report.profile_data import ProfileData
from isobath.report.wording import compact, count_of, part_of, share_of
from isobath.units import format_bytes, format_seconds
from isobath.view.content import Section, Table, columns, first_rows, nothing

TITLE = "Threads"

ONE_EACH = "Of every rank one thread calls MPI."

NOT_RECORDED = "This profile was recorded before threads were told apart."


def render(data: ProfileData) -> Section:
    """Every thread in numbers; ranks with one thread stand in the section of ranks alone."""
    threads = data.profile.threads
    if not threads:
        told = data.profile.whole.threads is not None
        return nothing("threads", TITLE, ONE_EACH if told else NOT_RECORDED)
    rows, left_out = first_rows([_row(thread) for thread in threads], 512, "records.jsonl")
    table = Table(
        "Threads in numbers",
        columns("#rank", "=thread", "#wall", "#in MPI", "#calls", "#sent", "#received"),
        rows,
        left_out=left_out,
    )
    return Section("threads", TITLE, (table,), lead=lead(threads))


def _row(thread: ProfileThreadRecord) -> tuple[str, ...]:
    return (
        str(thread.rank),
        str(thread.thread) if thread.threads == 1 else f"{count_of(thread.threads, 'thread')} more",
        format_seconds(thread.wall_seconds),
        share_of(thread.mpi_seconds, thread.wall_seconds),
        compact(thread.calls),
        format_bytes(thread.bytes_sent),
        format_bytes(thread.bytes_received),
    )


def lead(threads: tuple[ProfileThreadRecord, ...]) -> str:
    """How many there are, and which is in MPI most."""
    most = max(threads, key=lambda row: part_of(row.mpi_seconds, row.wall_seconds))
    ranks = len({row.rank for row in threads})
    return (
        f"{count_of(sum(row.threads for row in threads), 'thread')} of {count_of(ranks, 'rank')} "
        f"call MPI; thread {most.thread} of rank {most.rank} is in it for the largest share of its "
        f"wall time, {share_of(most.mpi_seconds, most.wall_seconds)}. A thread's wall time is that "
        "from its start, or MPI_Init, to its end."
    )
