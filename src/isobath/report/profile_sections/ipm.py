# SPDX-License-Identifier: Apache-2.0
"""What IPM would have printed of the same program."""

from isobath.profile.views import SizeRow, ipm_rows
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.wording import compact, milliseconds, percent
from isobath.view.content import Section, Table, columns, first_rows

TITLE = "As IPM counts"


def render(data: ProfileData) -> Section:
    """Calls by the size that their arguments say."""
    whole = data.profile.whole
    total = whole.mpi_seconds.mean * whole.ranks_recorded or 1.0

    def cells(row: SizeRow) -> tuple[str, ...]:
        return (
            mpi_name(row.call),
            f"{row.smallest:,}",
            f"{row.largest:,}",
            compact(row.count),
            milliseconds(row.seconds),
            percent(row.seconds / total),
        )

    rows, left_out = first_rows([cells(row) for row in ipm_rows(data.profile)], 64, "records.jsonl")
    table = Table(
        "Calls by buffer size",
        columns("=call", "#from, bytes", "#to, bytes", "#calls", "#ms, all ranks", "#of MPI"),
        rows,
        folded=True,
        left_out=left_out,
        keys=3,
    )
    return Section(
        "ipm",
        TITLE,
        (table,),
        lead="As IPM counts: the sizes that the arguments say, of calls with several counts the "
        "segment to itself. This is not what was sent; see Message sizes.",
    )
