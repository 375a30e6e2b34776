# SPDX-License-Identifier: Apache-2.0
"""What mpiP would have printed of the same program."""

from collections import defaultdict

from isobath.profile.views import SizeRow, mpip_bins, mpip_bytes
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.profile_sections.places import MOST_ROWS, site, totals
from isobath.report.wording import compact, milliseconds, percent
from isobath.units import format_bytes
from isobath.view.content import Section, Table, columns, first_rows

TITLE = "As mpiP counts"


def render(data: ProfileData) -> Section:
    """Calls by site with the bytes that mpiP adds up, and by size."""
    return Section(
        "mpip",
        TITLE,
        (_sites(data), _sizes(data)),
        lead="As mpiP counts: the sizes that the arguments say, of blocking calls with several "
        "counts nothing. This is not what was sent; see Message sizes.",
    )


def _sites(data: ProfileData) -> Table:
    whole = data.profile.whole.mpi_seconds.mean or 1.0
    recorded: dict[str, int] = defaultdict(int)
    for cell in data.profile.cells:
        recorded[site(cell)] += mpip_bytes(cell)
    rows, left_out = first_rows(
        [
            (
                name,
                compact(total.calls),
                milliseconds(total.seconds),
                percent(total.seconds / whole),
                format_bytes(recorded[name]) if recorded[name] else "0",
            )
            for (name,), total in totals(data.profile.cells, lambda cell: (site(cell),)).items()
        ],
        MOST_ROWS,
        "records.jsonl",
    )
    return Table(
        "Call sites, with bytes of arguments",
        columns("call site", "#calls", "#ms a rank", "#of MPI", "#bytes"),
        rows,
        folded=True,
        left_out=left_out,
    )


def _sizes(data: ProfileData) -> Table:
    def cells(row: SizeRow) -> tuple[str, ...]:
        return (
            mpi_name(row.call),
            f"{row.smallest:,}",
            f"{row.largest:,}",
            compact(row.count),
            format_bytes(row.bytes),
        )

    rows, left_out = first_rows(
        [cells(row) for row in mpip_bins(data.profile)], MOST_ROWS, "records.jsonl"
    )
    return Table(
        "Calls by size of arguments",
        columns("=call", "#from, bytes", "#to, bytes", "#calls", "#bytes"),
        rows,
        folded=True,
        left_out=left_out,
        keys=3,
    )
