# SPDX-License-Identifier: Apache-2.0
"""Every rank's time: outside MPI, waiting, and in transfer."""

from isobath.records.profile import ProfileRankRecord
from isobath.report.marks import Span, SpanRow, StackChart
from isobath.report.profile_data import ProfileData, received, share_of_rank
from isobath.report.profile_sections.calls import REST, WAIT
from isobath.report.wording import (
    compact,
    count_of,
    part_of,
    percent,
    printable,
    share_of,
    significant,
)
from isobath.units import Seconds, format_bytes, format_seconds
from isobath.view.content import Figure, Legend, Section, Table, columns, first_rows

TITLE = "Ranks"

MOST = 32
"""ranks that get a bar; of more, those with most and least time in MPI do"""

OUTSIDE = "time-work"


def render(data: ProfileData) -> Section:
    """A bar for each rank."""
    ranks = data.profile.ranks
    rows, left = first_rows([_row(rank) for rank in ranks], 512, "records.jsonl")
    figure = Figure(
        StackChart(tuple(map(_bar, chosen(ranks))), "milliseconds since MPI_Init"),
        caption(data),
        (
            Legend(OUTSIDE, "outside MPI"),
            Legend(WAIT, "waiting in collective calls"),
            Legend(REST, "other time in MPI"),
        ),
        Table(
            "Ranks in numbers",
            columns("#rank", "=host", "=ended", "#wall", "#in MPI", "#waiting", "#calls", "#sent",
                    "#received"),
            rows,
            folded=True,
            left_out=left,
        ),
        title="Where each rank's time goes",
    )  # fmt: skip
    return Section("ranks", TITLE, (figure,), lead=lead(data))


def chosen(ranks: tuple[ProfileRankRecord, ...]) -> list[ProfileRankRecord]:
    """All ranks, or of very many the extremes."""
    if len(ranks) <= MOST:
        return list(ranks)
    ordered = sorted(ranks, key=lambda rank: share_of_rank(rank) or 0.0)
    return sorted(ordered[: MOST // 2] + ordered[-MOST // 2 :], key=lambda rank: rank.rank)


def _bar(rank: ProfileRankRecord) -> SpanRow:
    whole, share = rank.wall_seconds * 1e3, share_of_rank(rank)
    if share is None:
        return SpanRow(f"rank {rank.rank}", (), "several threads, not told apart", "unknown")
    inside = whole * share
    outside = whole - inside
    wait = outside + inside * min(1.0, part_of(rank.wait_seconds, rank.mpi_seconds))
    spans = (Span(0.0, outside, OUTSIDE), Span(outside, wait, WAIT), Span(wait, whole, REST))
    return SpanRow(f"rank {rank.rank}", spans, f"{percent(share)} in MPI", percent(share))


def _row(rank: ProfileRankRecord) -> tuple[str, ...]:
    return (
        str(rank.rank),
        printable(rank.host),
        printable(rank.ended),
        format_seconds(rank.wall_seconds),
        _share(rank, rank.mpi_seconds),
        _share(rank, min(rank.wait_seconds, rank.mpi_seconds)),
        compact(rank.calls),
        format_bytes(rank.bytes_sent),
        received(rank),
    )


def _share(rank: ProfileRankRecord, part: Seconds) -> str:
    """Of the wall time, of several threads of that of all of them."""
    if share_of_rank(rank) is None:
        return "unknown"
    return share_of(part, rank.thread_seconds or rank.wall_seconds)


def lead(data: ProfileData) -> str:
    """Who waits least, for it is the one that others wait for."""
    ranks, whole = data.profile.ranks, data.profile.whole
    if len(ranks) < 2 or whole.waits == "unknown" or not any(rank.wait_seconds for rank in ranks):
        return f"{count_of(len(ranks), 'rank')} left a record."
    least = min(ranks, key=lambda rank: rank.wait_seconds)
    most = max(ranks, key=lambda rank: rank.wait_seconds)
    return (
        f"Rank {least.rank} waits least ({format_seconds(least.wait_seconds)}) and rank "
        f"{most.rank} most ({format_seconds(most.wait_seconds)}): the others wait for who waits "
        "least."
    )


def caption(data: ProfileData) -> str:
    """How uneven the time in MPI is."""
    spread = data.profile.whole.mpi_seconds
    imbalance = significant(spread.max / spread.mean) if spread.mean else "1"
    said = data.profile.whole.waits_reason
    more = f" Waits are {data.profile.whole.waits}: {said}." if said else ""
    few = len(data.profile.ranks) > MOST
    shown = f" Shown are the {MOST} with most and least time in MPI." if few else ""
    several = (data.profile.whole.threads or 1) > 1
    threads = ", with the share of all its threads that call MPI" if several else ""
    return (
        f"Wall time of each rank{threads}. The largest time in MPI is {imbalance} times the "
        f"mean.{shown}{more}"
    )
