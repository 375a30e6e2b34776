# SPDX-License-Identifier: Apache-2.0
"""Calls by the place of the program that makes them."""

from isobath.report.profile_data import ProfileData
from isobath.report.profile_sections.places import place_table, site, totals
from isobath.report.wording import percent
from isobath.view.content import Section, nothing

TITLE = "Call sites"


def render(data: ProfileData) -> Section:
    """Every site in numbers."""
    sums = totals(data.profile.cells, lambda cell: (site(cell),))
    whole = data.profile.whole.mpi_seconds.mean
    if not sums or not whole:
        return nothing("sites", TITLE, "No call took time.")
    (name,), total = next(iter(sums.items()))
    return Section(
        "sites",
        TITLE,
        (place_table("Calls by call site", ("call site",), sums, data),),
        lead=f"{name}, takes {percent(min(1.0, total.seconds / whole))} of the time in MPI.",
    )
