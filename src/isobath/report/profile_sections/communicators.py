# SPDX-License-Identifier: Apache-2.0
"""Calls by communicator."""

from isobath.records.profile import ProfileCellRecord
from isobath.report.profile_data import ProfileData, mpi_name
from isobath.report.profile_sections.places import Place, place_table, totals
from isobath.report.wording import percent, printable
from isobath.view.content import Section, nothing

TITLE = "Communicators"

ON_REQUESTS = "on requests"
"""calls that wait for requests, which may be of several communicators"""


def render(data: ProfileData) -> Section:
    """Communicators in numbers, and the calls on each."""
    sizes = {record.communicator: record.size for record in data.profile.communicators}

    def communicator(cell: ProfileCellRecord) -> Place:
        name = cell.communicator
        return (name, str(sizes[name])) if name in sizes else (name or ON_REQUESTS, "")

    sums = totals(data.profile.cells, communicator)
    whole = data.profile.whole.mpi_seconds.mean
    if not sums or not whole:
        return nothing("communicators", TITLE, "No call took time.")
    by_call = totals(data.profile.cells, lambda cell: (*communicator(cell), mpi_name(cell.call)))
    (name, _), total = next(iter(sums.items()))
    share = percent(min(1.0, total.seconds / whole))
    heads = ("=communicator", "#ranks")
    return Section(
        "communicators",
        TITLE,
        (
            place_table("Communicators in numbers", heads, sums, data),
            place_table("Calls by communicator", (*heads, "=call"), by_call, data, keys=3),
        ),
        lead=f"Calls {printable(name if name == ON_REQUESTS else f'on {name}')} take {share} of "
        "the time in MPI.",
    )
