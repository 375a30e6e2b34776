# SPDX-License-Identifier: Apache-2.0
"""Time and bytes in the regions that a program announces."""

from isobath.records.profile import ProfileCellRecord
from isobath.report.marks import Bar, BarChart
from isobath.report.profile_data import OUTSIDE_REGIONS, ProfileData, mpi_name, region_name
from isobath.report.profile_sections.places import Totals, place_table, totals
from isobath.report.wording import milliseconds, percent, printable
from isobath.units import format_bytes
from isobath.view.content import Figure, Section, nothing

TITLE = "Regions"

DRAWN = 12
"""regions that get a bar"""

LONGEST = 16
"""letters of a name beside a bar"""

NONE = "This program announces no regions; isobath_region_enter() of isobath_region.h does."


def render(data: ProfileData) -> Section:
    """Bars of regions, all their searches and levels together; then the calls of each level."""
    cells = data.profile.cells
    if all(cell.region is None for cell in cells):
        return nothing("regions", TITLE, NONE)
    sums = totals(cells, lambda cell: (region_name(cell),))
    by_call = totals(cells, lambda cell: (numbered_region(cell), mpi_name(cell.call)))
    return Section(
        "regions",
        TITLE,
        (
            _figure(sums, data),
            place_table("Calls by region", ("region", "=call"), by_call, data, keys=2),
        ),
        lead=lead(sums, data),
    )


def numbered_region(cell: ProfileCellRecord) -> str:
    """A region with its number, if it has one: the level of a search."""
    name = region_name(cell)
    return name if cell.region_number is None else f"{name} {cell.region_number}"


def clipped(name: str) -> str:
    """A name that a drawing has room for; the table below it has the whole."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def lead(sums: Totals, data: ProfileData) -> str:
    """The region with most of the time."""
    whole = data.profile.whole.mpi_seconds.mean
    if not whole:
        return "No call took time."
    (name,), total = next(iter(sums.items()))
    share = percent(min(1.0, total.seconds / whole))
    if name == OUTSIDE_REGIONS:
        return f"Calls {name} take most, {share} of the time in MPI."
    return f"Of the regions {printable(name)} takes most, {share} of the time in MPI."


def _figure(sums: Totals, data: ProfileData) -> Figure:
    bars = (
        Bar(
            clipped(printable(name)),
            total.seconds * 1e3,
            f"{milliseconds(total.seconds)} ms, {format_bytes(total.bytes_sent)}",
        )
        for (name,), total in list(sums.items())[:DRAWN]
    )
    return Figure(
        BarChart(tuple(bars), "milliseconds in MPI a rank, mean"),
        "Time in MPI and bytes sent in the regions that the program names, all its searches and "
        "levels together.",
        table=place_table("Regions in numbers", ("region",), sums, data),
        title="Time by region",
    )
