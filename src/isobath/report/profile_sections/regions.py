# SPDX-License-Identifier: Apache-2.0
"""Where in the program time and bytes go: regions, searches, communicators, call sites."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

from isobath.records.profile import ProfileCellRecord, ProfileLevelsRecord
from isobath.report import charts
from isobath.report.marks import Bar
from isobath.report.profile_data import ProfileData, mpi_name, region_name
from isobath.report.wording import compact, count_of, milliseconds, percent, printable
from isobath.units import format_bytes
from isobath.view.content import Block, Figure, Section, Table, columns, first_rows

TITLE = "Places"

DRAWN = 12
"""regions that get a bar"""

LONGEST = 16
"""letters of a name beside a bar"""


def render(data: ProfileData) -> Section:
    """Bars of regions where the program names some, and tables of places."""
    profile = data.profile
    blocks: list[Block] = []
    regions = totals(profile.cells, region_name)
    if len(regions) > 1:
        blocks.append(_figure(regions))
    if profile.searches:
        blocks.append(_searches(data))
    if profile.rounds is not None:
        blocks.append(_levels(data, profile.rounds))
    sizes = {one.communicator: one.size for one in profile.communicators}

    def communicator(cell: ProfileCellRecord) -> str:
        name = cell.communicator
        return f"{name} ({count_of(sizes[name], 'rank')})" if name in sizes else "on requests"

    blocks += [
        _table("Call sites", "call site", totals(profile.cells, site), data),
        _table("Communicators", "communicator", totals(profile.cells, communicator), data),
    ]
    return Section("places", TITLE, tuple(blocks), lead=lead(data, regions))


Totals = dict[str, tuple[float, int, int]]
"""Seconds a rank, calls and bytes sent, by place; longest first."""


def totals(cells: Iterable[ProfileCellRecord], name: Callable[[ProfileCellRecord], str]) -> Totals:
    """Sums over the cells of one name."""
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0, 0])
    for cell in cells:
        one = found[name(cell)]
        one[0] += cell.seconds.mean
        one[1] += cell.calls
        one[2] += cell.bytes_sent
    ordered = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))
    return {key: (one[0], int(one[1]), int(one[2])) for key, one in ordered}


def site(cell: ProfileCellRecord) -> str:
    """A call and the place that made it: function and line where they are known."""
    call = mpi_name(cell.call)
    if cell.module is None:
        return f"{call}, place not kept"
    if cell.line is not None:
        path, _, line = cell.line.rpartition(":")
        function = function_name(cell.symbol) if cell.symbol else "?"
        return printable(f"{call} in {function}, {Path(path).name}:{line}")
    place = f"{Path(cell.module).name}+{cell.offset or 0:#x}"
    if cell.symbol is None:
        return printable(f"{call} in {place}")
    return printable(f"{call} in {function_name(cell.symbol)} ({place})")


def function_name(symbol: str) -> str:
    """A function without its parameters and what encloses it.

    >>> function_name("a::(anonymous namespace)::Calls::reduce(std::byte*, long) const")
    'Calls::reduce'
    >>> function_name("main")
    'main'
    """
    plain = symbol.replace("(anonymous namespace)::", "")
    return "::".join(plain.partition("(")[0].split("::")[-2:])


def clipped(name: str) -> str:
    """A name that a drawing has room for; the table below it has the whole."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _figure(regions: Totals) -> Figure:
    bars = [
        Bar(
            clipped(printable(name)),
            seconds * 1e3,
            f"{milliseconds(seconds)} ms, {format_bytes(sent)}",
        )
        for name, (seconds, _, sent) in list(regions.items())[:DRAWN]
    ]
    rows, left = first_rows(
        [
            (printable(name), f"{calls:,}", milliseconds(seconds), f"{sent:,}")
            for name, (seconds, calls, sent) in regions.items()
        ],
        128,
        "records.jsonl",
    )
    return Figure(
        charts.bars(bars, axis="milliseconds in MPI a rank, mean", unvalidated=False),
        "Time in MPI and bytes sent in the regions that the program names, all its searches and "
        "levels together.",
        table=Table(
            "Regions in numbers",
            columns("=region", "#calls", "#ms a rank", "#bytes sent"),
            rows,
            folded=True,
            left_out=left,
        ),
        title="Regions",
    )


def _searches(data: ProfileData) -> Table:
    found: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0, 0])
    for one in data.profile.searches:
        sums = found[one.search]
        sums[0] += one.seconds.mean
        sums[1] += one.wait_seconds_mean or 0.0
        sums[2] += one.calls
        sums[3] += one.bytes_sent
    rows, left = first_rows(
        [
            (
                str(number),
                f"{sums[2]:,.0f}",
                milliseconds(sums[0]),
                percent(min(1.0, sums[1] / sums[0])) if sums[0] else "",
                f"{sums[3]:,.0f}",
            )
            for number, sums in sorted(found.items())
        ],
        128,
        "records.jsonl",
    )
    return Table(
        "Searches, in the order of the program",
        columns("#search", "#calls", "#ms in MPI a rank", "#waiting", "#bytes sent"),
        rows,
        folded=True,
        left_out=left,
    )


def _levels(data: ProfileData, found: ProfileLevelsRecord) -> Table:
    rows, left = first_rows(
        [
            (
                str(one.level),
                f"{one.searches:,}",
                milliseconds(one.seconds),
                milliseconds(one.mpi_seconds),
                milliseconds(one.expand_seconds),
                milliseconds(one.fold_seconds),
                f"{one.bytes_sent:,.0f}",
            )
            for one in data.profile.levels
        ],
        128,
        "records.jsonl",
    )
    return Table(
        f"Levels of {count_of(found.searches, 'search', 'searches')}, found in the order of calls "
        f"(confidence {found.confidence}); medians over searches, a rank",
        columns("#level", "#searches", "#ms", "#ms in MPI", "#ms expand", "#ms fold",
                "#bytes sent"),
        rows,
        left_out=left,
    )  # fmt: skip


def _table(caption: str, head: str, found: Totals, data: ProfileData) -> Table:
    whole = data.profile.whole.mpi_seconds.mean or 1.0
    rows, left = first_rows(
        [
            (name, compact(calls), milliseconds(seconds), percent(seconds / whole), f"{sent:,}")
            for name, (seconds, calls, sent) in found.items()
        ],
        64,
        "records.jsonl",
    )
    return Table(
        caption,
        columns(head, "#calls", "#ms a rank", "#of MPI", "#bytes sent"),
        rows,
        folded=True,
        left_out=left,
    )


def lead(data: ProfileData, regions: Totals) -> str:
    """The place with most of the time."""
    whole = data.profile.whole.mpi_seconds.mean
    sites = totals(data.profile.cells, site)
    if not sites or not whole:
        return "No call took time."
    name, (seconds, _, _) = next(iter(sites.items()))
    text = f"{name}, takes {percent(min(1.0, seconds / whole))} of the time in MPI"
    if len(regions) > 1:
        region, (spent, _, _) = next(iter(regions.items()))
        text += f"; of the regions {printable(region)} takes most, {percent(spent / whole)}"
    return f"{text}."
