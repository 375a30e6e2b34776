# SPDX-License-Identifier: Apache-2.0
"""What IPM and mpiP would have printed of the same program."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from isobath.kinds.profile.tables import SHOWN, grouped, say_more, site_of, table_of
from isobath.profile.profile import Profile
from isobath.profile.views import ipm_rows, mpip_bins, mpip_bytes
from isobath.report.wording import compact, percent, printable
from isobath.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType


def ipm(profile: Profile) -> "Iterator[RenderableType]":
    """The same calls as IPM counts them."""
    yield from _compatibility("IPM", "of calls with several counts the segment to itself")
    table = table_of("Calls by buffer size", "call", "#from", "#to", "#calls", "#time", "#of MPI")
    total = profile.whole.mpi_seconds.mean * profile.whole.ranks_recorded or 1.0
    rows = ipm_rows(profile)
    for row in rows[:SHOWN]:
        table.add_row(
            f"MPI_{row.call.capitalize()}",
            str(row.smallest),
            str(row.largest),
            compact(row.count),
            format_seconds(row.seconds),
            percent(row.seconds / total),
        )
    say_more(table, len(rows))
    yield table


def mpip(profile: Profile) -> "Iterator[RenderableType]":
    """The same calls as mpiP counts them."""
    yield from _compatibility("mpiP", "of blocking calls with several counts nothing")
    table = table_of("Call sites", "call", "from", "#calls", "#time", "#of MPI", "#bytes")
    total = profile.whole.mpi_seconds.mean or 1.0
    groups = grouped(profile, lambda cell: (cell.call, site_of(cell)))
    for (call, site), cells in list(groups.items())[:SHOWN]:
        seconds = sum(cell.seconds.mean for cell in cells)
        recorded = sum(mpip_bytes(cell) for cell in cells)
        table.add_row(
            call.capitalize(),
            printable(site),
            compact(sum(cell.calls for cell in cells)),
            format_seconds(seconds),
            percent(seconds / total),
            format_bytes(recorded) if recorded else "0",
        )
    say_more(table, len(groups))
    yield table
    bins = table_of("Sizes", "call", "#from", "#to", "#calls", "#bytes")
    rows = mpip_bins(profile)
    for row in rows[:SHOWN]:
        bins.add_row(
            row.call.capitalize(),
            str(row.smallest),
            str(row.largest),
            compact(row.count),
            format_bytes(row.bytes),
        )
    say_more(bins, len(rows))
    yield bins


def _compatibility(tool: str, words: str) -> "Iterator[RenderableType]":
    from rich.text import Text

    yield Text(
        f"As {tool} counts: the sizes that the arguments say, {words}. This is not what was sent; "
        "see --view sizes.",
        style="bold",
    )
