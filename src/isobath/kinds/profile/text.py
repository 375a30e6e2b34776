# SPDX-License-Identifier: Apache-2.0
"""A profile in the terminal: tables of 80 columns."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from isobath.kinds.profile.compatibility import ipm, mpip
from isobath.kinds.profile.levels_text import by_level
from isobath.kinds.profile.tables import (
    SHOWN,
    grouped,
    say_more,
    site_of,
    table_of,
)
from isobath.profile.profile import Profile
from isobath.records.profile import ProfileCellRecord
from isobath.report.wording import compact, count_of, percent, printable, share_of
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

MOST_RANKS_IN_A_MATRIX = 8
OVERHEAD_LIMIT = 0.01
"""share of the wall time beyond which times are not to be believed"""


def summary(profile: Profile) -> "Iterator[RenderableType]":
    """The program as a whole, its calls, and what the profiler cost."""
    yield from _head(profile)
    yield calls_table(profile)
    yield _notes(profile)


def _head(profile: Profile) -> "Iterator[RenderableType]":
    from rich.text import Text

    whole = profile.whole
    text = Text()
    text.append(f"{percent(whole.share_of_wall.mean)} of the wall time in MPI", style="bold")
    low, high = whole.share_of_wall.min, whole.share_of_wall.max
    text.append(f"  ({percent(low)} to {percent(high)} over ")
    text.append(f"{count_of(whole.ranks_recorded, 'rank')}, ")
    text.append(f"{format_seconds(whole.wall_seconds.max)}, {count_of(whole.calls, 'call')})\n")
    text.append(f"{printable(whole.library)}, ABI {whole.abi}")
    yield text
    if whole.ranks_recorded < whole.ranks or set(whole.endings) != {"finalized"}:
        words = f"Ranks ended: {', '.join(whole.endings)}."
        if whole.ranks_recorded < whole.ranks:
            words += (
                f" Of {whole.ranks} ranks {whole.ranks_recorded} could write what they had; "
                "the others were killed."
            )
        yield Text(words, style="bold red")


def calls_table(profile: Profile) -> "Table":
    """Calls by time."""
    table = table_of(
        "Calls by time",
        "call",
        "#calls",
        "#time",
        "#of MPI",
        "#imbal.",
        "#wait",
        "#sent",
        "#a call",
    )
    for one in profile.calls[:SHOWN]:
        seconds = one.seconds
        table.add_row(
            one.call,
            compact(one.calls),
            format_seconds(seconds.mean),
            percent(one.share_of_mpi),
            f"{seconds.max / seconds.mean:.2f}" if seconds.mean else "",
            _wait(one.wait_seconds.mean if one.wait_seconds else None, seconds.mean),
            format_bytes(one.bytes_sent) if one.bytes_sent else "",
            format_bytes(one.bytes_sent / one.calls) if one.bytes_sent else "",
        )
    say_more(table, len(profile.calls))
    return table


def _wait(waited: float | None, seconds: float) -> str:
    """Share of the time that is waiting; empty where nobody can know."""
    return percent(min(1.0, waited / seconds)) if waited is not None and seconds else ""


def _notes(profile: Profile) -> "RenderableType":
    from rich.text import Text

    whole = profile.whole
    text = Text(style="dim")
    text.append(
        "time: mean over ranks; imbal.: slowest rank by mean; wait: share of the time before the "
        "others came; sent: bytes to other ranks.\n"
    )
    text.append(
        f"The profiler cost {format_seconds(whole.overhead_seconds_per_call)} a call, "
        f"{_plain_percent(whole.share_overhead)} of the wall time at most"
    )
    if whole.share_overhead > OVERHEAD_LIMIT:
        text.append(": more than 1 %, so times are too long", style="bold red")
    text.append(".")
    if whole.waits_reason:
        text.append(f"\nWaits are {whole.waits}: {whole.waits_reason}.")
    if whole.calls_without_place:
        text.append(
            f"\n{count_of(whole.calls_without_place, 'call')} counted without call site and "
            "region: there were too many."
        )
    if whole.requests_left_out:
        text.append(f"\n{count_of(whole.requests_left_out, 'receive')} without bytes: too many.")
    return text


def _plain_percent(share: float) -> str:
    return f"{share * 100:.2g} %"


def by_site(profile: Profile) -> "Iterator[RenderableType]":
    """Calls by the place of the program that made them."""
    table = table_of("Calls by call site", "call", "from", "#calls", "#time", "#of MPI", "#sent")
    groups = grouped(profile, lambda cell: (cell.call, site_of(cell)))
    yield _fill(table, profile, groups, lambda key: key)


def by_region(profile: Profile) -> "Iterator[RenderableType]":
    """Calls by region."""
    table = table_of("Calls by region", "region", "call", "#calls", "#time", "#of MPI", "#sent")
    groups = grouped(profile, lambda cell: (region_of(cell), cell.call))
    yield _fill(table, profile, groups, lambda key: key)


def by_search(profile: Profile) -> "Iterator[RenderableType]":
    """The searches that the program announced, the one with the most time in MPI first."""
    from rich.text import Text

    if not profile.searches:
        yield Text(
            "This program announces no searches; isobath_region_search() of isobath_region.h does."
        )
        return
    table = table_of(
        "Searches by time in MPI", "#search", "#calls", "#time", "#wait", "#sent", "longest call"
    )
    numbers = sorted({one.search for one in profile.searches})
    rows = []
    for number in numbers:
        calls = [one for one in profile.searches if one.search == number]
        longest = max(calls, key=lambda one: one.seconds.mean)
        seconds = sum(one.seconds.mean for one in calls)
        waits = [one.wait_seconds_mean for one in calls if one.wait_seconds_mean is not None]
        rows.append((seconds, sum(waits) if waits else None, number, calls, longest))
    for seconds, waited, number, calls, longest in sorted(rows, key=lambda row: -row[0])[:SHOWN]:
        sent = sum(one.bytes_sent for one in calls)
        table.add_row(
            str(number),
            compact(sum(one.calls for one in calls)),
            format_seconds(seconds),
            _wait(waited, seconds),
            format_bytes(sent) if sent else "",
            longest.call,
        )
    say_more(table, len(rows))
    yield table


def by_communicator(profile: Profile) -> "Iterator[RenderableType]":
    """Calls by communicator."""
    names = {one.communicator: one for one in profile.communicators}
    table = table_of(
        "Calls by communicator",
        "communicator",
        "#ranks",
        "call",
        "#calls",
        "#time",
        "#of MPI",
        "#sent",
    )

    def label(key: tuple[str, ...]) -> tuple[str, ...]:
        known = names.get(key[0])
        return key[0] or "-", str(known.size) if known else "", key[1]

    groups = grouped(profile, lambda cell: (cell.communicator or "", cell.call))
    yield _fill(table, profile, groups, label)


def region_of(cell: ProfileCellRecord) -> str:
    """A region in a word."""
    if cell.region is None:
        return "-"
    return cell.region if cell.region_number is None else f"{cell.region} {cell.region_number}"


def _fill(
    table: "Table",
    profile: Profile,
    groups: dict[tuple[str, ...], list[ProfileCellRecord]],
    label: Callable[[tuple[str, ...]], tuple[str, ...]],
) -> "Table":
    total = profile.whole.mpi_seconds.mean or 1.0
    for key, cells in list(groups.items())[:SHOWN]:
        seconds = sum(cell.seconds.mean for cell in cells)
        sent = sum(cell.bytes_sent for cell in cells)
        table.add_row(
            *(printable(word) for word in label(key)),
            compact(sum(cell.calls for cell in cells)),
            format_seconds(seconds),
            percent(seconds / total),
            format_bytes(sent) if sent else "",
        )
    say_more(table, len(groups))
    return table


def sizes(profile: Profile) -> "Iterator[RenderableType]":
    """Message sizes: what one other rank gets in a call."""
    table = table_of(
        "Message sizes: bytes to one other rank in one call",
        "call",
        "#from",
        "#to",
        "#messages",
        "#bytes",
        "#time",
    )
    rows = [
        (one.call, *row)
        for one in profile.sizes
        if one.meaning == "per_peer"
        for row in zip(one.from_bytes, one.to_bytes, one.count, one.bytes, one.seconds, strict=True)
    ]
    rows.sort(key=lambda row: -row[5])
    for call, begin, end, count, size, seconds in rows[:SHOWN]:
        table.add_row(
            call,
            str(begin),
            str(end - 1),
            compact(count),
            format_bytes(size),
            format_seconds(seconds),
        )
    say_more(table, len(rows))
    yield table


def matrix(profile: Profile) -> "Iterator[RenderableType]":
    """Bytes from each rank to each; of many ranks the busiest pairs."""
    sent = profile.sent()
    ranks = profile.whole.ranks
    if ranks <= MOST_RANKS_IN_A_MATRIX:
        table = table_of(
            "Bytes from rank (row) to rank", "", *(f"#{rank}" for rank in range(ranks))
        )
        for sender in range(ranks):
            row = (sent.get((sender, receiver), 0) for receiver in range(ranks))
            table.add_row(str(sender), *(format_bytes(one) if one else "" for one in row))
    else:
        table = table_of("Pairs of ranks with most bytes", "#from", "#to", "#bytes")
        pairs = sorted(sent.items(), key=lambda item: -item[1])
        for (sender, receiver), size in pairs[:SHOWN]:
            table.add_row(str(sender), str(receiver), format_bytes(size))
        say_more(table, len(pairs))
    yield table


def ranks(profile: Profile) -> "Iterator[RenderableType]":
    """Each rank."""
    table = table_of(
        "Ranks",
        "#rank",
        "host",
        "ended",
        "#wall",
        "#in MPI",
        "#waiting",
        "#calls",
        "#sent",
        "#received",
    )
    for one in profile.ranks[:SHOWN]:
        table.add_row(
            str(one.rank),
            printable(one.host),
            one.ended,
            format_seconds(one.wall_seconds),
            share_of(one.mpi_seconds, one.wall_seconds),
            share_of(one.wait_seconds, one.wall_seconds),
            compact(one.calls),
            format_bytes(one.bytes_sent),
            format_bytes(one.bytes_received),
        )
    say_more(table, len(profile.ranks))
    yield table


View = Callable[[Profile], Iterable["RenderableType"]]

VIEWS: dict[str, View] = {
    "summary": summary,
    "sites": by_site,
    "regions": by_region,
    "searches": by_search,
    "levels": by_level,
    "communicators": by_communicator,
    "sizes": sizes,
    "matrix": matrix,
    "ranks": ranks,
    "ipm": ipm,
    "mpip": mpip,
}
"""What --view takes."""

WORDS = {
    "summary": "the program as a whole, its calls by time",
    "sites": "calls by the place in the program that makes them",
    "regions": "calls by the regions that the program announces",
    "searches": "searches that Isobath's own programs announce",
    "levels": "searches and levels that nobody announces",
    "communicators": "calls by communicator",
    "sizes": "messages by size",
    "matrix": "bytes from each rank to each",
    "ranks": "time and bytes of each rank",
    "ipm": "what IPM would have said",
    "mpip": "what mpiP would have said",
}
"""What each view shows."""


def facts(profile: Profile) -> dict[str, Any]:
    """The program as a whole, its ranks and cells as records say them."""
    return {
        "program": profile.whole.model_dump(mode="json", by_alias=True),
        "ranks": [one.model_dump(mode="json", by_alias=True) for one in profile.ranks],
        "cells": [one.model_dump(mode="json", by_alias=True) for one in profile.cells],
    }
